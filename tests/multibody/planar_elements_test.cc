// Do wheels, gears, loads, bushings and beams have the derivatives they claim, are multipliers the reactions their entries
// promise, and is nothing allocated on the way?
#include <numbers>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/planar_proofs.h"

namespace dalembert {
namespace {

constexpr auto ground = PlanarMechanism::ground;

/// Six bodies and two point masses in motion, nothing between them yet.
struct Scattered {
  std::shared_ptr<PlanarMechanism> m = std::make_shared<PlanarMechanism>();
  std::vector<int> b;
  int p, r;
  Scattered() {
    for (int i = 0; i < 6; ++i)
      b.push_back(m->body({.name = "b" + std::to_string(i),
                           .mass = 1 + .3 * i,
                           .inertia = .2 + .1 * i,
                           .position = {.7 * i, .3 * i * i - .5 * i},
                           .angle = .4 * i - .7,
                           .velocity = {.3 - .1 * i, .2 * i},
                           .spin = 1 - .6 * i}));
    p = m->point({.name = "p", .mass = .7, .position = {2, -1}, .velocity = {.4, .2}});
    r = m->point({.name = "r", .mass = .4, .position = {-1, 2}, .velocity = {-.3, .1}});
  }
};

std::shared_ptr<PlanarMechanism> wheels() {
  const Scattered s;
  PlanarMechanism& m = *s.m;
  const auto& b = s.b;
  m.rolling("disc", ground, b[0], {0, -.2}, {1, .3});
  m.rolling("below", b[0], b[1], {.5, .9}, {1, -.2}, {.radius = .4});
  m.rack("rack", b[1], b[2], {1, .5}, {.3, 1}, {.centre = Point2{1.6, .1}});
  m.rack("wall", ground, b[3], {3, 0}, {0, 1}, {.radius = .7});
  m.gear("planet", b[1], b[4], -1.7, b[2]);
  m.gear("ring", ground, b[5], 2.3, b[4]);
  m.gear("pair", b[0], b[5], .6);
  m.fixed("bob", b[3], s.p, {2, -1});
  m.prismatic("bead", b[5], s.r, {-1, 2}, {1, 1});
  m.drive("path", {{"x", m.displacement(ground, b[4], {2.6, 3}, {1, 0}), {[](double t) {
                      return Motion::Value{std::sin(t), std::cos(t), -std::sin(t)};
                    }}},
                   {"y", m.displacement(ground, b[4], {2.6, 3}, {0, 1}), {}}});
  return s.m;
}

std::shared_ptr<PlanarMechanism> forces() {
  const Scattered s;
  PlanarMechanism& m = *s.m;
  const auto& b = s.b;
  const Law swirl = Law::of<7>([](auto t, auto x, auto y, auto vx, auto vy, auto angle, auto spin) {
    using std::sin;
    return sin(3.0 * t) * x * y - .4 * vx * vy + sin(angle) * spin + 2.0 * x;
  });
  const Law drag = Law::of<7>([](auto t, auto x, auto y, auto vx, auto vy, auto angle, auto spin) {
    return -1.0 * (vx + .3 * vy) * spin - y * y * angle + .2 * t * x;
  });
  using Frame = PlanarLoad::Frame;
  m.load("push", {.body = b[0], .at = Point2{.3, .6}, .force = {swirl, drag}});
  m.load("jet", {.body = b[1], .at = Point2{1, .4}, .frame = Frame::body, .force = {drag, swirl}});
  m.load("thrust", {.body = b[2], .at = Point2{2, .4}, .frame = Frame::body, .force = {3., -2.}});
  m.load("moment", {.body = b[2], .torque = swirl});
  m.load("both", {.body = b[3], .force = {Law(), drag}, .torque = 1.5});
  m.load("wind", {.body = s.p, .force = {swirl, drag}});
  m.load("weight", {.body = b[4], .at = Point2{3, 3}, .force = {0., -5.}});

  Eigen::Matrix3d K, C;
  K << 30, 4, -2, 4, 50, 3, -2, 3, 9;
  C << 2, .3, 0, .1, 3, .2, 0, .5, 1;
  m.bushing("mount", {.a = b[0],
                      .b = b[1],
                      .at_a = {.3, .1},
                      .at_b = {.4, .2},
                      .along = {1, 2},
                      .stiffness = K,
                      .damping = C});
  m.bushing("foot", {.a = b[3], .at_a = {2, .9}, .at_b = {2, 1}, .stiffness = K});
  m.bushing("pad", {.b = b[4], .at_a = {3, 3}, .at_b = {3, 3.1}, .stiffness = K, .damping = K});
  m.bushing("web", {.a = b[5], .b = s.r, .at_a = {-1, 2}, .at_b = {-1, 2}, .stiffness = K, .damping = C});
  m.beam("leaf",
         {.a = b[1], .b = b[2], .at_a = {.8, -.3}, .at_b = {1.2, .4}, .EA = 40, .EI = 3, .damping = .1});
  m.beam("wand", {.a = b[5], .at_a = {3, 5}, .at_b = {2, 6}, .EA = 20, .EI = 2, .length = 1.5});
  m.beam("pole", {.b = b[0], .at_a = {0, -1}, .at_b = {0, .1}, .EA = 50, .EI = 5, .damping = .02});
  return s.m;
}

TEST(PlanarElements, WheelsHaveTheDerivativesTheyClaim) {
  prove_rows(*wheels());
  prove_derivatives(*wheels());
}

TEST(PlanarElements, ForcesHaveTheDerivativesTheyClaim) {
  prove_derivatives(*forces());
}

TEST(PlanarElements, EnergyChangesByPower) {
  prove_power(*forces());
}

TEST(PlanarElements, NothingIsAllocatedAfterTheFirstPass) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "allocations are not counted here";
  for (const auto& m : {wheels(), forces()}) {
    const State state = m->start();
    Point here = point(*m, state);
    const auto n = here.n;
    Derivatives d;
    Entries J;
    const Vector a = Vector::Ones(n.v), l = Vector::Ones(n.rows());
    const auto pass = [&] {
      m->place(*here.at);
      m->force(*here.at, here.v, here.s, here.f);
      m->g(*here.at, here.g);
      m->jacobian(*here.at, J);
      m->velocity_bias(*here.at, here.w);
      m->bias(*here.at, here.v, here.bias);
      m->derivatives(*here.at, here.v, here.s, a, l, d);
      return m->energy(*here.at, here.v, here.s).value() + m->power(*here.at, here.v, here.s);
    };
    const double first = pass();
    const long before = testing::allocations;
    const double again = pass();
    EXPECT_EQ(testing::allocations, before);
    EXPECT_EQ(first, again);
  }
}

/// The multipliers at the start.
Vector reactions(const PlanarMechanism& m) {
  return point(m, m.start()).solve().second;
}

constexpr double g = 10, root = std::numbers::sqrt2 / 2;

/// A body of mass 2 and inertia 3 at rest.
struct Resting {
  PlanarMechanism m{Point2{0, -g}};
  int b;
  explicit Resting(Point2 position = {1, 0})
      : b(m.body({.name = "b", .mass = 2, .inertia = 3, .position = position, .angle = .4})) {}
};

TEST(PlanarReactions, AreThoseOnTheFirstBody) {
  {
    Resting r;
    r.m.revolute("hinge", ground, r.b, {1, 0});  // hung in its centre of mass
    expect_near(reactions(r.m), Eigen::Vector2d(0, -2 * g), 1e-14, "revolute");
  }
  {
    Resting r;
    r.m.revolute("hinge", r.b, ground, {1, 0});  // the other way round: on the body now
    expect_near(reactions(r.m), Eigen::Vector2d(0, 2 * g), 1e-14, "revolute");
  }
  {
    Resting r;
    r.m.fixed("clamp", ground, r.b,
              {0, 0});  // the weight, one metre to the right, turns the ground clockwise
    expect_near(reactions(r.m), Eigen::Vector3d(0, -2 * g, -2 * g), 1e-14, "fixed");
  }
  {
    Resting r;
    r.m.prismatic("slope", ground, r.b, {1, 0}, {3, 3});  // left of it is up: the ground is pressed down
    expect_near(reactions(r.m), Eigen::Vector2d(-2 * g * root, 0), 1e-14, "prismatic");
  }
  {
    Resting r;
    r.m.slot("slope", ground, r.b, {1, 0}, {3, 3});
    expect_near(reactions(r.m), Vector::Constant(1, -2 * g * root), 1e-14, "slot");
  }
  {
    Resting r;
    r.m.distance("rope", ground, {1, 5}, r.b, {1, 0});  // pulled
    expect_near(reactions(r.m), Vector::Constant(1, 2 * g), 1e-14, "distance");
  }
  {
    Resting r;
    r.m.knife_edge("blade", r.b, {1, 0}, {1, 0});  // left of it is up
    expect_near(reactions(r.m), Vector::Constant(1, -2 * g), 1e-14, "knife edge");
  }
}

TEST(PlanarReactions, OfWheelsActWhereTheyTouch) {
  {
    // A disc held on a slope of 45 degrees by nothing but rolling: m r^2/(J + m r^2) of the downhill weight moves it, the
    // rest is friction, which pulls the ground downhill.
    Resting r({-root, root});
    r.m.rolling("disc", ground, r.b, {0, 0}, {1, 1});  // radius 1, to the left
    const double friction = -2 * g * root * 3 / (3 + 2);
    expect_near(reactions(r.m), Eigen::Vector2d(friction, -2 * g * root), 1e-14, "rolling");
  }
  {
    // A torque of 6 on a held wheel of radius 2 pushes the rack under it with 3 to the right.
    Resting r({0, 2});
    r.m.revolute("axle", ground, r.b, {0, 2});
    r.m.load("motor", {.body = r.b, .torque = 6.});
    const auto rack = r.m.body({.name = "rack", .mass = 1, .inertia = 1});
    r.m.prismatic("guide", ground, rack, {0, 0}, {1, 0});
    r.m.prismatic("stop", ground, rack, {0, 0}, {0, 1});
    r.m.rack("teeth", rack, r.b, {0, 0}, {1, 0});
    const Vector all =
        reactions(r.m);  // axle 2, guide 2, stop 2 (its moment follows from the guide's), teeth 1
    EXPECT_NEAR(all[6], 3, 1e-13);
    EXPECT_NEAR(all[4], -3, 1e-13) << "left of up is left: the ground is pushed to the right";
  }
}

TEST(PlanarReactions, OfGearsAreMoments) {
  PlanarMechanism m(Point2{0, 0});
  const auto a = m.body({.name = "a", .mass = 1, .inertia = 2});
  const auto b = m.body({.name = "b", .mass = 1, .inertia = 5});
  m.gear("pair", a, b, -3);
  m.load("motor", {.body = a, .torque = 7.});
  const Point here = point(m, m.start());
  const auto [acceleration, moment] = here.solve();
  EXPECT_NEAR(acceleration[2], 7 / (2 + 9 * 5.), 1e-14);
  EXPECT_NEAR(-moment[0], 5 * acceleration[5], 1e-14);          // on the second wheel
  EXPECT_NEAR(-3 * moment[0] + 7, 2 * acceleration[2], 1e-14);  // on the first

  PlanarMechanism n(Point2{0, 0});
  const auto sun = n.body({.name = "sun", .mass = 1, .inertia = 2});
  const auto planet = n.body({.name = "planet", .mass = 1, .inertia = 5});
  const auto arm = n.body({.name = "arm", .mass = 1, .inertia = 4});
  n.gear("teeth", sun, planet, -3, arm);
  n.load("motor", {.body = sun, .torque = 7.});
  const auto [turn, teeth] = point(n, n.start()).solve();
  EXPECT_NEAR(turn[5] - turn[8], -3 * (turn[2] - turn[8]), 1e-14);
  EXPECT_NEAR(4 * teeth[0], 4 * turn[8], 1e-14) << "1 - ratio of it on the carrier";
  EXPECT_NEAR(2 * turn[2] + 5 * turn[5] + 4 * turn[8], 7, 1e-13) << "inside moments cancel";
}

TEST(PlanarBeam, BendsAsBeamsDo) {
  constexpr double L = 2, EI = 30, EA = 1e4;
  PlanarMechanism m(Point2{0, 0});
  const auto tip =
      m.body({.name = "tip", .mass = 1, .inertia = 1, .position = {L * .6, L * .8}, .angle = .3});
  m.beam("cantilever", {.b = tip, .at_b = {L * .6, L * .8}, .EA = EA, .EI = EI});
  const Point here = point(m, m.start());
  expect_near(here.f, Vector::Zero(3), 1e-12, "no load as drawn");
  Derivatives d;
  m.derivatives(*here.at, here.v, here.s, Vector::Zero(3), Vector(), d);
  const Matrix flexibility = d.K.dense(3, 3).inverse();
  const Eigen::Vector2d along(.6, .8), across(-.8, .6);
  // Gradient and deflections of textbooks, for a force across, a force along and a moment.
  Eigen::Vector3d load;
  load << across, 0;
  Eigen::Vector3d u = flexibility * load;
  EXPECT_NEAR(u.head<2>().dot(across), L * L * L / (3 * EI), 1e-14);
  EXPECT_NEAR(u.head<2>().dot(along), 0, 1e-14);
  EXPECT_NEAR(u[2], L * L / (2 * EI), 1e-14);
  u = flexibility * Eigen::Vector3d(0, 0, 1);
  EXPECT_NEAR(u.head<2>().dot(across), L * L / (2 * EI), 1e-14);
  EXPECT_NEAR(u[2], L / EI, 1e-14);
  load << along, 0;
  u = flexibility * load;
  EXPECT_NEAR(u.head<2>().dot(along), L / EA, 1e-14);
}

TEST(PlanarBeam, DoesNotFeelRigidMotion) {
  PlanarMechanism m(Point2{0, 0});
  const auto a = m.body({.name = "a", .mass = 1, .inertia = 1, .position = {1, 2}, .angle = .3});
  const auto b = m.body({.name = "b", .mass = 1, .inertia = 1, .position = {4, 1}, .angle = -1});
  m.beam("beam", {.a = a, .b = b, .at_a = {1.5, 2}, .at_b = {4, 1.2}, .EA = 1e5, .EI = 1e3});
  m.bushing("mount", {.a = a,
                      .b = b,
                      .at_a = {2, 2},
                      .at_b = {2, 2},
                      .stiffness = Eigen::Vector3d(1e3, 2e3, 50).asDiagonal()});
  const Vector start = m.start().y.head(6);
  for (int k = 0; k <= 40; ++k) {  // more than a full turn either way
    const double turn = .4 * (k - 20), sin = std::sin(turn), cos = std::cos(turn);
    Vector q(6);
    for (int i = 0; i < 2; ++i)
      q.segment<3>(3 * i) << cos * start[3 * i] - sin * start[3 * i + 1] + .7,
          sin * start[3 * i] + cos * start[3 * i + 1] - k, start[3 * i + 2] + turn;
    const Point there(m, 0, q, Vector::Zero(6), {});
    EXPECT_LE(largest(there.f), 1e-9) << turn;
    EXPECT_LE(there.energy(), 1e-20);
  }
}

/// A moment of 2 pi EI/L at its end bends a straight beam of length L into a circle; n pieces into a polygon, exactly.
TEST(PlanarBeam, IsBentToAFullCircle) {
  constexpr int n = 12;
  constexpr double L = 3, EI = 7, piece = L / n, corner = 2 * std::numbers::pi / n;
  PlanarMechanism m(Point2{0, 0});
  int before = ground;
  for (int i = 1; i <= n; ++i) {
    const int node =
        m.body({.name = "n" + std::to_string(i), .mass = 1, .inertia = 1, .position = {i * piece, 0}});
    m.beam(
        "e" + std::to_string(i),
        {.a = before, .b = node, .at_a = {(i - 1) * piece, 0}, .at_b = {i * piece, 0}, .EA = 1e4, .EI = EI});
    before = node;
  }
  m.load("moment", {.body = before, .torque = 2 * std::numbers::pi * EI / L});
  Vector q(3 * n);
  double x = 0, y = 0;
  for (int i = 0; i < n; ++i) {
    x += piece * std::cos((i + .5) * corner), y += piece * std::sin((i + .5) * corner);
    q.segment<3>(3 * i) << x, y, (i + 1) * corner;
  }
  EXPECT_LE(std::hypot(x, y), 1e-14);
  const Point bent(m, 0, q, Vector::Zero(3 * n), {});
  EXPECT_LE(largest(bent.f), 1e-10);
  EXPECT_NEAR(bent.energy(), EI * std::pow(2 * std::numbers::pi, 2) / (2 * L), 1e-11);
}

// Half a turn from its chord the moment of an end would jump to its opposite, and the run went on.
TEST(PlanarBeam, IsNotTurnedOver) {
  const auto spun = [](double EI) {
    auto m = std::make_shared<PlanarMechanism>(Point2{0, 0});
    const auto wheel = m->body({.name = "wheel", .mass = 1, .inertia = 1, .position = {1, 0}, .spin = 6});
    m->revolute("axle", ground, wheel, {1, 0});
    m->beam("strip", {.b = wheel, .at_b = {1, 0}, .EA = 1, .EI = EI});
    return m;
  };
  RunOptions options;
  options.end = 2;
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    options.tolerance = {tolerance, tolerance};
    const Summary over = run(spun(0.5), options);  // 18 of energy, 8.8 at 170 degrees
    EXPECT_EQ(over.outcome, Outcome::out_of_range) << over.message;
    EXPECT_NE(over.message.find("'strip' has turned by 170 degrees"), std::string::npos) << over.message;
    const Summary below = run(spun(1.5), options);
    EXPECT_EQ(below.outcome, Outcome::ok) << below.message;
    EXPECT_NEAR(below.state.y[2], 6 / std::sqrt(6.0) * std::sin(std::sqrt(6.0) * 2), 300 * tolerance);
  }
}

TEST(PlanarElements, RefuseWhatMakesNoSense) {
  const Scattered s;
  PlanarMechanism& m = *s.m;
  EXPECT_THROW(m.revolute("self", s.b[0], s.b[0], {0, 0}), Error);
  EXPECT_THROW(m.rolling("centre", ground, s.b[0], {-1, 0}, {1, 0}), Error);
  EXPECT_THROW(m.rolling("shrunk", ground, s.b[0], {0, 1}, {1, 0}, {.radius = -1}), Error);
  EXPECT_THROW(m.rack("point", ground, s.p, {0, 0}, {1, 0}), Error);
  EXPECT_THROW(m.rack("ground", s.b[0], ground, {0, 1}, {1, 0}), Error);
  EXPECT_THROW(m.gear("point", s.b[0], s.p, 2), Error);
  EXPECT_THROW(m.gear("own", s.b[0], s.b[1], 2, s.b[0]), Error);
  EXPECT_THROW(m.load("ground", {.force = {1., 0.}}), Error);
  EXPECT_THROW(m.load("point", {.body = s.p, .torque = 1.}), Error);
  EXPECT_THROW(m.beam("short", {.b = s.b[0], .EA = 1, .EI = 1}), Error);
  EXPECT_THROW(m.beam("point", {.b = s.p, .at_b = {1, 1}, .EA = 1, .EI = 1}), Error);
  Eigen::Matrix3d skewed = Eigen::Matrix3d::Identity();
  skewed(0, 1) = 1;
  EXPECT_THROW(m.bushing("skewed", {.b = s.b[0], .stiffness = skewed}), Error);
  EXPECT_THROW(m.coordinate(m.distance("rod", ground, {0, 1}, s.b[0], {0, 0})), Error);
}

}  // namespace
}  // namespace dalembert
