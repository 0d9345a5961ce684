// Several contenders on the same problem at several tolerances: time against error, in turns.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dalembert::bench {

struct Result {
  bool ok = false;
  double error = 0;
  std::int64_t evaluations = 0;  ///< of the force (ours), of the residual (IDA)
  std::int64_t jacobians = 0, steps = 0, factorizations = 0;
  double seconds = 0;
};

struct Contender {
  std::string name;
  bool ours;
  std::function<Result(double tolerance)> solve;
  std::function<void()> set_up;  ///< what solve does before its first step
  double set_up_seconds = 0;
  std::vector<Result> results{};  ///< one per tolerance
};

struct Case {
  std::string problem;
  double end;
  std::vector<Contender> contenders;
};

/// Median and quartiles of processor time, in seconds.
struct Spread {
  double median = 0, low = 0, high = 0;
  std::size_t runs = 0;
};
Spread spread(std::vector<double> seconds);

/// One contender's run that is right to an error, and what it took.
struct Standing {
  bool reached = false;
  double tolerance = 0;
  Result result{};
  Spread seconds{};
};
/// How tolerances are tried and runs are repeated.
struct Trial {
  std::vector<double> tolerances{};  ///< from loose to tight
  std::size_t confirmed = 0;         ///< so many of the next tighter ones must be right too: no lucky hits
  std::size_t tighter = 0;           ///< so many of them are tried for being cheaper
  int rounds = 1;                    ///< of each run while tolerances are sought, within the budget
  double budget = 1;                 ///< seconds of repetitions for each contender and error
  std::size_t fewest = 3, most = 41;
};
/// For each contender and error the cheapest tolerance that reaches it; then all these runs, in turns, again and again.
std::vector<std::vector<Standing>> stand(const Case&, const std::vector<double>& errors, const Trial&);

/// Smallest time of several. The contenders take turns, and sweep after sweep goes over all tolerances, so
/// that a disturbance of the machine does not meet all repetitions of one of them.
void measure(Case&, const std::vector<double>& tolerances);

void print_table(const Case&, const std::vector<double>& tolerances);
/// Time to reach an error: best of ours and best of others.
void print_targets(const Case&);
void print_json(const std::vector<Case>&, const std::vector<double>& tolerances);

}  // namespace dalembert::bench
