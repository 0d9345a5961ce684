// One run of a model, and everything it says about the motion: states and watches at the outputs, energy and work.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dalembert/model/model.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/observe/trajectory.h"
#include "tests/attack/draw_run.h"

namespace dalembert::attack {

/// Named numbers at several times. Those of one group are of one sort, and are judged by the largest of them.
struct Table {
  std::vector<std::string> names, groups;
  std::vector<double> times;
  std::vector<Vector> rows;
};

/// The column that tells of what size energies are: what was put in and taken out may be far more than what stayed.
inline constexpr std::string_view energy_scale = "energy.scale";

struct Trial {
  Summary summary;
  Table table;
  std::string thrown;  ///< by a run that was refused before it began
  bool ok() const { return thrown.empty() && summary.outcome == Outcome::ok; }
  std::string outcome() const;
};

struct TrialOptions {
  int pieces = 1;
  std::map<std::string, double> start{};  ///< changed initial values
  bool careful = false;                   ///< steps are kept short: nothing is stepped over
  double beside = 0;                      ///< outputs also so much before and after each
  std::int64_t most_steps = 2'000;
};

Trial attempt(const Model&, const DrawnRun&, const TrialOptions&);

}  // namespace dalembert::attack
