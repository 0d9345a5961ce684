// Pairs beside the chosen one: which are tried where a motion turns out to be stiff.
#pragma once

#include <vector>

#include "dalembert/control/run.h"

namespace dalembert {

/// Of each method that follows a tolerance the pair that recommends itself most, the chosen one first.
std::vector<Pair> best_of_each_method(const Problem&, const Tolerance&);

/// May a run of the chosen pair be handed over to another one?
bool may_hand_over(const Pair& chosen, const RunOptions&);

/// To these, in this order: methods that want to be taken for implicit problems.
std::vector<Pair> pairs_when_stiff(const Problem&, const RunOptions&);
/// Can the method of the first of them go on with what the formulation of this pair makes?
bool stiff_pair_keeps_equations(const Pair& chosen, const Problem&, const RunOptions&);

}  // namespace dalembert
