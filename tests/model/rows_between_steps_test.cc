// Are rows between the ends of long steps as good as the ends?
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/observe/solve.h"
#include "tests/support/model_texts.h"

namespace dalembert {
namespace {

using namespace testing;

/// A crank without freedom: 6.4 turns in 0.6 s, which the method does in a few steps.
const char* const crank = R"toml(
space = "planar"
[[body]]
name = "c"
mass = 1
inertia = 0.1
position = [0.4, 0]
[[joint]]
name = "p"
kind = "revolute"
bodies = ["ground", "c"]
at = [0, 0]
[[drive]]
joint = "p"
motion = "40*smooth_step(t, 0.3, 0.9)"
[run]
end = 2
)toml";

/// What a file of the run would show.
class RowsSeen final : public Observer {
 public:
  void output(const State& state) override { all.push_back(state); }
  std::vector<State> all;
};

double off_circle(const State& state) {
  const double u = std::clamp((state.t - .3) / .6, 0.0, 1.0),
               angle = 40 * u * u * u * (10 - 15 * u + 6 * u * u);
  return std::hypot(state.y[0] - .4 * std::cos(angle), state.y[1] - .4 * std::sin(angle));
}

TEST(RowsBetweenSteps, OfACrankWithoutFreedom) {
  const Model model = testing::model(crank);
  for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-8, 1e-10}) {
    RunOptions options;
    options.request = {"index2", "mexx"};
    options.tolerance = {tolerance, tolerance};
    options.end = 2;
    for (int k = 0; k <= 1000; ++k) options.outputs.push_back(.002 * k);
    double off = 0, at = 0;
    RowsSeen rows;
    const Summary summary = run(model.problem(), options, {&rows});
    ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
    ASSERT_EQ(rows.all.size(), 1001u);
    for (const State& row : rows.all) {
      const double here = off_circle(row);
      if (here > off) off = here, at = row.t;
    }
    EXPECT_LE(off, 30 * tolerance) << "at " << tolerance << ", t = " << at;
  }
}

// A trajectory kept one polynomial of each step.
TEST(RowsBetweenSteps, OfATrajectory) {
  const Model model = testing::model(crank);
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    RunOptions options;
    options.request = {"index2", "mexx"};
    options.tolerance = {tolerance, tolerance};
    options.end = 2;
    const Solution solution = solve(model.problem(), options);
    ASSERT_EQ(solution.summary.outcome, Outcome::ok) << solution.summary.message;
    EXPECT_EQ(solution.trajectory.times().size(),
              static_cast<std::size_t>(solution.summary.statistics.steps) + 1);
    for (int k = 0; k <= 1000; ++k) EXPECT_LE(off_circle(solution(.002 * k)), 30 * tolerance) << .002 * k;
  }
}

}  // namespace
}  // namespace dalembert
