// Draws how a mechanism is run: the pair, the tolerance.
#pragma once

#include <string>
#include <vector>

#include "dalembert/control/pairs.h"
#include "tests/attack/dice.h"

namespace dalembert::attack {

struct DrawnRun {
  PairRequest request;
  double tolerance;
  std::string pair() const;  ///< "ggl radau", or "default"
};

/// Pairs that control their error and make a claim; the default one more often than others. Tolerances are those that a
/// method of its order can pay for.
DrawnRun draw_run(Dice&, const Problem&);

}  // namespace dalembert::attack
