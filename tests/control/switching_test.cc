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
  return Model::from_text("space = \"planar\"\n" + more + "\n[[force]]\nkind = \"force\"\nbody = \"b\"\nforce = " +
                              force + "\n",
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
    return body("[[body]]\nname = \"b\"\nmass = 2\ninertia = 1\nposition = [0, " + std::to_string(height) + "]",
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
       {PairRequest{"index2", "mexx"}, PairRequest{}, PairRequest{"index1", "dopri5"}, PairRequest{"ggl", "radau"},
        PairRequest{"ggl", "sdirk4"}, PairRequest{"index2", "hem5"}, PairRequest{"ggl", "bdf"}})
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

// Once at rest there is no motion between the switches: steps crept on without end.
TEST(Switching, FrictionByFormulaIsToldToStick) {
  const Model model = body(
      "gravity = [0, 0]\n[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\nposition = [0, 0]\nvelocity = [1.6, 0]",
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

}  // namespace
}  // namespace dalembert
