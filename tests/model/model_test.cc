// Does a model file mean what the same mechanism in C++ means, key by key?
#include "dalembert/model/model.h"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "dalembert/model/element_keys.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "tests/support/catalogue_points.h"

namespace dalembert {
namespace {

namespace fs = std::filesystem;
constexpr double pi = std::numbers::pi;

/// The same names, the same start, and bit for bit the same numbers wherever both are evaluated.
void expect_same(const Mechanism& ours, const Mechanism& theirs) {
  const Layout a = ours.layout(), b = theirs.layout();
  ASSERT_EQ(a.size(), b.size());
  for (Eigen::Index i = 0; i < a.size(); ++i) EXPECT_EQ(a.label(i), b.label(i));
  EXPECT_EQ(ours.start().y, theirs.start().y);
  EXPECT_EQ(ours.end(), theirs.end());
  for (const State& state : states_near_start(theirs)) {
    const Point x = point(ours, state), y = point(theirs, state);
    EXPECT_EQ(x.M, y.M);
    EXPECT_EQ(x.J, y.J);
    EXPECT_EQ(x.f, y.f);
    EXPECT_EQ(x.g, y.g);
    EXPECT_EQ(x.w, y.w);
    EXPECT_EQ(x.bias, y.bias);
  }
}

Model model(const std::string& text, const std::map<std::string, double>& set = {}) {
  return Model::from_text(text, "model.toml", set);
}

const Mechanism& mechanism(const Model& model) {
  return *model.mechanism;
}

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
  ASSERT_TRUE(m.run.output);
  EXPECT_EQ(m.run.output->by, OutputSetting::By::pieces);
  EXPECT_EQ(m.run.output->value, 100);
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

constexpr const char* chain = R"toml(
space = "planar"
[parameters]
n = 4
l = 0.5
[[repeat]]
count = "n"
body = [{ name = "link{i}", mass = "1/(i+1)", inertia = 0.1, position = ["(i+0.5)*l", 0] }]
joint = [{ name = "hinge{i}", kind = "revolute", bodies = ["link{i-1|ground}", "link{i}"], at = ["i*l", 0] }]
)toml";

TEST(Model, AChainInAFewLines) {
  PlanarMechanism same;
  for (int i = 0; i < 4; ++i)
    same.body({.name = "link" + std::to_string(i),
               .mass = 1. / (i + 1),
               .inertia = .1,
               .position = {(i + .5) * .5, 0}});
  for (int i = 0; i < 4; ++i) same.revolute("hinge" + std::to_string(i), i - 1, i, {i * .5, 0});
  expect_same(mechanism(model(chain)), same);
  EXPECT_EQ(mechanism(model(chain, {{"n", 1000}})).bodies().size(), 1000u);
}

TEST(Model, RepetitionsInsideEachOther) {
  const Model m = model(R"toml(
space = "planar"
[[repeat]]
count = 2
start = 1
[[repeat.repeat]]
count = 3
index = "j"
[[repeat.repeat.body]]
name = "n{i}_{j}"
kind = "point"
mass = "10*i + j"
[[repeat.repeat.joint]]
name = "h{i}_{j}"
kind = "revolute"
bodies = ["n{i}_{j-1|ground}", "n{i}_{j}"]
at = [0, 0]
)toml");
  const auto& bodies = mechanism(m).bodies();
  ASSERT_EQ(bodies.size(), 6u);
  EXPECT_EQ(bodies[0].name, "n1_0");
  EXPECT_EQ(bodies[4].name, "n2_1");
  EXPECT_EQ(bodies[4].mass, 21);
  const auto& joints = mechanism(m).joints();
  ASSERT_EQ(joints.size(), 6u);
  EXPECT_EQ(joints[3].a, Mechanism::ground);
  EXPECT_EQ(joints[4].a, 3);
  EXPECT_EQ(joints[4].b, 4);
}

TEST(Model, BodiesAreNumberedAsTheyStandInTheFile) {
  const Model m = model(R"toml(
space = "planar"
[[body]]
name = "first"
kind = "point"
mass = 1
[[repeat]]
count = 2
body = [{ name = "m{i}", kind = "point", mass = 1 }]
[[body]]
name = "last"
kind = "point"
mass = 1
)toml");
  std::string names;
  for (const auto& body : mechanism(m).bodies()) names += body.name + " ";
  EXPECT_EQ(names, "first m0 m1 last ");
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

class ModelFolder : public testing::Test {
 protected:
  ModelFolder()
      : place_(fs::path(testing::TempDir()) /
               ("dalembert_model_" + std::to_string(static_cast<long>(std::clock())) + "_" +
                testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(place_);
  }
  ~ModelFolder() override { fs::remove_all(place_); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((place_ / name).parent_path());
    std::ofstream(place_ / name) << text;
  }
  fs::path place_;
};

constexpr const char* arm = R"toml(
title = "Arm"
space = "planar"
gravity = [0, 0]
[parameters]
l = 1
[[body]]
name = "upper"
mass = "l"
inertia = 0.1
position = ["l/2", 0]
velocity = [1, 0]
angle = 0.25
[[body]]
name = "lower"
mass = 1
inertia = 0.1
position = ["3*l/2", 0]
[[joint]]
name = "shoulder"
kind = "revolute"
bodies = ["ground", "upper"]
at = [0, 0]
[[joint]]
name = "elbow"
kind = "revolute"
bodies = ["upper", "lower"]
at = ["l", 0]
)toml";

TEST_F(ModelFolder, IncludesAreShiftedTurnedNamedAndTied) {
  write("parts/arm.toml", arm);
  write("robot.toml", R"toml(
space = "planar"
[[body]]
name = "chassis"
mass = 5
inertia = 1
position = [0, 2]
[[include]]
file = "parts/arm.toml"
prefix = "left_"
at = [1, 2]
angle = "90 deg"
set = { l = "2*0.25" }
ground = "chassis"
[[include]]
file = "parts/arm.toml"
prefix = "right_"
)toml");
  const Model m = Model::from_file(place_ / "robot.toml");
  PlanarMechanism same;
  const double quarter = 90 * pi / 180, c = std::cos(quarter), s = std::sin(quarter);
  const auto placed = [&](double x) { return Point2{c * x + 1, s * x + 2}; };
  const auto chassis = same.body({.name = "chassis", .mass = 5, .inertia = 1, .position = {0, 2}});
  const auto lu = same.body({.name = "left_upper",
                             .mass = .5,
                             .inertia = .1,
                             .position = placed(.25),
                             .angle = .25 + quarter,
                             .velocity = {c, s}});
  const auto ll =
      same.body({.name = "left_lower", .mass = 1, .inertia = .1, .position = placed(.75), .angle = quarter});
  const auto ru = same.body({.name = "right_upper",
                             .mass = 1,
                             .inertia = .1,
                             .position = {.5, 0},
                             .angle = .25,
                             .velocity = {1, 0}});
  const auto rl = same.body({.name = "right_lower", .mass = 1, .inertia = .1, .position = {1.5, 0}});
  same.revolute("left_shoulder", chassis, lu, placed(0));
  same.revolute("left_elbow", lu, ll, placed(.5));
  same.revolute("right_shoulder", same.ground, ru, {0, 0});
  same.revolute("right_elbow", ru, rl, {1, 0});
  const Layout a = mechanism(m).layout(), b = same.layout();
  ASSERT_EQ(a.size(), b.size());
  for (Eigen::Index i = 0; i < a.size(); ++i) EXPECT_EQ(a.label(i), b.label(i));
  for (const State& state : states_near_start(same)) {
    const Point x = point(mechanism(m), state), y = point(same, state);
    expect_near(x.g, y.g, 1e-14, "g");
    expect_near(x.J.reshaped(), y.J.reshaped(), 1e-14, "J");
    expect_near(x.f, y.f, 0, "f");
  }
  expect_near(mechanism(m).start().y, same.start().y, 1e-15, "start");
}

TEST_F(ModelFolder, IncludesInsideIncludesComposeTheirPlacement) {
  write("bob.toml",
        "space = \"planar\"\n[[body]]\nname = \"bob\"\nmass = 1\ninertia = 1\nposition = [1, 0]\n");
  write("arm.toml",
        "space = \"planar\"\n[[include]]\nfile = \"bob.toml\"\nprefix = \"b_\"\nat = [2, 0]\nangle = "
        "\"pi/2\"\n");
  write("top.toml",
        "space = \"planar\"\n[[include]]\nfile = \"arm.toml\"\nprefix = \"a_\"\nat = [0, 5]\nangle = "
        "\"pi/2\"\n");
  const Model m = Model::from_file(place_ / "top.toml");
  EXPECT_EQ(mechanism(m).bodies()[0].name, "a_b_bob");
  expect_near(mechanism(m).start().y.head(3), Eigen::Vector3d(-1, 7, pi), 1e-15, "start");
}

TEST_F(ModelFolder, SpatialIncludesTurnOrientationsToo) {
  write("top.toml",
        "space = \"spatial\"\n[[include]]\nfile = \"a.toml\"\nat = [1, 0, 0]\n"
        "orientation = { axis = [0, 0, 1], angle = \"90 deg\" }\n");
  write("a.toml",
        "space = \"spatial\"\n[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\n"
        "orientation = { axis = [1, 0, 0], angle = 1 }\nvelocity = [1, 0, 0]\nspin = [1, 2, 3]\n");
  const Vector y = Model::from_file(place_ / "top.toml").mechanism->start().y;
  expect_near(y.head(3), Eigen::Vector3d(1, 1, 0), 1e-15, "position");
  const Eigen::Quaterniond e = Eigen::Quaterniond(Eigen::AngleAxisd(pi / 2, Eigen::Vector3d::UnitZ())) *
                               Eigen::Quaterniond(Eigen::AngleAxisd(1, Eigen::Vector3d::UnitX()));
  expect_near(y.segment(3, 4), Eigen::Vector4d(e.w(), e.x(), e.y(), e.z()), 1e-15, "orientation");
  expect_near(y.segment(7, 3), Eigen::Vector3d(0, 1, 0), 1e-15, "velocity");
  expect_near(y.segment(10, 3), Eigen::Vector3d(1, 2, 3), 0, "spin");
}

/// An element with a key of every type.
ElementEntry made_up() {
  using T = Key::Type;
  return {.section = "force",
          .kind = "made-up",
          .space = ElementEntry::Space::planar,
          .summary = "",
          .carries = "",
          .keys = {{"number", T::number, "N", ""},
                   {"preset", T::number, "N", "", "2*number"},
                   {"nothing", T::number, "N", "", "-"},
                   {"vector", T::vector, "N", ""},
                   {"zero", T::vector, "m/s", "", "0"},
                   {"numbers", T::numbers, "", ""},
                   {"matrix", T::matrix, "", ""},
                   {"text", T::text, "", "", "red", {"red", "green"}},
                   {"body", T::body, "", ""},
                   {"joint", T::joint, "", ""},
                   {"end", T::end, "", ""},
                   {"centre", T::end, "", ""},
                   {"law", T::law, "N", "", "", {"x", "rate"}},
                   {"laws", T::laws, "N", "", "", {"t"}},
                   {"motion", T::motion, "rad", ""},
                   {"motions", T::motions, "m", ""}},
          .example = "",
          .build = {}};
}

TEST(Model, EveryTypeOfKey) {
  const Document document("a.toml", R"toml(
number = "3 kN"
vector = ["a", 2]
numbers = [1, "a", 3]
matrix = [[1, 2, 3], [4, 5, 6]]
body = "crank"
joint = "main"
end = { body = "ground", at = [1, "a/2"] }
centre = { body = "crank" }
law = "a*x^2 + rate"
laws = [1, "sin(t)"]
motion = "90*t^2 deg"
motions = ["t", "a*t^2"]
)toml");
  ASSERT_FALSE(document.trouble());
  Complaints complaints;
  FileScope file{.document = &document, .parameters = {{"a", 4, "", ""}}, .values = {{"a", 4}}};
  Directory directory;
  directory.bodies = {{"crank", 0}};
  directory.joints = {{"main", 5}};
  directory.positions = {{.1, .2, 0}};
  const auto read = [&] {
    Scope scope(file, complaints);
    const ElementEntry entry = made_up();
    const ElementFields of(entry, document.root(), "x", "force 'x'", scope, directory);
    EXPECT_TRUE(of.good());
    EXPECT_EQ(of.number("number"), 3000);
    EXPECT_EQ(of.number("preset"), 6000);
    EXPECT_FALSE(of.has("nothing"));
    EXPECT_TRUE(of.has("preset"));
    EXPECT_EQ(of.vector("zero"), Eigen::Vector3d::Zero());
    EXPECT_EQ(of.numbers("numbers"), (std::vector<double>{1, 4, 3}));
    EXPECT_EQ(of.matrix("matrix").rows(), 2);
    EXPECT_EQ(of.matrix("matrix")(1, 2), 6);
    EXPECT_EQ(of.text("text"), "red");
    EXPECT_EQ(of.body("body"), 0);
    EXPECT_EQ(of.joint("joint"), 5);
    EXPECT_EQ(of.end("centre").body, 0);
    EXPECT_EQ(of.end("centre").at, directory.positions[0]);
    const double x[] = {3, .5};
    double slopes[2];
    EXPECT_EQ(of.law("law")(x, slopes), 36.5);
    EXPECT_EQ(slopes[0], 24);
    EXPECT_EQ(slopes[1], 1);
    const Motion::Value motion = of.motion("motion")(2);
    EXPECT_DOUBLE_EQ(motion.f, 2 * pi);
    EXPECT_DOUBLE_EQ(motion.rate, 2 * pi);
    EXPECT_DOUBLE_EQ(motion.acceleration, pi);
    EXPECT_THROW(of.number("nonsense"), std::logic_error);
    return std::tuple(of.vector("vector"), of.end("end").at, of.laws("laws"), of.motions("motions"));
  };
  const double t = .7;
  {
    const auto [vector, at, laws, motions] = read();
    EXPECT_EQ(vector, Eigen::Vector3d(4, 2, 0));
    EXPECT_EQ(at, Eigen::Vector3d(1, 2, 0));
    EXPECT_EQ(laws[1](&t), std::sin(t));
    EXPECT_DOUBLE_EQ(motions[1](t).rate, 8 * t);
  }
  file.turn = Eigen::AngleAxisd(pi / 2, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  file.shift = {10, 20, 0};
  const auto [vector, at, laws, motions] = read();
  double slope = 0;
  expect_near(vector, Eigen::Vector3d(-2, 4, 0), 1e-15, "a direction");
  expect_near(at, Eigen::Vector3d(8, 21, 0), 1e-15, "a point");
  EXPECT_DOUBLE_EQ(laws[0](&t, &slope), -std::sin(t));
  EXPECT_DOUBLE_EQ(slope, -std::cos(t));
  EXPECT_DOUBLE_EQ(motions[0](t).f, 10 - 4 * t * t);
  EXPECT_DOUBLE_EQ(motions[0](t).rate, -8 * t);
  EXPECT_DOUBLE_EQ(motions[0](t).acceleration, -8);
  EXPECT_DOUBLE_EQ(motions[1](t).f, 20 + t);
}

/// Everything is looked up by name once, whatever the number of bodies.
TEST(Model, ALongChainIsReadQuickly) {
  const auto seconds = [](double n) {
    const std::clock_t begin = std::clock();
    EXPECT_EQ(static_cast<double>(mechanism(model(chain, {{"n", n}})).joints().size()), n);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  const double tenth = std::min(seconds(10000), seconds(10000)), all = seconds(100000);
  EXPECT_LT(all, 25 * tenth);
  RecordProperty("milliseconds", static_cast<int>(1000 * all));
}

}  // namespace
}  // namespace dalembert
