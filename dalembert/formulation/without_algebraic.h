// The way in and back for formulations that keep the differential entries as they are and eliminate the algebraic ones.
#pragma once

#include "dalembert/formulation/formulation.h"

namespace dalembert {

/// A formulation whose states are the first entries of the original ones, as they are: so are their rates.
class SameEntries {
 public:
  virtual ~SameEntries() = default;
  /// False: this one of its kind changes them on the way back.
  virtual bool kept() const { return true; }
};

inline void enter_without_algebraic(const State& original, State& rewritten) {
  rewritten.t = original.t;
  rewritten.y = original.y.head(rewritten.y.size());
}

/// solve(t, y, z) finds the algebraic entries, if they are asked for.
template <class Solve>
Outcome recover_algebraic(const State& rewritten, State& original, Depth depth, Solve&& solve) {
  const Eigen::Index n = rewritten.y.size(), m = original.y.size() - n;
  original.t = rewritten.t;
  original.y.head(n) = rewritten.y;
  original.y.tail(m).setConstant(not_a_number);
  return depth != Depth::multipliers ? Outcome::ok : solve(rewritten.t, rewritten.y, original.y.tail(m));
}

}  // namespace dalembert
