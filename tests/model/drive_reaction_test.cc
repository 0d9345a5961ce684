// Is the force of a drive that of Newton's law, on either body, and at the point that is driven?
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"

namespace dalembert {
namespace {

double watched(const Model& model, const Summary& summary, const std::string& name) {
  for (const Watch& watch : model.watches)
    if (watch.name == name) return watch.value(summary.state);
  ADD_FAILURE() << "no watch " << name;
  return 0;
}

// 2 kg follow 0.3 sin 3t: the drive pushes with 2 q'' on the slider, and with the opposite on the ground.
TEST(DriveReaction, OfAJointPushesBothWays) {
  const Model model = Model::from_text(R"toml(
space = "planar"
gravity = [0, -10]
[[body]]
name = "A"
mass = 2
inertia = 0.1
[[joint]]
name = "g"
kind = "prismatic"
bodies = ["ground", "A"]
at = [0, 0]
along = [1, 0]
[[drive]]
name = "d"
joint = "g"
motion = "0.3*sin(3*t)"
[[watch]]
name = "on_b"
reaction = "d"
[[watch]]
name = "on_a"
reaction = "d"
on = "a"
)toml");
  const Summary summary = run(model.mechanism, {.tolerance = {1e-10, 1e-10}, .end = 0.7});
  const double force = -2 * 0.3 * 9 * std::sin(2.1);
  EXPECT_NEAR(watched(model, summary, "on_b"), force, 1e-8);
  EXPECT_NEAR(watched(model, summary, "on_a"), -force, 1e-8);
}

// A bar is led by a point off its centre: the drive is a force at that point, without a moment there.
TEST(DriveReaction, OfAPointHasNoMomentThere) {
  const Model model = Model::from_text(R"toml(
space = "planar"
gravity = [0, -10]
[[body]]
name = "A"
mass = 2
inertia = 0.5
position = [0.5, 0]
[[drive]]
name = "d"
point = { body = "A", at = [0.2, 0] }
motion = ["0.2+0.1*sin(3*t)", "0.3*t^2"]
[[watch]]
name = "on_b"
reaction = "d"
[[watch]]
name = "on_a"
reaction = "d"
on = "a"
[[watch]]
name = "centre"
point = { body = "A", at = [0.5, 0] }
quantity = "acceleration"
)toml");
  const Summary summary = run(model.mechanism, {.tolerance = {1e-10, 1e-10}, .end = 0.7});
  EXPECT_NEAR(watched(model, summary, "on_b.x"), 2 * watched(model, summary, "centre.x"), 1e-7);
  EXPECT_NEAR(watched(model, summary, "on_b.y"), 2 * (watched(model, summary, "centre.y") + 10), 1e-7);
  EXPECT_NEAR(watched(model, summary, "on_b.moment"), 0, 1e-8);
  EXPECT_NEAR(watched(model, summary, "on_a.moment"), 0, 1e-8);
  EXPECT_NEAR(watched(model, summary, "on_a.y"), -watched(model, summary, "on_b.y"), 1e-12);
}

}  // namespace
}  // namespace dalembert
