// Laws that switch with the state: steps end in front of a switch and begin behind it, and who rests on one is told.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"
#include "dalembert/observe/solve.h"

namespace dalembert {
namespace {

/// A body without gravity, or with one along y, and one force on it.
Model body(const std::string& more, const std::string& force) {
  return Model::from_text(
      "space = \"planar\"\n" + more + "\n[[force]]\nkind = \"force\"\nbody = \"b\"\nforce = " + force + "\n",
      "body.toml");
}

RunOptions asked(const PairRequest& request, double tolerance, double end) {
  RunOptions options;
  options.request = request;
  options.tolerance = {tolerance, tolerance};
  options.end = end;
  return options;
}

/// Falls from a height, and is thrown back by a constant force below the ground.
struct Ball {
  double height = .98, g = 9.81, push = 2170;

  Model model() const {
    return body(
        "[[body]]\nname = \"b\"\nmass = 2\ninertia = 1\nposition = [0, " + std::to_string(height) + "]",
        "[0, \"if(y < 0, " + std::to_string(2 * push) + ", 0)\"]");
  }
  double speed(double t) const {
    const double fall = std::sqrt(2 * height / g), hit = g * fall, contact = 2 * hit / (push - g);
    const double phase = std::fmod(t, 2 * fall + contact);
    if (phase < fall) return -g * phase;
    return phase < fall + contact ? -hit + (push - g) * (phase - fall) : hit - g * (phase - fall - contact);
  }
};

// The rate at the end of a step was that behind the switch: velocities between steps were off by 18 m/s, positions right.
TEST(Switching, ABallIsRightBetweenItsBounces) {
  const Ball ball;
  const Model model = ball.model();
  for (const PairRequest& request :
       {PairRequest{"index2", "mexx"}, PairRequest{}, PairRequest{"index1", "dopri5"},
        PairRequest{"ggl", "radau"}, PairRequest{"ggl", "sdirk4"}, PairRequest{"index2", "hem5"},
        PairRequest{"ggl", "bdf"}})
    for (const double tolerance : {1e-5, 5.326e-10}) {
      const Solution s = solve(model.mechanism, asked(request, tolerance, 4.2));
      ASSERT_EQ(s.summary.outcome, Outcome::ok) << request.method << " " << s.summary.message;
      double worst = 0;
      for (int i = 0; i <= 100; ++i) {
        const double t = 4.2 * i / 100;
        worst = std::max(worst, std::abs(s(t).y[4] - ball.speed(t)));
      }
      EXPECT_LT(worst, 100 * tolerance) << request.method << " " << tolerance;
    }
}

// A damper whose law has |rate| in it, where it comes to rest. Of index 3, an error of q along the rows becomes one of 1/h in v:
// velocities were off by 7 rad/s behind short steps onto the switch, or no step succeeded.
TEST(Switching, HeldPositionsBearShortSteps) {
  const Model model = Model::from_text(R"file(
space = "spatial"
gravity = [0, 0, -9.81]
[[body]]
name = "b1"
mass = 0.266
position = [-0.286, -0.105, -0.251]
inertia = [0.00339, 0.00323, 0.00349]
[[joint]]
name = "j2"
kind = "screw"
bodies = ["ground", "b1"]
at = [-0.369, 0.0715, -0.133]
axis = [0.765, 0.608, 0.213]
pitch = 0.106
[[force]]
kind = "spring"
from = { body = "ground", at = [0.163, 0.261, -0.394] }
to = { body = "b1", at = [-0.280, -0.188, -0.328] }
stiffness = 668
length = 0.761
damping = 9.46
[[force]]
kind = "damper"
from = { body = "ground", at = [0.698, 0.146, 0.475] }
to = { body = "b1", at = [-0.179, -0.104, -0.292] }
law = "0.0693*rate*(1 + abs(rate)*0.319)"
)file",
                                       "screw.toml");
  const Summary truth = run(model.mechanism, asked({"ggl", "radau"}, 1e-11, .179));
  ASSERT_EQ(truth.outcome, Outcome::ok) << truth.message;
  for (const char* method : {"radau5", "radau9", "radau13", "radau", "bdf"})
    for (const double tolerance : {1e-5, 1e-6, 2.84e-8, 1e-9}) {
      const Summary s = run(model.mechanism, asked({"index3", method}, tolerance, .179));
      ASSERT_EQ(s.outcome, Outcome::ok) << method << " " << tolerance << " " << s.message;
      EXPECT_LT((s.state.y - truth.state.y).head(13).cwiseAbs().maxCoeff(), 300 * tolerance)
          << method << " " << tolerance;
    }
}

// Once at rest there is no motion between the switches: steps crept on without end.
TEST(Switching, FrictionByFormulaIsToldToStick) {
  const Model model = body(
      "gravity = [0, 0]\n[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\nposition = [0, 0]\nvelocity = [1.6, "
      "0]",
      "[\"-0.1*sign(vx)\", 0]");
  for (const PairRequest& request : {PairRequest{}, PairRequest{"ggl", "radau"}}) {
    const Summary s = run(model.mechanism, asked(request, 1e-9, 30));
    EXPECT_EQ(s.outcome, Outcome::too_many_steps);
    EXPECT_NE(s.message.find("stick-slip"), std::string::npos) << s.message;
    EXPECT_NEAR(s.state.t, 16, 1e-2);
    EXPECT_LT(s.statistics.steps, 3000);
  }
  const Summary loose = run(model.mechanism, asked({}, 1e-3, 30));
  ASSERT_EQ(loose.outcome, Outcome::ok) << loose.message;
  ASSERT_FALSE(loose.warnings.empty());
  EXPECT_NE(loose.warnings[0].find("stick-slip"), std::string::npos) << loose.warnings[0];
  EXPECT_NEAR(loose.state.y[0], 12.8, 1e-2);
}

/// A law that changes at the drawn angle, where the body rests until it is set going: rounding decides on which side of it -0.2816 rad
/// minus -0.2816 rad is, and short steps from side to side moved nothing.
TEST(Switching, AMotionLeavesTheEdgeOfAConditionThatRoundingDecides) {
  const auto drawn_at = [](const std::string& angle) {
    return Model::from_text(R"toml(
space = "planar"
gravity = [0, 0]
[[body]]
name = "w"
mass = 1
inertia = 0.5
angle = )toml" + angle + R"toml(
[[joint]]
name = "j"
kind = "revolute"
bodies = ["ground", "w"]
at = [0, 0]
[[force]]
name = "s"
kind = "torsion-spring"
joint = "j"
law = "30*angle*step(angle) + 10*angle"
[[force]]
name = "t"
kind = "torque"
body = "w"
torque = "-16*step(t - 0.2)"
)toml");
  };
  for (const PairRequest& request : {PairRequest{}, PairRequest{"index1", "dopri5"},
                                     PairRequest{"ggl", "radau"}, PairRequest{"ggl", "bdf"}})
    for (const double tolerance : {1e-4, 1e-8}) {
      RunOptions options = asked(request, tolerance, 1);
      options.most_steps = 20000;
      const Summary at = run(drawn_at("-0.2816").mechanism, options),
                    level = run(drawn_at("0").mechanism, options);
      ASSERT_EQ(at.outcome, Outcome::ok) << request.method << " " << at.message;
      EXPECT_NEAR(at.state.y[2] + .2816, level.state.y[2], 100 * tolerance) << request.method;
      const double omega = std::sqrt(20.), still = -1.6;
      EXPECT_NEAR(at.state.y[2] + .2816, still * (1 - std::cos(omega * .8)), 100 * tolerance)
          << request.method;
    }
}

}  // namespace
}  // namespace dalembert
