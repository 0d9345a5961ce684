// Runs that come to their end and have not kept what they should: energy and constraints against the tolerance.
#include "dalembert/observe/balance.h"

#include <gtest/gtest.h>

#include "dalembert/model/model.h"
#include "dalembert/observe/solve.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

/// A spring of stiffness 1 whose energy counts one of stiffness 1 + wrong.
std::shared_ptr<const Mechanical> spring(double wrong) {
  return mechanical(
      {.q = Vector{{1}}, .v = Vector{{0}}}, Vector{{1}}, [](double, In q, In, Out f) { f = -q; },
      {.end = 1,
       .energy = [=](double, In q, In v) { return v[0] * v[0] / 2 + (1 + wrong) * q[0] * q[0] / 2; }});
}

TEST(Balance, EnergyThatIsNotKeptIsSaid) {
  const RunOptions options{.tolerance = {1e-6, 1e-6}};
  const Solution right = solve(spring(0), options);
  EXPECT_EQ(right.summary.outcome, Outcome::ok);
  EXPECT_TRUE(right.summary.warnings.empty()) << right.summary.warnings.front();

  const Solution off = solve(spring(.01), options);
  EXPECT_EQ(off.summary.outcome, Outcome::ok);
  ASSERT_EQ(off.summary.warnings.size(), 1u);
  EXPECT_NE(off.summary.warnings[0].find("energy"), std::string::npos);

  const Solution wrong = solve(spring(5), options);
  EXPECT_EQ(wrong.summary.outcome, Outcome::untrusted);
  EXPECT_NE(wrong.summary.message.find("energy"), std::string::npos) << wrong.summary.message;
}

TEST(Balance, JointsThatDriftApartAreSaid) {
  const auto pendulum = make_problem("pendulum");
  RunOptions options{.request = {"index1", "dopri5"}, .tolerance = {1e-6, 1e-6}, .end = 200};
  EXPECT_TRUE(solve(pendulum, options).summary.warnings.empty());
  options.projection = Projection::off;
  const Solution drifted = solve(pendulum, options);
  ASSERT_GT(drifted.drift->position, 1e-4);
  bool said = drifted.summary.outcome == Outcome::untrusted;
  for (const auto& warning : drifted.summary.warnings)
    said = said || warning.find("lambda.bar is left by up to") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(Balance, StiffSpringsAndLargeWorksDoNotAlarm) {
  for (const char* name :
       {"circle-bushing", "stiff-spring-pendulum", "motor-pendulum", "hydraulic-slider-crank"})
    for (const double tolerance : {1e-3, 1e-6, 1e-8}) {
      const Solution solution = solve(make_problem(name), {.tolerance = {tolerance, tolerance}});
      EXPECT_EQ(solution.summary.outcome, Outcome::ok) << name;
      for (const auto& warning : solution.summary.warnings)
        EXPECT_EQ(warning.find("energy"), std::string::npos) << name << " " << tolerance << ": " << warning;
    }
}

/// A drive from rest to 162 J in three steps: at the start next to no energy is allowed, at the end rounding is more than that.
TEST(Balance, WorkOnWhatRestedIsMeasuredByItself) {
  const auto driven = mechanical({.q = Vector{{0}}, .v = Vector{{0}}}, Vector{{1}},
                                 [](double, In, In, Out f) { f.setZero(); },
                                 {1, [](auto t, const auto& q, auto&& g) { g[0] = q[0] - 3 * t * t; }},
                                 {.end = 3, .energy = [](double, In, In v) { return v[0] * v[0] / 2; }});
  const Solution solution = solve(driven, {.tolerance = {1e-9, 1e-9}});
  ASSERT_EQ(solution.summary.outcome, Outcome::ok) << solution.summary.message;
  EXPECT_TRUE(solution.summary.warnings.empty()) << solution.summary.warnings.front();
  EXPECT_GT(solution.energy->allowed, 1e-8);
}

/// A block on a rail that sticks under a load.
std::string stuck(const std::string& load) {
  return R"(
space = "planar"
gravity = [0, 0]
[[body]]
name = "b"
mass = 2
inertia = 1
[[joint]]
name = "g"
kind = "prismatic"
bodies = ["ground", "b"]
at = [0, 0]
along = [1, 0]
[[force]]
kind = "force"
body = "b"
force = [")" +
         load + R"(", 0]
[[force]]
name = "f"
kind = "stick-slip"
joint = "g"
most = 10
sliding = 10
)";
}

/// A load of 10 N works on velocities of 1e-16 m/s, which have next to no energy.
TEST(Balance, RoundingOfWhatRestsIsNoFault) {
  const std::string held = "9.99999*sin(7*t)*exp(-((t-1.121997376282069)/2)^2) - 50*x";
  const struct {
    std::string text;
    PairRequest pair;
    double end;
  } runs[] = {
      {stuck(held), {"index1", "rodas4"}, 3},
      {stuck("9.999*sin(20*t)*exp(-((t-0.39269908169872414)/2)^2) - 1.5*vx"), {"index1", "rodas4"}, 3},
      {stuck("10.001*sin(7*t)"), {"ggl-star", "radau13"}, 8.975979}};
  for (const auto& each : runs) {
    const Solution solution = solve(Model::from_text(each.text).problem(),
                                    {.request = each.pair, .tolerance = {1e-10, 1e-10}, .end = each.end});
    EXPECT_EQ(solution.summary.outcome, Outcome::ok) << solution.summary.message;
    for (const auto& warning : solution.summary.warnings)
      EXPECT_EQ(warning.find("energy"), std::string::npos) << warning;
  }
}

/// Euler's method in steps of a tenth of a radian adds a percent of the energy in each; a hundredth of that is no fault.
TEST(Balance, FixedStepsAreJudgedByWhatTheyAmountTo) {
  const auto with_step = [](double h, const char* method) {
    RunOptions options{.request = {"index1", method}, .control = Control::fixed, .end = 1};
    options.step = h;
    return solve(spring(0), options).summary;
  };
  const Summary coarse = with_step(.1, "euler");
  EXPECT_EQ(coarse.outcome, Outcome::ok);
  ASSERT_FALSE(coarse.warnings.empty());
  EXPECT_NE(coarse.warnings.back().find("take a shorter step"), std::string::npos) << coarse.warnings.back();
  EXPECT_TRUE(with_step(1e-3, "euler").warnings.empty());
  EXPECT_TRUE(with_step(.1, "rk4").warnings.empty());
}

}  // namespace
}  // namespace dalembert
