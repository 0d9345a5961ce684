// Lyapunov exponents: those known exactly, those published, and the same ones for every form of a motion.
#include "dalembert/analysis/lyapunov.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

LyapunovOptions until(double end, double discard, double tolerance = 1e-9) {
  LyapunovOptions options;
  options.flow.tolerance = {tolerance, tolerance};
  options.end = end;
  options.discard = discard;
  return options;
}

/// theta'' + 2 zeta w theta' + w^2 sin theta = 0 at rest, w^2 = 9.81.
std::shared_ptr<const Problem> damped(const std::string& form, double zeta) {
  return make_problem(form, {{"A", 0}, {"g", 9.81}, {"phi", 0}, {"c", 2 * zeta * std::sqrt(9.81)}});
}

TEST(Lyapunov, DampedPendulumAtRestHasItsEigenvalues) {
  for (const char* form : {"driven-pendulum", "driven-pendulum-angle"}) {
    const auto light = lyapunov_spectrum(damped(form, .1), until(100, 10));
    ASSERT_EQ(light.dimension, 2) << form;
    for (const auto& e : light.exponents) EXPECT_NEAR(e.value, -.1 * std::sqrt(9.81), 1e-6) << form;
    const auto heavy = lyapunov_spectrum(damped(form, 1.5), until(40, 10));
    EXPECT_NEAR(heavy.exponents[0].value, -1.196353, 1e-6) << form;
    EXPECT_NEAR(heavy.exponents[1].value, -8.199923, 1e-6) << form;
  }
}

TEST(Lyapunov, ExactExponentsOnATurningConstraint) {
  const auto s = lyapunov_spectrum(make_problem("exact-exponents"), until(220, 20));
  ASSERT_EQ(s.exponents.size(), 2u);
  EXPECT_NEAR(s.exponents[0].value, -.3, 1e-4);
  EXPECT_LT(std::abs(s.exponents[0].value + .3), 5 * s.exponents[0].error + 1e-6);
  EXPECT_NEAR(s.exponents[1].value, -1, 1e-8);
}

TEST(Lyapunov, LorenzAsPublished) {
  const auto s = lyapunov_spectrum(make_problem("lorenz"), until(500, 20, 1e-8));
  ASSERT_TRUE(s.complete());
  EXPECT_NEAR(s.sum(), -41. / 3, 1e-5);
  EXPECT_NEAR(s.exponents[0].value, .906, .05);
  EXPECT_LT(std::abs(s.exponents[0].value - .906), 5 * s.exponents[0].error);
  EXPECT_NEAR(s.exponents[1].value, 0, .005);
  EXPECT_NEAR(s.kaplan_yorke().value(), 2.062, .005);
  EXPECT_NE(sentence(s).find("chaos"), std::string::npos);
  EXPECT_NE(sentence(s).find(" +- "), std::string::npos) << "a rate has an error: " << sentence(s);
  const auto other = lyapunov_spectrum(make_problem("lorenz", {{"sigma", 16}, {"rho", 45.92}, {"beta", 4}}),
                                       until(300, 20, 1e-8));
  EXPECT_NEAR(other.exponents[0].value, 1.50, .06);
  EXPECT_NEAR(other.sum(), -21, 1e-5);
}

TEST(Lyapunov, ConstrainedAndMinimalFormsAgree) {
  // A weak torque: the motion is periodic, and exponents converge fast enough to be compared.
  for (const double c : {.5, .25}) {
    const std::map<std::string, double> set = {{"A", .3}, {"c", c}};
    const auto options = until(1300, 300);
    const auto constrained = lyapunov_spectrum(make_problem("driven-pendulum", set), options);
    const auto minimal = lyapunov_spectrum(make_problem("driven-pendulum-angle", set), options);
    ASSERT_EQ(constrained.exponents.size(), minimal.exponents.size());
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(constrained.exponents[i].value, minimal.exponents[i].value, 1e-6) << c;
    EXPECT_NEAR(constrained.sum(), -c, 1e-7);
  }
  // Chaos: only the sum is sharp, and the leading one is positive. At tolerances from 3e-7 to 1e-9 the sum is off by up to 7e-5, in no
  // order: by what the mean over this time leaves.
  const auto chaotic = lyapunov_spectrum(make_problem("driven-pendulum"), until(1000, 100, 1e-7));
  EXPECT_NEAR(chaotic.sum(), -.5, 1e-4);
  EXPECT_NEAR(chaotic.exponents[0].value, .112, .05);
}

TEST(Lyapunov, FormulationsAddTheirOwn) {
  auto options = until(500, 50, 1e-8);
  options.flow.formulation = "baumgarte";
  options.flow.options = {{"alpha", 3}, {"beta", 2}};
  const auto feedback = lyapunov_spectrum(make_problem("driven-pendulum", {{"A", .3}}), options);
  ASSERT_EQ(feedback.exponents.size(), 4u);
  EXPECT_NEAR(feedback.exponents[2].value, -3 + std::sqrt(5.), 1e-3);
  EXPECT_NEAR(feedback.exponents[3].value, -3 - std::sqrt(5.), 1e-3);
  options.flow.formulation = "index1";
  options.flow.options = {};
  const auto drifting = lyapunov_spectrum(make_problem("driven-pendulum", {{"A", .3}}), options);
  EXPECT_NEAR(drifting.exponents[0].value, 0, .02);
  EXPECT_NEAR(drifting.exponents[1].value, 0, .02);
  EXPECT_NEAR(drifting.exponents[2].value, -.25, .01);
}

TEST(Lyapunov, SpaceHasTheDimensionOfTheMotion) {
  const auto top = lyapunov_spectrum(make_problem("heavy-top"), until(4, .4, 1e-7));
  ASSERT_TRUE(top.complete()) << top.message;
  EXPECT_EQ(top.dimension, 6);  // a rotation: three angles and their rates, quaternions and all
  EXPECT_NEAR(top.sum(), 0, 1e-2) << "volumes stay";
  auto options = until(.5, .1, 1e-6);
  options.count = 1;
  EXPECT_EQ(lyapunov_spectrum(make_problem("bricard"), options).dimension, 2)
      << "one row follows from others";
}

TEST(Lyapunov, InterruptedKeepsWhatWasFound) {
  std::atomic<bool> stop = false;
  auto options = until(200, 10);
  options.flow.interrupt = &stop;
  options.progress = [&](double t) { stop = stop || t > 60; };
  const auto s = lyapunov_spectrum(make_problem("lorenz"), options);
  EXPECT_EQ(s.outcome, Outcome::interrupted);
  ASSERT_EQ(s.exponents.size(), 3u);
  EXPECT_LT(s.times.back(), 65);
  EXPECT_NEAR(s.sum(), -41. / 3, 1e-5);
}

TEST(Lyapunov, RefusesWhatHasNoDerivativeOrNoSense) {
  EXPECT_THROW(lyapunov_spectrum(make_problem("violin")), Error);
  EXPECT_THROW(lyapunov_spectrum(make_problem("transistor-amplifier")), Error);
  auto options = until(10, 1);
  options.count = 4;
  EXPECT_THROW(lyapunov_spectrum(make_problem("lorenz"), options), Error);
  EXPECT_THROW(lyapunov_spectrum(make_problem("lorenz"), until(10, 10)), Error);
  options = until(10, 1);
  options.flow.formulation = "ggl";
  EXPECT_THROW(lyapunov_spectrum(make_problem("pendulum"), options), Error);
}

/// The spherical pendulum is integrable: neighbours part like t, which a short time must not call chaos.
TEST(Lyapunov, PartingLikeAPowerOfTimeIsNoChaos) {
  const auto s = lyapunov_spectrum(make_problem("spherical-pendulum"), until(60, 6));
  ASSERT_TRUE(s.complete());
  EXPECT_EQ(sentence(s).find("chaos"), std::string::npos) << sentence(s);
  for (const auto& e : s.exponents) EXPECT_LT(std::abs(e.value), 4 * e.error + 1e-6);
}

/// Tangent spaces do not jump where an entry of a quaternion passes zero, and a body at rest has records too.
TEST(Lyapunov, OfABodyThatSpinsFreelyOrNotAtAll) {
  const std::string body =
      "space = \"spatial\"\ngravity = [0, 0, 0]\n[parameters]\nw = 3\n"
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 2, 3]\nspin = [0, \"w\", 0]\n[run]\nend = 6\n";
  const auto spinning = lyapunov_spectrum(Model::from_text(body).mechanism, until(6, .6));
  ASSERT_TRUE(spinning.complete()) << spinning.message;
  EXPECT_NEAR(spinning.exponents[0].value, std::sqrt(3.), .2) << "the middle axis of inertia";
  const auto resting =
      lyapunov_spectrum(Model::from_text(body, "model.toml", {{"w", 0}}).mechanism, until(60, 6));
  ASSERT_TRUE(resting.complete()) << resting.message;
  EXPECT_EQ(sentence(resting).find("chaos"), std::string::npos) << sentence(resting);
}

TEST(Lyapunov, ExponentsDescend) {
  const auto s = lyapunov_spectrum(make_problem("double-pendulum"), until(20, 2));
  for (std::size_t i = 1; i < s.exponents.size(); ++i)
    EXPECT_GE(s.exponents[i - 1].value, s.exponents[i].value);
}

}  // namespace
}  // namespace dalembert
