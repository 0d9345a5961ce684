// An orthonormal basis [Q1 Q2] that splits velocities: Q1 spans the rows of J, Q2 its null space, J Q2 = 0.
//
//   qr               J' = Q1 R                          [KimVanderploeg1986], [MantegazzaMasarati2012, (24)]
//   svd              J' = Q1 Sigma V'                   [ManiHaugAtkinson1985], [MantegazzaMasarati2012, (38)]
//   zero_eigenvalue  J'J Q2 = 0, eigenvectors           [WaltonSteeves1969]
//   gram_schmidt     rows, then given columns, each     [LiangLance1987]
//                    freed from those before it
//
// As they come, columns of Q2 may turn or change sign from one J to the next: whoever integrates along them has to
// align them first.
#pragma once

#include <optional>

#include "dalembert/core/outcome.h"
#include "dalembert/core/vector.h"
#include "dalembert/linear/symmetric_eigen.h"

namespace dalembert {

enum class Orthonormal { qr, svd, zero_eigenvalue, gram_schmidt };

class OrthonormalBasis {
 public:
  /// For `rows` independent rows of `size` entries. The only place that allocates.
  void bind(Eigen::Index size, Eigen::Index rows, Orthonormal by);

  /// Jt = J' has independent columns. `near`: columns not far from the null space, which gram_schmidt starts from.
  Outcome compute(const Matrix& Jt, const Matrix& near);

  auto range() const { return Q_.leftCols(r_); }
  auto null() const { return Q_.rightCols(n_ - r_); }

 private:
  Outcome gram_schmidt(const Matrix& Jt, const Matrix& near);
  void scale_columns(const Matrix& Jt);

  Eigen::Index n_ = 0, r_ = 0;
  Orthonormal by_ = Orthonormal::qr;
  Matrix Q_, A_, JtJ_;
  Vector work_;
  std::optional<Eigen::JacobiSVD<Matrix>> svd_;
  SymmetricEigen eigen_;
};

}  // namespace dalembert
