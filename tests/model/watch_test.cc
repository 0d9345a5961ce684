// Do watches tell what they say: reactions, coordinates, energies, points?
#include "dalembert/observe/watch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/run.h"
#include "dalembert/core/rotations.h"
#include "dalembert/model/model.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/reactions.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "dalembert/observe/files/run_file.h"

namespace dalembert {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// All watches at a state, by name.
std::map<std::string, double> readings(const Model& model, const State& state) {
  std::map<std::string, double> all;
  for (const Watch& watch : model.watches) all[watch.name] = watch.value(state);
  return all;
}

/// A bar of length 1 and mass 3 that lies horizontally and is let go.
const char* const bar = R"(
space = "planar"
gravity = [0, -10]
[[body]]
name = "bar"
mass = 3
inertia = 0.25
position = [0.5, 0]
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "bar"]
at = [0, 0]
)";

State consistent_start(const Model& model) {
  State state = model.mechanism->start();
  const StartReport report = make_consistent(*model.mechanism, state);
  EXPECT_EQ(report.outcome, Outcome::ok) << report.message;
  return state;
}

TEST(Watch, BarThatIsLetGo) {
  const Model model = Model::from_text(std::string(bar) + R"(
[[watch]]
name = "bearing"
reaction = "hinge"
[[watch]]
name = "support"
reaction = "hinge"
on = "a"
[[watch]]
name = "tip"
point = { body = "bar", at = [1, 0] }
[[watch]]
name = "fall"
point = { body = "bar", at = [1, 0] }
quantity = "acceleration"
[[watch]]
name = "gap"
kind = "distance"
from = { body = "ground", at = [1, 2] }
to = { body = "bar", at = [1, 0] }
[[watch]]
name = "share"
expression = "bearing.y/(3*10) + 0*t"
)",
                                       "bar.toml");
  auto now = readings(model, consistent_start(model));
  EXPECT_NEAR(now.at("bearing.x"), 0, 1e-12);
  EXPECT_NEAR(now.at("bearing.y"), 7.5, 1e-12);  // a quarter of the weight
  EXPECT_NEAR(now.at("bearing.norm"), 7.5, 1e-12);
  EXPECT_NEAR(now.at("bearing.moment"), 0, 1e-12);
  EXPECT_NEAR(now.at("support.y"), -7.5, 1e-12);
  EXPECT_NEAR(now.at("tip.x"), 1, 1e-15);
  EXPECT_NEAR(now.at("fall.y"), -15, 1e-12);  // faster than free fall
  EXPECT_NEAR(now.at("gap"), 2, 1e-15);
  EXPECT_NEAR(now.at("gap.rate"), 0, 1e-15);
  EXPECT_NEAR(now.at("share"), .25, 1e-12);
}

TEST(Watch, BarThatTurns) {
  Model model = Model::from_text(std::string(bar) + R"(
[[watch]]
name = "bearing"
reaction = "hinge"
[[watch]]
name = "along"
reaction = "hinge"
frame = "b"
[[watch]]
name = "phi"
angle = "bar"
[[watch]]
name = "turned"
coordinate = "hinge"
[[watch]]
name = "tip"
point = { body = "bar", at = [1, 0] }
quantity = "velocity"
[[watch]]
name = "T"
energy = "kinetic"
[[watch]]
name = "U"
energy = "potential"
[[watch]]
name = "E"
energy = "total"
[[watch]]
name = "L"
whole = "angular-momentum"
[[watch]]
name = "p"
whole = "momentum"
)",
                                 "bar.toml");
  // Upright, at 4 rad/s.
  State state = model.mechanism->start();
  state.y.head(6) << 0, .5, M_PI / 2, -2, 0, 4;
  ASSERT_EQ(make_consistent(*model.mechanism, state).outcome, Outcome::ok);
  auto now = readings(model, state);
  const double pull = 3 * (10 - 16 * .5);  // weight less what turns the centre
  EXPECT_NEAR(now.at("bearing.y"), pull, 1e-12);
  EXPECT_NEAR(now.at("along.x"), pull, 1e-12);
  EXPECT_NEAR(now.at("along.y"), 0, 1e-12);
  EXPECT_NEAR(now.at("phi"), M_PI / 2, 1e-15);
  EXPECT_NEAR(now.at("phi.rate"), 4, 1e-15);
  EXPECT_NEAR(now.at("turned"), M_PI / 2, 1e-15);
  EXPECT_NEAR(now.at("turned.rate"), 4, 1e-15);
  EXPECT_NEAR(now.at("tip.x"), -4, 1e-12);
  EXPECT_NEAR(now.at("T"), 3 * 4 / 2. + .25 * 16 / 2, 1e-12);
  EXPECT_NEAR(now.at("U"), 3 * 10 * .5, 1e-12);
  EXPECT_NEAR(now.at("E"), 8 + 15, 1e-12);
  EXPECT_NEAR(now.at("L"), 4 * (.25 + 3 * .25), 1e-12);
  EXPECT_NEAR(now.at("p.x"), -6, 1e-12);
}

TEST(Watch, WeldedBodyInSpace) {
  const Model model = Model::from_text(R"(
space = "spatial"
gravity = [0, 0, -10]
[[body]]
name = "arm"
mass = 2
inertia = [1, 1, 1]
position = [0.7, 0.2, 0]
orientation = { axis = [0, 0, 1], angle = "90 deg" }
[[joint]]
name = "wall"
kind = "fixed"
bodies = ["ground", "arm"]
at = [0, 0, 0]
[[watch]]
name = "wall"
reaction = "wall"
[[watch]]
name = "seen"
reaction = "wall"
frame = "b"
[[watch]]
name = "stand"
angle = "arm"
)",
                                       "arm.toml");
  auto now = readings(model, consistent_start(model));
  // Weight 20 at (0.7, 0.2): force up, moment against r x (0, 0, -20) = (-4, 14, 0).
  const double expected[] = {0, 0, 20, 4, -14, 0};
  const char* names[] = {"x", "y", "z", "moment_x", "moment_y", "moment_z"};
  for (int i = 0; i < 6; ++i)
    EXPECT_NEAR(now.at(std::string("wall.") + names[i]), expected[i], 1e-11) << names[i];
  EXPECT_NEAR(now.at("seen.moment_x"), -14, 1e-11);
  EXPECT_NEAR(now.at("seen.moment_y"), -4, 1e-11);
  EXPECT_NEAR(now.at("wall.moment_norm"), std::hypot(4, 14), 1e-11);
  EXPECT_NEAR(now.at("stand.z"), M_PI / 2, 1e-12);
}

TEST(Watch, AnglesAreFollowedOverFullTurns) {
  const Model model = Model::from_text(R"(
space = "spatial"
gravity = [0, 0, 0]
[[body]]
name = "wheel"
mass = 1
inertia = [1, 1, 1]
spin = [0, 10, 0]
[[joint]]
name = "axle"
kind = "revolute"
bodies = ["ground", "wheel"]
at = [0, 0, 0]
axis = [0, 1, 0]
[[watch]]
name = "turns"
coordinate = "axle"
)",
                                       "wheel.toml");
  ASSERT_EQ(model.watches.size(), 2u);
  // Whoever looks, and however often: the angle is that of the run.
  struct Reader final : Observer {
    explicit Reader(const Watch& watch) : watch(watch) {}
    void output(const State& state) override { seen.emplace_back(state.t, watch.value(state)); }
    const Watch& watch;
    std::vector<std::pair<double, double>> seen;
  };
  for (const int pieces : {1, 2, 3, 7, 20, 300}) {
    Reader reader(model.watches[0]);
    WatchFollower follower(model.watches);
    const Summary summary =
        run(model.mechanism, {.end = 14, .outputs = output_times(0, 14, pieces)}, {&follower, &reader});
    ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
    ASSERT_EQ(reader.seen.size(), static_cast<std::size_t>(pieces) + 1);
    for (const auto& [t, angle] : reader.seen) EXPECT_NEAR(angle, 10 * t, 1e-4) << pieces << " " << t;
    EXPECT_NEAR(model.watches[0].value(summary.state), 140, 1e-4) << pieces;
  }
}

// A law that switches (abs) lets steps begin a little behind the end of the last one: by more than the watch took for the same time, and
// the turns so far were lost.
TEST(Watch, AnglesAreFollowedOverSwitches) {
  for (const auto& [stiffness, method, rtol, end] :
       std::vector<std::tuple<std::string, std::string, double, double>>{
           {"300", "sdirk4", 1e-5, 3}, {"600", "sdirk3", 1e-6, 3}, {"300", "dopri5", 1e-4, 10}}) {
    const Model model = Model::from_text(R"toml(
space = "spatial"
gravity = [0, 0, 0]
[[body]]
name = "wheel"
mass = 1
inertia = [1, 1, 1]
spin = [0, 0, 30]
[[joint]]
name = "axle"
kind = "revolute"
bodies = ["ground", "wheel"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[drive]]
name = "motor"
joint = "axle"
motion = "30*t"
[[body]]
name = "bob"
kind = "point"
mass = 1
position = [2, 0, 0]
[[force]]
kind = "spring"
from = { body = "ground", at = [0, 0, 0] }
to = { body = "bob", at = [2, 0, 0] }
law = ")toml" + stiffness + R"toml(*(length - 1) + rate*abs(rate)"
[[watch]]
name = "turned"
coordinate = "axle"
)toml",
                                         "switches.toml");
    RunOptions options;
    options.request.method = method;
    options.tolerance = {rtol, rtol};
    options.end = end;
    WatchFollower follower(model.watches);
    const Summary summary = run(model.mechanism, options, {&follower});
    ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
    EXPECT_NEAR(model.watches[0].value(summary.state), 30 * end, 1e-2) << method << " " << stiffness;
  }
}

/// Whatever the joint, what it does to one body it does to the other in the opposite sense.
TEST(Watch, ReactionsBalance) {
  SpatialMechanism m;
  const auto body = [&](const char* name, double x) {
    return m.body({.name = name,
                   .mass = 1 + x,
                   .inertia = Vector3d(1, 2, 2.5).asDiagonal(),
                   .position = {x, x * x, -x},
                   .orientation = {1, .3 * x, -.2, .1},
                   .velocity = {.1, x, 0},
                   .spin = {x, 1, -.5}});
  };
  const auto a = body("a", .3), b = body("b", 1.1), c = body("c", 2);
  m.spherical("foot", Mechanism::ground, a, {0, 0, 0});
  const auto hinge = m.revolute("hinge", a, b, {.5, .5, 0}, {1, 1, .2});
  const auto slide = m.prismatic("slide", b, c, {1.5, 1, -1}, {0, 1, .4});
  State state = m.start();
  ASSERT_EQ(make_consistent(m, state).outcome, Outcome::ok);
  MechanismView view(m);
  view.look(state);
  for (const auto joint : {hinge, slide}) {
    const JointRecord& record = m.joints()[static_cast<std::size_t>(joint)];
    const Wrench on_a = view.reaction(joint, MechanismView::On::a),
                 on_b = view.reaction(joint, MechanismView::On::b);
    const Vector3d pa = view.point(record.a, record.on_a), pb = view.point(record.b, record.on_b);
    EXPECT_GT(on_b.force.norm(), .1);
    EXPECT_LE((on_a.force + on_b.force).norm(), 1e-10);
    EXPECT_LE((on_a.moment + on_b.moved(pb - pa).moment).norm(), 1e-10);
  }
  // The last body feels its weight and one joint only: m a = m g + F, about its centre of mass.
  const Wrench push = view.reaction(slide, MechanismView::On::b);
  const JointRecord& record = m.joints()[static_cast<std::size_t>(slide)];
  EXPECT_LE((3 * (view.acceleration(c, Vector3d::Zero()) - Vector3d(0, 0, -9.81)) - push.force).norm(), 1e-9);
  EXPECT_GT((view.point(c, record.on_b) - view.point(c, Vector3d::Zero())).norm(), .1);
}

/// Acceleration is the derivative of velocity along the motion.
TEST(Watch, AccelerationOfAPoint) {
  SpatialMechanism m;
  const auto top = m.body({.name = "top",
                           .mass = 2,
                           .inertia = Vector3d(1, 2, 2.5).asDiagonal(),
                           .position = {.3, 0, .4},
                           .orientation = {1, .3, -.2, .1},
                           .spin = {3, 1, -2}});
  m.spherical("foot", Mechanism::ground, top, {0, 0, 0});
  State state = m.start();
  ASSERT_EQ(make_consistent(m, state).outcome, Outcome::ok);
  const auto n = m.sizes();
  const Vector3d fixed(.2, -.5, .7);
  MechanismView view(m);
  const Vector3d a = view.look(state).acceleration(top, fixed);
  // A short way along q' = N v, v' = a with the acceleration of the body itself.
  const Vector3d foot = view.look(state).acceleration(top, m.joints()[0].on_b);
  EXPECT_LE(foot.norm(), 1e-10);
  Vector dv(n.v), f(n.v);
  m.force(view.at(), view.v(), Vector(), f);
  Entries J, M;
  m.jacobian(view.at(), J);
  m.mass(view.at(), M);
  J.multiply_transposed(view.multipliers(), -1, f);
  dv = M.dense(n.v, n.v).ldlt().solve(f);
  const auto velocity = [&](double h) {
    State moved = state;
    const auto from = m.placement();
    from->q = state.y.head(n.q);
    m.place(*from);
    Vector q(n.q);
    m.advance(*from, h * state.y.segment(n.q, n.v) + h * h / 2 * dv, q);
    moved.y.head(n.q) = q;
    moved.y.segment(n.q, n.v) += h * dv;
    return MechanismView(m).look(moved).velocity(top, fixed);
  };
  constexpr double h = 1e-4;
  EXPECT_LE(((velocity(h) - velocity(-h)) / (2 * h) - a).norm(), 1e-5 * a.norm());
}

TEST(Watch, ExpressionsAreChecked) {
  try {
    Model::from_text(std::string(bar) +
                         "[[watch]]\nname = \"w\"\nreaction = \"hinge\"\n"
                         "[[watch]]\nname = \"half\"\nexpression = \"w.z/2\"\n",
                     "bar.toml");
    FAIL();
  } catch (const ModelError& error) {
    ASSERT_EQ(error.complaints().size(), 1u);
    EXPECT_NE(error.complaints()[0].what.find("w.z"), std::string::npos) << error.what();
    EXPECT_EQ(error.complaints()[0].place.line, 19);
  }
}

TEST(Watch, FilesHaveTheirColumns) {
  const Model model =
      Model::from_text(std::string(bar) + "[[watch]]\nname = \"E\"\nenergy = \"total\"\n", "bar.toml");
  const auto path = std::filesystem::temp_directory_path() / "dalembert_watch_test.csv";
  {
    FileWriter writer(path, model.mechanism->layout(), model.watches);
    State state = consistent_start(model);
    state.y[1] = .1;
    writer.output(state);
    writer.end();
  }
  std::ifstream file(path);
  std::string head, line;
  std::getline(file, head);
  std::getline(file, line);
  EXPECT_TRUE(head.ends_with(",E [J]")) << head;
  EXPECT_NEAR(std::stod(line.substr(line.rfind(',') + 1)), 3, 1e-12);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace dalembert
