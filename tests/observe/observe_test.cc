// Observers: what they keep, write and measure.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/model/model.h"
#include "dalembert/observe/csv_writer.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

std::filesystem::path scratch(const std::string& name) {
  return std::filesystem::path(testing::TempDir()) / (name + std::to_string(::getpid()));
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

RunOptions at_tolerance(double tolerance) {
  RunOptions options;
  options.tolerance = {tolerance, tolerance};
  return options;
}

TEST(CsvWriter, NamesUnitsDigits) {
  Layout layout;
  layout.add("q", 2, Role::differential, 1, {"x", "y"}, {"m", ""});
  const auto path = scratch("digits");
  CsvWriter writer(path, layout);
  writer.output({0.1, Vector{{1.0 / 3, not_a_number}}});
  writer.end();
  EXPECT_EQ(content(path), "t [s],q.x [m],q.y\n0.10000000000000001,0.33333333333333331,\n");
  std::filesystem::remove(path);
}

TEST(CsvWriter, KeepsAnOldFileUntilThereIsSomethingNew) {
  const auto path = scratch("old");
  std::ofstream(path) << "precious\n";
  const Layout layout = make_problem("pendulum")->layout();
  { CsvWriter writer(path, layout); }
  EXPECT_EQ(content(path), "precious\n");
  CsvWriter writer(path, layout);
  writer.end();
  EXPECT_EQ(content(path), "t [s],q.x [m],q.y [m],v.x' [m/s],v.y' [m/s],lambda.bar [N/m]\n");
  std::filesystem::remove(path);
}

TEST(CsvWriter, CannotOpen) {
  EXPECT_THROW(CsvWriter("/nowhere/at/all.csv", Layout{}), Error);
}

TEST(CsvWriter, FullDisk) {
  const auto problem = make_problem("pendulum");
  CsvWriter writer("/dev/full", problem->report());
  RunOptions options;
  options.outputs = output_times(0, 10, 10);
  const Summary summary = run(problem, options, {&writer});
  EXPECT_EQ(summary.outcome, Outcome::output_failed);
  EXPECT_EQ(summary.message, "cannot write '/dev/full': No space left on device");
  EXPECT_LT(summary.state.t, 10);
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

TEST(Monitor, OtherKindsHaveNothingToMeasure) {
  Monitor monitor;
  run(make_problem("exact-index2"), {}, {&monitor});
  EXPECT_FALSE(monitor.drift());
  EXPECT_FALSE(monitor.energy());
}

}  // namespace
}  // namespace dalembert
