// How many microseconds does a run cost before its first step? A solver makes it again, over the shortest of intervals.
//
//   fresh/...     the problem is made (its file read) and run, everything anew
//   start/...     a further run of a Solver
//   family/...    a further run of a Solver with other parameters
//   model/...     another mechanism of a family of models alone
//
// The interval is so short that a handful of steps are made: what is left is the preparation.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "dalembert/control/solver.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

constexpr double shortest = 1e-9;  // of the interval

/// Of several repetitions the fastest was disturbed least.
void fastest(benchmark::internal::Benchmark* b) {
  b->Unit(benchmark::kMicrosecond);
  b->ComputeStatistics(
      "min", [](const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); });
}

struct Subject {
  std::string name;
  std::function<std::shared_ptr<const Problem>(const Values&)> fresh;  ///< nothing is kept
  ProblemFamily family;
  std::string parameter;  ///< one to change
};

std::string file(const std::string& name) {
  return std::string(DALEMBERT_MODELS) + "/" + name + ".toml";
}

Subject of_file(const std::string& name, const std::string& parameter) {
  return {name + ".toml", [name](const Values& set) { return Model::from_file(file(name), set).mechanism; },
          ModelFamily::from_file(file(name)), parameter};
}

const std::vector<Subject>& subjects() {
  const auto andrews = [](const Values& set) { return make_problem("andrews", set); };
  static const std::vector<Subject> all = {
      {"andrews", andrews, andrews, "mom"}, of_file("andrews", "mom"), of_file("stewart-platform", "heave")};
  return all;
}

RunOptions options(const Problem& problem) {
  RunOptions o;
  const double begin = problem.start().t;
  o.end = begin + shortest * (problem.end() - begin);
  return o;
}

void check(const Summary& summary) {
  if (!good(summary.outcome)) throw std::runtime_error(summary.message);
}

double value_of(const Subject& subject) {
  if (subject.name == "andrews") {
    for (const auto& entry : all_problems())
      if (entry.name == "andrews")
        for (const Parameter& p : entry.parameters)
          if (p.name == subject.parameter) return p.value;
  } else {
    const std::string stem = subject.name.substr(0, subject.name.size() - 5);
    for (const Parameter& p : Model::from_file(file(stem)).parameters)
      if (p.name == subject.parameter) return p.value;
  }
  throw std::runtime_error(subject.name + " has no parameter " + subject.parameter);
}

void fresh(benchmark::State& state, const Subject& subject) {
  const RunOptions o = options(*subject.fresh({}));
  for (auto _ : state) check(run(subject.fresh({}), o));
}

void start(benchmark::State& state, const Subject& subject) {
  const auto problem = subject.fresh({});
  Solver solver(problem, options(*problem));
  check(solver.run());
  for (auto _ : state) check(solver.run());
}

void family(benchmark::State& state, const Subject& subject) {
  const double value = value_of(subject);
  Solver solver(subject.family, options(*subject.fresh({})));
  double share = 1;
  for (auto _ : state) check(solver.run({}, {{subject.parameter, (share = 2.001 - share) * value}}));
}

void model(benchmark::State& state, const Subject& subject) {
  const double value = value_of(subject);
  for (auto _ : state) benchmark::DoNotOptimize(subject.family({{subject.parameter, value}}));
}

struct Measurement {
  const char* name;
  void (*work)(benchmark::State&, const Subject&);
};
constexpr Measurement measurements[] = {
    {"fresh", fresh}, {"start", start}, {"family", family}, {"model", model}};

}  // namespace
}  // namespace dalembert

int main(int count, char** arguments) {
  using namespace dalembert;
  for (const Subject& subject : subjects())
    for (const auto& [name, work] : measurements)
      fastest(benchmark::RegisterBenchmark(
          (std::string(name) + "/" + subject.name).c_str(),
          [work = work, &subject](benchmark::State& state) { work(state, subject); }));
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
}
