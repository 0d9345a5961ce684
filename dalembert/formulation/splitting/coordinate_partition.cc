#include "dalembert/formulation/splitting/coordinate_partition.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dalembert {

void CoordinatePartition::bind(Eigen::Index rows, Eigen::Index columns, Basis basis,
                               std::optional<Eigen::Index> forced) {
  m_ = rows, n_ = columns, basis_ = basis, forced_ = forced;
  order_.resize(static_cast<std::size_t>(n_));
  x_.resize(static_cast<std::size_t>(n_ - m_));
  y_.resize(static_cast<std::size_t>(m_));
  Jt_ = A_ = Matrix::Zero(n_, m_);
  X_ = Matrix::Zero(n_, n_ - m_);
  Y_ = Matrix::Zero(n_, m_);
  if (basis == Basis::orthonormal) Q_ = Matrix::Identity(n_, n_);
  s_ = Vector::Zero(m_);
  full_ = column_ = unit_ = Vector::Zero(n_);
  image_ = Vector::Zero(n_ - m_);
  small_ = Entries{};
  factors_.emplace(m_, Backend::dense);
}

void CoordinatePartition::read(const Entries& J) {
  Jt_.setZero();
  for (std::size_t k = 0; k < J.size(); ++k)
    if (J.row(k) < m_) Jt_(J.column(k), J.row(k)) += J.value(k);
}

Outcome CoordinatePartition::choose(const Entries& J) {
  read(J);
  if (!Jt_.allFinite()) return state_ = Outcome::not_finite;
  A_ = Jt_;
  const Outcome outcome = basis_ == Basis::coordinates ? choose_coordinates() : choose_orthonormal();
  return state_ = outcome == Outcome::ok ? place(J) : outcome;
}

Outcome CoordinatePartition::choose_coordinates() {
  std::iota(order_.begin(), order_.end(), Eigen::Index{0});
  const auto swap_rows = [&](Eigen::Index i, Eigen::Index j) {
    if (i == j) return;
    for (Eigen::Index k = 0; k < m_; ++k) std::swap(A_(i, k), A_(j, k));
    std::swap(order_[static_cast<std::size_t>(i)], order_[static_cast<std::size_t>(j)]);
  };
  const Eigen::Index candidates = forced_ ? n_ - 1 : n_;
  if (forced_) swap_rows(*forced_, n_ - 1);
  for (Eigen::Index k = 0; k < m_; ++k) {
    Eigen::Index best = k;
    for (Eigen::Index i = k + 1; i < candidates; ++i)  // a tie goes to the first: splits do not flicker
      if (std::abs(A_(i, k)) > std::abs(A_(best, k)) * (1 + 1e-12)) best = i;
    if (A_(best, k) == 0) return Outcome::singular;
    swap_rows(k, best);
    for (Eigen::Index i = k + 1; i < n_; ++i) {
      const double factor = A_(i, k) / A_(k, k);
      for (Eigen::Index j = k; j < m_; ++j) A_(i, j) -= factor * A_(k, j);
    }
  }
  std::copy_n(order_.begin(), m_, y_.begin());
  std::copy(order_.begin() + m_, order_.end(), x_.begin());
  std::sort(y_.begin(), y_.end());
  std::sort(x_.begin(), x_.end());
  X_.setZero();
  Y_.setZero();
  for (std::size_t j = 0; j < x_.size(); ++j) X_(x_[j], static_cast<Eigen::Index>(j)) = 1;
  for (std::size_t j = 0; j < y_.size(); ++j) Y_(y_[j], static_cast<Eigen::Index>(j)) = 1;
  return Outcome::ok;
}

Outcome CoordinatePartition::choose_orthonormal() {
  complete_basis(A_, Q_, column_);
  Y_ = Q_.leftCols(m_);
  X_ = Q_.rightCols(n_ - m_);
  return Outcome::ok;
}

Outcome CoordinatePartition::place(const Entries& J) {
  if (m_ == 0) return Outcome::ok;
  read(J);
  return factor();
}

void CoordinatePartition::remember(Memory& memory) {
  memory(x_, y_, order_, Jt_, X_, Y_, Q_, state_);
  if (memory.reading() && m_ > 0 && state_ == Outcome::ok) factor();
}

Outcome CoordinatePartition::factor() {
  small_.begin();
  for (Eigen::Index i = 0; i < m_; ++i)
    for (Eigen::Index j = 0; j < m_; ++j) small_.add(i, j, Y_.col(i).dot(Jt_.col(j)));
  small_.end();
  factors_->begin();
  factors_->add(small_, 0, 0, 1);
  return state_ = factors_->factor(unseen_);
}

void CoordinatePartition::multipliers(In r, Out s) const {
  if (m_ == 0) return;
  if (state_ != Outcome::ok) return s.setConstant(not_a_number), void();
  for (Eigen::Index i = 0; i < m_; ++i) s[i] = -Y_.col(i).dot(r);
  factors_->solve(s, unseen_);
}

void CoordinatePartition::project(In r, Out p) const {
  multipliers(r, s_);
  full_ = r;
  for (Eigen::Index i = 0; i < m_; ++i) full_ += s_[i] * Jt_.col(i);
  for (Eigen::Index i = 0; i < n_ - m_; ++i) p[i] = X_.col(i).dot(full_);
}

void CoordinatePartition::magnify(Out factors) const {
  factors.setZero();
  for (Eigen::Index j = 0; j < n_; ++j) {
    unit_.setZero();
    unit_[j] = 1;
    project(unit_, image_);
    factors += image_.cwiseAbs2();
  }
  factors = factors.cwiseSqrt();
}

void complete_basis(Matrix& A, Matrix& Q, Vector& work) {
  const Eigen::Index n = A.rows(), m = A.cols();
  Q.setIdentity();
  for (Eigen::Index k = 0; k < m; ++k) {
    auto u = work.segment(k, n - k);
    u = A.col(k).segment(k, n - k);
    const double length = u.norm();
    if (length == 0) continue;
    u[0] += u[0] < 0 ? -length : length;
    const double scale = 2 / u.squaredNorm();
    for (Eigen::Index j = k; j < m; ++j) {
      auto column = A.col(j).segment(k, n - k);
      column -= (scale * u.dot(column)) * u;
    }
    for (Eigen::Index i = 0; i < n; ++i) {  // Q := Q H
      double product = 0;
      for (Eigen::Index j = 0; j < n - k; ++j) product += Q(i, k + j) * u[j];
      for (Eigen::Index j = 0; j < n - k; ++j) Q(i, k + j) -= scale * product * u[j];
    }
  }
}

}  // namespace dalembert
