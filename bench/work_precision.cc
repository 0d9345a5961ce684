// Work against precision: our pairs and, where SUNDIALS is installed, IDA, side by side on the same problems.
//
//   work_precision [--json] [PROBLEM ...]
//
// Time is processor time of the whole call, set-up included: the smallest of several repetitions, in which
// all contenders take turns. Error is max |difference|/(1 + |reference|) at the end, in q, or in
// all entries where there is no q.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/cases.h"

namespace dalembert::bench {
namespace {

int main(const std::vector<std::string>& arguments) {
  bool json = false;
  std::vector<std::string> wanted;
  for (const auto& argument : arguments) {
    const bool known = std::any_of(all_cases().begin(), all_cases().end(),
                                   [&](const auto& one) { return one.first == argument; });
    if (argument == "--json") {
      json = true;
    } else if (known) {
      wanted.push_back(argument);
    } else {
      fmt::print(stderr, "usage: work_precision [--json] [PROBLEM ...]\nproblems:");
      for (const auto& [name, make] : all_cases()) fmt::print(stderr, " {}", name);
      fmt::print(stderr, "\n");
      return 2;
    }
  }
  std::vector<double> tolerances;
  for (int digits = 2; digits <= 10; ++digits) tolerances.push_back(std::pow(10, -digits));
  warn_of_slow_sundials();
  std::vector<Case> cases;
  for (const auto& [name, make] : all_cases())
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
      cases.push_back(make());
  for (Case& c : cases) measure(c, tolerances);
  if (json) {
    print_json(cases, tolerances);
    return 0;
  }
  for (const Case& c : cases) print_table(c, tolerances);
  for (const Case& c : cases) print_targets(c);
  return 0;
}

}  // namespace
}  // namespace dalembert::bench

int main(int argc, char** argv) {
  try {
    return dalembert::bench::main({argv + 1, argv + argc});
  } catch (const std::exception& mistake) {
    fmt::print(stderr, "work_precision: {}\n", mistake.what());
    return 1;
  }
}
