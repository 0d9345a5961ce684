// Parameters that make a number of the run least, under conditions on others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/fit/optimizer.h"
#include "dalembert/fit/search.h"
#include "dalembert/sweep/quantity.h"

namespace dalembert {

/// What is to be least: a quantity, its negative, or the square of how far it is from a value.
struct Objective {
  enum class Form { least, most, near };
  Quantity of;
  Form form = Form::least;
  double value = 0;  ///< to be near to

  std::string name() const;  ///< "max(force)", "-max(height)", "time(turn)=2"
};
/// "max(force)", "-max(height)" for the largest, "time(turn)=2" for the nearest to 2. Throws Error.
Objective read_objective(const std::string& text);

/// What a run has to satisfy.
struct RunCondition {
  enum class Sense { below, above, equal };
  Quantity of;
  Sense sense = Sense::below;
  double bound = 0;

  std::string name() const;  ///< "max(angle)<0.5"
};
/// "max(angle)<0.5", ">" and "=" alike. Throws Error.
RunCondition read_condition(const std::string& text);
/// Does it hold for this value of its quantity, up to what searches can tell?
bool holds(const RunCondition&, double value);

/// Runs are shared evenly by the searches; threads make searches at once if there are several, runs for derivatives otherwise.
struct MinimizeTask : SearchTask {
  Objective objective;
  std::vector<RunCondition> conditions{};
  std::string algorithm = "cobyla";
  const Optimizer* optimizer = nullptr;
};

/// Parameters have no errors; history has the objective of each run, NaN where it ended early.
struct MinimizeResult : SearchResult {
  struct Point {
    Vector u;
    double objective;                ///< the quantity that is named
    std::vector<double> conditions;  ///< the quantities that are named there
    double violation = 0;            ///< largest; 0 where all hold
  };
  std::optional<Point> best;   ///< of those that satisfy the conditions, or are nearest to it
  double start_objective = 0;  ///< NaN if the run at the start ended early
  std::string unit;            ///< of the objective
  std::vector<std::string> condition_units;
  /// The conditions that the best point does not satisfy, each with its value: "max(angle)<0.5 is 0.7". Empty if all hold.
  std::vector<std::string> violated{};
  enum class Ending {
    converged,
    too_many_runs,
    interrupted,
    infeasible,
    stuck,
    nothing
  } ending = Ending::nothing;
  std::string sentence() const;
};

/// Throws Error for mistakes of the caller. A run that ends early counts as worse than all others.
MinimizeResult minimize(const MinimizeTask&);

}  // namespace dalembert
