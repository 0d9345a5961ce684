#include "dalembert/linear/symmetric_eigen.h"

namespace dalembert {

void SymmetricEigen::bind(Eigen::Index size) {
  tridiagonal_ = Eigen::SelfAdjointEigenSolver<Matrix>(size);
  A_ = vectors_ = Matrix::Zero(size, size);
  scale_ = diagonal_ = w_ = row_ = Vector::Zero(size);
  beside_ = Vector::Zero(std::max<Eigen::Index>(size - 1, 0));
  tridiagonal_.computeFromTridiagonal(diagonal_, beside_);  // makes its own room
}

Outcome SymmetricEigen::compute(const Matrix& A) {
  const Eigen::Index n = A.rows();
  if (!A.allFinite()) return Outcome::not_finite;
  A_ = A;
  for (Eigen::Index k = 0; k + 2 < n; ++k) {
    const Eigen::Index m = n - k - 1;
    auto u = A_.col(k).tail(m);
    const double length = u.norm();
    scale_[k] = 0;
    beside_[k] = length;
    if (length == 0) continue;
    beside_[k] = u[0] < 0 ? length : -length;
    u[0] -= beside_[k];
    const double scale = scale_[k] = 2 / u.squaredNorm();
    // H B H with H = I - scale u u' is B - u w' - w u'.
    auto B = A_.bottomRightCorner(m, m);
    auto w = w_.head(m);
    w.noalias() = scale * (B * u);
    const double half = scale * w.dot(u) / 2;
    w -= half * u;
    for (Eigen::Index j = 0; j < m; ++j) B.col(j) -= w[j] * u + u[j] * w;
  }
  if (n > 1) beside_[n - 2] = A_(n - 1, n - 2);
  diagonal_ = A_.diagonal();
  tridiagonal_.computeFromTridiagonal(diagonal_, beside_);
  if (tridiagonal_.info() != Eigen::Success) return Outcome::not_finite;
  vectors_ = tridiagonal_.eigenvectors();
  for (Eigen::Index k = n - 3; k >= 0; --k) {
    const auto u = A_.col(k).tail(n - k - 1);
    for (Eigen::Index j = 0; j < n; ++j) {
      auto column = vectors_.col(j).tail(n - k - 1);
      column -= (scale_[k] * u.dot(column)) * u;
    }
  }
  return Outcome::ok;
}

Vector symmetric_eigenvalues(const Matrix& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace dalembert
