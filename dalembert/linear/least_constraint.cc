#include "dalembert/linear/least_constraint.h"

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
  qr_ = Eigen::ColPivHouseholderQR<Matrix>(n, m);
  rows_ = Matrix::Zero(n, m), M_ = Matrix::Zero(n, n), reduced_ = Matrix::Zero(n, n);
  const Eigen::Index most = std::min(n, m);
  W_ = Matrix::Zero(most, m), gram_ = Matrix::Zero(m, m);
  null_ = Matrix::Zero(m, m), null_gram_ = Matrix::Zero(m, m);
  length_ = b_ = k_ = Vector::Zero(m);
  x_ = y_ = Vector::Zero(n);
}

void LeastConstraint::turn(Out x) const {
  for (Eigen::Index k = std::min(n_, m_) - 1; k >= 0; --k) {
    const auto tail = qr_.matrixQR().col(k).tail(n_ - k - 1);
    const double s = qr_.hCoeffs()[k] * (x[k] + tail.dot(x.tail(n_ - k - 1)));
    x[k] -= s;
    x.tail(n_ - k - 1) -= s * tail;
  }
}

void LeastConstraint::turn_back(Out x) const {
  for (Eigen::Index k = 0; k < std::min(n_, m_); ++k) {
    const auto tail = qr_.matrixQR().col(k).tail(n_ - k - 1);
    const double s = qr_.hCoeffs()[k] * (x[k] + tail.dot(x.tail(n_ - k - 1)));
    x[k] -= s;
    x.tail(n_ - k - 1) -= s * tail;
  }
}

Outcome LeastConstraint::factor(const Entries& M, const Entries& J, double tolerance) {
  rows_.setZero();
  for (std::size_t k = 0; k < J.size(); ++k) rows_(J.column(k), J.row(k)) += J.value(k);
  M_.setZero();
  for (std::size_t k = 0; k < M.size(); ++k) M_(M.row(k), M.column(k)) += M.value(k);
  if (!rows_.allFinite() || !M_.allFinite()) return Outcome::not_finite;
  for (Eigen::Index i = 0; i < m_; ++i) {
    length_[i] = rows_.col(i).norm();
    if (length_[i] == 0) length_[i] = 1;
    rows_.col(i) /= length_[i];
  }
  rank_ = 0;
  if (m_ > 0 && n_ > 0) {
    qr_.compute(rows_);
    const double first = std::abs(qr_.matrixQR()(0, 0));
    while (rank_ < std::min(n_, m_) && std::abs(qr_.matrixQR()(rank_, rank_)) > tolerance * first) ++rank_;
  }
  // Dependent rows, in the order of the pivots: row r+j = W(.,j)'(rows before).
  const Eigen::Index k = m_ - rank_;
  if (k > 0) {
    auto W = W_.topLeftCorner(rank_, k);
    if (rank_ > 0) {
      W = qr_.matrixQR().topRightCorner(rank_, k);
      for (Eigen::Index j = 0; j < k; ++j)
        qr_.matrixQR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().solveInPlace(W.col(j));
    }
    // l with J'l = 0, as columns; of unit rows first.
    auto N = null_.topLeftCorner(m_, k);
    N.topRows(rank_) = -W;
    N.bottomRows(k).setIdentity();
    auto gram = gram_.topLeftCorner(k, k), null_gram = null_gram_.topLeftCorner(k, k);
    for (Eigen::Index i = 0; i < k; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) gram(i, j) = N.col(i).dot(N.col(j));
    for (Eigen::Index i = 0; i < m_; ++i) N.row(i) /= length_[qr_.colsPermutation().indices()[i]];
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
    const Eigen::Index row = qr_.colsPermutation().indices()[i];
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
    qr_.matrixQR().topLeftCorner(rank_, rank_).transpose().triangularView<Eigen::Lower>().solveInPlace(first);
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
  if (rank_ > 0)
    qr_.matrixQR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().solveInPlace(first);
  b_.setZero();
  for (Eigen::Index i = 0; i < rank_; ++i) b_[i] = first[i] / length_[qr_.colsPermutation().indices()[i]];
  if (k > 0) {
    const auto N = null_.topLeftCorner(m_, k);
    for (Eigen::Index j = 0; j < k; ++j) k_[j] = N.col(j).dot(b_);
    cholesky_solve(null_gram_.topLeftCorner(k, k), k_.head(k));
    for (Eigen::Index j = 0; j < k; ++j) b_ -= k_[j] * N.col(j);
  }
  for (Eigen::Index i = 0; i < m_; ++i) l[qr_.colsPermutation().indices()[i]] = b_[i];
}

}  // namespace dalembert
