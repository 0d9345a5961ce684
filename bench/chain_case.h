// A chain of n links that swings for a second, with those who solve it: ours, IDA with KLU, Simbody.
#pragma once

#include "bench/chain_rivals.h"
#include "bench/contest.h"

namespace dalembert::bench {

/// Error is max |x - reference| over all link centres at the end. The reference is our own run by index1 dop853 with a
/// tolerance of 1e-11; `reference_spread` is how far it is from one by dopri5.
Case chain_case(const Chain&, double& reference_spread);

}  // namespace dalembert::bench
