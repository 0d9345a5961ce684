// Motions that turn out stiff: a chosen pair hands them over, one that was asked for says so.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/solver.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

/// A rod that falls against a hinge full of grease: its angle creeps with torque over viscosity.
Model greased_hinge() {
  return Model::from_text(R"(
space = "planar"
gravity = [0, -9.81]
[[body]]
name = "rod"
mass = 1
inertia = 0.1
position = [0.5, 0]
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "rod"]
at = [0, 0]
[[force]]
kind = "friction"
joint = "hinge"
viscous = 1e7
)",
                          "hinge.toml");
}

RunOptions until(double end, double tolerance) {
  RunOptions options;
  options.end = end;
  options.tolerance = {tolerance, tolerance};
  return options;
}

TEST(Stiffness, AChosenPairHandsOver) {
  const Model model = greased_hinge();
  const Summary s = run(model.mechanism, until(1, 1e-6));
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  ASSERT_EQ(s.changes.size(), 1u);
  EXPECT_EQ(s.changes[0].method, "rodas853");
  EXPECT_LT(s.statistics.steps, 200);  // 4 million of them, were it for stability
  EXPECT_NEAR(s.state.y[2], -0.5 * 9.81 / 1e7, 1e-12);
}

TEST(Stiffness, AChosenPairHandsOverAtTightTolerancesToo) {
  const Model model = greased_hinge();
  for (const double tolerance : {1e-10, 1e-11}) {
    const Summary s = run(model.mechanism, until(1e-3, tolerance));
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    ASSERT_FALSE(s.changes.empty());
    EXPECT_EQ(s.changes[0].method, "rodas853");
    EXPECT_LT(s.statistics.steps, 300);  // thousands, were it for stability
  }
}

// Newton's iteration of radau often fails on the flyball governor; bdf takes less work.
TEST(Stiffness, AStiffRunThatTakesLongGoesToWhoNeedsLessWork) {
  const Model model = Model::from_file(DALEMBERT_MODELS "/flyball-governor.toml");
  EXPECT_EQ(run(model.mechanism, until(1, 1e-4)).changes.size(), 1u);  // too loose for bdf
  const Summary s = run(model.mechanism, until(10, 3e-7));
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  ASSERT_EQ(s.changes.size(), 2u);
  EXPECT_EQ(s.changes[0].method, "radau");
  EXPECT_EQ(s.changes[0].why, "the motion is stiff");
  EXPECT_EQ(s.changes[1].method, "bdf");
  EXPECT_LT(s.changes[1].t, 2);  // and makes the rest of the way
}

TEST(Stiffness, WhoNeedsMoreWorkHandsBack) {
  const Summary s = run(make_problem("motor-pendulum"), until(5, 1e-8));
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  ASSERT_EQ(s.changes.size(), 3u);
  EXPECT_EQ(s.changes[1].method, "bdf");
  EXPECT_EQ(s.changes[2].method, "radau");
  EXPECT_EQ(s.changes[2].why, "it took more work");
}

TEST(Stiffness, APairThatWasAskedForGoesOnAndSaysSo) {
  const Model model = greased_hinge();
  RunOptions options = until(1e-5, 1e-6);
  options.request = {"index1", "dopri5"};
  const Summary s = run(model.mechanism, options);
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_TRUE(s.changes.empty());
  ASSERT_EQ(s.warnings.size(), 1u);
  EXPECT_NE(s.warnings[0].find("stiff"), std::string::npos) << s.warnings[0];
}

// In a long run that is not stiff the other pair has its try, makes no longer steps, and the chosen one goes on.
TEST(Stiffness, AMotionThatIsNotStiffIsHandedBack) {
  const auto oscillator = ode(0, Vector{{1, 0}}, [](auto, const auto& y, auto&& dy) {
    dy[0] = y[1];
    dy[1] = -y[0];
  });
  RunOptions options = until(1000, 1e-8);
  const Summary s = run(oscillator, options);
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  ASSERT_GE(s.changes.size(), 2u);
  EXPECT_EQ(s.changes.size() % 2, 0u);
  EXPECT_EQ(s.changes.back().method, s.method);
  EXPECT_TRUE(s.warnings.empty());
  EXPECT_NEAR(s.state.y[0], std::cos(1000.), 1e-4);
}

TEST(Stiffness, ARunMadeAgainIsTheSame) {
  const Model model = greased_hinge();
  Solver solver(model.mechanism, until(1, 1e-6));
  const Summary first = solver.run(), second = solver.run();
  EXPECT_EQ(first.state.y, second.state.y);
  EXPECT_EQ(first.statistics.steps, second.statistics.steps);
}

}  // namespace
}  // namespace dalembert
