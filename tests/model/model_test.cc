// Does a model file mean what the same mechanism in C++ means, key by key?
#include "dalembert/model/model.h"

#include <numbers>

#include "dalembert/control/run_settings.h"
#include "dalembert/model/model_run.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "tests/support/model_texts.h"

namespace dalembert {
namespace {

using testing::expect_same;
using testing::mechanism;
using testing::model;
constexpr double pi = std::numbers::pi;

TEST(Model, PlanarBodiesAndHinges) {
  const Model m = model(R"toml(
title = "Crank"
space = "planar"
gravity = [0.5, "-g"]

[parameters]
l = 0.3
g = 9.7

[[body]]
name = "crank"
mass = 0.2
inertia = "mass*l^2/12"
position = ["l/2", 0.1]
angle = "45 deg"
velocity = [0.3, "2*l"]
spin = -2
shape = { kind = "bar", length = "l", width = 0.01 }

[[body]]
name = "bob"
kind = "point"
mass = "200 g"
position = ["10 mm", 1]
velocity = ["36 km/h", 0]

[[joint]]
name = "main"
kind = "revolute"
bodies = ["ground", "crank"]
at = [0, 0.1]

[[joint]]
name = "tip"
kind = "revolute"
bodies = ["crank", "bob"]
at = ["l", 0.1]

[run]
end = 2.5
method = "radau"
formulation = "ggl"
rtol = 1e-8
atol = 1e-9
step = "1 ms"
output = 100
controller = "pi"
project = "off"
max_step = "20 ms"
singular = "stop"
dependent = 1e-6
)toml");
  PlanarMechanism same({.5, -9.7});
  const double l = .3;
  const auto crank = same.body({.name = "crank",
                                .mass = .2,
                                .inertia = .2 * (l * l) / 12,
                                .position = {l / 2, .1},
                                .angle = 45 * pi / 180,
                                .velocity = {.3, 2 * l},
                                .spin = -2});
  const auto bob = same.point({.name = "bob", .mass = .2, .position = {.01, 1}, .velocity = {10, 0}});
  same.revolute("main", same.ground, crank, {0, .1});
  same.revolute("tip", crank, bob, {l, .1});
  same.ends_at(2.5);
  expect_same(mechanism(m), same);
  EXPECT_EQ(m.title, "Crank");
  EXPECT_EQ(m.space, "planar");
  EXPECT_EQ(m.shapes.at("crank").kind, "bar");
  EXPECT_EQ(m.shapes.at("crank").sizes.at("length"), std::vector<double>{.3});
  EXPECT_EQ(m.bodies.at("bob").line, 21);
  EXPECT_EQ(m.bodies.at("bob").column, 8);
  EXPECT_EQ(m.joints.at("tip").line, 34);
  EXPECT_EQ(m.run.end, 2.5);
  EXPECT_EQ(m.run.method, "radau");
  EXPECT_EQ(m.run.formulation, "ggl");
  EXPECT_EQ(m.run.rtol, 1e-8);
  EXPECT_EQ(m.run.atol, 1e-9);
  EXPECT_EQ(m.run.step, .001);
  EXPECT_EQ(m.run.controller, Control::pi);
  EXPECT_EQ(m.run.project, Projection::off);
  EXPECT_EQ(m.run.max_step, .02);
  EXPECT_EQ(m.run.singular, Singular::stop);
  EXPECT_EQ(m.run.dependent, 1e-6);
  ASSERT_TRUE(m.run.output);
  EXPECT_EQ(m.run.output->by, OutputSetting::By::pieces);
  EXPECT_EQ(m.run.output->value, 100);
}

TEST(Model, TolerancesByName) {
  const std::string body =
      "space = \"planar\"\n[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\nposition = [0, 0]\n[run]\n";
  const Model m =
      model(body + "atol = { v = 1e-6, \"v.a.x'\" = \"1 mm/s\", q.a.angle = 1e-3, rest = 1e-5 }\n");
  EXPECT_EQ(m.run.atol, 1e-5);
  EXPECT_EQ(m.run.atol_of,
            (std::map<std::string, double>{{"v", 1e-6}, {"v.a.x'", 1e-3}, {"q.a.angle", 1e-3}}));
}

TEST(Model, SpatialBodies) {
  const Model m = model(R"toml(
space = "spatial"
[[body]]
name = "a"
mass = 2
inertia = [1, 2, "1+1"]
position = [1, 2, 3]
orientation = [0, 1, 0, 0]
velocity = [0.1, 0.2, 0.3]
spin = [1, 2, 3]
[[body]]
name = "b"
mass = 1
inertia = [[1, 0.1, 0], [0.1, 2, 0], [0, 0, 2.5]]
orientation = { axis = [0, 0, 2], angle = "90 deg" }
[[body]]
name = "c"
mass = 1
inertia = [1, 1, 1]
orientation = { euler = ["30 deg", "40 deg", 1], order = "zxy" }
[[body]]
name = "p"
kind = "point"
mass = 3
position = [0, 0, 1]
)toml");
  SpatialMechanism same;
  Eigen::Matrix3d full;
  full << 1, .1, 0, .1, 2, 0, 0, 0, 2.5;
  using Eigen::AngleAxisd, Eigen::Vector3d;
  const Eigen::Quaterniond quarter(AngleAxisd(90 * pi / 180, Vector3d::UnitZ()));
  const Eigen::Quaterniond e = Eigen::Quaterniond(AngleAxisd(30 * pi / 180, Vector3d::UnitZ())) *
                               Eigen::Quaterniond(AngleAxisd(40 * pi / 180, Vector3d::UnitX())) *
                               Eigen::Quaterniond(AngleAxisd(1, Vector3d::UnitY()));
  same.body({.name = "a",
             .mass = 2,
             .inertia = Vector3d(1, 2, 2).asDiagonal(),
             .position = {1, 2, 3},
             .orientation = {0, 1, 0, 0},
             .velocity = {.1, .2, .3},
             .spin = {1, 2, 3}});
  same.body({.name = "b",
             .mass = 1,
             .inertia = full,
             .orientation = {quarter.w(), quarter.x(), quarter.y(), quarter.z()}});
  same.body({.name = "c",
             .mass = 1,
             .inertia = Eigen::Matrix3d::Identity(),
             .orientation = {e.w(), e.x(), e.y(), e.z()}});
  same.point({.name = "p", .mass = 3, .position = {0, 0, 1}});
  expect_same(mechanism(m), same);
}

TEST(Model, ParametersInAnyOrder) {
  const std::string text = R"toml(
space = "planar"
[parameters]
a = "2*b"
b = "c + 1"
c = 3
d = "90 deg"
[[body]]
name = "x"
mass = "a"
inertia = 1
angle = "d"
)toml";
  EXPECT_EQ(mechanism(model(text)).bodies()[0].mass, 8);
  EXPECT_EQ(mechanism(model(text)).start().y[2], pi / 2);
  const Model set = model(text, {{"b", 10}});
  EXPECT_EQ(mechanism(set).bodies()[0].mass, 20);
  ASSERT_EQ(set.parameters.size(), 4u);
  EXPECT_EQ(set.parameters[1].name, "b");
  EXPECT_EQ(set.parameters[1].value, 10);
  try {
    model(text, {{"bb", 1}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sentence(), "unknown parameter 'bb'; did you mean 'b'?");
  }
}

TEST(Model, ReferencesAreKnownDigits) {
  const Model m = model(R"toml(
space = "planar"
[[body]]
name = "crank"
mass = 1
inertia = 1
[[joint]]
name = "main"
kind = "revolute"
bodies = ["ground", "crank"]
at = [0, 0]
[[reference]]
t = 2
values = { "q.crank.angle" = 0.5, "v.crank.x'" = "1/4", "lambda.main.y" = -9.81 }
source = "by hand"
)toml");
  EXPECT_FALSE(mechanism(m).exact(1));
  const auto known = mechanism(m).exact(2);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->y[2], .5);
  EXPECT_EQ(known->y[3], .25);
  EXPECT_EQ(known->y[7], -9.81);
  EXPECT_TRUE(std::isnan(known->y[0]));
  ASSERT_EQ(m.references.size(), 1u);
  EXPECT_EQ(m.references[0].source, "by hand");
}

// A block that slides at 1 m/s, is braked by 2 m/s^2, and stays at 0.25 m: digits hold in every mode that is passed.
TEST(Model, ReferencesHoldInAllModesOfStickSlip) {
  const Model m = model(R"toml(
space = "planar"
gravity = [0, 0]
[[body]]
name = "block"
mass = 1
inertia = 1
velocity = [1, 0]
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "block"]
at = [0, 0]
along = [1, 0]
[[force]]
name = "brake"
kind = "stick-slip"
joint = "rail"
most = 3
sliding = 2
[run]
end = 1
[[reference]]
t = 0.25
values = { "q.block.x" = 0.1875, "v.block.x'" = 0.5, "mu.brake.friction" = 2 }
[[reference]]
t = 1
values = { "q.block.x" = 0.25, "v.block.x'" = 0, "mu.brake.friction" = 0 }
)toml");
  for (const char* method : {"dop853", "radau", "hem5"}) {
    RunOptions options = resolve(m.run, *m.problem()).options;
    options.request.method = method;
    const ModelRun result = run_model(m, options);
    ASSERT_EQ(result.summary.outcome, Outcome::ok) << result.summary.message;
    ASSERT_TRUE(result.error) << method;
    EXPECT_LT(*result.error, 1e-6) << method;
    EXPECT_EQ(result.summary.error.count("mu"), 1u);
  }
}

}  // namespace
}  // namespace dalembert
