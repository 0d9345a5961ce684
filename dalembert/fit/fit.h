// Parameters of a problem for which its motion is nearest to measured data, and how well the data know them.
//
//   r = (what the run has - what was measured)/scale of the column,   minimise r'r/2 over the ranges
//   s^2 = r'r/(N - p),   covariance = s^2 (J'J)^-1,   p parameters that are free and determined, N numbers measured
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/fit/least_squares.h"
#include "dalembert/fit/measured.h"

namespace dalembert {

struct FitTask {
  ProblemMakers makers;
  RunOptions options;  ///< the tolerance far below the steps of differences; the end is that of the data
  std::vector<Unknown> unknowns;
  MeasuredData data;  ///< settled
  int starts = 1;     ///< where searches begin: at the start, and at a Latin hypercube
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: as many as there are cores
  std::int64_t most_runs = 10'000;
};

struct FitResult {
  struct Found {
    std::string name, unit;
    double start = 0, value = 0;
    enum class Side { inside, lower, upper } side = Side::inside;  ///< of its range, pushed against it
    bool determined = true;                                        ///< by the data
    std::optional<double> error{};  ///< standard error; none at a side, or where nothing is determined
  };
  std::vector<Found> parameters;
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
  std::vector<double> history;              ///< deviation at each point that the best search took
  std::int64_t runs = 0;
  Failures failures;              ///< why runs ended early
  int searches = 0, as_good = 0;  ///< how many there were, and how many came to the same deviation
  bool found() const { return !fitted.empty(); }
  std::string sentence() const;  ///< how it ended
};

/// Throws Error for mistakes of the caller. Runs that end early are points at which nothing is known.
FitResult fit(const FitTask&);

}  // namespace dalembert
