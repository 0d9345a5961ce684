// Initial values of an implicit problem of index 2 or 3: F = 0 alone does not tell which y allow a solution.
//
// The derivative array must have a solution (derivative_array.h). If it has none, y0 moves: first its entries of the highest index,
// which the others determine; then those of the next; all only if need be.
#pragma once

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

}  // namespace dalembert
