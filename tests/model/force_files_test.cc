// Do springs, friction, motors, cylinders and spatial forces mean in a file what they mean in C++, are their examples
// valid, and are mistakes told?
#include <numbers>

#include "dalembert/control/run.h"
#include "dalembert/model/element_entry.h"
#include "dalembert/model/model.h"
#include "dalembert/multibody/forces/cylinder.h"
#include "dalembert/multibody/forces/force_law.h"
#include "dalembert/multibody/forces/motor.h"
#include "dalembert/multibody/forces/spring.h"
#include "tests/support/catalogue_points.h"

namespace dalembert {
namespace {

using Eigen::Vector3d;
constexpr auto ground = Mechanism::ground;

Model read(const std::string& text) {
  return Model::from_text(text, "model.toml");
}

void expect_equal(const Mechanism& ours, const Mechanism& theirs) {
  ASSERT_EQ(ours.layout().size(), theirs.layout().size());
  for (Eigen::Index i = 0; i < ours.layout().size(); ++i)
    EXPECT_EQ(ours.layout().label(i), theirs.layout().label(i));
  for (const State& state : states_near_start(theirs)) {
    const Point x = point(ours, state), y = point(theirs, state);
    expect_near(x.f, y.f, 1e-14, "f");
    expect_near(x.ds, y.ds, 1e-14, "s'");
  }
}

const char* const two = R"(
space = "spatial"
gravity = [0, 0, 0]
[[body]]
name = "a"
mass = 1
inertia = [1, 2, 3]
velocity = [0.1, 0.2, 0.3]
spin = [0.4, 0.5, 0.6]
[[body]]
name = "b"
mass = 2
inertia = [1, 2, 3]
position = [1, 0, 0]
orientation = [1, 0.2, 0.1, 0]
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "a"]
at = [0, 0, 0]
axis = [0, 0, 1]
)";

struct Two {
  SpatialMechanism m{Vector3d::Zero()};
  int a = m.body({.name = "a",
                  .mass = 1,
                  .inertia = Vector3d(1, 2, 3).asDiagonal(),
                  .velocity = {.1, .2, .3},
                  .spin = {.4, .5, .6}});
  int b = m.body({.name = "b",
                  .mass = 2,
                  .inertia = Vector3d(1, 2, 3).asDiagonal(),
                  .position = {1, 0, 0},
                  .orientation = {1, .2, .1, 0}});
  int hinge = m.revolute("hinge", ground, a, {0, 0, 0}, {0, 0, 1});
};

TEST(ForceFiles, SpatialForcesAreThoseOfTheProgram) {
  const Model file = read(std::string(two) + R"(
[[force]]
name = "push"
kind = "force"
body = "a"
at = [0.5, 0, 0]
frame = "body"
force = ["2*t - vx", 1, "x*z"]
[[force]]
name = "twist"
kind = "torque"
body = "b"
torque = [0, "-0.3*omega2", 1]
[[force]]
name = "mount"
kind = "bushing"
bodies = ["a", "b"]
at = [0.5, 0, 0]
stiffness = [10, 20, 30, 4, 5, 6]
damping = [1, 2, 3, 0.4, 0.5, 0.6]
x = [1, 1, 0]
[[force]]
name = "beam"
kind = "beam"
from = { body = "a", at = [0, 0, 0] }
to = { body = "b", at = [1, 0, 0] }
EA = 100
GJ = 3
EI_y = 4
)");
  Two x;
  x.m.load("push",
           {.body = x.a,
            .at = Vector3d(.5, 0, 0),
            .frame = SpatialLoad::Frame::body,
            .force = {Law::of<10>([](auto t, auto, auto, auto, auto vx, auto, auto, auto, auto, auto) {
                        return 2.0 * t - vx;
                      }),
                      1., Law::of<10>([](auto, auto px, auto, auto pz, auto, auto, auto, auto, auto, auto) {
                        return px * pz;
                      })}});
  x.m.load("twist",
           {.body = x.b,
            .torque = {0., Law::of<10>([](auto, auto, auto, auto, auto, auto, auto, auto, auto w2, auto) {
                         return -.3 * w2;
                       }),
                       1.}});
  Eigen::Matrix<double, 6, 1> k;
  k << 10, 20, 30, 4, 5, 6;
  Eigen::Matrix3d axes;
  axes << 1, -1, 0, 1, 1, 0, 0, 0, std::numbers::sqrt2;
  x.m.bushing("mount", {.a = x.a,
                        .b = x.b,
                        .at_a = {.5, 0, 0},
                        .at_b = {.5, 0, 0},
                        .axes = axes / std::numbers::sqrt2,
                        .stiffness = k.asDiagonal(),
                        .damping = (k / 10).asDiagonal()});
  x.m.beam("beam", {.a = x.a, .b = x.b, .at_b = {1, 0, 0}, .EA = 100, .GJ = 3, .EI_y = 4, .EI_z = 4});
  expect_equal(*file.mechanism, x.m);
}

TEST(ForceFiles, ActorsAreThoseOfTheProgram) {
  const Model file = read(std::string(two) + R"(
[[force]]
name = "spring"
kind = "spring"
from = { body = "a", at = [0, 1, 0] }
to = { body = "b", at = [1, 1, 1] }
stiffness = 20
damping = 0.3
[[force]]
name = "bump"
kind = "spring"
from = { body = "ground", at = [0, 0, 2] }
to = { body = "b", at = [1, 1, 1] }
law = "3*length^3 + rate*t"
[[force]]
name = "motor"
kind = "motor"
joint = "hinge"
voltage = "12*cos(t) - 2*position - rate"
constant = 0.05
resistance = 1
inductance = 0.01
ratio = 5
[[force]]
name = "ram"
kind = "cylinder"
from = { body = "ground", at = [0, 0, 2] }
to = { body = "b", at = [1, 0, 0] }
spool = "0.5*sin(t) - length"
areas = [0.2, 0.1]
volumes = [1, 2]
stroke = [1, 4]
flow = 0.4
supply = 9
tank = 1
pressures = [3, 4]
bulk_modulus = 30
soft = 0.5
stop = 7
viscous = 0.2
)");
  Two x;
  x.m.add_force("spring", x.m.length(x.a, {0, 1, 0}, x.b, {1, 1, 1}),
                std::make_shared<Spring>(
                    Spring::Constants{.stiffness = 20, .damping = .3, .length = std::numbers::sqrt2}));
  x.m.add_force("bump", x.m.length(ground, {0, 0, 2}, x.b, {1, 1, 1}),
                std::make_shared<ForceLaw>(
                    Law::of<3>([](auto c, auto rate, auto t) { return 3.0 * c * c * c + rate * t; })));
  x.m.add_force("motor", x.m.coordinate(x.hinge),
                std::make_shared<Motor>(
                    Motor::Constants{.constant = .05, .resistance = 1, .inductance = .01, .ratio = 5},
                    Law::of<3>([](auto t, auto c, auto rate) {
                      using std::cos;
                      return 12.0 * cos(t) - 2.0 * c - rate;
                    })));
  x.m.add_force("ram", x.m.length(ground, {0, 0, 2}, x.b, {1, 0, 0}),
                std::make_shared<Cylinder>(Cylinder::Constants{.area_a = .2,
                                                               .area_b = .1,
                                                               .volume_a = 1,
                                                               .volume_b = 2,
                                                               .shortest = 1,
                                                               .longest = 4,
                                                               .bulk_modulus = 30,
                                                               .flow = .4,
                                                               .supply = 9,
                                                               .tank = 1,
                                                               .soft = .5,
                                                               .underlap = .05,
                                                               .stop = 7,
                                                               .start_a = 3,
                                                               .start_b = 4},
                                           Law::of<3>([](auto t, auto c, auto) {
                                             using std::sin;
                                             return .5 * sin(t) - c;
                                           }),
                                           Friction::Constants{.viscous = .2, .transition = 1e-3}));
  expect_equal(*file.mechanism, x.m);
}

/// The mass on a spring of stick_slip_test.cc, as a file.
TEST(ForceFiles, StickSlipComesToRestWhereItShould) {
  const Model file = read(R"(
space = "planar"
gravity = [0, 0]
[parameters]
F = 0.5
[[body]]
name = "mass"
mass = 1
inertia = 1
position = [1.05, 0]
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "mass"]
at = [0, 0]
along = [1, 0]
[[force]]
name = "spring"
kind = "spring"
from = { body = "ground", at = [-10, 0] }
to = { body = "mass", at = [1.05, 0] }
stiffness = 4
length = 10
[[force]]
name = "rub"
kind = "stick-slip"
joint = "rail"
most = "F"
sliding = "F"
)");
  RunOptions options;
  options.tolerance = {1e-11, 1e-11};
  options.end = 8;
  const Summary s = run(file.mechanism, options);
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  ASSERT_EQ(s.events.size(), 4u);
  EXPECT_NEAR(s.events.back().t, 2 * std::numbers::pi, 1e-8);
  EXPECT_NEAR(s.state.y[0], .05, 1e-9);
}

TEST(ForceFiles, ExamplesAreValid) {
  const std::string flat = [] {
    std::string text = "space = \"planar\"\n";
    for (const char* name : {"crank", "axle", "frame", "boom", "block"})
      text +=
          std::string("[[body]]\nname = \"") + name + "\"\nmass = 1\ninertia = 1\nposition = [0.1, 0.2]\n";
    for (const char* name : {"main", "shoulder"})
      text += std::string("[[joint]]\nname = \"") + name +
              "\"\nkind = \"revolute\"\nbodies = [\"ground\", \"crank\"]\nat = [0, 0]\n";
    return text +
           "[[joint]]\nname = \"guide\"\nkind = \"prismatic\"\nbodies = [\"ground\", \"block\"]\nat = [0, "
           "0]\n"
           "along = [1, 0]\n";
  }();
  const std::string space = [] {
    std::string text = "space = \"spatial\"\n";
    for (const char* name : {"rotor", "engine", "tip"})
      text += std::string("[[body]]\nname = \"") + name +
              "\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0.1, 0.2, 0]\n";
    return text;
  }();
  int seen = 0;
  for (const ElementEntry& entry : all_elements()) {
    if (entry.section != "force" || entry.space == ElementEntry::Space::planar) continue;
    ++seen;
    const std::string element = "[[force]]\nname = \"one\"\nkind = \"" + entry.kind + "\"\n" + entry.example;
    const auto& around = entry.space == ElementEntry::Space::both ? flat : space;
    EXPECT_NO_THROW(read(around + element)) << element;
  }
  EXPECT_GE(seen, 11);
}

TEST(ForceFiles, MistakesAreTold) {
  const auto expect = [](const std::string& element, const std::string& what) {
    std::string told;
    try {
      read(std::string(two) +
           "[[joint]]\nname = \"tube\"\nkind = \"cylindrical\"\nbodies = [\"a\", \"b\"]\n"
           "at = [1, 0, 0]\naxis = [1, 0, 0]\n[[force]]\nname = \"one\"\n" +
           element);
    } catch (const ModelError& error) {
      for (const Complaint& each : error.complaints()) told += each.sentence() + "\n";
    }
    EXPECT_NE(told.find(what), std::string::npos) << element << "\n  told: " << told;
  };
  expect("kind = \"friction\"\njoint = \"tube\"\nviscous = 1\n", "add coordinate = displacement or angle");
  expect("kind = \"friction\"\njoint = \"hinge\"\ncoordinate = \"displacement\"\nviscous = 1\n",
         "has no displacement");
  expect("kind = \"friction\"\njoint = \"hinge\"\ncoulomb = -1\n", "friction is negative");
  expect(
      "kind = \"spring\"\nfrom = { body = \"a\", at = [0, 0, 0] }\nto = { body = \"a\", at = [1, 0, 0] "
      "}\nstiffness = 1\n",
      "both ends of 'one' are on one body");
  expect(
      "kind = \"spring\"\nfrom = { body = \"a\", at = [0, 0, 0] }\nto = { body = \"b\", at = [1, 0, 0] }\n",
      "neither stiffness nor law");
  expect("kind = \"bushing\"\nbodies = [\"a\", \"b\"]\nat = [0, 0, 0]\nstiffness = [1, 2, 3]\n",
         "6x6 matrix");
  expect("kind = \"motor\"\njoint = \"hinge\"\nvoltage = 1\nconstant = 1\nresistance = 1\ninductance = 0\n",
         "no inductance");
}

}  // namespace
}  // namespace dalembert
