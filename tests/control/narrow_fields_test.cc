// What is narrower than any window is met in runs cut into fields, too, and what lies between their nodes is right.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dalembert/control/run_settings.h"
#include "dalembert/model/model.h"

namespace dalembert {
namespace {

const double root_pi = std::sqrt(std::numbers::pi);

/// Two bodies of mass 1, one behind the other on a rail, joined by a pin that is cut; they come along with velocity 1.
Model train(const std::string& force, const std::string& method) {
  const std::string field = "\nmethod = \"" + method + "\"\n";
  return Model::from_text(R"toml(
space = "planar"
gravity = [0, 0]
[[body]]
name = "first"
mass = 1
inertia = 0.1
velocity = [1, 0]
[[body]]
name = "second"
mass = 1
inertia = 0.1
position = [-1, 0]
velocity = [1, 0]
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "first"]
at = [0, 0]
along = [1, 0]
[[joint]]
name = "pin"
kind = "revolute"
bodies = ["first", "second"]
at = [-0.5, 0]
[[force]]
kind = "force"
body = "first"
force = [")toml" + force +
                              R"toml(", 0]
[cut]
joints = ["pin"]
[[field]]
name = "one"
bodies = ["first"])toml" + field +
                              R"toml(substeps = 4
[[field]]
name = "two"
bodies = ["second"])toml" + field +
                              "substeps = 8\n[run]\nend = 10\n",
                          "train.toml");
}

TEST(NarrowFields, PushesAtATimeAndAtAPlaceAreMet) {
  const struct {
    const char* force;
    double velocity;
  } pushes[] = {
      {"exp(-((t-3.3)/1e-6)^2)/1e-6", 1 + root_pi / 2},
      {"exp(-((x-7.3)/1e-4)^2)/1e-4", std::sqrt(1 + root_pi)},
      {"if(t > 3.3 and t < 3.3001, 2e4, 0)", 2},
      {"1000*sin(t) + 0.4/(1e-4*sqrt(pi))*exp(-((t-3.3)/1e-4)^2)", 1.2 + 500 * (1 - std::cos(10.))}};
  for (const auto& [force, velocity] : pushes)
    for (const char* method : {"dopri5", "radau"})
      for (const double tolerance : {1e-3, 1e-6}) {
        SCOPED_TRACE(std::string(force) + " " + method + " " + std::to_string(tolerance));
        const Model model = train(force, method);
        RunOptions options = resolve(model.run, *model.problem()).options;
        options.tolerance = {tolerance, tolerance};
        const Summary summary = run(model.problem(), options);
        ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
        ASSERT_EQ(summary.method, "window-iteration");
        EXPECT_NEAR(summary.state.y[6], velocity, 100 * tolerance * velocity);
        EXPECT_GT(summary.testimony.looks, 0);
      }
}

// Windows of a given length that pass over something say so.
TEST(NarrowFields, FixedWindowsThatPassOverAPushWarn) {
  const Model model = train("exp(-((t-3.33)/1e-6)^2)/1e-6", "rk4");
  RunOptions options = resolve(model.run, *model.problem()).options;
  options.control = Control::fixed;
  options.step = .5;
  const Summary summary = run(model.problem(), options);
  ASSERT_FALSE(summary.warnings.empty()) << summary.state.y[6];
  EXPECT_NE(summary.warnings.front().find("t = 3.33"), std::string::npos) << summary.warnings.front();
}

// A field that a drive holds has no freedom left, and nothing to estimate an error from: the force of its drive is that of the whole.
TEST(NarrowFields, ForcesBetweenNodesAreThoseOfTheWhole) {
  const Model model = Model::from_text(R"toml(
space = "planar"
[[body]]
name = "slide"
mass = 2
inertia = 0.1
[[body]]
name = "bob"
mass = 1
inertia = 0.1
position = [0.6, -0.8]
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "slide"]
at = [0, 0]
along = [1, 0]
[[joint]]
name = "pin"
kind = "revolute"
bodies = ["slide", "bob"]
at = [0, 0]
[[force]]
kind = "torque"
body = "bob"
torque = "8*sin(16*t)"
[[drive]]
name = "push"
joint = "rail"
motion = "0.1*t"
[cut]
joints = ["pin"]
[[field]]
name = "one"
bodies = ["slide"]
method = "dopri5"
substeps = 2
[[field]]
name = "two"
bodies = ["bob"]
method = "dopri5"
substeps = 20
[run]
end = 1
)toml",
                                       "held.toml");
  struct Rows final : Observer {
    void output(const State& state) override { rows.push_back(state.y); }
    std::vector<Vector> rows;
  };
  for (const double tolerance : {1e-5, 1e-8}) {
    RunOptions options = resolve(model.run, *model.problem()).options;
    options.tolerance = {tolerance, tolerance};
    for (int k = 1; k <= 20; ++k) options.outputs.push_back(k / 20. - .0137);
    Rows fields, whole;
    ASSERT_EQ(run(model.problem(), options, {&fields}).outcome, Outcome::ok);
    RunOptions tight = options;
    tight.request = {.formulation = "index1", .method = "dop853"};
    tight.fields.clear();
    tight.tolerance = {1e-12, 1e-12};
    ASSERT_EQ(run(model.mechanism, tight, {&whole}).outcome, Outcome::ok);
    ASSERT_EQ(fields.rows.size(), whole.rows.size());
    double worst = 0;
    for (std::size_t k = 0; k < whole.rows.size(); ++k)
      worst = std::max(
          worst,
          ((fields.rows[k] - whole.rows[k]).array() / (1 + whole.rows[k].array().abs())).abs().maxCoeff());
    EXPECT_LT(worst, 100 * tolerance);
  }
}

}  // namespace
}  // namespace dalembert
