// Is the force of a drive that of Newton's law, on either body, and at the point that is driven? Is the ground a body like any other?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/run.h"
#include "dalembert/model/model.h"

namespace dalembert {
namespace {

double watched(const Model& model, const State& state, const std::string& name) {
  for (const Watch& watch : model.watches)
    if (watch.name == name) return watch.value(state);
  ADD_FAILURE() << "no watch " << name;
  return 0;
}

double watched(const Model& model, const Summary& summary, const std::string& name) {
  return watched(model, summary.state, name);
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

/// A rail on the ground, and the same rail on a body that is welded to it.
TEST(Reaction, OnTheGroundIsThatOnAWeldedBody) {
  const std::string
      head = "space = \"planar\"\n[[body]]\nname = \"s\"\nmass = 2\ninertia = 0.1\n",
      watches =
          "[[watch]]\nname = \"on_a\"\nreaction = \"rail\"\non = \"a\"\n[[watch]]\nname = \"on_b\"\n"
          "reaction = \"rail\"\n[run]\nend = 3\n",
      frame =
          "[[body]]\nname = \"frame\"\nmass = 1\ninertia = 1\n[[joint]]\nname = \"weld\"\n"
          "kind = \"fixed\"\nbodies = [\"ground\", \"frame\"]\nat = [0, 0]\n";
  const auto rail = [](const char* kind, const char* on, const char* first, const char* second) {
    return fmt::format(
        "[[joint]]\nname = \"rail\"\nkind = \"{}\"\nbodies = [\"{}\", \"{}\"]\nalong = [1, 0]\n{}\n", kind,
        first, second, on);
  };
  struct Case {
    const char *kind, *on;
  };
  for (const auto& [kind, on] :
       {Case{"prismatic", "at = [0, 0]"}, Case{"slot", "at = [0, 0]"}, Case{"rolling", "at = [0, -0.5]"}}) {
    const auto moments = [&, kind = kind, on = on](const std::string& text) {
      const Model model = Model::from_text(
          head + text + rail(kind, on, text.empty() ? "ground" : "frame", "s") + watches, "rail.toml");
      State state = model.mechanism->start();
      state.y[model.mechanism->bodies()[0].q] = 3;  // along the rail
      if (kind == std::string("rolling")) state.y[model.mechanism->bodies()[0].q + 2] = -6;
      EXPECT_EQ(make_consistent(*model.mechanism, state).outcome, Outcome::ok);
      const auto now = [&](const char* name) { return watched(model, state, name); };
      EXPECT_NEAR(now("on_a.y"), -2 * 9.81, 1e-10) << kind;
      EXPECT_NEAR(now("on_b.moment"), 0, 1e-10) << kind;
      return now("on_a.moment");
    };
    EXPECT_NEAR(moments(""), -3 * 2 * 9.81, 1e-9) << kind;
    EXPECT_NEAR(moments(frame), -3 * 2 * 9.81, 1e-9) << kind;
  }
}

}  // namespace
}  // namespace dalembert
