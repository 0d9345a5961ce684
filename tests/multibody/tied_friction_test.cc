// Friction in more contacts than there are degrees of freedom: they share a load, and give way in the way that takes least.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"
#include "dalembert/multibody/limit_load.h"
#include "dalembert/multibody/ties.h"

namespace dalembert {
namespace {

double value(const Summary& s, const std::string& name) {
  for (Eigen::Index i = 0; i < s.layout.size(); ++i)
    if (s.layout.label(i) == name) return s.state.y[i];
  ADD_FAILURE() << "no entry " << name;
  return 0;
}

/// Two wheels in gear, the second one twice as fast, swing against a spring whose rest moves.
Summary wheels(const std::string& gear, const std::string& friction, const std::string& method, double rtol) {
  const Model model = Model::from_text(R"toml(
space = "planar"
gravity = [0, 0]
[[body]]
name = "a"
mass = 1
inertia = 0.2
spin = 1
[[body]]
name = "b"
mass = 1
inertia = 0.1
position = [1, 0]
spin = -2
[[joint]]
name = "ha"
kind = "revolute"
bodies = ["ground", "a"]
at = [0, 0]
[[joint]]
name = "hb"
kind = "revolute"
bodies = ["ground", "b"]
at = [1, 0]
[[joint]]
name = "g"
kind = "gear"
)toml" + gear + R"toml(
[[force]]
kind = "torsion-spring"
joint = "ha"
law = "3*angle - 1.2*sin(2*t)"
)toml" + friction);
  RunOptions options;
  options.request.method = method;
  options.tolerance = {rtol, rtol};
  options.end = 8;
  return run(model.problem(), options);
}

std::string rub(const std::string& name, const std::string& joint, double most, double sliding) {
  return "[[force]]\nname = \"" + name + "\"\nkind = \"stick-slip\"\njoint = \"" + joint +
         "\"\nmost = " + std::to_string(most) + "\nsliding = " + std::to_string(sliding) + "\n";
}

/// They ended in a storm of events, or in one of two motions by chance.
TEST(TiedFriction, MovesAsOneContactWithAllOfIt) {
  const std::string there = "bodies = [\"a\", \"b\"]\nratio = -2\n",
                    back = "bodies = [\"b\", \"a\"]\nratio = -0.5\n";
  struct Friction {
    double first, sliding_first, second, sliding_second;
  };
  for (const Friction& f : {Friction{.5, .4, .4, .3}, Friction{.5, .5, .4, .4}}) {
    const Summary one =
        wheels(there, rub("all", "ha", f.first + 2 * f.second, f.sliding_first + 2 * f.sliding_second),
               "dop853", 1e-11);
    ASSERT_EQ(one.outcome, Outcome::ok) << one.message;
    const std::string two =
        rub("r1", "ha", f.first, f.sliding_first) + rub("r2", "hb", f.second, f.sliding_second);
    for (const std::string& gear : {there, back})
      for (const std::string method : {"auto", "dopri5", "radau", "bdf", "hem5"})
        for (const double rtol : {1e-4, 1e-6, 1e-8}) {
          const Summary s = wheels(gear, two, method, rtol);
          ASSERT_EQ(s.outcome, Outcome::ok) << method << ": " << s.message;
          EXPECT_NEAR(value(s, "q.a.angle"), value(one, "q.a.angle"), 300 * rtol) << method << " at " << rtol;
        }
  }
}

/// Its row and that of the gear are a thousandth apart: they were taken for a rounded drawing, and friction was left out.
TEST(TiedFriction, HoldsBehindAGearOfAThousand) {
  const Model model = Model::from_text(R"toml(
space = "planar"
gravity = [0, 0]
body = [
  { name = "a", mass = 1, inertia = 0.5 },
  { name = "b", mass = 1, inertia = 0.5, position = [1, 0] },
  { name = "c", mass = 1, inertia = 0.5, position = [2, 0] },
]
joint = [
  { name = "ja", kind = "revolute", bodies = ["ground", "a"], at = [0, 0] },
  { name = "jb", kind = "revolute", bodies = ["ground", "b"], at = [1, 0] },
  { name = "g", kind = "gear", bodies = ["a", "b"], ratio = 1000 },
  { name = "jc", kind = "revolute", bodies = ["ground", "c"], at = [2, 0] },
  { name = "g2", kind = "gear", bodies = ["b", "c"], ratio = 1 },
]
[[force]]
kind = "torque"
body = "a"
torque = "1e6*(0.2 + 1.1*step(t - 1))"
)toml" + rub("fa", "ja", 2e5, 1e5) + rub("fb", "jb", 350, 350));
  RunOptions options;
  options.end = 2;
  const Summary s = run(model.problem(), options);
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_TRUE(s.warnings.empty());
  EXPECT_NEAR(value(s, "q.a.angle"), (1.3e6 - 4.5e5) / (0.5 + 1e6) / 2, 1e-5);  // at rest until t = 1
}

/// Two on one rail under a load of 4 t: at t = 1 each holds two thirds of what it can, and at t = 1.5 both give way.
TEST(TiedFriction, SharesALoadByWhatEachHolds) {
  const Model model = Model::from_text(R"toml(
space = "planar"
gravity = [0, 0]
[[body]]
name = "block"
mass = 1
inertia = 1
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "block"]
at = [0, 0]
along = [1, 0]
[[force]]
kind = "force"
body = "block"
force = ["4*t", 0]
)toml" + rub("weak", "rail", 2, 2) + rub("strong", "rail", 4, 4));
  RunOptions options;
  options.tolerance = {1e-9, 1e-9};
  options.end = 1;
  const Summary resting = run(model.problem(), options);
  ASSERT_EQ(resting.outcome, Outcome::ok) << resting.message;
  EXPECT_NEAR(value(resting, "mu.weak.friction"), 4. / 3, 1e-9);
  EXPECT_NEAR(value(resting, "mu.strong.friction"), 8. / 3, 1e-9);
  options.end = 3;
  const Summary moving = run(model.problem(), options);
  ASSERT_EQ(moving.outcome, Outcome::ok) << moving.message;
  ASSERT_FALSE(moving.events.empty());
  EXPECT_NEAR(moving.events.front().t, 1.5, 1e-8);
  EXPECT_NEAR(value(moving, "q.block.x"), 4 * 1.5 * 1.5 * 1.5 / 6, 1e-7);  // x'' = 4 (t - 1.5)
}

/// Two wheels on one axle that rub on the ground, on each other, and the second one, through a gear, in another bearing. Loads of t/2 on
/// both: all hold until t = .6, then both turn as one, and what rubs between them goes on sticking. They ended in a storm of events.
TEST(TiedFriction, OfThreeContactsTwoGiveWay) {
  const Model model = Model::from_text(R"toml(
space = "planar"
gravity = [0, 0]
[[body]]
name = "a"
mass = 1
inertia = 0.5
[[body]]
name = "b"
mass = 1
inertia = 0.3
[[body]]
name = "c"
mass = 1
inertia = 0.1
position = [1, 0]
[[joint]]
name = "ja"
kind = "revolute"
bodies = ["ground", "a"]
at = [0, 0]
[[joint]]
name = "jab"
kind = "revolute"
bodies = ["a", "b"]
at = [0, 0]
[[joint]]
name = "jc"
kind = "revolute"
bodies = ["ground", "c"]
at = [1, 0]
[[joint]]
name = "g"
kind = "gear"
bodies = ["b", "c"]
ratio = 1
[[force]]
kind = "torque"
body = "a"
torque = "0.5*t"
[[force]]
kind = "torque"
body = "b"
torque = "0.5*t"
)toml" + rub("fa", "ja", .3, .3) + rub("fab", "jab", .2, .2) +
                                       rub("fc", "jc", .3, .3));
  for (const std::string method : {"", "radau", "bdf", "dopri5"}) {
    RunOptions options;
    options.request.method = method;
    options.tolerance = {1e-8, 1e-8};
    options.end = 2;
    const Summary s = run(model.problem(), options);
    ASSERT_EQ(s.outcome, Outcome::ok) << method << ": " << s.message;
    const double q = 1.4 * 1.4 * 1.4 / (6 * .9);  // .9 q'' = t - .6
    EXPECT_NEAR(value(s, "q.a.angle"), q, 1e-6) << method;
    EXPECT_NEAR(value(s, "q.b.angle"), q, 1e-6) << method;
    EXPECT_NEAR(value(s, "mu.fab.friction"), -(1 - .3 - .5 * 1.4 / .9), 1e-6) << method;
  }
}

/// Against all ways to slip, tried one after another: of three contacts on two freedoms each way leaves one at rest.
TEST(LimitLoad, IsThatOfTheWeakestWay) {
  const Matrix levers{{1, -2}};
  for (int k = 0; k < 200; ++k) {
    const double angle = .1 * k;
    const Vector m{{std::cos(angle), 2 * std::sin(1.7 * angle)}};
    const Vector F{{1 + std::sin(k), 1 + std::cos(3. * k), 1.01 + std::sin(5. * k)}};
    double most = 0;
    for (const Vector& y : {Vector{{1, 0}}, Vector{{0, 1}}, Vector{{2, 1}}})
      most = std::max(most, std::abs(m.dot(y)) / (F[0] * std::abs(y[0]) + F[1] * std::abs(y[1]) +
                                                  F[2] * std::abs(y[0] - 2 * y[1])));
    const LimitLoad found = limit_load(m, levers, F);
    EXPECT_NEAR(found.part, most, 1e-9 * (1 + most)) << k;
    EXPECT_NEAR(found.rates[2], found.rates[0] - 2 * found.rates[1], 1e-12) << k;
    EXPECT_NEAR(found.shares[0] + found.shares[2], m[0], 1e-12) << k;
    EXPECT_NEAR(found.shares[1] - 2 * found.shares[2], m[1], 1e-12) << k;
    for (Eigen::Index i = 0; i < 3; ++i) {
      EXPECT_LE(std::abs(found.shares[i]), most * F[i] * (1 + 1e-9) + 1e-12) << k;
      EXPECT_GE(found.shares[i] * found.rates[i], 0) << k;  // what slips does so the way it is pushed
    }
  }
}

/// Two sliders on one rail with a third joint between them: what is left of its redundant rows is rounding, in which the tie was lost.
TEST(Ties, AreSeenBesideRedundantRows) {
  const Matrix contacts{{1, 0, 0, 0, 0, 0}, {0, 0, 0, 1, 0, 0}, {-1, 0, 0, 1, 0, 0}};
  for (const double lever : {2., 1.9919841181168629, 1.3, .7000000000000001}) {
    const Matrix others{{0, 1, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0},       {0, 0, 0, 0, 1, 0},
                        {0, 0, 0, 0, 0, 1}, {0, -1, -lever, 0, 1, 0}, {0, 0, -1, 0, 0, 1}};
    const Ties ties(contacts, others);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_FALSE(ties.held(i)) << lever;
    EXPECT_FALSE(ties.levers(1, {0})) << lever;
    const auto levers = ties.levers(2, {0, 1});
    ASSERT_TRUE(levers) << lever;
    EXPECT_NEAR((*levers)[0], -1, 1e-9) << lever;
    EXPECT_NEAR((*levers)[1], 1, 1e-9) << lever;
  }
}

}  // namespace
}  // namespace dalembert
