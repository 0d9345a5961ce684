// What lies at a position where rows become dependent: do they meet there, and which ones are they?
//
//   A = D J L^-T = U Sigma V',  K = L L' (branch.h);   U2, V2: the singular values that vanish
//   gap = |U2' D g| after q was moved with the others only
//
// Rows that meet leave a gap of rounding size: two branches cross. A larger one says that the motion turns before the
// position. Dense: one singular value decomposition per look.
#pragma once

#include <functional>

#include "dalembert/control/singular/branch.h"

namespace dalembert {

inline constexpr Eigen::Index most_gap_rows = 1200;  ///< beyond, a decomposition takes minutes

/// A path in time through the position: q and v at t.
using BranchPath = std::function<void(double t, Out q, Out v)>;

struct Gap {
  double t = 0;           ///< of the position
  double size = 0;        ///< of the residual that cannot be removed, in scaled rows
  Eigen::Index lost = 0;  ///< how many singular values vanish
  Vector shares;          ///< of each row in the dependence, the largest 1
};

/// Looks along the path from a first guess t inside (begin, end). `small` is the size below which a singular value
/// counts as vanishing.
Gap find_gap(Branch&, const BranchPath&, double begin, double end, double t, double small);

/// Of all multipliers that give this acceleration, those of least size. Where a singular value is small, what belongs to it is as
/// uncertain as it is large; the acceleration is not.
void least_multipliers(Branch&, double t, In q, In v, In s, In a, Out multipliers);

}  // namespace dalembert
