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

/// Smallest time of several. The contenders take turns, and sweep after sweep goes over all tolerances, so
/// that a disturbance of the machine does not meet all repetitions of one of them.
void measure(Case&, const std::vector<double>& tolerances);

void print_table(const Case&, const std::vector<double>& tolerances);
/// Time to reach an error: best of ours and best of IDA.
void print_targets(const Case&);
void print_json(const std::vector<Case>&, const std::vector<double>& tolerances);

}  // namespace dalembert::bench
