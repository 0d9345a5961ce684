#include "dalembert/formulation/null_space/orthonormal_basis.h"

#include "dalembert/formulation/splitting/coordinate_partition.h"

namespace dalembert {

void OrthonormalBasis::bind(Eigen::Index size, Eigen::Index rows, Orthonormal by) {
  n_ = size;
  r_ = rows;
  by_ = by;
  Q_ = Matrix::Identity(n_, n_);
  A_ = Matrix::Zero(n_, r_);
  work_ = Vector::Zero(n_);
  if (r_ == 0) return;
  if (by == Orthonormal::svd) svd_.emplace(n_, r_, Eigen::ComputeFullU | Eigen::ComputeThinV);
  if (by == Orthonormal::zero_eigenvalue) {
    eigen_.bind(n_);
    JtJ_ = Matrix::Zero(n_, n_);
  }
}

Outcome OrthonormalBasis::compute(const Matrix& Jt, const Matrix& near) {
  if (r_ == 0) return Outcome::ok;  // nothing is constrained: the identity
  if (!Jt.allFinite()) return Outcome::not_finite;
  switch (by_) {
    case Orthonormal::qr:
      A_ = Jt;
      complete_basis(A_, Q_, work_);
      return Outcome::ok;
    case Orthonormal::svd:
      svd_->compute(Jt);
      Q_ = svd_->matrixU();
      return Outcome::ok;
    case Orthonormal::zero_eigenvalue:
      scale_columns(Jt);
      JtJ_.noalias() = A_ * A_.transpose();
      if (const Outcome outcome = eigen_.compute(JtJ_); outcome != Outcome::ok) return outcome;
      Q_.leftCols(r_) = eigen_.vectors().rightCols(r_);  // ascending: the zeros come first
      Q_.rightCols(n_ - r_) = eigen_.vectors().leftCols(n_ - r_);
      return Outcome::ok;
    case Orthonormal::gram_schmidt:
      return gram_schmidt(Jt, near);
  }
  return Outcome::ok;
}

/// J'J squares the condition of J: rows of unit length leave less to square.
void OrthonormalBasis::scale_columns(const Matrix& Jt) {
  A_ = Jt;
  for (Eigen::Index j = 0; j < r_; ++j)
    if (const double length = A_.col(j).norm(); length > 0) A_.col(j) /= length;
}

Outcome OrthonormalBasis::gram_schmidt(const Matrix& Jt, const Matrix& near) {
  for (Eigen::Index k = 0; k < n_; ++k) {
    auto column = Q_.col(k);
    column = k < r_ ? Jt.col(k) : near.col(k - r_);
    for (int pass = 0; pass < 2; ++pass) {  // the second one makes it orthogonal to rounding
      const double before = column.norm();
      for (Eigen::Index j = 0; j < k; ++j) column -= Q_.col(j).dot(column) * Q_.col(j);
      const double length = column.norm();
      if (!(length > 1e-12 * before)) return Outcome::singular;
      column /= length;
    }
  }
  return Outcome::ok;
}

}  // namespace dalembert
