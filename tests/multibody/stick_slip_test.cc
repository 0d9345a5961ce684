// Dry friction that sticks and slips: switching times and places of rest against exact ones, several contacts at once.
#include <numbers>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"
#include "dalembert/multibody/forces/force_law.h"
#include "dalembert/multibody/forces/spring.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "dalembert/observe/monitor.h"
#include "tests/support/force_proofs.h"

namespace dalembert {
namespace {

using Eigen::Vector3d;
using Regime = StickSlip::Regime;
constexpr auto ground = Mechanism::ground;
constexpr double pi = std::numbers::pi;

RunOptions tight(const std::string& method = "auto") {
  RunOptions options;
  options.request.method = method;
  options.tolerance = {1e-11, 1e-11};
  return options;
}

double label(const Summary& s, const std::string& name) {
  for (Eigen::Index i = 0; i < s.layout.size(); ++i)
    if (s.layout.label(i) == name) return s.state.y[i];
  ADD_FAILURE() << "no entry " << name;
  return 0;
}

/// A mass on a spring that rubs: m = 1, k = 4, F = .5, so that each swing of pi/2 s is shorter by 2 F/k = .25 m.
void add_rubbing_mass(PlanarMechanism& m, const std::string& name, double x, double y) {
  const auto mass = m.point({.name = name, .mass = 1, .position = {x, y}});
  m.slot(name + "_rail", ground, mass, {0, y}, {1, 0});
  m.add_force(name + "_spring", m.displacement(ground, mass, {x, y}, {1, 0}),
              std::make_shared<Spring>(Spring::Constants{.stiffness = 4, .length = -x}));
  m.stick_slip(name + "_rub", m.displacement(ground, mass, {x, y}, {1, 0}), .5, .5);
}

TEST(StickSlip, AMassOnASpringComesToRestWhereItShould) {
  auto m = std::make_shared<PlanarMechanism>(Point2{0, 0});
  add_rubbing_mass(*m, "mass", 1.05, 0);
  m->ends_at(10);
  for (const std::string method : {"auto", "dopri5", "radau"}) {
    Monitor monitor;
    const Summary s = run(m, tight(method), {&monitor});
    ASSERT_EQ(s.outcome, Outcome::ok) << method << ": " << s.message;
    ASSERT_EQ(s.events.size(), 4u) << method;  // 1.05 -> -.8 -> .55 -> -.3 -> .05
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(s.events[k].t, static_cast<double>(k + 1) * pi / 2, 1e-8) << method;
      EXPECT_EQ(s.events[k].name, "mass_rub.stick");
    }
    EXPECT_NEAR(label(s, "q.mass.x"), .05, 1e-9) << method;
    EXPECT_NEAR(label(s, "v.mass.x'"), 0, 1e-13) << method;
    EXPECT_NEAR(label(s, "mu.mass_rub.friction"), -.2, 1e-8) << method;  // holds against the spring
    const double quadrature =
        method == "radau" ? 1e-6 : 1e-8;  // of the work, by three points in each of its long steps
    EXPECT_LT(std::abs(monitor.energy()->error()), quadrature) << method;
    EXPECT_NEAR(monitor.energy()->work, -.5 * (1.85 + 1.35 + .85 + .35), quadrature)
        << method;  // force times path
  }
}

/// Two alike at once, and a third that starts elsewhere.
TEST(StickSlip, SeveralContactsChangeAtTheSameTime) {
  auto m = std::make_shared<PlanarMechanism>(Point2{0, 0});
  add_rubbing_mass(*m, "one", 1.05, 0);
  add_rubbing_mass(*m, "two", 1.05, 1);
  add_rubbing_mass(*m, "three", -.6, 2);
  m->ends_at(10);
  const Summary s = run(m, tight());
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_NEAR(label(s, "q.one.x"), .05, 1e-9);
  EXPECT_NEAR(label(s, "q.two.x"), .05, 1e-9);
  EXPECT_NEAR(label(s, "q.three.x"), -.1, 1e-9);  // -.6 -> .35 -> -.1
  EXPECT_NEAR(label(s, "mu.one_rub.friction"), -.2, 1e-8);
  EXPECT_NEAR(label(s, "mu.two_rub.friction"), -.2, 1e-8);
  EXPECT_NEAR(label(s, "mu.three_rub.friction"), .4, 1e-8);
  EXPECT_NEAR(s.events.back().t, 2 * pi, 1e-8);
}

/// A block on a belt, m = k = 1, held up to 1.5 and dragged with 1: it sticks for 1/v and slips for 2(pi - atan(.5/v)).
template <class Made>
void expect_belt(const Made& m) {
  constexpr double v = .2;
  const double slip = 2 * (pi - std::atan(.5 / v)), period = 1 / v + slip;
  m->ends_at(7.5 + 3 * period - .5);
  Monitor monitor;
  const Summary s = run(m, tight(), {&monitor});
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  ASSERT_EQ(s.events.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(s.events[k].t, 7.5 + static_cast<double>(k / 2) * period + (k % 2 == 0 ? 0 : slip), 1e-8)
        << k;
    EXPECT_EQ(s.events[k].name, k % 2 == 0 ? "grip.slip" : "grip.stick");
  }
  EXPECT_NEAR(label(s, "q.block.x"), 1.5 - .5 * v, 1e-8);
  EXPECT_NEAR(label(s, "mu.grip.friction"), -(1.5 - .5 * v), 1e-8);  // the block pulls back along -x
  EXPECT_LT(std::abs(monitor.energy()->error()), 1e-7);
}

Motion steady(double speed) {
  return {[speed](double t) { return Motion::Value{speed * t, speed, 0}; }};
}

TEST(StickSlip, ABlockOnABeltHasItsPeriod) {
  auto flat = std::make_shared<PlanarMechanism>(Point2{0, 0});
  const auto belt = flat->point({.name = "belt", .mass = 3, .velocity = {.2, 0}});
  const auto block = flat->point({.name = "block", .mass = 1, .velocity = {.2, 0}});
  flat->slot("rail", ground, belt, {0, 0}, {1, 0});
  flat->slot("guide", ground, block, {0, 0}, {1, 0});
  flat->drive("motor", flat->displacement(ground, belt, {0, 0}, {1, 0}), steady(.2));
  flat->add_force("spring", flat->displacement(ground, block, {0, 0}, {1, 0}),
                  std::make_shared<Spring>(Spring::Constants{.stiffness = 1}));
  flat->stick_slip("grip", flat->displacement(belt, block, {0, 0}, {1, 0}), 1.5, 1.);
  expect_belt(flat);
}

TEST(StickSlip, ABlockOnABeltHasItsPeriodInSpace) {
  auto space = std::make_shared<SpatialMechanism>(Vector3d(0, 0, -9.81));
  const Eigen::Matrix3d I = Eigen::Matrix3d::Identity();
  const auto belt = space->body({.name = "belt", .mass = 3, .inertia = I, .velocity = {.2, 0, 0}});
  const auto block = space->body({.name = "block", .mass = 1, .inertia = I, .velocity = {.2, 0, 0}});
  const auto rail = space->prismatic("rail", ground, belt, {0, 0, 0}, {1, 0, 0});
  const auto guide = space->prismatic("guide", belt, block, {0, 0, 0}, {1, 0, 0});
  space->drive("motor", rail, steady(.2));
  space->add_force("spring", space->displacement(ground, block, {0, 0, 0}, {1, 0, 0}),
                   std::make_shared<Spring>(Spring::Constants{.stiffness = 1}));
  space->stick_slip("grip", space->coordinate(guide), 1.5, 1.);
  expect_belt(space);
}

/// Pushed by the force t: it gives way at t = 2.
TEST(StickSlip, ARampBreaksItLooseAtTheLimit) {
  for (const double sliding : {1.5, 2.}) {
    auto m = std::make_shared<PlanarMechanism>(Point2{0, 0});
    const auto mass = m->point({.name = "mass", .mass = 1});
    const auto x = m->displacement(ground, mass, {0, 0}, {1, 0});
    m->add_force("push", x, std::make_shared<ForceLaw>(Law::of<3>([](auto, auto, auto t) { return -t; })));
    m->stick_slip("rub", x, 2., sliding);
    m->ends_at(5);
    const Summary s = run(m, tight());
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    ASSERT_EQ(s.events.size(), 1u);
    EXPECT_NEAR(s.events[0].t, 2, 1e-10);
    EXPECT_NEAR(s.state.y[0], (2 - sliding) * 9 / 2. + 27 / 6., 1e-8);
  }
}

/// The limit falls with time, sliding friction with speed. The first slip is known, of the rest the balance of energy.
TEST(StickSlip, LawsOfTimePlaceAndSpeedAreFollowed) {
  auto m = std::make_shared<PlanarMechanism>(Point2{0, -9.81});
  const auto bob = m->body({.name = "bob", .mass = 1, .inertia = .1, .position = {.6, -.8}});
  const auto hinge = m->revolute("hinge", ground, bob, {0, 0});
  m->stick_slip("rub", m->coordinate(hinge), Law::of<2>([](auto t, auto c) { return 8.0 - .8 * t + .1 * c; }),
                Law::of<3>([](auto, auto c, auto speed) {
                  using std::exp;
                  return 1.0 + .05 * c * c + .5 * exp(-3.0 * speed);
                }));
  m->ends_at(7);
  Monitor monitor;
  const Summary s = run(m, tight(), {&monitor});
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  ASSERT_GE(s.events.size(), 3u);
  EXPECT_EQ(s.events.front().name, "rub.slip");
  EXPECT_NEAR(s.events.front().t, (8 - 9.81 * .6) / .8, 1e-9);
  EXPECT_LT(std::abs(monitor.energy()->error()), 1e-7);
  EXPECT_LT(monitor.energy()->work, -.5);
}

/// A pendulum in dry bearings, in plane and space: both stop at the same place.
TEST(StickSlip, APendulumComesToRest) {
  auto flat = std::make_shared<PlanarMechanism>(Point2{0, -9.81});
  auto space = std::make_shared<SpatialMechanism>(Vector3d(0, -9.81, 0));
  const auto bob2 = flat->body({.name = "bob", .mass = 1, .inertia = .1, .position = {.6, -.8}});
  const auto bob3 = space->body(
      {.name = "bob", .mass = 1, .inertia = Vector3d(.1, .2, .1).asDiagonal(), .position = {.6, -.8, 0}});
  const auto hinge2 = flat->revolute("hinge", ground, bob2, {0, 0});
  const auto hinge3 = space->revolute("hinge", ground, bob3, {0, 0, 0}, {0, 0, 1});
  flat->stick_slip("rub", flat->coordinate(hinge2), .9, .7);
  space->stick_slip("rub", space->coordinate(hinge3), .9, .7);
  flat->ends_at(12), space->ends_at(12);
  const Summary plane = run(flat, tight()), s = run(space, tight());
  ASSERT_EQ(plane.outcome, Outcome::ok) << plane.message;
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  ASSERT_EQ(s.events.size(), plane.events.size());
  EXPECT_GE(s.events.size(), 4u);
  for (std::size_t k = 0; k < s.events.size(); ++k) EXPECT_NEAR(s.events[k].t, plane.events[k].t, 1e-7);
  EXPECT_NEAR(s.state.y[0], plane.state.y[0], 1e-8);
  // it rests, and friction holds the weight
  EXPECT_NEAR(label(plane, "v.bob.x'"), 0, 1e-12);
  EXPECT_NEAR(label(plane, "mu.rub.friction"), -9.81 * plane.state.y[0], 1e-8);
  EXPECT_LE(std::abs(9.81 * plane.state.y[0]), .9);
}

/// What a drive moves cannot stick: it passes through rest, and the drive feels the jump of the friction.
TEST(StickSlip, ADrivePullsItThroughRest) {
  auto m = std::make_shared<PlanarMechanism>(Point2{0, 0});
  const auto mass = m->point({.name = "mass", .mass = 1, .velocity = {1, 0}});
  m->slot("rail", ground, mass, {0, 0}, {1, 0});
  const auto x = m->displacement(ground, mass, {0, 0}, {1, 0});
  m->drive("motor", x, {[](double t) { return Motion::Value{std::sin(t), std::cos(t), -std::sin(t)}; }});
  m->stick_slip("rub", x, 3., 2.);
  m->ends_at(6);
  const Summary s = run(m, tight());
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  ASSERT_EQ(s.events.size(), 2u);
  EXPECT_NEAR(s.events[0].t, pi / 2, 1e-9);
  EXPECT_NEAR(s.events[1].t, 3 * pi / 2, 1e-9);
  // x'' = -sin t = -2 sign(x') - lambda
  EXPECT_NEAR(label(s, "lambda.motor.drive"), std::sin(6.) - 2, 1e-7);
}

/// Rows that follow from others do not disturb it.
/// A drive that goes, jumps to rest, rests and jumps off again, in a joint that rubs: at rest the drive holds it, and what friction
/// takes of that is not determined. Its row used to conflict with the drive's, or modes followed each other without end.
TEST(StickSlip, ADriveThatRestsHoldsIt) {
  const Model model = Model::from_text(R"file(
space = "planar"
[[body]]
name = "b"
mass = 2
inertia = 0.1
position = [1, 0]
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "b"]
at = [0, 0]
along = [1, 1]
[[drive]]
joint = "rail"
motion = "0.5*max(sin(10*t), 0)"
[[force]]
kind = "stick-slip"
joint = "rail"
most = 0.1
sliding = 0.07
)file",
                                       "rests.toml");
  for (const auto& [formulation, method] :
       {std::pair{"", "auto"}, std::pair{"maggi-qr", "dop853"}, std::pair{"ggl", "radau"}})
    for (const double end : {.45, .85, 1.1}) {
      RunOptions options = tight(method);
      options.request.formulation = formulation;
      options.tolerance = {1e-8, 1e-8};
      options.end = end;
      Monitor monitor({1e-8, 1e-8});
      const Summary s = run(model.mechanism, options, {&monitor});
      ASSERT_EQ(s.outcome, Outcome::ok) << method << " " << s.message;
      const double moved = .5 * std::max(std::sin(10 * end), 0.);
      EXPECT_NEAR(label(s, "q.b.x") - 1, moved * std::sqrt(.5), 1e-6) << method << " " << end;
      EXPECT_NEAR(monitor.energy()->error(), 0, 1e-5) << method << " " << end;
    }
}

/// The slider of a crank rests for an instant at each dead centre, where no friction of it can hold the crank.
TEST(StickSlip, NothingSticksAtADeadCentre) {
  const Model model = Model::from_text(R"file(
space = "planar"
gravity = [0, 0]
[[body]]
name = "crank"
mass = 1
inertia = 1
position = [0.382421093642244, 0.322108843618846]
angle = 0.7
spin = -5
velocity = [1.61054421809423, -1.91210546821122]
[[body]]
name = "rod"
mass = 1
inertia = 0.75
position = [2.22984931793694, 0.322108843618846]
angle = -0.216424822358008
[[body]]
name = "slider"
mass = 0.001
inertia = 1
position = [3.69485644858939, 0]
[[joint]]
name = "o"
kind = "revolute"
bodies = ["ground", "crank"]
at = [0, 0]
[[joint]]
name = "c"
kind = "revolute"
bodies = ["crank", "rod"]
at = [0.764842187284488, 0.644217687237691]
[[joint]]
name = "e"
kind = "revolute"
bodies = ["rod", "slider"]
at = [3.69485644858939, 0]
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "slider"]
at = [3.69485644858939, 0]
along = [1, 0]
[[force]]
name = "rub"
kind = "stick-slip"
joint = "rail"
most = 4.5
sliding = 3
)file",
                                       "dead_centre.toml");
  const auto angle = [&](const char* formulation, const char* method, double tolerance) {
    RunOptions options;
    options.request = {formulation, method};
    options.tolerance = {tolerance, tolerance};
    options.end = 3;
    const Summary s = run(model.mechanism, options);
    EXPECT_EQ(s.outcome, Outcome::ok) << formulation << " " << method << " " << s.message;
    return label(s, "q.crank.angle");
  };
  const double truth = angle("index1", "dop853", 1e-10);
  for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-8})
    for (const auto& [formulation, method] : {std::pair{"ggl", "radau13"}, std::pair{"cs", "radau13"},
                                              std::pair{"cs", "radau"}, std::pair{"ggl", "bdf"}})
      EXPECT_NEAR(angle(formulation, method, tolerance), truth, 300 * tolerance)
          << formulation << " " << method << " " << tolerance;
}

/// A load that jumps may change who sticks; an output at that very time is not lost.
TEST(StickSlip, OutputsAtJumpsOfTheLoadAreShown) {
  const Model model = Model::from_text(R"file(
space = "planar"
gravity = [0, 0]
[[body]]
name = "m"
mass = 2
inertia = 1
velocity = [5, 0]
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "m"]
at = [0, 0]
along = [1, 0]
[[force]]
name = "rub"
kind = "stick-slip"
joint = "rail"
most = 1
sliding = 1
[[force]]
name = "push"
kind = "force"
body = "m"
force = ["if(t > 2, 3, 0) + step(t - 4)", 0]
)file",
                                       "jumps.toml");
  struct Times final : Observer {
    void begin(const Problem&, const State&) override {}
    void output(const State& state) override { all.push_back(state.t); }
    std::vector<double> all;
  } times;
  RunOptions options;
  options.end = 5;
  options.outputs = output_times(0, 5, 10);
  EXPECT_EQ(run(model.mechanism, options, {&times}).outcome, Outcome::ok);
  EXPECT_EQ(times.all, options.outputs);
}

TEST(StickSlip, WorksBesideRedundantJoints) {
  auto m = std::make_shared<PlanarMechanism>(Point2{0, 0});
  add_rubbing_mass(*m, "mass", 1.05, 0);
  m->slot("second rail", ground, 0, {0, 0}, {1, 0});
  m->ends_at(10);
  const Summary s = run(m, tight());
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_EQ(s.events.size(), 4u);
  EXPECT_NEAR(label(s, "q.mass.x"), .05, 1e-9);
  EXPECT_NEAR(label(s, "mu.mass_rub.friction"), -.2, 1e-8);
}

/// Slopes and bias of every mode, between moving bodies.
TEST(StickSlip, ModesHaveTheSlopesTheyClaim) {
  auto m = std::make_shared<SpatialMechanism>();
  const Eigen::Matrix3d I = Vector3d(1, 1.4, .8).asDiagonal();
  const auto a =
      m->body({.name = "a", .mass = 1, .inertia = I, .orientation = {1, .2, 0, .1}, .spin = {.3, .2, 1}});
  const auto b = m->body({.name = "b",
                          .mass = 2,
                          .inertia = I,
                          .position = {1, .3, .2},
                          .orientation = {1, -.1, .4, 0},
                          .velocity = {.3, .1, .4},
                          .spin = {.5, -.2, .7}});
  const Law sliding =
      Law::of<3>([](auto t, auto c, auto speed) { return 1.0 + .2 * t + c * c + .3 * speed * speed; });
  m->stick_slip("one", m->displacement(a, b, {.6, .2, .1}, {1, 1, 0}), 20., sliding);
  m->stick_slip("two", m->length(ground, {0, 2, 0}, b, {1, .4, .2}), 20., sliding);
  m->stick_slip("three", m->angle(a, b, {0, .2, 1}), 20., sliding);
  using Modes = std::vector<Regime>;
  for (const auto& now : {Modes{Regime::stick, Regime::stick, Regime::stick},
                          {Regime::slip_up, Regime::slip_down, Regime::stick},
                          {Regime::stick, Regime::slip_up, Regime::slip_down}}) {
    const auto mode = m->mode(now);
    expect_derivatives(*mode);
    expect_power(*mode);
    for (const State& state : states_near_start(*mode)) {
      const Point here = point(*mode, state);
      const auto rate = [&](double e) {
        const Point there(*mode, here.t, here.at->q + e * here.dq, here.v, here.s);
        return Vector(there.J * there.v + there.w);
      };
      expect_near(here.bias, derivative(rate, 1e-3), 1e-8, "bias");
    }
  }
}

/// Whether a drive that rests holds a contact is said by the rows, not by velocities that a method leaves off them by its tolerance: they
/// were taken for slips, one after another, each with the whole force of sliding in the report.
TEST(StickSlip, WhatADriveHoldsDoesNotSlipByTheErrorsOfAMethod) {
  const Model model = Model::from_text(R"toml(
space = "planar"
gravity = [0, 0]
[[body]]
name = "frame"
mass = 24
inertia = 0.2
position = [1.2, 0.4]
[[body]]
name = "slide"
mass = 77
inertia = 5
position = [1.3, 0.2]
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["frame", "slide"]
at = [0.8, 0.4]
along = [0.77, -0.63]
[[drive]]
name = "hold"
joint = "rail"
motion = "0.5*smooth_step(t, 0.5, 0.6)"
[[force]]
kind = "spring"
from = { body = "ground", at = [0.4, 0.3] }
to = { body = "frame", at = [1.2, 0.5] }
stiffness = 400
length = 0.7
[[force]]
name = "rub"
kind = "stick-slip"
joint = "rail"
most = 600
sliding = 500
)toml");
  for (const std::string formulation : {"ggl", "ggl-star", "baumgarte", "index2"})
    for (const std::string method : {"radau", "bdf", "sdirk3", "lobatto"}) {
      RunOptions options;
      options.request = {formulation, method};
      options.tolerance = {1e-4, 1e-4};
      options.end = 0.3;
      const Summary resting = run(model.problem(), options);
      ASSERT_EQ(resting.outcome, Outcome::ok) << formulation << " " << method << ": " << resting.message;
      EXPECT_TRUE(resting.events.empty()) << formulation << " " << method;
      EXPECT_EQ(resting.state.y.tail(1)[0], 0) << formulation << " " << method;
      options.end = 0.55;  // moving
      const Summary moving = run(model.problem(), options);
      ASSERT_EQ(moving.outcome, Outcome::ok) << formulation << " " << method << ": " << moving.message;
      EXPECT_NEAR(moving.state.y.tail(1)[0], 500, 1e-6) << formulation << " " << method;
    }
}

}  // namespace
}  // namespace dalembert
