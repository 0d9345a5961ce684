// What fit and minimize are alike in: runs with other parameters, from one start or from several, until none is better.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/fit/trials.h"

namespace dalembert {

/// What is sought, and how.
struct SearchTask {
  ProblemMakers makers;
  RunOptions options;  ///< of all runs; the tolerance far below the steps of differences
  std::vector<Unknown> unknowns;
  int starts = 1;  ///< where searches begin: at the start, and at a Latin hypercube
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: as many as there are cores
  std::int64_t most_runs = 10'000;
};

/// What was found, and what it took.
struct SearchResult {
  struct Found {
    std::string name, unit;
    double start = 0, value = 0;
    enum class Side { inside, lower, upper } side = Side::inside;  ///< of its range, pushed against it
    bool determined = true;                                        ///< does what is sought depend on it?
    std::optional<double> error{};  ///< standard error; none at a side, or where nothing is determined
  };
  std::vector<Found> parameters;
  std::vector<double>
      history;  ///< of the search that found the best: what was to be small, point after point
  std::int64_t runs = 0;
  Failures failures;              ///< why runs ended early
  int searches = 0, as_good = 0;  ///< how many there were, and how many came to the same
};

}  // namespace dalembert
