// Loads that jump beside a singular position: is the jump met before, or behind, and never skipped?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"

namespace dalembert {
namespace {

// A load that ends shortly before or behind the flat position: the singular step leads over no break, and time does not run backwards.
TEST(BreakAtSingularity, IsPassedInOrder) {
  const auto cranks = [](double until) {
    std::string text = "space = \"planar\"\n";
    for (const auto& [name, x, y] : {std::tuple{"a", 0., .2}, {"b", .5, .2}, {"d", 1., .2}, {"c", .5, .4}})
      text +=
          fmt::format("[[body]]\nname = \"{}\"\nmass = 1\ninertia = 0.05\nposition = [{}, {}]\n", name, x, y);
    for (const auto& [name, x] : {std::pair{"a", 0.}, {"b", .5}, {"d", 1.}})
      text += fmt::format(
          "[[joint]]\nname = \"g{0}\"\nkind = \"revolute\"\nbodies = [\"ground\", \"{0}\"]\nat = [{1}, 0]\n"
          "[[joint]]\nname = \"t{0}\"\nkind = \"revolute\"\nbodies = [\"{0}\", \"c\"]\nat = [{1}, 0.4]\n",
          name, x);
    return Model::from_text(
        text +
        fmt::format("[[force]]\nkind = \"force\"\nbody = \"c\"\nforce = [\"3 + if(t < {}, 4, 0)\", 0]\n",
                    until));
  };
  // With the force on from the start, the cranks lie flat at t = 0.548.
  for (const double until : {.5, .53, .54, .546, .5475, .5485, .55, .556, .57}) {
    const Model model = cranks(until);
    RunOptions options;
    options.end = .8;
    options.tolerance = {1e-10, 1e-10};
    const Summary exact = run(model.mechanism, options);
    ASSERT_EQ(exact.outcome, Outcome::ok) << exact.message;
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      options.tolerance = {tolerance, tolerance};
      const Summary s = run(model.mechanism, options);
      SCOPED_TRACE(fmt::format("{} {}", until, tolerance));
      ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
      EXPECT_NEAR(s.state.y[2], exact.state.y[2], 1000 * tolerance);
    }
  }
}

// Exactly on the flat position (two cranks of .5 m that turn with 5 rad/s, from an angle of 1): where it cannot be passed, the reason is given.
TEST(BreakAtSingularity, OnItIsNamed) {
  std::string text = "space = \"planar\"\ngravity = [0, 0]\n";
  const double x = .25 * std::cos(1.), y = .25 * std::sin(1.), flat = (std::numbers::pi - 1) / 5;
  for (const auto& [name, from] : {std::pair{"a", 0.}, {"b", 1.}})
    text += fmt::format(
        "[[body]]\nname = \"{}\"\nmass = 1\ninertia = 0.02\nposition = [{}, {}]\nangle = 1\nspin = 5\n"
        "velocity = [{}, {}]\n",
        name, from + x, y, -5 * y, 5 * x);
  text += fmt::format(
      "[[body]]\nname = \"c\"\nmass = 2\ninertia = 0.2\nposition = [{}, {}]\nvelocity = [{}, {}]\n",
      .5 + 2 * x, 2 * y, -10 * y, 10 * x);
  for (const auto& [name, from] : {std::pair{"a", 0.}, {"b", 1.}})
    text += fmt::format(
        "[[joint]]\nname = \"g{0}\"\nkind = \"revolute\"\nbodies = [\"ground\", \"{0}\"]\nat = [{1}, 0]\n"
        "[[joint]]\nname = \"t{0}\"\nkind = \"revolute\"\nbodies = [\"{0}\", \"c\"]\nat = [{2}, {3}]\n",
        name, from, from + 2 * x, 2 * y);
  const Model model = Model::from_text(
      text +
      fmt::format("[[force]]\nkind = \"torque\"\nbody = \"a\"\ntorque = \"0.8*step(t - {})\"\n", flat));
  constexpr double J = 2 * (.02 + .0625) + 2 * .25;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    RunOptions options;
    options.end = 1;
    options.tolerance = {tolerance, tolerance};
    const Summary s = run(model.mechanism, options);
    SCOPED_TRACE(fmt::format("{}", tolerance));
    if (s.outcome == Outcome::ok)
      EXPECT_NEAR(s.state.y[2], 6 + .5 * .8 / J * (1 - flat) * (1 - flat), 100 * tolerance);
    else
      EXPECT_NE(s.message.find("the equations jump next to it, at t = 0.428319"), std::string::npos)
          << s.message;
  }
}

}  // namespace
}  // namespace dalembert
