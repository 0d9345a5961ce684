// Friction in several contacts of one degree of freedom: they rest together, and move as one contact with all of their friction.
#include <gtest/gtest.h>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"

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

}  // namespace
}  // namespace dalembert
