// How far each field of a partitioned problem gives way to the interface multipliers, and what that makes of an
// iteration between the fields as windows become short.
//
//   S_j = J_j a_j,  where M_jj a_j + G_j'mu = J_j',  G_j a_j = 0        G_j: the field's own rows
//
// A row r imposed on field c(r) reads, with the others as they were, S_c(r)[r,:] lambda_new = -sum_{k != c(r)} S_k[r,:]
// lambda_old + ...: errors of lambda are multiplied by -P^-1 Q with P[r,:] = S_c(r)[r,:], Q = sum_j S_j - P. For two
// fields that is -S_2^-1 S_1 with the rows on field 2 [WangHouModnak2011, (3), (4)], its inverse with the rows on field 1.
#pragma once

#include <complex>
#include <vector>

#include "dalembert/problem/partitioned.h"

namespace dalembert {

/// S_j of each field, rows and columns in the order of Partitioned::interface(). Throws Error where a field alone is
/// singular.
std::vector<Matrix> interface_compliances(const Partitioned&, const State&);

/// Eigenvalues of -P^-1 Q, the largest first; empty if the carriers cannot bear their rows (P singular). `carriers`
/// names the field of each row of the whole.
std::vector<std::complex<double>> limit_factors(const Partitioned&, const std::vector<Matrix>& compliances,
                                                const std::vector<std::size_t>& carriers);

/// Each row on the first, or on the last, of the fields it sees.
std::vector<std::size_t> carried_by_first(const Partitioned&);
std::vector<std::size_t> carried_by_last(const Partitioned&);

}  // namespace dalembert
