// Do planar joints, forces and drives mean in a file what they mean in C++, are their examples valid, and are mistakes told
// as a person would tell them?
#include <set>

#include "dalembert/model/element_entry.h"
#include "dalembert/model/model.h"
#include "tests/support/catalogue_points.h"

namespace dalembert {
namespace {

constexpr auto ground = Mechanism::ground;

Model read(const std::string& text) {
  return Model::from_text(text, "model.toml");
}

/// The same numbers, but for rounding in the values of motions.
void expect_equal(const Mechanism& ours, const Mechanism& theirs) {
  const Layout a = ours.layout(), b = theirs.layout();
  ASSERT_EQ(a.size(), b.size());
  for (Eigen::Index i = 0; i < a.size(); ++i) EXPECT_EQ(a.label(i), b.label(i));
  for (const State& state : states_near_start(theirs)) {
    const Point x = point(ours, state), y = point(theirs, state);
    EXPECT_EQ(x.J, y.J);
    EXPECT_EQ(x.f, y.f);
    expect_near(x.g, y.g, 1e-15, "g");  // a path is 2.5 + t - 2.5 in a file, and t in code
    EXPECT_EQ(x.w, y.w);
    EXPECT_EQ(x.bias, y.bias);
  }
}

const char* const bodies = R"(
space = "planar"
[[body]]
name = "a"
mass = 1
inertia = 0.2
position = [0.1, 0.3]
angle = 0.4
[[body]]
name = "b"
mass = 2
inertia = 0.3
position = [1, -0.2]
angle = -0.7
[[body]]
name = "c"
mass = 3
inertia = 0.5
position = [2, 1]
)";

struct Three {
  PlanarMechanism m;
  int a = m.body({.name = "a", .mass = 1, .inertia = .2, .position = {.1, .3}, .angle = .4});
  int b = m.body({.name = "b", .mass = 2, .inertia = .3, .position = {1, -.2}, .angle = -.7});
  int c = m.body({.name = "c", .mass = 3, .inertia = .5, .position = {2, 1}});
};

TEST(PlanarFiles, JointsAreThoseOfTheProgram) {
  const Model file = read(std::string(bodies) + R"(
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "a"]
at = [0, 0.5]
[[joint]]
name = "slide"
kind = "prismatic"
bodies = ["a", "b"]
at = [0.5, 0]
along = [1, 2]
[[joint]]
name = "weld"
kind = "fixed"
bodies = ["b", "c"]
at = [1.5, 0.5]
[[joint]]
name = "pin"
kind = "slot"
bodies = ["ground", "c"]
at = [2, 1.5]
along = [0, 3]
[[joint]]
name = "rod"
kind = "distance"
from = { body = "a", at = [0.2, 0.2] }
to = { body = "c", at = [2, 0.9] }
[[joint]]
name = "stay"
kind = "distance"
from = { body = "ground", at = [0, 0] }
to = { body = "b" }
length = 1.25
[[joint]]
name = "pair"
kind = "gear"
bodies = ["a", "b"]
ratio = -2.5
[[joint]]
name = "ring"
kind = "gear"
bodies = ["ground", "b"]
teeth = [-50, 15]
carrier = "a"
[[joint]]
name = "teeth"
kind = "rack"
bodies = ["a", "b"]
at = [0, 0]
along = [1, 0.1]
[[joint]]
name = "wheel"
kind = "rolling"
bodies = ["ground", "c"]
at = [0, 0]
along = [1, 0]
radius = 0.8
centre = [2, 0.9]
[[joint]]
name = "blade"
kind = "knife-edge"
body = "b"
at = [1, 0]
along = [1, 1]
)");
  Three t;
  t.m.revolute("hinge", ground, t.a, {0, .5});
  t.m.prismatic("slide", t.a, t.b, {.5, 0}, {1, 2});
  t.m.fixed("weld", t.b, t.c, {1.5, .5});
  t.m.slot("pin", ground, t.c, {2, 1.5}, {0, 3});
  t.m.distance("rod", t.a, {.2, .2}, t.c, {2, .9});
  t.m.distance("stay", ground, {0, 0}, t.b, {1, -.2}, 1.25);
  t.m.gear("pair", t.a, t.b, -2.5);
  t.m.gear("ring", ground, t.b, 50. / 15, t.a);
  t.m.rack("teeth", t.a, t.b, {0, 0}, {1, .1});
  t.m.rolling("wheel", ground, t.c, {0, 0}, {1, 0}, {.centre = Point2{2, .9}, .radius = .8});
  t.m.knife_edge("blade", t.b, {1, 0}, {1, 1});
  expect_equal(*file.mechanism, t.m);
}

TEST(PlanarFiles, ForcesAreThoseOfTheProgram) {
  const Model file = read(std::string(bodies) + R"(
[[force]]
name = "push"
kind = "force"
body = "a"
at = [0.2, 0.2]
force = ["2*t + x*vy", "-vx*spin + y"]
[[force]]
name = "jet"
kind = "force"
body = "b"
force = [3, "angle"]
frame = "body"
[[force]]
name = "motor"
kind = "torque"
body = "c"
torque = "2 - 0.1*spin"
[[force]]
name = "mount"
kind = "bushing"
bodies = ["a", "b"]
at = [0.5, 0]
at_b = [0.6, 0.1]
stiffness = [[30, 4, -2], [4, 50, 3], [-2, 3, 9]]
damping = [1, 2, 3]
along = [1, 1]
[[force]]
name = "pad"
kind = "bushing"
bodies = ["ground", "c"]
at = [2, 1]
stiffness = [100, 200, 5]
[[force]]
name = "leaf"
kind = "beam"
from = { body = "ground", at = [0, 0] }
to = { body = "a" }
EA = 1e4
EI = 20
length = 0.3
damping = 0.01
)");
  Three t;
  t.m.load(
      "push",
      {.body = t.a,
       .at = Point2{.2, .2},
       .force = {
           Law::of<7>([](auto time, auto x, auto, auto, auto vy, auto, auto) { return 2.0 * time + x * vy; }),
           Law::of<7>([](auto, auto, auto y, auto vx, auto, auto, auto spin) { return -vx * spin + y; })}});
  t.m.load("jet",
           {.body = t.b,
            .frame = PlanarLoad::Frame::body,
            .force = {3., Law::of<7>([](auto, auto, auto, auto, auto, auto angle, auto) { return angle; })}});
  t.m.load("motor", {.body = t.c, .torque = Law::of<7>([](auto, auto, auto, auto, auto, auto, auto spin) {
                                    return 2.0 - .1 * spin;
                                  })});
  Eigen::Matrix3d K;
  K << 30, 4, -2, 4, 50, 3, -2, 3, 9;
  t.m.bushing("mount", {.a = t.a,
                        .b = t.b,
                        .at_a = {.5, 0},
                        .at_b = {.6, .1},
                        .along = {1, 1},
                        .stiffness = K,
                        .damping = Eigen::Vector3d(1, 2, 3).asDiagonal()});
  t.m.bushing(
      "pad",
      {.b = t.c, .at_a = {2, 1}, .at_b = {2, 1}, .stiffness = Eigen::Vector3d(100, 200, 5).asDiagonal()});
  t.m.beam("leaf", {.b = t.a, .at_b = {.1, .3}, .EA = 1e4, .EI = 20, .damping = .01, .length = .3});
  expect_equal(*file.mechanism, t.m);
}

Motion line(double start, double rate) {
  return {[=](double t) { return Motion::Value{start + rate * t, rate, 0}; }};
}

TEST(PlanarFiles, DrivesCountAsTheirEntriesSay) {
  const Model file = read(std::string(bodies) + R"(
[[joint]]
name = "pin"
kind = "slot"
bodies = ["ground", "a"]
at = [0, 0.5]
along = [1, 0]
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["a", "b"]
at = [0.5, 0]
[[drive]]
name = "motor"
joint = "hinge"
motion = "0.5 + 2*t"
[[drive]]
name = "shift"
joint = "pin"
coordinate = "displacement"
motion = "3*t"
[[drive]]
name = "turn"
joint = "pin"
coordinate = "angle"
motion = "4*t"
[[drive]]
name = "winch"
from = { body = "ground", at = [0, 0] }
to = { body = "c" }
distance = "2 + t"
[[drive]]
name = "path"
point = { body = "c", at = [2.5, 1] }
motion = ["2.5 + t", 1]
)");
  Three t;
  const auto pin = t.m.slot("pin", ground, t.a, {0, .5}, {1, 0});
  const auto hinge = t.m.revolute("hinge", t.a, t.b, {.5, 0});
  t.m.drive("motor", hinge, line(.5, 2));
  t.m.drive("shift", pin, line(0, 3));
  t.m.drive("turn", pin, line(0, 4), 1);
  t.m.drive("winch", t.m.length(ground, {0, 0}, t.c, {2, 1}), line(2, 1));
  t.m.drive("path", {{"x", t.m.displacement(ground, t.c, {2.5, 1}, {1, 0}), line(0, 1)},
                     {"y", t.m.displacement(ground, t.c, {2.5, 1}, {0, 1}), {}}});
  expect_equal(*file.mechanism, t.m);
  const Point here = point(*file.mechanism, file.mechanism->start());
  EXPECT_NEAR(here.g[3], -.5, 1e-15) << "as drawn the hinge is at 0, the motor wants .5";
  EXPECT_NEAR(here.g[8], 0, 1e-15) << "the path goes through the point as it is drawn";
}

TEST(PlanarFiles, DrivesWorkInSpaceToo) {
  const Model file = read(R"--(
space = "spatial"
[[body]]
name = "a"
mass = 1
inertia = [1, 2, 2.5]
position = [0, 0, 1]
[[joint]]
name = "sleeve"
kind = "cylindrical"
bodies = ["ground", "a"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[drive]]
name = "lift"
joint = "sleeve"
coordinate = "displacement"
motion = "sin(t)"
[[drive]]
name = "turn"
joint = "sleeve"
coordinate = "angle"
motion = "3*t"
[[drive]]
name = "path"
point = { body = "a", at = [1, 0, 1] }
motion = ["cos(3*t)", "sin(3*t)", "1 + sin(t)"]
[[drive]]
name = "rope"
from = { body = "ground", at = [0, 0, 0] }
to = { body = "a" }
distance = "1 + sin(t)"
)--");
  // All of them are true of one motion: up by sin t and round by 3 t. Its velocities are known as well.
  const Mechanism& m = *file.mechanism;
  for (const double t : {0., .4}) {
    Vector q(7), v(6);
    q << 0, 0, 1 + std::sin(t), std::cos(1.5 * t), 0, 0, std::sin(1.5 * t);
    v << 0, 0, std::cos(t), 0, 0, 3;
    const Point there(m, t, q, v, Vector());
    EXPECT_LE(largest(there.g), 1e-15) << t;
    EXPECT_LE(largest(there.J * v + there.w), 1e-14) << t;
  }
}

/// The names that examples use; wheels stand beside their lines.
TEST(PlanarFiles, ExamplesAreValid) {
  std::string text = "space = \"planar\"\n";
  for (const char* name : {"crank", "rod", "slider", "weight", "bob", "sun", "planet", "arm", "rack",
                           "pinion", "disc", "sleigh"})
    text += std::string("[[body]]\nname = \"") + name + "\"\nmass = 1\ninertia = 1\nposition = [0.1, 0.2]\n";
  text += "[[joint]]\nname = \"main\"\nkind = \"revolute\"\nbodies = [\"ground\", \"crank\"]\nat = [0, 0]\n";
  std::set<std::string> seen;
  for (const ElementEntry& entry : all_elements()) {
    const bool planar = entry.space == ElementEntry::Space::planar;
    if (!((entry.section == "joint" || entry.section == "force") && planar) && entry.section != "drive")
      continue;
    seen.insert(entry.section + " " + entry.kind);
    const std::string element = "[[" + entry.section + "]]\nname = \"one\"\nkind = \"" + entry.kind + "\"\n";
    EXPECT_NO_THROW(read(text + element + entry.example)) << element << entry.example;
  }
  for (const char* kind : {"joint rack", "joint gear", "force beam", "drive point"})
    EXPECT_TRUE(seen.count(kind)) << kind;
}

/// All that is wrong with an element, as it is told.
std::string told(const std::string& element) {
  try {
    read(std::string(bodies) +
         "[[joint]]\nname = \"pin\"\nkind = \"slot\"\nbodies = [\"ground\", \"a\"]\n"
         "at = [0, 0.5]\nalong = [1, 0]\n" +
         element + "name = \"one\"\n");
  } catch (const ModelError& error) {
    std::string all;
    for (const Complaint& each : error.complaints()) all += each.sentence() + "\n";
    return all;
  }
  return "";
}

TEST(PlanarFiles, MistakesAreTold) {
  const auto expect = [](const std::string& element, const std::string& what) {
    const std::string all = told(element);
    EXPECT_NE(all.find(what), std::string::npos) << element << "\n  told: " << all;
  };
  expect("[[drive]]\njoint = \"pin\"\nmotion = \"t\"\n",
         "has more than one coordinate; add coordinate = \"displacement\" or \"angle\"");
  expect(
      "[[joint]]\nname = \"r\"\nkind = \"distance\"\nfrom = { body = \"a\" }\nto = { body = \"b\" }\n"
      "[[drive]]\njoint = \"r\"\nmotion = \"t\"\n",
      "has no coordinate to drive");
  expect("[[drive]]\npoint = { body = \"ground\", at = [0, 0] }\nmotion = [0, 0]\n",
         "the ground does not move");
  expect("[[joint]]\nkind = \"gear\"\nbodies = [\"a\", \"b\"]\n",
         "a gear has a ratio or teeth; give one of the two");
  expect("[[joint]]\nkind = \"gear\"\nbodies = [\"a\", \"b\"]\nteeth = [20]\n", "none of them 0");
  expect("[[joint]]\nkind = \"rolling\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0.3]\nalong = [1, 0]\n",
         "centre lies on its line");
  expect("[[force]]\nkind = \"bushing\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0]\nstiffness = [1, 2]\n",
         "a bushing in the plane has a 3x3 matrix");
  expect("[[force]]\nkind = \"beam\"\nfrom = { body = \"a\" }\nto = { body = \"b\" }\nEA = -1\nEI = 1\n",
         "EA");
  expect("[[force]]\nkind = \"force\"\nbody = \"ground\"\nforce = [0, 1]\n", "acts on the ground");
}

}  // namespace
}  // namespace dalembert
