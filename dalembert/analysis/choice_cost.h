// What the choice of a pair costs: the chosen one beside every other that ends well and is right.
//
// Right is who comes as near to the truth as the tolerance asks for, times what the problem makes of small errors. The truth is what
// is known of the end, or a tight run; the growth of errors is what a tight run of another family is off by.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/control/run.h"

namespace dalembert {

struct ChoiceCostOptions {
  RunOptions run{};  ///< pair and tolerance are not those of this one
  std::vector<double> tolerances{1e-4, 1e-6, 1e-8};
  double limit = 20;  ///< processor seconds for one run
  /// Beside the chosen one. None: the methods of all families, each with three formulations.
  std::function<bool(const Pair&)> considered{};
  std::function<void(const std::string& which)> progress{};  ///< told before the runs of a pair
};

/// A pair on a problem at a tolerance.
struct Trial {
  std::string formulation, method;
  Outcome outcome = Outcome::ok;
  std::string message;
  double error = 0;    ///< of differential blocks at the end, max |difference|/(1+|truth|)
  bool right = false;  ///< it ended well, with an error that the tolerance allows
  double seconds = 0;  ///< of the processor: the median of several runs
  Statistics statistics;
};

/// The work of a run in one number: evaluations of the force or of the right-hand side, of Jacobians, and factorisations.
double evaluations(const Statistics&);

struct ChoiceCost {
  double tolerance;
  Trial chosen;
  std::optional<Trial> best;  ///< of all that are right; none if no pair is

  /// How many times the time of the best pair, and its evaluations, the chosen one took. None unless both are right.
  std::optional<double> ratio() const, evaluation_ratio() const;
  bool lost() const { return best && !chosen.right; }  ///< another pair does what the chosen one does not
};

struct ChoiceCosts {
  std::string truth;  ///< where it comes from; "" if none was found, and there are no costs
  double growth = 1;  ///< of errors, by the problem
  std::vector<ChoiceCost> costs;
};

ChoiceCosts choice_costs(const std::shared_ptr<const Problem>&, const ChoiceCostOptions&);

}  // namespace dalembert
