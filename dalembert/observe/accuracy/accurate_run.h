// A run whose error is what was asked for, not only its tolerance: it is made again until the difference says so.
//
//   run at R, run at R/10; the error of the second is about 1/9 of the difference. If that is more than R/2, run again at the
//   tolerance that is proportional to it.
//
// A tolerance bounds what the steps add; what the motion makes of it is the growth of the problem (growth.h). Errors are
// |difference|/(1 + |value|), or with other absolute tolerances |difference|/(atol/rtol + |value|), at the output times and at
// the end, of all blocks that carry history.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/control/run.h"

namespace dalembert {

/// What several runs say about the error of the last one.
struct ErrorEstimate {
  double asked = 0;
  double error =
      0;  ///< of the blocks that carry history, and of the time of an early end; NaN: there is none
  std::map<std::string, double> blocks{};  ///< of each block
  std::vector<double> tolerances{};        ///< of the runs; the last one is delivered
  std::string why_not{};                   ///< the error is not what was asked for; "" if it is
  Statistics statistics{};                 ///< of all runs
  double seconds = 0;                      ///< of all runs

  bool reached() const { return why_not.empty(); }
};

/// The last run, and how far it is from the motion.
struct AccurateRun {
  Summary summary;
  ErrorEstimate estimate;
};

/// Those who watch a run, made anew for each one: any of them may be the last.
using Audience = std::function<std::vector<Observer*>()>;

/// Of the tolerance in the options only the ratios of absolute to relative ones count. Throws Error for an accuracy that is not
/// positive and for fixed steps, and otherwise as run() does.
AccurateRun run_accurately(std::shared_ptr<const Problem>, const RunOptions&, double accuracy,
                           const Audience& = {});

/// "estimated error 3e-07 of the 1e-06 asked, 2 runs (rtol 1e-06, 1e-07)"
std::string sentence(const ErrorEstimate&);

}  // namespace dalembert
