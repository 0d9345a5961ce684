// Parameters of a problem for which its motion is nearest to measured data, and how well the data know them.
//
//   r = (what the run has - what was measured)/scale of the column,   minimise r'r/2 over the ranges
//   s^2 = r'r/(N - p),   covariance = s^2 (J'J)^-1,   p parameters that are free and determined, N numbers measured
#pragma once

#include <string>
#include <vector>

#include "dalembert/fit/least_squares.h"
#include "dalembert/fit/measured.h"
#include "dalembert/fit/search.h"

namespace dalembert {

/// The end of the runs is that of the data.
struct FitTask : SearchTask {
  MeasuredData data;  ///< settled
};

struct FitResult : SearchResult {
  Matrix correlation;  ///< between those that have an error, in their order
  /// Parameters that the data do not determine: each set is one of them that changes nothing, or several of which only a
  /// combination does.
  std::vector<std::vector<std::string>> undetermined;

  FitEnding ending = FitEnding::no_start;
  double start_deviation = 0;      ///< the same where the first search begins; NaN where that run ends early
  double deviation = 0;            ///< root of the mean of r^2
  double uncertainty = 0;          ///< of derivatives, relative: what longer steps say
  std::vector<double> deviations;  ///< of each column, in its unit
  std::vector<std::vector<double>> fitted;  ///< of each column, at the times of the data
  bool found() const { return !fitted.empty(); }
  std::string sentence() const;  ///< how it ended
};

/// Throws Error for mistakes of the caller. Runs that end early are points at which nothing is known.
FitResult fit(const FitTask&);

}  // namespace dalembert
