// Do loads, bushings and beams in space have the derivatives they claim, do they not care how they are looked at, and do bodies
// move under them as they should?
#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/core/rotations.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "dalembert/observe/monitor.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/force_proofs.h"

namespace dalembert {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
constexpr auto ground = Mechanism::ground;

Matrix6 some_matrix(double size, double skewness) {
  Matrix6 m;
  for (Eigen::Index i = 0; i < 6; ++i)
    for (Eigen::Index j = 0; j < 6; ++j)
      m(i, j) = size * (i == j ? 2 + .3 * static_cast<double>(i) : .1 * static_cast<double>(i + j) - .3) +
                skewness * static_cast<double>(i - j);
  return m;
}

Matrix3d some_axes() {
  return rotation_matrix(Eigen::Vector4d(1, .3, -.2, .5).normalized());
}

std::array<Law, 3> some_laws() {
  return {Law::of<10>([](auto t, auto x, auto y, auto, auto vx, auto, auto vz, auto w1, auto, auto) {
            using std::sin;
            return sin(t) * x - 2.0 * y * vx + vz * w1;
          }),
          Law(1.3), Law::of<10>([](auto, auto x, auto, auto z, auto, auto vy, auto, auto, auto w2, auto w3) {
            return x * z + .5 * vy * vy - w2 * w3;
          })};
}

/// Between moving bodies, ground and a point; in both frames.
std::shared_ptr<SpatialMechanism> everything() {
  auto m = std::make_shared<SpatialMechanism>();
  Matrix3d I;
  I << 1, .1, -.05, .1, 1.3, .02, -.05, .02, .9;
  const auto a = m->body({.name = "a",
                          .mass = 1,
                          .inertia = I,
                          .position = {.2, .1, .3},
                          .orientation = {1, .2, -.1, .3},
                          .velocity = {.1, -.4, .2},
                          .spin = {.8, -.3, .4}});
  const auto b = m->body({.name = "b",
                          .mass = 1.4,
                          .inertia = 1.2 * I,
                          .position = {1.4, -.3, .1},
                          .orientation = {1, -.4, .2, .1},
                          .velocity = {.3, .6, -.2},
                          .spin = {-.5, .2, .3}});
  const auto p = m->point({.name = "p", .mass = .7, .position = {.5, 1.3, -.4}, .velocity = {-.4, .2, .1}});
  using Frame = SpatialLoad::Frame;
  m->load("push", {.body = a, .at = Vector3d(.5, .4, 0), .force = some_laws()});
  m->load("follow", {.body = b, .at = Vector3d(1, 0, .2), .frame = Frame::body, .force = some_laws()});
  m->load("wind", {.body = p, .force = some_laws()});
  m->load("twist", {.body = a, .torque = some_laws()});
  m->load("drill", {.body = b, .frame = Frame::body, .torque = some_laws()});
  m->bushing("mount", {.b = a,
                       .at_a = {.1, .2, .1},
                       .at_b = {.2, .1, .15},
                       .axes = some_axes(),
                       .stiffness = some_matrix(3, 0),
                       .damping = some_matrix(.4, 0)});
  m->bushing("between", {.a = a,
                         .b = b,
                         .at_a = {.8, 0, .3},
                         .at_b = {.9, -.1, .2},
                         .axes = some_axes(),
                         .stiffness = some_matrix(5, .4),
                         .damping = some_matrix(.7, .2)});
  m->bushing("at point",
             {.a = b, .b = p, .at_a = {.9, .5, 0}, .at_b = {.9, .5, 0}, .stiffness = some_matrix(2, 0)});
  m->beam("beam", {.a = b,
                   .b = a,
                   .at_a = {1, 0, 0},
                   .at_b = {.3, .4, .2},
                   .EA = 5,
                   .GJ = 2,
                   .EI_y = 1.5,
                   .EI_z = 3,
                   .y = Vector3d(0, 1, 1),
                   .damping = .1});
  return m;
}

TEST(SpatialForces, HaveTheSlopesTheyClaim) {
  expect_derivatives(*everything());
}

TEST(SpatialForces, ChangeTheEnergyByTheirPower) {
  expect_power(*everything());
}

TEST(SpatialForces, AllocateNothing) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP();
  const auto m = everything();
  const Point here = point(*m, m->start());
  const Vector a = Vector::Zero(here.n.v), l;
  Vector f(here.n.v);
  Derivatives d;
  m->derivatives(*here.at, here.v, here.s, a, l, d);
  const long before = testing::allocations;
  m->force(*here.at, here.v, here.s, f);
  m->derivatives(*here.at, here.v, here.s, a, l, d);
  const double sum = *m->energy(*here.at, here.v, here.s) + m->power(*here.at, here.v, here.s);
  EXPECT_EQ(testing::allocations - before, 0) << sum;
}

/// Everything turned and moved, with its velocities: the force on each body is turned, the torque in its frame the same.
TEST(SpatialForces, ABushingIsTheSameFromEverySide) {
  const auto made = [](const Matrix3d& Q, const Vector3d& shift, const Vector3d& whirl) {
    auto m = std::make_shared<SpatialMechanism>(Vector3d::Zero());
    const auto moved = [&](const Vector3d& x) { return Vector3d(shift + Q * x); };
    const auto body = [&](const char* name, const Vector3d& at, const Eigen::Vector4d& e, const Vector3d& v,
                          const Vector3d& spin) {
      const Eigen::Quaterniond turn(Q);
      const Eigen::Vector4d orientation = compose({turn.w(), turn.x(), turn.y(), turn.z()}, e.normalized());
      // a rigid motion with angular velocity `whirl` (ground frame) on top
      return m->body({.name = name,
                      .mass = 1,
                      .inertia = Vector3d(1, 2, 3).asDiagonal(),
                      .position = moved(at),
                      .orientation = orientation,
                      .velocity = Q * v + whirl.cross(moved(at)),
                      .spin = spin + rotation_matrix(orientation).transpose() * whirl});
    };
    const auto a = body("a", {.2, .1, .3}, {1, .2, -.1, .3}, {.1, -.4, .2}, {.8, -.3, .4});
    const auto b = body("b", {.8, .3, .1}, {1, -.4, .2, .1}, {.3, .6, -.2}, {-.5, .2, .3});
    m->bushing("mount", {.a = a,
                         .b = b,
                         .at_a = moved({.5, .2, .3}),
                         .at_b = moved({.6, .1, .15}),
                         .axes = Q * some_axes(),
                         .stiffness = some_matrix(3, 0),
                         .damping = some_matrix(.4, 0)});
    return m;
  };
  const Matrix3d Q = rotation_matrix(Eigen::Vector4d(.4, -.3, .8, .5).normalized());
  const auto here = made(Matrix3d::Identity(), Vector3d::Zero(), Vector3d::Zero()),
             there = made(Q, {1, -2, 3}, {.7, -.2, .5});
  const auto gyroscopic = [](const Point& at, Eigen::Index first) {
    const Vector3d w = at.v.segment<3>(first);
    return Vector3d((Vector3d(1, 2, 3).asDiagonal() * w).cross(w));
  };
  const Point x = point(*here, here->start()), y = point(*there, there->start());
  for (const Eigen::Index i : {0, 6}) {
    expect_near(y.f.segment<3>(i), Q * x.f.segment<3>(i), 1e-13, "force");
    expect_near(y.f.segment<3>(i + 3) - gyroscopic(y, i + 3), x.f.segment<3>(i + 3) - gyroscopic(x, i + 3),
                1e-13, "torque");
  }
  EXPECT_GT(largest(x.f), .1);
}

/// In the plane it is the bushing of the catalogue: stiffness and damping by components, seen from the first body.
TEST(SpatialForces, ABushingInThePlaneIsThatOfTheCatalogue) {
  const auto reference = make_problem(
      "bushing-pendulum",
      {{"eps", .5}, {"kx", 3}, {"ky", 2}, {"ktheta", 1.5}, {"cx", 1}, {"cy", .6}, {"ctheta", 2}});
  const auto& planar = as<Mechanical>(*reference);
  SpatialMechanism m(Vector3d::Zero());
  const auto a = m.body({.name = "a", .mass = 1, .inertia = Matrix3d::Identity()});
  const auto b = m.body({.name = "b", .mass = 1, .inertia = Matrix3d::Identity(), .position = {1, 0, 0}});
  Eigen::Matrix<double, 6, 1> k, c;
  k << 6, 4, 9, 7, 7, 3;
  c << 1, .6, 5, 4, 4, 2;
  m.bushing("mount", {.a = a,
                      .b = b,
                      .at_a = {.5, 0, 0},
                      .at_b = {.5, 0, 0},
                      .stiffness = k.asDiagonal(),
                      .damping = c.asDiagonal()});
  for (const State& state : states_near_start(planar)) {
    State turned = state;
    turned.y[2] += .4, turned.y[5] -= .7, turned.y[8] += .9;
    const Point flat = point(planar, turned);
    Vector q(14), v = Vector::Zero(12), s;
    for (Eigen::Index i = 0; i < 2; ++i) {
      const double phi = turned.y[3 * i + 2];
      q.segment<7>(7 * i) << turned.y[3 * i], turned.y[3 * i + 1], 0, std::cos(phi / 2), 0, 0,
          std::sin(phi / 2);
      v[6 * i] = flat.v[3 * i], v[6 * i + 1] = flat.v[3 * i + 1], v[6 * i + 5] = flat.v[3 * i + 2];
    }
    const Point raised(m, 0, q, v, s);
    Vector ours(6);
    ours << raised.f[0], raised.f[1], raised.f[5], raised.f[6], raised.f[7], raised.f[11];
    expect_near(ours, flat.f, 1e-12, "force");
  }
}

/// A thrown body with a torque about a principal axis, and one that hangs in a bushing to the ground.
TEST(SpatialForces, BodiesMoveAsTheyShould) {
  auto m = std::make_shared<SpatialMechanism>(Vector3d::Zero());
  const Matrix3d I = Vector3d(.5, .8, 1.1).asDiagonal();
  const auto thrown =
      m->body({.name = "thrown", .mass = 2, .inertia = I, .velocity = {1, 0, 0}, .spin = {0, 0, .2}});
  m->load("push", {.body = thrown,
                   .force = {Law(0.), Law(3.),
                             Law::of<10>([](auto t, auto, auto, auto, auto, auto, auto, auto, auto, auto) {
                               return 6.0 * t;
                             })}});
  m->load("twist", {.body = thrown,
                    .frame = SpatialLoad::Frame::body,
                    .torque = {Law(0.), Law(0.),
                               Law::of<10>([](auto, auto, auto, auto, auto, auto, auto, auto, auto, auto w) {
                                 return 1.0 - .4 * w;
                               })}});
  const auto held =
      m->body({.name = "held", .mass = 2, .inertia = I, .velocity = {0, .3, 0}, .spin = {1.2, 0, 0}});
  Eigen::Matrix<double, 6, 1> k;
  k << 8, 18, 5, 4.5, 3, 3;
  m->bushing("mount", {.b = held, .stiffness = k.asDiagonal()});
  m->ends_at(2);
  RunOptions options;
  options.tolerance = {1e-10, 1e-10};
  Monitor monitor;
  const Summary s = run(m, options, {&monitor});
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  const auto& y = s.state.y;
  EXPECT_NEAR(y[0], 2, 1e-8);
  EXPECT_NEAR(y[1], .75 * 4, 1e-8);
  EXPECT_NEAR(y[2], 8 / 2., 1e-8);  // z'' = 3 t
  EXPECT_NEAR(y[14 + 5], 2.5 + (.2 - 2.5) * std::exp(-.4 / 1.1 * 2), 1e-8);
  EXPECT_NEAR(y[7 + 1], .3 / 3 * std::sin(6.), 1e-8);                  // w = 3
  EXPECT_NEAR(2 * std::asin(y[7 + 4]), 1.2 / 3 * std::sin(6.), 1e-8);  // w = 3
  EXPECT_LT(std::abs(monitor.energy()->error()), 1e-8);
}

/// The tip of a cantilever under a small force, from the theory of beams: F L^3/(3 EI) and F L^2/(2 EI).
TEST(SpatialForces, ABeamBendsAsACantilever) {
  SpatialMechanism m(Vector3d::Zero());
  const auto tip = m.body({.name = "tip", .mass = 1, .inertia = Matrix3d::Identity(), .position = {2, 0, 0}});
  m.beam("beam",
         {.b = tip, .at_b = {2, 0, 0}, .EA = 1e3, .GJ = 70, .EI_y = 50, .EI_z = 80, .y = Vector3d(0, 1, 0)});
  const auto force_at = [&](const Vector3d& d, const Vector3d& psi) {
    Vector q(7), v = Vector::Zero(6), s;
    q << Vector3d(2, 0, 0) + d, quaternion_of(psi);
    return Point(m, 0, q, v, s).f;
  };
  constexpr double F = 1e-6, L = 2;
  expect_near(force_at({0, F * L * L * L / 240, 0}, {0, 0, F * L * L / 160}) / F,
              Vector{{0., -1., 0., 0., 0., 0.}}, 1e-6, "along y");
  expect_near(force_at({0, 0, F * L * L * L / 150}, {0, -F * L * L / 100, 0}) / F,
              Vector{{0., 0., -1., 0., 0., 0.}}, 1e-6, "along z");
  expect_near(force_at({F * L / 1e3, 0, 0}, {F * L / 70, 0, 0}) / F, Vector{{-1., 0., 0., -1., 0., 0.}}, 1e-6,
              "stretch and twist");
}

// At half a turn the moment of a bushing would jump to its opposite, and the energy with it.
TEST(SpatialForces, ABushingIsNotTurnedOver) {
  const auto spun = [](double about_z) {
    auto m = std::make_shared<SpatialMechanism>(Vector3d::Zero());
    const auto b = m->body({.name = "b", .mass = 1, .inertia = Matrix3d::Identity(), .spin = {0, 0, 5}});
    Eigen::Matrix<double, 6, 1> k;
    k << 50, 50, 50, 2, 2, about_z;
    m->bushing("mount", {.b = b, .stiffness = k.asDiagonal()});
    return m;
  };
  RunOptions options;
  options.end = 2;
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    options.tolerance = {tolerance, tolerance};
    const Summary over = run(spun(2), options);  // 12.5 of energy, 9.9 at half a turn
    EXPECT_EQ(over.outcome, Outcome::out_of_range) << tolerance;
    EXPECT_NE(over.message.find("'mount' have turned by 170 degrees"), std::string::npos) << over.message;
    const double amplitude = 5 / std::sqrt(3.0);  // below 170 degrees with a stiffness of 3
    const Summary below = run(spun(3), options);
    EXPECT_EQ(below.outcome, Outcome::ok) << below.message;
    EXPECT_NEAR(2 * std::asin(below.state.y[6]), amplitude * std::sin(std::sqrt(3.0) * 2), 100 * tolerance);
    const Summary free = run(spun(0), options);  // it turns where it has no stiffness
    EXPECT_EQ(free.outcome, Outcome::ok) << free.message;
    EXPECT_NEAR(free.state.y[12], 5, 100 * tolerance);
  }
}

TEST(SpatialForces, RefuseWhatMakesNoSense) {
  SpatialMechanism m;
  const auto p = m.point({.name = "p", .mass = 1});
  EXPECT_THROW(m.load("on ground", {}), Error);
  EXPECT_THROW(m.load("twist", {.body = p, .torque = {Law(1.), Law(0.), Law(0.)}}), Error);
  EXPECT_THROW(m.bushing("alone", {.a = p, .b = p}), Error);
  EXPECT_THROW(m.bushing("skew", {.b = p, .axes = 2 * Matrix3d::Identity()}), Error);
  EXPECT_THROW(m.beam("flat", {.b = p, .at_b = {1, 0, 0}, .EI_y = 1, .EI_z = 2}), Error);
}

}  // namespace
}  // namespace dalembert
