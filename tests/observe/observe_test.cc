// Observers: what they keep, write and measure.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/model/model.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

RunOptions at_tolerance(double tolerance) {
  RunOptions options;
  options.tolerance = {tolerance, tolerance};
  return options;
}

TEST(Monitor, ConservativeMotion) {
  Monitor monitor;
  RunOptions options = at_tolerance(1e-9);
  const Summary summary = run(make_problem("pendulum"), options, {&monitor});
  ASSERT_EQ(summary.outcome, Outcome::ok);
  ASSERT_TRUE(monitor.drift() && monitor.energy());
  EXPECT_LT(monitor.drift()->position, 1e-10);
  EXPECT_LT(monitor.drift()->velocity, 1e-10);
  EXPECT_EQ(monitor.energy()->work, 0);
  EXPECT_LT(std::abs(monitor.energy()->error()), 1e-6);
}

TEST(Monitor, SeesDriftWithoutProjection) {
  Monitor monitor;
  RunOptions options = at_tolerance(1e-4);
  options.projection = Projection::off;
  run(make_problem("pendulum"), options, {&monitor});
  EXPECT_GT(monitor.drift()->position, 1e-8);
}

/// The ground that moves, and the bow, change the energy by the work they do; also across modes.
TEST(Monitor, WorkBalancesEnergy) {
  for (const std::string name : {"car-axis", "violin"}) {
    Monitor monitor;
    RunOptions options = at_tolerance(1e-9);
    const Summary summary = run(make_problem(name), options, {&monitor});
    ASSERT_EQ(summary.outcome, Outcome::ok) << name;
    ASSERT_TRUE(monitor.energy()) << name;
    const auto energy = *monitor.energy();
    EXPECT_GT(std::abs(energy.end - energy.start), 1e-5) << name;
    EXPECT_LT(std::abs(energy.error()), 1e-5 * std::abs(energy.work)) << name;
  }
}

TEST(Monitor, CostsNothingInTheStatistics) {
  Monitor monitor;
  RunOptions options;
  options.request = {"index1",
                     "dopri5"};  // dop853 would reuse what its dense output evaluates at the end of a step
  const Summary with = run(make_problem("car-axis"), options, {&monitor});
  const Summary without = run(make_problem("car-axis"), options);
  EXPECT_EQ(with.statistics.force_evaluations, without.statistics.force_evaluations);
  EXPECT_EQ(with.statistics.solves, without.statistics.solves);
  EXPECT_EQ(with.state.y, without.state.y);
}

// The work of friction in a hinge that only rests is rounding: halving steps for it took eighty times as long as the run.
TEST(Monitor, DoesNotMeasureRounding) {
  const Model model = Model::from_text(R"(
space = "planar"
gravity = [0, 0]
[[body]]
name = "flies"
mass = 1
inertia = 1
velocity = [1, 0]
[[body]]
name = "rests"
mass = 1
inertia = 1
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "rests"]
at = [0, 0]
[[force]]
kind = "friction"
joint = "hinge"
viscous = 1
)");
  struct Trembling final : StepView {
    explicit Trembling(State from) : state(std::move(from)) {}
    double begin() const override { return 0; }
    double end() const override { return 1; }
    const State& at(double t, Depth) const override {
      ++asked;
      state.t = t;
      state.y[11] = 1e-17 * std::sin(1e6 * t);  // v.rests.angle'
      return state;
    }
    mutable State state;
    mutable int asked = 0;
  };
  const State start = model.mechanism->start();
  ASSERT_EQ(model.mechanism->layout().label(11), "v.rests.angle'");
  const Trembling step(start);
  Monitor monitor;
  monitor.begin(*model.mechanism, start);
  monitor.step(step);
  EXPECT_LT(step.asked, 20);
  EXPECT_NEAR(monitor.energy()->error(), 0, 1e-15);
}

/// Where one of its five points in a step cannot be evaluated, the work is found from others.
TEST(Monitor, WorkIsKnownBesideAPointWithoutPower) {
  const auto pushed = mechanical(
      {.q = Vector{{0}}, .v = Vector{{0}}}, Vector{{1}}, [](double, In, In, Out f) { f[0] = 1; },
      {.end = 1,
       .energy = [](double, In, In v) { return v[0] * v[0] / 2; },
       .power = [](double t, In, In v) { return std::abs(t - .125) < 1e-6 ? not_a_number : v[0]; }});
  Monitor monitor;
  const Summary summary =
      run(pushed, {.request = {"", "rk4"}, .control = Control::fixed, .step = .25}, {&monitor});
  ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
  EXPECT_NEAR(monitor.energy()->work, .5, 1e-12);
}

TEST(Monitor, OtherKindsHaveNothingToMeasure) {
  Monitor monitor;
  run(make_problem("exact-index2"), {}, {&monitor});
  EXPECT_FALSE(monitor.drift());
  EXPECT_FALSE(monitor.energy());
}

}  // namespace
}  // namespace dalembert
