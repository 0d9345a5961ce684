// Eigenvalues and eigenvectors of a symmetric matrix: Householder reflections to a tridiagonal one, whose decomposition is
// Eigen's. Unlike Eigen's own first half, this one allocates nothing once bound.
#pragma once

#include <Eigen/Eigenvalues>

#include "dalembert/core/outcome.h"
#include "dalembert/core/vector.h"

namespace dalembert {

class SymmetricEigen {
 public:
  void bind(Eigen::Index size);
  /// ok, or not_finite where it does not converge. Reads all of A.
  Outcome compute(const Matrix& A);

  const Vector& values() const { return tridiagonal_.eigenvalues(); }  ///< ascending
  const Matrix& vectors() const { return vectors_; }

 private:
  Eigen::SelfAdjointEigenSolver<Matrix> tridiagonal_;
  Matrix A_, vectors_;  // the reflections lie in A_, below its diagonal
  Vector scale_, diagonal_, beside_, w_, row_;
};

/// The eigenvalues alone, ascending.
Vector symmetric_eigenvalues(const Matrix&);

}  // namespace dalembert
