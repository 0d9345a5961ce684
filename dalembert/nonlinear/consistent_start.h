// Initial values that satisfy the constraints: left alone if they do, moved as little as possible if they do not.
#pragma once

#include <string>

#include "dalembert/core/outcome.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

struct StartReport {
  Outcome outcome = Outcome::ok;
  std::string message;         ///< what was changed, or why it cannot be done
  double position_change = 0;  ///< largest change of a position (or of y)
  double velocity_change = 0;  ///< largest change of a velocity
};

/// Completes `state` (in the layout of the problem): positions, then velocities, then multipliers or z.
StartReport make_consistent(const Problem&, State& state);

}  // namespace dalembert
