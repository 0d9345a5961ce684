// What is narrower than any step is met all the same, where the law of it is a formula: detents, walls, pulses, windows.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/observe/solve.h"

namespace dalembert {
namespace {

const double root_pi = std::sqrt(std::numbers::pi);

struct Pair {
  const char *formulation, *method;
};
constexpr Pair pairs[] = {{"index1", "dop853"}, {"index1", "dopri5"}, {"index2", "hem5"}, {"index2", "mexx"},
                          {"ggl", "radau"},     {"ggl", "bdf"},       {"ggl", "sdirk4"}};

/// The state at the end of every pair, at loose and tight tolerances.
template <class Check>
void for_all(const Model& model, double end, Check check) {
  for (const Pair& pair : pairs)
    for (const double tolerance : {1e-2, 1e-4, 1e-6, 1e-8}) {
      RunOptions options;
      options.request = {.formulation = pair.formulation, .method = pair.method};
      options.tolerance = {tolerance, tolerance};
      options.end = end;
      const Solution solution = solve(model.mechanism, options);
      SCOPED_TRACE(std::string(pair.formulation) + " " + pair.method + " " + std::to_string(tolerance));
      ASSERT_EQ(solution.summary.outcome, Outcome::ok) << solution.summary.message;
      check(solution.trajectory(end).y, tolerance);
    }
}

/// A body of mass 1 that comes along a rail with velocity 1.
Model slider(const std::string& force) {
  return Model::from_text(R"toml(
space = "planar"
gravity = [0, 0]
[[body]]
name = "b"
mass = 1
inertia = 0.1
velocity = [1, 0]
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "b"]
at = [0, 0]
along = [1, 0]
[[force]]
kind = "force"
body = "b"
force = [")toml" + force + "\", 0]\n",
                          "slider.toml");
}

// Work sqrt(pi)/2 in one part of a million of the way.
TEST(Narrow, APushAtAPlaceIsMet) {
  const double v = std::sqrt(1 + root_pi);
  for_all(slider("exp(-((x-7.3)/1e-5)^2)/1e-5*0.5"), 10, [&](In y, double tolerance) {
    EXPECT_NEAR(y[3], v, 300 * tolerance);
    EXPECT_NEAR(y[0], 7.3 + 2.7 * v, 1000 * tolerance + 1e-4);
  });
}

TEST(Narrow, APushAtATimeIsMet) {
  for_all(slider("exp(-((t-3.3)/1e-7)^2)/1e-7*0.5"), 10,
          [&](In y, double tolerance) { EXPECT_NEAR(y[3], 1 + root_pi / 2, 300 * tolerance); });
}

// The same push beside a force a hundred times larger over the step, as a factor of it, and between terms that cancel: in the sum it is
// little, in its own term it is all there is.
TEST(Narrow, APushWithinALargerFormulaIsMet) {
  const std::string push = "0.2/(1e-4*sqrt(pi))*exp(-((t-3.3)/1e-4)^2)";
  const double swing = 1 - std::cos(10.0);
  const struct {
    std::string force;
    double gained, size;
  } cases[] = {
      {"1000*sin(t)+" + push, 1000 * swing + .2, 1000},
      {"10*sin(t)*(1+" + push + ")", 10 * swing + 10 * std::sin(3.3) * .2 * std::exp(-1e-8 / 4), 10},
      {"10*(sin(t)^2+cos(t)^2-1)+" + push, .2, 1},
      {"10*sin(t)+100*tanh((t-3.3)/1e-4)-100*tanh((t-3.301)/1e-4)", 10 * swing + .2, 10},
  };
  for (const auto& [force, gained, size] : cases) {
    SCOPED_TRACE(force);
    for_all(slider(force), 10,
            [&](In y, double tolerance) { EXPECT_NEAR(y[3], 1 + gained, 300 * tolerance * size); });
  }
}

// Parts of these are infinite where the whole is zero; or all of it happens behind a jump, or around a kink.
TEST(Narrow, APushOfAnyShapeIsMet) {
  const struct {
    const char* force;
    double gained;
  } shapes[] = {
      {"1e5/cosh((t-0.5132)/1e-6)^2", .2},
      {"1e6/((1+exp(-(t-0.5132+1e-7)/2e-8))*(1+exp((t-0.5132-1e-7)/2e-8)))", .2 / (1 - std::exp(-10.0))},
      {"2e6*if(t<0.5132,0,exp(-(t-0.5132)/1e-7))", .2},
      {"1e6*exp(-abs((t-0.5132)/1e-7))", .2},
  };
  for (const auto& [force, gained] : shapes) {
    SCOPED_TRACE(force);
    for_all(slider(force), 1,
            [&](In y, double tolerance) { EXPECT_NEAR(y[3], 1 + gained, 100 * tolerance); });
  }
}

// Networks find what flows by an iteration, whose guesses are no laws at the state.
TEST(Narrow, APulseIntoANetworkIsMet) {
  for (const char* branch : {"kind = \"current-source\"\nnodes = [\"ground\", \"a\"]\ncurrent = \"",
                             "kind = \"resistor\"\nnodes = [\"ground\", \"a\"]\nlaw = \""}) {
    const Model model = Model::from_text(R"toml(
[[node]]
name = "a"
[[branch]]
name = "C"
kind = "capacitor"
nodes = ["a", "ground"]
capacitance = 1
[[branch]]
name = "pulse"
)toml" + std::string(branch) + "1e6*exp(-((t-0.45178)/1e-6)^2)\"\n",
                                         "pulse.toml");
    for_all(model, 1.5, [&](In y, double tolerance) { EXPECT_NEAR(y[0], root_pi, 100 * tolerance); });
  }
}

/// A block that friction holds: it slips for what is too much, wherever that is.
Model held(const std::string& force, const std::string& most) {
  return Model::from_text(R"toml(
space = "planar"
gravity = [0, 0]
[[body]]
name = "b"
mass = 1
inertia = 0.1
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "b"]
at = [0, 0]
along = [1, 0]
[[force]]
kind = "force"
body = "b"
force = [")toml" + force + R"toml(", 0]
[[force]]
kind = "stick-slip"
joint = "rail"
sliding = 0.5
most = ")toml" + most + "\"\n",
                          "held.toml");
}

// The blow gives it sqrt(pi)/2; then 0.2 slows it down.
TEST(Narrow, ABlowOnWhatSticksIsMet) {
  const double v = root_pi / 2;
  for_all(held("0.3+0.5*exp(-((t-3.3)/1e-7)^2)/1e-7", "1"), 10,
          [&](In y, double tolerance) { EXPECT_NEAR(y[0], v * v / .4, 300 * tolerance + 1e-5); });
}

// Where what holds gives way for a moment, the load of 0.9 sets off, and is not stopped.
TEST(Narrow, AWeakMomentOfWhatSticksIsMet) {
  const double t = 10 - (3.3 - 1e-6 * std::sqrt(std::log(.5 / .1)));  // since 1 - 0.5 exp(...) was below 0.9
  for_all(held("0.9", "1-0.5*exp(-((t-3.3)/1e-6)^2)"), 10,
          [&](In y, double tolerance) { EXPECT_NEAR(y[0], .4 * t * t / 2, 1000 * tolerance); });
}

// A potential of height 12 that the falling bar (9.81 below its start at most) cannot cross.
TEST(Narrow, ADetentHoldsABar) {
  const Model model = Model::from_text(R"toml(
space = "planar"
[parameters]
a = 0.0003
[[body]]
name = "b"
mass = 1
inertia = 0.1
position = [1, 0]
[[joint]]
name = "h"
kind = "revolute"
bodies = ["ground", "b"]
at = [0, 0]
[[force]]
name = "detent"
kind = "torsion-spring"
joint = "h"
law = "-24*(angle+1)/a^2*exp(-((angle+1)/a)^2)"
)toml",
                                       "detent.toml");
  for_all(model, .9, [&](In y, double) {
    EXPECT_GT(y[2], -1);  // it came back
    EXPECT_NEAR(y[2], -.0181, .05);
  });
}

// The length of the spring has a corner where the wall is: the way of an argument need not be straight.
TEST(Narrow, AWallThrowsAPointBack) {
  const Model model = Model::from_text(R"toml(
space = "planar"
gravity = [0, 0]
[parameters]
a = 0.003
[[body]]
name = "m"
kind = "point"
mass = 1
position = [-5, 0]
velocity = [1, 0]
[[force]]
name = "s"
kind = "spring"
from = { body = "ground", at = [0, 0] }
to = { body = "m", at = [-5, 0] }
law = "-exp(-length/a)/a"
)toml",
                                       "wall.toml");
  for_all(model, 10, [&](In y, double tolerance) {
    EXPECT_NEAR(y[0], -5, .01 + 300 * tolerance);
    EXPECT_NEAR(y[2], -1, .01 + 300 * tolerance);
  });
}

// Nothing is free here: the rows between the steps are those of the drive, though no estimate of an error depends on them.
TEST(Narrow, RowsOfADriveAreRightBetweenSteps) {
  const Model model = Model::from_text(R"toml(
space = "planar"
[[body]]
name = "b"
mass = 2
inertia = 1
velocity = [0.6, 0]
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "b"]
at = [0, 0]
along = [1, 0]
[[drive]]
joint = "rail"
motion = "0.3*sin(2*t)+1e-3*exp(-((t-0.3831)/1e-3)^2)"
)toml",
                                       "driven.toml");
  for (const char* method : {"hem3", "hem4", "hem5", "phem56", "hedop5", "mexx"})
    for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
      RunOptions options;
      options.request = {.formulation = "index2", .method = method};
      options.tolerance = {tolerance, tolerance};
      options.end = 1;
      const Solution solution = solve(model.mechanism, options);
      SCOPED_TRACE(std::string(method) + " " + std::to_string(tolerance));
      ASSERT_EQ(solution.summary.outcome, Outcome::ok) << solution.summary.message;
      double off = 0;
      for (double t = .379; t < .388; t += 1e-4) {
        const double u = (t - .3831) / 1e-3;
        off = std::max(
            off, std::abs(solution.trajectory(t).y[3] - (.6 * std::cos(2 * t) - 2 * u * std::exp(-u * u))));
      }
      EXPECT_LT(off, (method == std::string("hem3") ? 300 : 100) * tolerance);
    }
}

// A drive that moves for ten microseconds in ten seconds, and takes a mass along by a damper.
TEST(Narrow, AShortMotionOfADriveIsMet) {
  const Model model = Model::from_text(R"toml(
space = "planar"
gravity = [0, 0]
[[body]]
name = "b"
mass = 1
inertia = 0.1
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "b"]
at = [0, 0]
along = [1, 0]
[[drive]]
joint = "rail"
motion = "0.1*exp(-((t-3.3)/1e-5)^2)"
)toml",
                                       "drive.toml");
  RunOptions options;
  options.request = {.formulation = "index1", .method = "dop853"};
  options.end = 10;
  double farthest = 0;
  const Solution solution = solve(model.mechanism, options);
  ASSERT_EQ(solution.summary.outcome, Outcome::ok) << solution.summary.message;
  for (const double t : {3.29999, 3.3, 3.30001}) farthest = std::max(farthest, solution.trajectory(t).y[0]);
  EXPECT_NEAR(farthest, .1, 1e-4);
}

}  // namespace
}  // namespace dalembert
