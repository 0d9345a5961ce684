// Methods for second-order equations: orders with every kind of row, damping, stability, rotations.
#include "dalembert/method/structural/generalized_alpha.h"

#include <gtest/gtest.h>

#include "dalembert/core/error.h"
#include "papers/mantegazza_masarati/parts.h"
#include "tests/support/implicit_trials.h"

namespace dalembert {
namespace {

struct Case {
  std::string method;
  std::map<std::string, double> options;
  double order;
};

class SecondOrder : public ::testing::TestWithParam<Case> {};

// "manufactured" has moving holonomic and velocity-level rows, a first-order state, a full mass matrix and N != I.
TEST_P(SecondOrder, OrderOfEveryBlockFromTheStart) {
  const Case& c = GetParam();
  for (const auto& [problem, end, steps] : {std::tuple{"manufactured", 3.0, 480}, {"pendulum", 10.0, 2500}})
    for (const auto& [block, slope] :
         testing::slopes_of(make_problem(problem), {"index3", c.method}, end, steps, c.options))
      EXPECT_NEAR(slope, c.order, 0.15) << c.method << " on " << problem << ", block " << block;
}

INSTANTIATE_TEST_SUITE_P(All, SecondOrder,
                         ::testing::Values(Case{"generalized-alpha", {}, 2},
                                           Case{"generalized-alpha", {{"rho_inf", 0}}, 2},
                                           Case{"generalized-alpha", {{"rho_inf", 0.5}}, 2},
                                           Case{"generalized-alpha", {{"stabilised", 1}}, 2},
                                           Case{"newmark", {}, 1}, Case{"central-differences", {}, 2}));

TEST(ForwardDifferences, AreImplicitEuler) {
  for (const auto& [block, slope] :
       testing::slopes_of(make_problem("manufactured"), {"index3", "forward-differences"}, 3, 480))
    EXPECT_NEAR(slope, 1, 0.1) << block;
  const auto here = testing::errors_of(make_problem("pendulum"), {"index3", "forward-differences"}, 10, 500);
  const auto there = testing::errors_of(make_problem("pendulum"), {"index3", "implicit-euler"}, 10, 500,
                                        {{"multipliers", 1}});
  for (const auto& [block, error] : here) EXPECT_NEAR(error, there.at(block), 1e-3 * error) << block;
}

/// Largest |g| and |J v + w| over a run.
std::pair<double, double> residuals(const std::string& method,
                                    const std::map<std::string, double>& settings) {
  class Watch final : public Observer {
   public:
    void step(const StepView& view) override {
      const Vector& y = view.at(view.end(), Depth::coordinates).y;
      position = std::max(position, std::abs(y[0] * y[0] + y[1] * y[1] - 1) / 2);
      velocity = std::max(velocity, std::abs(y[0] * y[2] + y[1] * y[3]));
    }
    double position = 0, velocity = 0;
  } watch;
  RunOptions options;
  options.request = {"index3", method};
  options.control = Control::fixed;
  options.step = 0.01;
  options.options = settings;
  EXPECT_EQ(run(make_problem("pendulum"), options, {&watch}).outcome, Outcome::ok);
  return {watch.position, watch.velocity};
}

TEST(Constraints, AreMetAtTheLevelsAskedFor) {
  const auto [position, velocity] = residuals("generalized-alpha", {});
  EXPECT_LT(position, 1e-13);
  EXPECT_GT(velocity, 1e-6);  // the index-3 form leaves velocities off by O(h^2)
  const auto [position2, velocity2] = residuals("generalized-alpha", {{"stabilised", 1}});
  EXPECT_LT(position2, 1e-13);
  EXPECT_LT(velocity2, 1e-12);
  const auto [position3, velocity3] = residuals("central-differences", {});
  EXPECT_LT(position3, 1e-13);
  EXPECT_LT(velocity3, 1e-13);
}

TEST(Damping, MissingAtIndex3EndsUnstable) {
  for (const Case& c : {Case{"generalized-alpha", {{"rho_inf", 1}}, 0},
                        Case{"newmark", {{"gamma", 0.5}, {"beta", 0.25}}, 0}}) {
    RunOptions options;
    options.request = {"index3", c.method};
    options.control = Control::fixed;
    options.step = 0.02;
    options.options = c.options;
    const Summary summary = run(make_problem("pendulum"), options);
    EXPECT_EQ(summary.outcome, Outcome::unstable) << summary.message;
    EXPECT_NE(summary.message.find("lambda.bar"), std::string::npos) << summary.message;
  }
}

TEST(Damping, CoefficientsOfChungAndHulbert) {
  const AlphaScheme scheme = AlphaScheme::tuned(0.8);
  EXPECT_NEAR(scheme.alpha_m, 1.0 / 3, 1e-15);
  EXPECT_NEAR(scheme.alpha_f, 4.0 / 9, 1e-15);
  EXPECT_NEAR(scheme.g1, 0.5 + 1.0 / 9, 1e-15);
  EXPECT_NEAR(scheme.b1, 0.25 * (10.0 / 9) * (10.0 / 9), 1e-15);
}

TEST(Stability, OfDifferencesOnAnOscillator) {
  using mantegazza_masarati::spectral_radius;
  for (const double wh : {0.1, 1.0, 1.9})
    EXPECT_NEAR(spectral_radius("central-differences", {}, wh), 1, 1e-12);
  // Beyond w h = 2 the bad root is below -1: rho^2 - (2 - w^2 h^2) rho + 1 = 0.
  EXPECT_NEAR(spectral_radius("central-differences", {}, 3), 3.5 + std::sqrt(3.5 * 3.5 - 1), 1e-9);
  for (const double wh : {0.1, 1.0, 100.0})
    EXPECT_NEAR(spectral_radius("forward-differences", {}, wh), 1 / std::sqrt(1 + wh * wh), 1e-12);
}

TEST(Options, AreChecked) {
  const auto refuse = [](const char* method, const std::map<std::string, double>& options) {
    EXPECT_THROW(testing::errors_of(make_problem("pendulum"), {"index3", method}, 1, 10, options), Error);
  };
  refuse("generalized-alpha", {{"rho_inf", -0.1}});
  refuse("generalized-alpha", {{"stabilised", 2}});
  refuse("newmark", {{"gamma", 0.4}});
  refuse("newmark", {{"beta", 0.1}});
}

}  // namespace
}  // namespace dalembert
