// The coefficients of a tableau as exact numbers, and the matrix omega of half-explicit methods.
//
//                ( a_21                     )-1
//     (omega)  = ( :     ..                 )        [BraseyHairer1993, (3.1)]
//                ( a_s1  ..  a_s,s-1        )
//                ( b_1   ..  b_s-1      b_s )
#pragma once

#include "dalembert/analysis/exact.h"
#include "dalembert/method/runge_kutta/tableau.h"

namespace dalembert {

struct ExactTableau {
  /// Throws Error if the row sums of A are not c (exactly; to 1e-13 if the digits are rounded).
  static ExactTableau read(const Tableau&);

  ExactMatrix A;         ///< square; of a Tableau strictly lower triangular
  ExactVector b, c;      ///< c: the row sums
  ExactVector embedded;  ///< empty if there are none
  double tolerance = 0;  ///< 0 if every coefficient is exact; 1e-13 if some are rounded decimals or doubles

  /// a_{i+1,j}, i, j = 1..s, with a_{s+1,j} = b_j: the matrix that is inverted in (3.1).
  ExactMatrix shifted() const;
};

/// Throws Error if a_{i,i-1} = 0 for some i or b_s = 0: then the stages of (2.1) do not exist.
ExactMatrix omega(const ExactTableau&);

/// Makes stage i (1..s) the embedded solution: the only choice that stays on the manifold g = 0 without extra
/// work.
Tableau embed_stage(Tableau, Eigen::Index stage);

}  // namespace dalembert
