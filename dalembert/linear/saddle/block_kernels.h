// The arithmetic of block elimination: one pivot block and its neighbours at a time, for block sizes 1 to 6.
//
//   D = K(p,p),  U_j = K(p,t_j),  L_j = K(t_j,p)'       pivot p, later neighbours t_j; L_j = U_j if K is symmetric
//   F = D^-1,    W_j = F U_j,     y = F b_p
//   K(t_i,t_j) <- K(t_i,t_j) - L_i' W_j,   b_i <- b_i - L_i' y
//   x_p = y - sum_j W_j x_j                             backwards
//
// All blocks are rows in one workspace and are named by their offset. Updates read `from` and write `to`: the first one to
// touch a block reads the original (or a block of zeros), so K stays intact and nothing is cleared.
#pragma once

#include <cstdint>

#include "dalembert/linear/saddle/symmetry.h"

namespace dalembert {

inline constexpr int largest_block = 6;

/// One kernel's operands, as offsets into the workspace.
struct Record {
  struct Neighbour {
    std::int32_t upper, lower;  ///< U_j and L_j, both s by t
    std::int32_t product;       ///< W_j
    std::int32_t rhs;           ///< b_j, later x_j
    std::int32_t from, to;      ///< K(t_j,t_j)
  };
  std::int32_t diagonal;     ///< D
  std::int32_t inverse;      ///< F
  std::int32_t rhs;          ///< b_p, then y, then x_p
  std::int32_t determinant;  ///< one slot for s <= 3, two above
  Neighbour near[2];
  std::int32_t upper_from, upper_to;  ///< K(t_1,t_2)
  std::int32_t lower_from, lower_to;  ///< K(t_2,t_1)'
};

using Kernel = void (*)(const Record&, double* workspace);

/// Factor and go forward; go forward again with the same factors; go back. Null where there is nothing to do.
struct Kernels {
  Kernel factor = nullptr, forward = nullptr, backward = nullptr;
};

/// How many determinants the growth check of a pivot block looks at.
constexpr int determinants(int s) {
  return s <= 3 ? 1 : 2;
}

Kernels pivot_kernels(Symmetry, int s);
Kernels pivot_kernels(Symmetry, int s, int t);
/// Two neighbours at once; factor is null for sizes that are not worth a kernel of their own.
Kernels pivot_kernels(Symmetry, int s, int t1, int t2);
/// One of many neighbours, after the pivot itself.
Kernels neighbour_kernels(int s, int t);
/// K(upper_to) = K(upper_from) - A'B with A at near[0].lower (s by t1) and B at near[1].product (s by t2).
Kernel update_kernel(int s, int t1, int t2);

}  // namespace dalembert
