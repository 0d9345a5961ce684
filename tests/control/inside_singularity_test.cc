// Are accelerations inside a step over a singular position those of the motion?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/control/run.h"
#include "dalembert/model/model.h"

namespace dalembert {
namespace {

constexpr double crank = .3, spin = 6;
// Two cranks (masses 1 and 3) and the bar between them (2), which a torque of 2 turns: all of it moves like one wheel.
constexpr double turning = 2 / ((1 + 3) * crank * crank / 3 + 2 * crank * crank);

Model parallelogram() {
  const double x = crank * std::cos(1), y = crank * std::sin(1);
  std::string text = "space = \"planar\"\ngravity = [0, 0]\n";
  const auto body = [&](const char* name, double mass, double inertia, double at_x, double at_y, double share,
                        double angle) {
    text += fmt::format(
        "[[body]]\nname = \"{}\"\nmass = {}\ninertia = {}\nposition = [{}, {}]\nangle = {}\nvelocity = [{}, "
        "{}]\nspin = {}\n",
        name, mass, inertia, at_x, at_y, angle, -share * spin * y, share * spin * x, angle * spin);
  };
  body("left", 1, crank * crank / 12, x / 2, y / 2, .5, 1);
  body("right", 3, 3 * crank * crank / 12, .8 + x / 2, y / 2, .5, 1);
  body("bar", 2, .1, .4 + x, y, 1, 0);
  for (const auto& [one, other, at_x, at_y] : {std::tuple{"ground", "left", 0., 0.},
                                               {"left", "bar", x, y},
                                               {"bar", "right", .8 + x, y},
                                               {"ground", "right", .8, 0.}})
    text += fmt::format(
        "[[joint]]\nname = \"{0}-{1}\"\nkind = \"revolute\"\nbodies = [\"{0}\", \"{1}\"]\nat = [{2}, {3}]\n",
        one, other, at_x, at_y);
  return Model::from_text(
      text + "[[force]]\nname = \"motor\"\nkind = \"torque\"\nbody = \"left\"\ntorque = 2\n[run]\nend = 1\n");
}

/// M a = f - J'l of what is delivered, beside the truth.
struct Accelerations final : Observer {
  explicit Accelerations(const Mechanical& which) : problem(which), part(which.sizes()) {}
  void output(const State& state) override {
    const auto n = problem.sizes();
    Vector y = state.y, f(n.v);
    const auto at = problem.placed_at(state.t, part.q(y));
    problem.force(*at, part.v(y), part.s(y), f);
    Entries M, J;
    problem.mass(*at, M);
    problem.jacobian(*at, J);
    const Vector a =
        M.dense(n.v, n.v).llt().solve(f - J.dense(n.rows(), n.v).transpose() * part.multipliers(y));
    const double t = state.t, angle = 1 + spin * t + turning * t * t / 2, w = spin + turning * t;
    worst = std::max({worst, std::abs(a[6] + crank * (std::sin(angle) * turning + std::cos(angle) * w * w)),
                      std::abs(a[7] - crank * (std::cos(angle) * turning - std::sin(angle) * w * w))});
  }
  const Mechanical& problem;
  MechanicalState part;
  double worst = 0;
};

TEST(InsideSingularity, AccelerationsAreThoseOfTheMotion) {
  const Model model = parallelogram();
  for (const auto& [formulation, method, tolerance] : {std::tuple{"", "", 1e-6},
                                                       {"", "", 1e-9},
                                                       {"ggl", "radau", 1e-6},
                                                       {"index2", "hem5", 1e-8},
                                                       {"maggi-qr", "dop853", 1e-6}}) {
    RunOptions options;
    options.end = 1;
    options.request = {formulation, method};
    options.tolerance = {tolerance, tolerance};
    for (int k = 1; k <= 500; ++k) options.outputs.push_back(k / 500.);
    Accelerations seen(*model.mechanism);
    const Summary s = run(model.mechanism, options, {&seen});
    SCOPED_TRACE(fmt::format("{} {} {}", formulation, method, tolerance));
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    EXPECT_FALSE(s.crossings.empty());
    EXPECT_LT(seen.worst, 100 * tolerance * 50);  // they are of the size of 50
  }
}

}  // namespace
}  // namespace dalembert
