// Known digits with radau and bdf: the error in the scored components stays within twenty times the relative tolerance,
// in the formulation that is chosen unless told otherwise.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

/// What is scored, and the size below which entries are noise: the absolute tolerance is relative to it. These sizes,
/// and the strictness of bdf, were set looking at these very runs: the test guards them, it is no independent evidence.
struct Scored {
  std::string problem;
  std::vector<std::string> blocks;
  double smallest;
};

const std::vector<Scored>& all_scored() {
  static const std::vector<Scored> all = {
      {"car-axis", {"q", "v", "lambda"}, 1e-4},         {"transistor-amplifier", {"U"}, 1},
      {"slider-crank-flexible", {"q", "lambda"}, 1e-3}, {"ring-modulator", {"U", "Us", "Up", "I"}, 1e-2},
      {"heavy-top", {"q", "v", "lambda"}, 1e-2},        {"andrews", {"q"}, 1}};
  return all;
}

class ScoredDigits : public testing::TestWithParam<std::tuple<Scored, std::string>> {};

TEST_P(ScoredDigits, AreReached) {
  const auto& [scored, method] = GetParam();
  const auto problem = make_problem(scored.problem);
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    RunOptions options;
    options.request.method = method;
    options.tolerance = {rtol, rtol * scored.smallest};
    const Summary summary = run(problem, options);
    ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
    for (const auto& block : scored.blocks) {
      ASSERT_TRUE(summary.error.contains(block)) << block << " has no reference";
      EXPECT_LE(summary.error.at(block), 20 * rtol)
          << scored.problem << " by " << summary.formulation << " with " << method << " at rtol " << rtol
          << ", block " << block;
      std::printf("%s %s %s %g %s: error %.2g rtol, %ld steps\n", scored.problem.c_str(),
                  summary.formulation.c_str(), method.c_str(), rtol, block.c_str(),
                  summary.error.at(block) / rtol, static_cast<long>(summary.statistics.steps));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ScoredDigits,
                         testing::Combine(testing::ValuesIn(all_scored()), testing::Values("radau", "bdf")),
                         [](const auto& given) {
                           std::string name =
                               std::get<0>(given.param).problem + "_" + std::get<1>(given.param);
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name;
                         });

}  // namespace
}  // namespace dalembert
