#include "dalembert/linear/least_constraint.h"

#include <algorithm>
#include <cmath>

namespace dalembert {

namespace {

constexpr double no_inertia = 1e-14;  // relative to the largest entry of M

/// In place, lower half; false where the matrix is not positive definite.
bool cholesky(Eigen::Ref<Matrix> A, double least) {
  for (Eigen::Index j = 0; j < A.rows(); ++j) {
    for (Eigen::Index k = 0; k < j; ++k) A.col(j).tail(A.rows() - j) -= A(j, k) * A.col(k).tail(A.rows() - j);
    if (!(A(j, j) > least)) return false;
    const double pivot = std::sqrt(A(j, j));
    A.col(j).tail(A.rows() - j) /= pivot;
  }
  return true;
}

void cholesky_solve(Eigen::Ref<const Matrix> L, Out x) {
  L.triangularView<Eigen::Lower>().solveInPlace(x);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
}

}  // namespace

void LeastConstraint::bind(Eigen::Index n, Eigen::Index m) {
  n_ = n, m_ = m;
  rank_ = 0;
  preferred_.clear();
  order_.assign(static_cast<std::size_t>(m), 0);
  reflection_ = Vector::Zero(std::min(n, m));
  units_ = rows_ = Matrix::Zero(n, m), M_ = Matrix::Zero(n, n), reduced_ = Matrix::Zero(n, n);
  const Eigen::Index most = std::min(n, m);
  W_ = Matrix::Zero(most, m), gram_ = Matrix::Zero(m, m);
  null_ = Matrix::Zero(m, m), null_gram_ = Matrix::Zero(m, m);
  length_ = b_ = k_ = Vector::Zero(m);
  x_ = y_ = Vector::Zero(n);
}

/// Householder's reflections; pivoting brings the row that sticks out farthest to the front each time.
bool LeastConstraint::triangulate(Order how, double tolerance) {
  constexpr double clear = 1e-3;  // of a preferred unit row, beyond the span of those before it
  const Eigen::Index fixed = how == Order::preferred ? static_cast<Eigen::Index>(preferred_.size()) : 0;
  const Eigen::Index most =
      preferred_.empty() ? std::min(n_, m_) : static_cast<Eigen::Index>(preferred_.size());
  rows_ = units_;
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<Eigen::Index>(i);
  double first = 0;
  for (rank_ = 0; rank_ < most; ++rank_) {
    const Eigen::Index k = rank_, rest = n_ - k;
    Eigen::Index best = k;
    double size = 0;
    if (k < fixed) {
      best = std::find(order_.begin() + k, order_.end(), preferred_[static_cast<std::size_t>(k)]) -
             order_.begin();
      size = rows_.col(best).tail(rest).norm();
      if (size < clear) return false;
    } else {
      for (Eigen::Index j = k; j < m_; ++j)
        if (const double norm = rows_.col(j).tail(rest).norm(); norm > size) size = norm, best = j;
      if (k == 0) first = size;
      if (!(size > tolerance * first)) return true;
    }
    std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(best)]);
    if (best != k) rows_.col(k).swap(rows_.col(best));
    // I - h w w' with w = (1, tail) takes the column to (beta, 0).
    const double alpha = rows_(k, k), beta = alpha > 0 ? -size : size;
    reflection_[k] = (beta - alpha) / beta;
    auto tail = rows_.col(k).tail(rest - 1);
    tail /= alpha - beta;
    rows_(k, k) = beta;
    for (Eigen::Index j = k + 1; j < m_; ++j) {
      auto other = rows_.col(j).tail(rest - 1);
      const double s = reflection_[k] * (rows_(k, j) + tail.dot(other));
      rows_(k, j) -= s;
      other -= s * tail;
    }
  }
  return true;
}

void LeastConstraint::turn(Out x) const {
  for (Eigen::Index k = rank_ - 1; k >= 0; --k) {
    const auto tail = rows_.col(k).tail(n_ - k - 1);
    const double s = reflection_[k] * (x[k] + tail.dot(x.tail(n_ - k - 1)));
    x[k] -= s;
    x.tail(n_ - k - 1) -= s * tail;
  }
}

void LeastConstraint::turn_back(Out x) const {
  for (Eigen::Index k = 0; k < rank_; ++k) {
    const auto tail = rows_.col(k).tail(n_ - k - 1);
    const double s = reflection_[k] * (x[k] + tail.dot(x.tail(n_ - k - 1)));
    x[k] -= s;
    x.tail(n_ - k - 1) -= s * tail;
  }
}

Outcome LeastConstraint::factor(const Entries& M, const Entries& J, double tolerance) {
  units_.setZero();
  for (std::size_t k = 0; k < J.size(); ++k) units_(J.column(k), J.row(k)) += J.value(k);
  M_.setZero();
  for (std::size_t k = 0; k < M.size(); ++k) M_(M.row(k), M.column(k)) += M.value(k);
  if (!units_.allFinite() || !M_.allFinite()) return Outcome::not_finite;
  for (Eigen::Index i = 0; i < m_; ++i) {
    length_[i] = units_.col(i).norm();
    if (length_[i] == 0) length_[i] = 1;
    units_.col(i) /= length_[i];
  }
  if (preferred_.empty() || !triangulate(Order::preferred, tolerance)) triangulate(Order::pivoted, tolerance);
  // Dependent rows, in the order of the pivots: row r+j = W(.,j)'(rows before).
  const Eigen::Index k = m_ - rank_;
  if (k > 0) {
    auto W = W_.topLeftCorner(rank_, k);
    if (rank_ > 0) {
      W = rows_.topRightCorner(rank_, k);
      for (Eigen::Index j = 0; j < k; ++j)
        rows_.topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().solveInPlace(W.col(j));
    }
    // l with J'l = 0, as columns; of unit rows first.
    auto N = null_.topLeftCorner(m_, k);
    N.topRows(rank_) = -W;
    N.bottomRows(k).setIdentity();
    auto gram = gram_.topLeftCorner(k, k), null_gram = null_gram_.topLeftCorner(k, k);
    for (Eigen::Index i = 0; i < k; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) gram(i, j) = N.col(i).dot(N.col(j));
    for (Eigen::Index i = 0; i < m_; ++i) N.row(i) /= length_[order_[static_cast<std::size_t>(i)]];
    for (Eigen::Index i = 0; i < k; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) null_gram(i, j) = N.col(i).dot(N.col(j));
    cholesky(gram, 0);  // at least the identity
    cholesky(null_gram, 0);
  }
  // Q'M Q
  const double scale = M_.size() > 0 ? M_.cwiseAbs().maxCoeff() : 0;
  for (Eigen::Index j = 0; j < n_; ++j) turn_back(M_.col(j));
  M_.transposeInPlace();
  for (Eigen::Index j = 0; j < n_; ++j) turn_back(M_.col(j));
  const Eigen::Index free = n_ - rank_;
  reduced_.topLeftCorner(free, free) = M_.bottomRightCorner(free, free);
  return cholesky(reduced_.topLeftCorner(free, free), no_inertia * scale) ? Outcome::ok : Outcome::singular;
}

void LeastConstraint::solve(In f, In b, Out a) {
  const Eigen::Index k = m_ - rank_, free = n_ - rank_;
  for (Eigen::Index i = 0; i < m_; ++i) {
    const Eigen::Index row = order_[static_cast<std::size_t>(i)];
    b_[i] = b[row] / length_[row];
  }
  auto first = b_.head(rank_);
  const auto W = W_.topLeftCorner(rank_, k);
  if (k > 0) {  // (I + W W') y = b1 + W b2
    for (Eigen::Index j = 0; j < k; ++j) k_[j] = b_[rank_ + j] - W.col(j).dot(first);
    cholesky_solve(gram_.topLeftCorner(k, k), k_.head(k));
    for (Eigen::Index j = 0; j < k; ++j) first += k_[j] * W.col(j);
  }
  if (rank_ > 0)
    rows_.topLeftCorner(rank_, rank_).transpose().triangularView<Eigen::Lower>().solveInPlace(first);
  x_ = f;
  turn_back(x_);
  auto z = x_.tail(free);
  for (Eigen::Index j = 0; j < rank_; ++j) z -= first[j] * M_.col(j).tail(free);
  cholesky_solve(reduced_.topLeftCorner(free, free), z);
  x_.head(rank_) = first;
  turn(x_);
  copy(x_, a);
}

void LeastConstraint::multipliers(In force, Out l) {
  const Eigen::Index k = m_ - rank_;
  y_ = force;
  turn_back(y_);
  auto first = y_.head(rank_);
  if (rank_ > 0) rows_.topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().solveInPlace(first);
  b_.setZero();
  for (Eigen::Index i = 0; i < rank_; ++i) b_[i] = first[i] / length_[order_[static_cast<std::size_t>(i)]];
  if (k > 0) {
    const auto N = null_.topLeftCorner(m_, k);
    for (Eigen::Index j = 0; j < k; ++j) k_[j] = N.col(j).dot(b_);
    cholesky_solve(null_gram_.topLeftCorner(k, k), k_.head(k));
    for (Eigen::Index j = 0; j < k; ++j) b_ -= k_[j] * N.col(j);
  }
  for (Eigen::Index i = 0; i < m_; ++i) l[order_[static_cast<std::size_t>(i)]] = b_[i];
}

}  // namespace dalembert
