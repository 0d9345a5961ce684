// A run with everything that is worth keeping of it: how it ended, the motion as a function of time, and what it should
// have kept.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dalembert/control/run.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/observe/trajectory.h"
#include "dalembert/observe/watch.h"

namespace dalembert {

/// What solve() returns.
struct Solution {
  std::shared_ptr<const Problem> problem;
  Summary summary;
  Trajectory trajectory;
  std::optional<Monitor::Drift> drift{};    ///< of the constraints of a mechanical problem
  std::optional<Monitor::Energy> energy{};  ///< of a mechanical problem that knows its energy

  /// The complete state at t, from the start to where the run ended: trajectory(t).
  State operator()(double t) const { return trajectory(t); }
  /// One entry as a function of time, by label: trajectory["q.x"].
  Component operator[](std::string_view label) const { return trajectory[label]; }
};

/// run() with a trajectory and a monitor among the observers. Where the motion between the start and the end is of no interest,
/// run() does with less memory. Throws what run() throws.
Solution solve(std::shared_ptr<const Problem>, const RunOptions& = {}, const std::vector<Observer*>& = {});

}  // namespace dalembert
