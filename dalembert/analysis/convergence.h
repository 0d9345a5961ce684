// Convergence with fixed steps: errors block by block while steps are halved, and the orders that they show.
//
// Errors are the largest |difference|/(1 + |truth|) at the ends of the steps of the first run, so that all runs are looked at
// where each of them ends a step. The truth is the exact solution where the problem has one; otherwise a tight run of a
// family that the method does not belong to, which a second one has confirmed up to its doubt. The order is a slope, fitted to
// the finest runs that are clear of rounding and of that doubt.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/control/run.h"

namespace dalembert {

struct ConvergenceOptions {
  RunOptions run{};   ///< pair, options, start and end; steps are chosen here
  int pieces = 20;    ///< steps of the first run
  int halvings = 7;   ///< further runs, each with half the step
  double limit = 20;  ///< processor seconds for one run
  std::function<void(const std::string&)> progress{};
};

/// One block of the state.
struct BlockConvergence {
  std::string block;
  std::vector<double> errors{};     ///< one for each run; NaN where it failed
  double doubt = 0;                 ///< of the truth
  std::optional<double> order{};    ///< that is seen
  std::size_t first = 0, last = 0;  ///< the runs that show it
  std::optional<double> claimed{};
  std::string remark{};  ///< what limits the errors or the order; "" if nothing does
};

struct Convergence {
  std::string formulation, method;
  std::string truth;  ///< where it comes from
  std::vector<double> steps{};
  std::vector<std::string> failures{};  ///< one for each run; "" if it came to its end
  std::vector<BlockConvergence> blocks{};
  std::string why_not{};  ///< nothing is known to compare with
};

/// Throws Error for mistakes of the caller, as run() does.
Convergence study_convergence(const std::shared_ptr<const Problem>&, const ConvergenceOptions&);

/// The slope of log(errors) over log(steps) from run `first` to run `last`, by least squares.
double fitted_order(const std::vector<double>& steps, const std::vector<double>& errors, std::size_t first,
                    std::size_t last);

}  // namespace dalembert
