// A trajectory answers at any time what the run knew: as accurately as the method, with names and units, and on both
// sides of a jump.
#include "dalembert/observe/trajectory.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/observe/solve.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

RunOptions at_tolerance(double tolerance, const std::string& method = "") {
  RunOptions options;
  options.tolerance = {tolerance, tolerance};
  options.request.method = method;
  return options;
}

/// Everything a step shows at some times, beside what the trajectory will say.
class Onlooker final : public Observer {
 public:
  void step(const StepView& step) override {
    for (const double theta : {.0, .137, .5, .811, 1.}) {
      const double t = theta == 1 ? step.end() : step.begin() + theta * (step.end() - step.begin());
      seen.push_back(step.at(t, Depth::multipliers));
      seen.back().t = t;
    }
  }
  std::vector<State> seen;
};

class OfAMethod : public ::testing::TestWithParam<std::string> {};

TEST_P(OfAMethod, SaysWhatTheStepsSaid) {
  for (const double tolerance : {1e-3, 1e-6, 1e-10}) {
    Onlooker onlooker;
    const Solution sol = solve(make_problem("pendulum"), at_tolerance(tolerance, GetParam()), {&onlooker});
    ASSERT_EQ(sol.summary.outcome, Outcome::ok) << sol.summary.message;
    ASSERT_GE(onlooker.seen.size(), 40u);
    for (const State& state : onlooker.seen)
      EXPECT_LT(largest(sol(state.t).y - state.y), (1e-11 + 1e-4 * tolerance) * (1 + largest(state.y)))
          << GetParam() << " at tolerance " << tolerance << ", t = " << state.t;
  }
}

INSTANTIATE_TEST_SUITE_P(Trajectory, OfAMethod,
                         ::testing::Values("dop853", "dopri5", "radau", "bdf", "hem5", "mexx"));

TEST(Trajectory, IsAccurateBetweenSteps) {
  const auto problem = make_problem("pendulum");
  const Solution sol = solve(problem, at_tolerance(1e-10, "dop853"));
  const auto times = sol.trajectory.times();
  ASSERT_LT(times.size(), 200u);  // steps are long: much longer than a straight line would allow
  for (int k = 0; k <= 1000; ++k) {
    const double t = k / 100.;
    EXPECT_LT(largest(sol(t).y - problem->exact(t)->y), 2e-8) << t;
  }
}

TEST(Trajectory, KeepsNamesUnitsStepsAndEnds) {
  const Solution sol = solve(make_problem("pendulum"), at_tolerance(1e-8));
  EXPECT_EQ(sol.trajectory.first(), 0);
  EXPECT_EQ(sol.trajectory.last(), 10);
  EXPECT_EQ(sol.trajectory.times().size(), static_cast<std::size_t>(sol.summary.statistics.steps) + 1);
  EXPECT_TRUE(sol.trajectory.breaks().empty());
  EXPECT_EQ(sol(10).y, sol.summary.state.y);
  EXPECT_EQ(sol(10).t, 10);
  const Component x = sol["q.x"], pull = sol["lambda.bar"];
  EXPECT_EQ(x.name(), "q.x");
  EXPECT_EQ(x.unit(), "m");
  EXPECT_EQ(pull.unit(), "N/m");
  EXPECT_EQ(x(3.3), sol(3.3).y[0]);
  EXPECT_EQ(pull(3.3), sol(3.3).y[4]);
  const Matrix q = sol.trajectory.block("q", {0, 3.3, 10});
  EXPECT_EQ(q.cols(), 3);
  EXPECT_EQ(q.col(1), sol(3.3).y.head(2));
  EXPECT_THROW(sol(-1e-9), Error);
  EXPECT_THROW(sol(10.1), Error);
  EXPECT_THROW(sol["q.xx"], Error);
  EXPECT_THROW(sol.trajectory.block("x", {}), Error);
  EXPECT_THROW(Trajectory().first(), Error);
}

/// A ball falls with y'' = -2 from 1 and leaves the ground with half of its speed.
std::shared_ptr<const Problem> ball(EventResponse::Action answer) {
  return ode(0, Vector{{1, 0}}, [](auto, const auto& y, auto&& dy) { dy << y[1], -2.0; },
             {.end = 1.5,
              .names = {"height", "speed"},
              .events = {{.name = "ground",
                          .value = [](const State& s) { return s.y[0]; },
                          .direction = Direction::falling,
                          .respond = [answer](State& s) -> EventResponse {
                            s.y[1] *= -.5;
                            return {.action = answer, .next = {}};
                          }}}});
}

TEST(Trajectory, HasTwoValuesWhereTheStateJumps) {
  const Solution sol = solve(ball(EventResponse::Action::restart), at_tolerance(1e-10));
  ASSERT_EQ(sol.trajectory.breaks().size(), 1u);
  const double t = sol.trajectory.breaks()[0];
  EXPECT_NEAR(t, 1, 1e-9);
  const Component speed = sol["y.speed"];
  EXPECT_NEAR(speed.before(t), -2, 1e-8);
  EXPECT_NEAR(speed(t), 1, 1e-8);
  EXPECT_NEAR(speed(t - 1e-6), -2, 1e-5);
  EXPECT_NEAR(speed(t + 1e-6), 1, 1e-5);
  EXPECT_EQ(sol.trajectory.before(.7).y, sol(.7).y);
}

TEST(Trajectory, EndsWithWhatTheLastEventLeft) {
  const Solution sol = solve(ball(EventResponse::Action::stop), at_tolerance(1e-10));
  EXPECT_EQ(sol.summary.outcome, Outcome::stopped);
  const double t = sol.trajectory.last();
  EXPECT_NEAR(sol["y.speed"](t), 1, 1e-8);
  EXPECT_NEAR(sol["y.speed"].before(t), -2, 1e-8);
}

TEST(Trajectory, GoesOnThroughModes) {
  const auto violin = make_problem("violin");
  Onlooker onlooker;
  const Solution sol = solve(violin, at_tolerance(1e-8), {&onlooker});
  ASSERT_EQ(sol.summary.outcome, Outcome::ok);
  ASSERT_FALSE(sol.trajectory.breaks().empty());
  EXPECT_EQ(sol.trajectory.layout().size(), violin->report().size());
  for (const State& state : onlooker.seen) {
    const Vector q = state.y.head(1), ours = sol(state.t).y.head(1);
    EXPECT_LT(largest(ours - q), 1e-11);
  }
}

TEST(Trajectory, ForgetsTheRunBefore) {
  Trajectory trajectory;
  run(make_problem("pendulum"), {}, {&trajectory});
  RunOptions options;
  options.end = 2;
  run(make_problem("exact-index3"), options, {&trajectory});
  EXPECT_EQ(trajectory.last(), 2);
  EXPECT_EQ(trajectory.layout().size(), make_problem("exact-index3")->report().size());
}

TEST(Trajectory, ChangesNothing) {
  RunOptions options = at_tolerance(1e-6, "dopri5");
  const Summary with = solve(make_problem("car-axis"), options).summary;
  const Summary without = run(make_problem("car-axis"), options);
  EXPECT_EQ(with.state.y, without.state.y);
  EXPECT_EQ(with.statistics.solves, without.statistics.solves);
}

}  // namespace
}  // namespace dalembert
