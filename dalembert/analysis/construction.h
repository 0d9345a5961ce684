// The two-parameter family of half-explicit methods of order 4 with five stages, c_2 and c_3 free.
//
// Solves the reduced system: row sums c_i, sum b_i c_i^{q-1} = 1/q for q = 1..4,
//     C(2):  sum_j a_ij c_j = c_i^2/2 for i = 3..5, b_2 = 0,
//     D(1):  sum_i b_i a_ij = b_j (1 - c_j),
//     b_i omega_i1 = 0.                                            [BraseyHairer1993, Theorem 10 and (4.1)]
// c_2 = 3/10 and c_3 = (4 - sqrt 6)/10 give HEM4.
#pragma once

#include <string>

#include "dalembert/analysis/exact.h"

namespace dalembert {

/// The picture of the method's tableau (tableau.h). Throws Error, with the reason, where the choice gives no
/// method.
std::string half_explicit_of_order4(const Exact& c2, const Exact& c3);

}  // namespace dalembert
