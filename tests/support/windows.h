// Runs of partitioned problems in windows.
#pragma once

#include "dalembert/control/run.h"
#include "dalembert/method/partitioned/window_iteration.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert::testing {

using WindowWords = std::map<std::string, std::string>;

/// Fixed windows of length dt; options by the names of their choices.
inline RunOptions windows(double dt, std::vector<std::string> methods, const WindowWords& words,
                          Tolerance tolerance) {
  RunOptions options;
  options.request = {"fields", "window-iteration"};
  options.fields = std::move(methods);
  options.control = Control::fixed;
  options.step = dt;
  options.tolerance = tolerance;
  for (const auto& p : CouplingScheme::options())
    if (const auto given = words.find(p.name); given != words.end())
      options.options[p.name] = p.choices.empty() ? std::stod(given->second) : choice(p, given->second);
  return options;
}

inline const WindowWords faithful = {{"relaxation", "none"}, {"guess", "constant"}};
inline const Tolerance absolute{0, 1e-6};

inline Summary run_model(double dt, const WindowWords& words, double end = 10) {
  RunOptions options = windows(dt, {"trapezoid"}, words, absolute);
  options.end = end;
  options.projection = Projection::off;
  return run(make_problem("wang-hou-modnak"), options);
}

inline const Partitioned& fields_of(const std::shared_ptr<const Problem>& problem) {
  return dynamic_cast<const Partitioned&>(*problem);
}

}  // namespace dalembert::testing
