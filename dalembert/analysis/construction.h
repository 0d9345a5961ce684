// Families of methods by their free nodes c_2 and c_3, as tableaus with exact coefficients.
//
// Half-explicit, order 4, five stages; c_2 = 3/10 and c_3 = (4 - sqrt 6)/10 give HEM4. It solves the reduced
// system
//     c_i = sum_j a_ij,    sum_i b_i c_i^{q-1} = 1/q for q = 1..4,
//     C(2):  sum_j a_ij c_j = c_i^2/2 for i = 3..5, b_2 = 0,
//     D(1):  sum_i b_i a_ij = b_j (1 - c_j),
//     b_i omega_i1 = 0.                                            [BraseyHairer1993, Theorem 10 and (4.1)]
// Classical explicit, order p with p = 3 or 4 stages: the candidates of [BraseyHairer1993, Propositions 4 and
// 5].
#pragma once

#include <string>

#include "dalembert/analysis/exact.h"

namespace dalembert {

/// Pictures of tableaus (tableau.h). They throw Error, with the reason, where the nodes give no method.
std::string half_explicit_of_order4(const Exact& c2, const Exact& c3);
std::string classical_of_order3(const Exact& c2, const Exact& c3);
std::string classical_of_order4(const Exact& c2, const Exact& c3);

}  // namespace dalembert
