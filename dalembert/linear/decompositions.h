// The dense decompositions, compiled once (decompositions.cc) instead of in every file that uses one: a singular value
// decomposition alone costs a compiler ten seconds.
#pragma once

#include <Eigen/Dense>

// X(declaration) for everything that is compiled there. Some decompositions do their work in a member template, which the
// class alone does not bring.
#define DALEMBERT_DECOMPOSITIONS(X)                                                        \
  X(class LLT<MatrixXd>)                                                                   \
  X(LLT<MatrixXd>& LLT<MatrixXd>::compute<MatrixXd>(const EigenBase<MatrixXd>&))           \
  X(class LDLT<MatrixXd>)                                                                  \
  X(LDLT<MatrixXd>& LDLT<MatrixXd>::compute<MatrixXd>(const EigenBase<MatrixXd>&))         \
  X(class PartialPivLU<MatrixXd>)                                                          \
  X(class FullPivLU<MatrixXd>)                                                             \
  X(class ColPivHouseholderQR<MatrixXd>)                                                   \
  X(class CompleteOrthogonalDecomposition<MatrixXd>)                                       \
  X(class SelfAdjointEigenSolver<MatrixXd>)                                                \
  X(SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute<MatrixXd>( \
      const EigenBase<MatrixXd>&, int))                                                    \
  X(class EigenSolver<MatrixXd>)                                                           \
  X(EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute<MatrixXd>(const EigenBase<MatrixXd>&, bool))

#define DALEMBERT_SINGULAR_VALUE_DECOMPOSITIONS(X) \
  X(class JacobiSVD<MatrixXd>)                     \
  X(class BDCSVD<MatrixXd>)

namespace Eigen {

#define X(declaration) extern template declaration;
DALEMBERT_DECOMPOSITIONS(X)
DALEMBERT_SINGULAR_VALUE_DECOMPOSITIONS(X)
#undef X

}  // namespace Eigen
