// Do repetitions and included files become the elements that they stand for?
#include <ctime>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "tests/support/force_proofs.h"
#include "tests/support/model_texts.h"

namespace dalembert {
namespace {

using testing::expect_same;
using testing::mechanism;
using testing::model;
namespace fs = std::filesystem;
constexpr double pi = std::numbers::pi;

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

class ModelFolder : public ::testing::Test {
 protected:
  ModelFolder()
      : place_(fs::path(::testing::TempDir()) /
               ("dalembert_model_" + std::to_string(static_cast<long>(std::clock())) + "_" +
                ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
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

/// A part with the laws, alone and placed elsewhere, moves likewise; and the derivatives are those of the laws.
void expect_moved(const fs::path& folder, const std::string& part, const std::string& include,
                  const Eigen::Matrix3d& turn, const Eigen::Vector3d& shift) {
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  write("part.toml", part);
  const auto second = part.find('\n', part.find('\n') + 1) + 1;  // its space and its gravity
  write("top.toml",
        part.substr(0, second) + "[[include]]\nfile = \"part.toml\"\nprefix = \"p_\"\n" + include);
  const auto end = [&](const char* file) {
    const Model m = Model::from_file(folder / file);
    expect_derivatives(mechanism(m));
    RunOptions options;
    options.request = {"ggl", "radau"};
    options.tolerance = {1e-9, 1e-9};
    options.end = 1;
    const Summary run = dalembert::run(m.problem(), options);
    EXPECT_EQ(run.outcome, Outcome::ok) << run.message;
    return run.state.y;
  };
  const Vector alone = end("part.toml"), moved = end("top.toml");
  const Eigen::Index n = turn(2, 2) == 1 && shift[2] == 0 ? 2 : 3;
  const Vector place = (turn.topLeftCorner(n, n) * alone.head(n) + shift.head(n)).eval();
  expect_near(moved.head(n), place, 1e-8, "place");
  EXPECT_GT((alone.head(n)).norm(), 0.01);
}

TEST_F(ModelFolder, FormulasOfAPartSeeItsOwnFrame) {
  const std::string planar =
      "space = \"planar\"\ngravity = [0, 0]\n"
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = 0.5\nposition = [0.3, 0.1]\nangle = 0.2\nvelocity = [0, "
      "1]\n"
      "[[force]]\nname = \"f\"\nkind = \"force\"\nbody = \"b\"\nat = [0.5, 0.1]\n"
      "force = [\"-50*x - 2*vx*y + angle\", \"-9*y - vy + spin*x\"]\n"
      "[[force]]\nname = \"g\"\nkind = \"force\"\nbody = \"b\"\nframe = \"body\"\n"
      "force = [\"3*y\", \"x - vx\"]\n"
      "[[force]]\nname = \"t\"\nkind = \"torque\"\nbody = \"b\"\ntorque = \"-4*angle + x*vy\"\n";
  const double angle = 2;
  const Eigen::Matrix3d about_z = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).matrix();
  expect_moved(place_, planar, "at = [3, -1]\nangle = 2\n", about_z, {3, -1, 0});
  expect_moved(place_, planar, "at = [3, -1]\n", Eigen::Matrix3d::Identity(), {3, -1, 0});

  const std::string spatial =
      "space = \"spatial\"\ngravity = [0, 0, 0]\n"
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 2, 2]\nposition = [0.3, 0.1, 0.2]\nspin = [1, 0, 2]\n"
      "[[force]]\nname = \"f\"\nkind = \"force\"\nbody = \"b\"\nat = [0.5, 0.1, 0]\n"
      "force = [\"-50*x - vz*y\", \"-9*y - vy\", \"-25*z + omega1*x\"]\n"
      "[[force]]\nname = \"t\"\nkind = \"torque\"\nbody = \"b\"\nframe = \"body\"\ntorque = [\"z\", \"x - "
      "vy\", \"-omega3\"]\n";
  const Eigen::Vector3d axis = Eigen::Vector3d(1, 2, 2) / 3;
  expect_moved(place_, spatial, "at = [3, -1, 2]\norientation = { axis = [1, 2, 2], angle = 1 }\n",
               Eigen::AngleAxisd(1, axis).matrix(), {3, -1, 2});
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
