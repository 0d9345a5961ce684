// The diagonal blocks of a matrix that a permutation makes block triangular, and no other permutation any finer [Tarjan1972]: entries i and j are
// in one block if each leads to the other. Eigenvalues are those of the blocks, so that rounding in one does not spread those of another.
#pragma once

#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

/// Of entries that are not zero, or not known to be: `doubt` is what they may be wrong by. Indices of each block ascend.
std::vector<std::vector<Eigen::Index>> irreducible_blocks(const Matrix& A, const Matrix& doubt);

}  // namespace dalembert
