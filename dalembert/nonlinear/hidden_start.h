// Initial values of an implicit problem of index 2 or 3: F = 0 alone does not tell which y allow a solution.
//
// The derivative array [BrenanCampbellPetzold1996, 2.5]: along y(tau) = y0 + y1 tau + ... + yk tau^k/k!, k the index, all of
//   F = 0,  dF/dtau = 0, ...,  d^(k-1)F/dtau^(k-1) = 0   at tau = 0
// must have a solution (y1, ..., yk). If they have none, y0 moves: first its entries of the highest index, which the others
// determine; then those of the next; all only if need be. Derivatives along tau are differences, forward ones: nothing is
// known of the time before.
#pragma once

#include <optional>

#include "dalembert/nonlinear/nearest_point.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

struct HiddenStart {
  enum class Verdict { holds, moved, unmet, undecided } verdict = Verdict::undecided;
  Vector y{};
};

/// `span` is the time of the run. Larger problems than this are not decided: the matrices are dense.
inline constexpr Eigen::Index most_hidden = 150;
HiddenStart meet_hidden(const Implicit&, double t, In y, double span, const KeptEntries&);

/// The state next to y that meets the array as well as differences can tell, where two of them agree: entries of a higher index
/// move before those of a lower one. A negative `span` looks at the time before.
std::optional<Vector> refine_hidden(const Implicit&, double t, In y, double span);

}  // namespace dalembert
