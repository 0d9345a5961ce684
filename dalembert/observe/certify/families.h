// Pairs that share as little as possible: what two of them get wrong in the same way is the problem, not the method.
#pragma once

#include <string>
#include <vector>

#include "dalembert/control/pairs.h"

namespace dalembert {

/// A way to solve a problem that is unlike the others.
struct Family {
  std::string name;  ///< "half-explicit"
  Pair pair;
  int pieces;  ///< a step is no longer than this part of the motion, so that short loads are met
};

/// Those that follow a tolerance on this problem, in the order in which they are asked.
std::vector<Family> families(const Problem&);

}  // namespace dalembert
