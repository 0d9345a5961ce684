// Slips that are short or slow beside the step or the tolerance: each of them happens, and none runs away.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"

namespace dalembert {
namespace {

constexpr double pi = std::numbers::pi;

/// A body on a rail that rubs, pushed by A sin(w t): between slips it rests for the better part of half a period.
struct Shaken {
  double mass, load, rate, most, sliding;

  double first_slip() const { return std::asin(most / load) / rate; }
  double next_slip() const { return pi / rate; }
  /// Way and velocity at a time after a slip upwards has begun, as long as it lasts.
  double way(double tau) const {
    const double t = first_slip();
    return load / (mass * rate) *
               (std::cos(rate * t) * tau - (std::sin(rate * (t + tau)) - std::sin(rate * t)) / rate) -
           sliding * tau * tau / (2 * mass);
  }
  double velocity(double tau) const {
    const double t = first_slip();
    return (load / rate * (std::cos(rate * t) - std::cos(rate * (t + tau))) - sliding * tau) / mass;
  }
  Summary run(const std::string& formulation, const std::string& method, double tolerance, double end) const {
    std::ostringstream text;
    text << R"toml(
space = "planar"
gravity = [0, 0]
[[body]]
name = "b"
mass = )toml"
         << mass << R"toml(
inertia = 1
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "b"]
at = [0, 0]
along = [1, 0]
[[force]]
kind = "force"
body = "b"
force = [")toml"
         << load << "*sin(" << rate << R"toml(*t)", 0]
[[force]]
name = "rub"
kind = "stick-slip"
joint = "rail"
most = )toml"
         << most << "\nsliding = " << sliding << "\n";
    const Model model = Model::from_text(text.str(), "shaken.toml");
    RunOptions options;
    options.request = {.formulation = formulation, .method = method};
    options.tolerance = {tolerance, tolerance};
    options.end = end;
    return dalembert::run(model.mechanism, options);
  }
};

/// The load is above what holds by 1e-4 for half a millisecond: the velocity of a slip, 1e-7 m/s, is below most of the tolerances.
/// A method that does not see it go up sees it go down, against the friction of a slip upwards: it sticks.
TEST(ShortSlips, SlowerThanTheToleranceTheyStickAgain) {
  constexpr Shaken body{.mass = 2, .load = 10.001, .rate = 61, .most = 10, .sliding = 10};
  const struct {
    const char *formulation, *method;
  } pairs[] = {{"index3", "bdf"}, {"cm", "bdf"},     {"index1", "bdf"},  {"ggl", "bdf"},
               {"cs", "bdf"},     {"ggl", "radau9"}, {"index2", "hem5"}, {"index1", "rodas4"}};
  for (const auto& [formulation, method] : pairs)
    for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8})
      for (const double end : {1.03001, 2.0}) {
        const Summary s = body.run(formulation, method, tolerance, end);
        SCOPED_TRACE(std::string(formulation) + " " + method + " " + std::to_string(tolerance));
        ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
        EXPECT_LT(std::abs(s.state.y[0]), 10 * tolerance);
        EXPECT_LT(std::abs(s.state.y[3]), 10 * tolerance);
      }
}

/// While it rests steps are as long as half a period, and the load is above what holds for .4 % of one: wherever in a step that
/// is, next to its ends, too, it is seen.
TEST(ShortSlips, AreSeenNextToTheEndsOfSteps) {
  constexpr Shaken body{.mass = .151, .load = .87496, .rate = 2.0642, .most = .87495, .sliding = .4375};
  const double end = 7 * body.next_slip();
  const double tau = end - body.first_slip() - 6 * body.next_slip();
  for (const std::string method : {"dop853", "dopri5", "bs32", "rodas4"})
    for (int k = 0; k < 24; ++k) {
      const double tolerance = std::pow(10.0, -6 - k / 6.0);
      const Summary s = body.run("index1", method, tolerance, end);
      SCOPED_TRACE(method + " " + std::to_string(k));
      ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
      ASSERT_EQ(s.events.size(), 13u);
      EXPECT_NEAR(s.state.y[0], body.way(tau), 100 * tolerance);
      EXPECT_NEAR(s.state.y[3], body.velocity(tau), 100 * tolerance);
    }
}

/// A body that slips next to a jump of its load, or next to the end: the load was beyond the limit for one question and within it for the
/// next, or what was left of the run too short for a first step.
TEST(ShortSlips, BeginNextToAJumpOrTheEnd) {
  const auto pushed = [](const std::string& load, const std::string& method, double end) {
    const Model model = Model::from_text(R"toml(
space = "planar"
gravity = [0, 0]
[[body]]
name = "b"
mass = 1
inertia = 1
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "b"]
at = [0, 0]
along = [1, 0]
[[force]]
name = "rub"
kind = "stick-slip"
joint = "rail"
most = 1
sliding = 1
[[force]]
kind = "force"
body = "b"
force = [")toml" + load + "\", 0]\n",
                                         "pushed.toml");
    RunOptions options;
    options.request.method = method;
    options.end = end;
    const Summary s = run(model.problem(), options);
    EXPECT_EQ(s.outcome, Outcome::ok) << load << " until " << end << " with " << method << ": " << s.message;
    EXPECT_EQ(s.state.t, end);
    return s.state.y[0];
  };
  for (const std::string method : {"", "radau", "bdf", "dopri5"}) {
    for (const double later : {1e-14, 1.248e-13, 1e-12, 3e-12, 1e-10}) {
      const double jump = 1.25 + later;
      std::ostringstream text;
      text.precision(17);
      text << "0.8*t + step(t - " << jump << ")";
      EXPECT_NEAR(pushed(text.str(), method, 3), .8 * std::pow(1.75, 3) / 6 + 1.75 * 1.75 / 2, 1e-4)
          << method;
      EXPECT_NEAR(pushed("0.8*t", method, jump), 0, 1e-12) << method;
    }
    EXPECT_NEAR(pushed("2*step(t - 1)", method, 1), 0, 1e-12) << method;
  }
}

}  // namespace
}  // namespace dalembert
