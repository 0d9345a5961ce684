// Do the joints of spatial mechanisms have the derivatives and the reactions they claim? Is what they cannot do refused?
#include <algorithm>
#include <numbers>

#include "dalembert/core/error.h"
#include "dalembert/core/rotations.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/pose.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/spatial_proofs.h"

namespace dalembert {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
constexpr auto ground = Mechanism::ground;

/// The bodies of a mechanism in which everything may be joined: all different, none at rest, none aligned.
std::vector<int> bodies(SpatialMechanism& m, int n) {
  std::vector<int> all;
  for (int i = 0; i < n; ++i) {
    Matrix3d I;
    I << 1 + .1 * i, .1, -.05, .1, 1.3, .02, -.05, .02, .9 + .2 * i;
    all.push_back(m.body({.name = "b" + std::to_string(i),
                          .mass = 1 + .3 * i,
                          .inertia = I,
                          .position = {.7 * i, .3 * std::sin(2 * i), .2 - .4 * i},
                          .orientation = {1, .3 * i - .5, .2 - .1 * i, .15 * i},
                          .velocity = {.3 - .1 * i, .2 * i, -.3},
                          .spin = {1 - .6 * i, .4, -.2 * i}}));
  }
  return all;
}

Motion wave() {
  return {[](double t) {
    return Motion::Value{.3 * std::sin(2 * t), .6 * std::cos(2 * t), -1.2 * std::sin(2 * t)};
  }};
}

/// Every joint that bends, turns or rolls, between moving bodies and to the ground, and drives of all coordinates.
std::shared_ptr<SpatialMechanism> everything() {
  auto m = std::make_shared<SpatialMechanism>();
  const auto b = bodies(*m, 8);
  const auto p = m->point({.name = "p", .mass = 2, .position = {1, 2, 3}, .velocity = {.3, -.2, .5}});
  const auto hinge = m->revolute("hinge", b[0], b[1], {.5, .4, .2}, {1, 2, -1});
  const auto bearing = m->revolute("bearing", ground, b[0], {0, .4, .2}, {.3, .2, 1});
  const auto cross = m->universal("cross", b[1], b[2], {1, .4, 0}, {1, 0, 0}, {0, 1, .3});
  const auto sleeve = m->cylindrical("sleeve", b[2], b[3], {2, 1, -1}, {.2, 1, .5});
  const auto thread = m->screw("thread", b[3], b[4], {2, 1, -1}, {.2, 1, -.5}, 5);
  const auto nut = m->screw("nut", ground, b[4], {2, 0, -1}, {.7, .1, .5}, -6);
  const auto table = m->planar("table", b[1], b[5], {2, 2, -2}, {.1, 0, 1});
  m->constant_velocity("bent", b[4], b[5], {3, 0, -1}, {1, 0, .2}, {1, .5, -.1});
  m->constant_velocity("bent_too", ground, b[6], {3, 1, -1}, {0, 0, 1}, {0, .3, 1});
  m->gear("pair", hinge, bearing, 7, 3);    // share the body b0
  m->gear("ring", bearing, sleeve, 5, -4);  // share nothing
  m->rolling_disc("coin", ground, b[6],
                  {.axle = {.2, 1, .3}, .radius = .4, .at = {0, 0, -2}, .normal = {.1, -.2, 1}});
  m->rolling_disc("tyre", b[3], b[7],
                  {.centre = Vector3d(4, 1, -2), .axle = {1, .1, .3}, .radius = .6, .normal = {0, -.2, 1}});
  m->rolling_ball("ball", ground, b[5], {.radius = .5, .at = {0, 1, -3}, .normal = {.3, 0, 1}});
  m->rolling_ball("marble", b[6], b[7], {.centre = Vector3d(5, 0, -2), .radius = .3});
  m->knife_edge("blade", ground, b[2], {1, 0, -1}, {1, .2, .3}, {.2, 0, 1});
  m->knife_edge("skate", b[6], b[7], {1, 2, -1}, {1, -.2, .3}, {.2, .3, 1});
  m->point_on_plane("foot", b[7], b[6], {5, 1, -2}, {.3, 0, 1});
  m->spherical("hook", b[7], p, {1, 2, 3});
  m->point_on_line("wire", b[5], p, {1, 2, 3}, {0, 1, 1});
  for (const auto joint : {hinge, bearing, cross, sleeve, thread, nut, table})
    for (std::size_t i = 0; i < m->joints()[static_cast<std::size_t>(joint)].coordinates.size(); ++i)
      m->drive("drive" + std::to_string(joint) + std::to_string(i), joint, wave(), i);
  return m;
}

TEST(SpatialElements, RowsAreDerivativesOfTheConstraints) {
  const auto m = everything();
  constexpr double h = 1e-3;
  for (const State& state : states_near_start(*m)) {
    const Point here = point(*m, state);
    ASSERT_EQ(here.n.nonholonomic, 10);
    const auto direction = [&](const Vector& u) {
      Vector dq(here.n.q);
      m->tangent(*here.at, u, dq);
      return dq;
    };
    Matrix G(here.n.holonomic, here.n.v);
    for (Eigen::Index j = 0; j < here.n.v; ++j) {
      const Vector dq = direction(Vector::Unit(here.n.v, j));
      G.col(j) =
          derivative([&](double e) { return Point(*m, here.t, here.at->q + e * dq, here.v, here.s).g; }, h);
    }
    expect_near(here.J.topRows(here.n.holonomic).reshaped(), G.reshaped(), 1e-8, "J");
    const Vector dq = direction(here.v);
    const auto rate = [&](double e) {
      const Point there(*m, here.t + e, here.at->q + e * dq, here.v, here.s);
      return Vector(there.J * there.v + there.w);
    };
    expect_near(here.bias, derivative(rate, h), 1e-8, "bias");
    const auto residual = [&](double e) { return Point(*m, here.t + e, here.at->q, here.v, here.s).g; };
    expect_near(here.w.head(here.n.holonomic), derivative(residual, h), 1e-8, "w");
  }
}

TEST(SpatialElements, DerivativesAreThoseOfTheEquations) {
  prove_derivatives(*everything());
}

TEST(SpatialElements, EvaluationsDoNotAllocate) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP();
  const auto m = everything();
  const Point here = point(*m, m->start());
  const Vector a = Vector::Zero(here.n.v), l = Vector::Ones(here.n.rows());
  Vector g(here.n.holonomic), w(here.n.rows()), bias(here.n.rows());
  Entries J;
  Derivatives d;
  const auto evaluate = [&] {
    m->place(*here.at);
    m->g(*here.at, g);
    m->velocity_bias(*here.at, w);
    m->bias(*here.at, here.v, bias);
    m->jacobian(*here.at, J);
    m->derivatives(*here.at, here.v, here.s, a, l, d);
  };
  evaluate();  // patterns are recorded
  const long before = testing::allocations;
  evaluate();
  EXPECT_EQ(testing::allocations - before, 0) << bias.sum();
}

/// A disc and a ball touch where they are lowest, and what grips there is the material point.
TEST(SpatialElements, RollingBodiesTouchWhereTheyAreLowest) {
  const Vector3d normal = Vector3d(.3, -.2, 1).normalized(), on(0, .5, -1), axle = Vector3d(.2, 1, .3);
  constexpr double radius = .7;
  SpatialMechanism m;
  const auto b = bodies(m, 2);
  m.rolling_disc("disc", ground, b[0], {.axle = axle, .radius = radius, .at = on, .normal = normal});
  m.rolling_ball("ball", ground, b[1], {.radius = radius, .at = on, .normal = normal});
  const State start = m.start();
  for (const State& state : states_near_start(m)) {
    const Point here = point(m, state);
    const auto rotation = [](const Vector& y, Eigen::Index i) {
      return rotation_matrix(Eigen::Vector4d(y.segment<4>(7 * i + 3)).normalized());
    };
    const Matrix3d R = rotation(state.y, 0);
    const Vector3d e = R * rotation(start.y, 0).transpose() * axle.normalized(), u = e.unitOrthogonal(),
                   v = e.cross(u), C = state.y.segment<3>(0);
    const auto rim = [&](double angle) {
      return Vector3d(C + radius * (std::cos(angle) * u + std::sin(angle) * v));
    };
    double best = 0, width = std::numbers::pi;  // the lowest point of the rim, by trying
    for (int round = 0; round < 40; ++round, width /= 2)
      for (const double next : {best - width / 2, best + width / 2, best + width})
        if (normal.dot(rim(next) - rim(best)) < 0) best = next;
    EXPECT_NEAR(here.g[0], normal.dot(rim(best) - on), 1e-12);
    EXPECT_NEAR(here.g[1], normal.dot(Vector3d(state.y.segment<3>(7)) - on) - radius, 1e-12);
    const Vector3d K = rim(best), ball = Vector3d(state.y.segment<3>(7)) - radius * normal;
    const Vector3d slip = here.v.segment<3>(0) + (R * here.v.segment<3>(3)).cross(K - C);
    const Vector3d slip_of_ball =
        here.v.segment<3>(6) +
        (rotation(state.y, 1) * here.v.segment<3>(9)).cross(ball - Vector3d(state.y.segment<3>(7)));
    const Vector t_u = m.joints()[0].across_a, t_v = normal.cross(Vector3d(t_u));
    const Vector rows = here.J * here.v;
    const Vector expected{{normal.dot(slip), normal.dot(slip_of_ball), t_u.dot(slip), t_v.dot(slip),
                           t_u.dot(slip_of_ball), t_v.dot(slip_of_ball)}};
    expect_near(rows, expected, 1e-7, "slip");
  }
}

/// What the multipliers of a joint say is what moves its second body, and what it does not carry is not there.
TEST(SpatialElements, ReactionsAreThoseThatMoveTheBodies) {
  using Make = std::function<Mechanism::Joint(SpatialMechanism&, int a, int b)>;
  const Vector3d at(.3, .2, -.5), axis = Vector3d(.4, -1, .3), other = Vector3d(1, .4, .2);
  const Vector3d bent = axis + .3 * other;
  const std::vector<Make> joints = {
      [&](auto& m, int a, int b) { return m.spherical("j", a, b, at); },
      [&](auto& m, int a, int b) { return m.revolute("j", a, b, at, axis); },
      [&](auto& m, int a, int b) { return m.universal("j", a, b, at, axis, axis.cross(other)); },
      [&](auto& m, int a, int b) { return m.cylindrical("j", a, b, at, axis); },
      [&](auto& m, int a, int b) { return m.prismatic("j", a, b, at, axis); },
      [&](auto& m, int a, int b) { return m.planar("j", a, b, at, axis); },
      [&](auto& m, int a, int b) { return m.fixed("j", a, b, at); },
      [&](auto& m, int a, int b) { return m.point_on_line("j", a, b, at, axis); },
      [&](auto& m, int a, int b) { return m.point_on_plane("j", a, b, at, axis); },
      [&](auto& m, int a, int b) { return m.screw("j", a, b, at, axis, .3); },
      [&](auto& m, int a, int b) { return m.constant_velocity("j", a, b, at, axis, bent); },
      [&](auto& m, int a, int b) {
        return m.rolling_ball(
            "j", a, b, {.centre = at, .radius = .25, .at = at - .25 * axis.normalized(), .normal = axis});
      },
      [&](auto& m, int a, int b) { return m.knife_edge("j", a, b, at, other, axis); }};
  for (const Make& make : joints)
    for (const bool moving : {false, true}) {
      SpatialMechanism m(Vector3d(1, -5, -7));
      const auto b = bodies(m, 2);
      const auto joint = make(m, moving ? b[1] : ground, b[0]);
      const JointRecord& of = m.joints()[static_cast<std::size_t>(joint)];
      SCOPED_TRACE(of.kind + (moving ? " between bodies" : " to the ground"));
      const Point here = point(m, m.start());
      const auto [acceleration, multipliers] = here.solve();
      const Vector load = here.M * acceleration - here.f;
      const auto rotation = [&](int body) {
        return body < 0 ? Matrix3d(Matrix3d::Identity())
                        : rotation_matrix(Eigen::Vector4d(here.at->q.segment<4>(7 * body + 3)));
      };
      // On b, at the point of the joint; a feels the opposite.
      Vector3d where = at;
      if (of.kind == "rolling-ball") where -= .25 * axis.normalized();
      const Vector3d force = load.segment<3>(0),
                     moment = rotation(0) * load.segment<3>(3) +
                              (Vector3d(here.at->q.segment<3>(0)) - where).cross(force);
      const Vector3d n = rotation(of.a) * of.axis_a, u = rotation(of.a) * of.across_a, v = n.cross(u),
                     second = rotation(of.b) * of.axis_b;
      std::map<std::string, std::array<Vector3d, 2>> means = {
          {".x", {Vector3d::UnitX(), Vector3d::Zero()}},
          {".y", {Vector3d::UnitY(), Vector3d::Zero()}},
          {".z", {Vector3d::UnitZ(), Vector3d::Zero()}},
          {".u", {u, Vector3d::Zero()}},
          {".v", {v, Vector3d::Zero()}},
          {".normal", {n, Vector3d::Zero()}},
          {".moment_u", {Vector3d::Zero(), u}},
          {".moment_v", {Vector3d::Zero(), v}},
          {".moment_axis", {Vector3d::Zero(), n}},
          {".moment_x", {Vector3d::Zero(), Vector3d::UnitX()}},
          {".moment_y", {Vector3d::Zero(), Vector3d::UnitY()}},
          {".moment_z", {Vector3d::Zero(), Vector3d::UnitZ()}},
          {".moment", {Vector3d::Zero(), n.cross(second)}},
          {".axial", {n, -.3 / (2 * std::numbers::pi) * n}},
          {".side", {n.cross(second).normalized(), Vector3d::Zero()}},
          {".torque", {Vector3d::Zero(), (n + second) / (1 + n.dot(second))}}};
      const Layout layout = m.layout();
      Vector3d stated_force = Vector3d::Zero(), stated_moment = Vector3d::Zero();
      Eigen::Index row = 0;
      for (const Block& block : layout.blocks())
        if (block.name == "lambda" || block.name == "mu")
          for (const std::string& label : block.labels) {
            const auto& [along, about] = means.at(label.substr(1));
            stated_force += multipliers[row] * along;
            stated_moment += multipliers[row] * about;
            ++row;
          }
      ASSERT_EQ(row, here.n.rows());
      EXPECT_GT(force.norm() + moment.norm(), .01);
      EXPECT_LE((stated_force + force).norm(), 1e-11)
          << stated_force.transpose() << " and " << force.transpose();
      EXPECT_LE((stated_moment + moment).norm(), 1e-11)
          << stated_moment.transpose() << " and " << moment.transpose();
    }
}

TEST(SpatialElements, APointMassHasNoAxis) {
  const auto refused = [](const std::function<void(SpatialMechanism&, int body, int point)>& join) {
    SpatialMechanism m;
    const auto b = bodies(m, 1)[0], p = m.point({.name = "bob", .mass = 1, .position = {1, 0, 0}});
    try {
      join(m, b, p);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("'bob'"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("no axis"), std::string::npos) << error.what();
      return true;
    }
    return false;
  };
  const Vector3d o = Vector3d::Zero(), z = Vector3d::UnitZ(), x = Vector3d::UnitX();
  EXPECT_TRUE(refused([&](auto& m, int b, int p) { m.revolute("j", b, p, o, z); }));
  EXPECT_TRUE(refused([&](auto& m, int b, int p) { m.revolute("j", p, b, o, z); }));
  EXPECT_TRUE(refused([&](auto& m, int b, int p) { m.universal("j", b, p, o, z, x); }));
  EXPECT_TRUE(refused([&](auto& m, int b, int p) { m.cylindrical("j", b, p, o, z); }));
  EXPECT_TRUE(refused([&](auto& m, int b, int p) { m.prismatic("j", b, p, o, z); }));
  EXPECT_TRUE(refused([&](auto& m, int b, int p) { m.planar("j", b, p, o, z); }));
  EXPECT_TRUE(refused([&](auto& m, int b, int p) { m.fixed("j", b, p, o); }));
  EXPECT_TRUE(refused([&](auto& m, int b, int p) { m.screw("j", b, p, o, z, 1); }));
  EXPECT_TRUE(refused([&](auto& m, int b, int p) { m.constant_velocity("j", b, p, o, z, z); }));
  EXPECT_TRUE(refused([&](auto& m, int b, int p) { m.rolling_ball("j", b, p, {.radius = 1}); }));
  EXPECT_TRUE(refused([&](auto& m, int b, int p) { m.rolling_disc("j", b, p, {.axle = x, .radius = 1}); }));
  EXPECT_TRUE(refused([&](auto& m, int b, int p) { m.knife_edge("j", b, p, o, x, z); }));
  EXPECT_TRUE(refused([&](auto& m, int b, int p) { m.point_on_line("j", p, b, o, z); }));
  EXPECT_FALSE(refused([&](auto& m, int b, int p) { m.point_on_line("j", b, p, o, z); }));
  EXPECT_FALSE(refused([&](auto& m, int b, int p) { m.spherical("j", b, p, x); }));
  EXPECT_FALSE(refused([&](auto& m, int b, int p) { m.distance("j", b, x, p, x + z); }));

  PlanarMechanism flat;
  const auto p = flat.point({.name = "bob", .mass = 1, .position = {1, 0}});
  EXPECT_THROW(flat.slot("j", p, ground, {0, 0}, {1, 0}), Error);
  EXPECT_THROW(flat.knife_edge("j", p, {0, 0}, {1, 0}), Error);
  EXPECT_THROW(flat.gear("j", ground, p, 2), Error);
  EXPECT_NO_THROW(flat.slot("k", ground, p, {0, 0}, {1, 0}));
}

/// What is fixed to a point mass is where the mass is, whatever the joint says.
TEST(SpatialElements, APointMassHasNoExtent) {
  SpatialMechanism m;
  const auto p = m.point({.name = "bob", .mass = 1, .position = {1, 2, 3}});
  m.spherical("j", ground, p, {1, 2, 4});
  expect_near(point(m, m.start()).g, Vector{{0, 0, -1}}, 1e-14, "g");
}

TEST(SpatialElements, RefusesWhatIsNoJoint) {
  SpatialMechanism m;
  const auto b = bodies(m, 3);
  const Vector3d o = Vector3d::Zero(), z = Vector3d::UnitZ(), x = Vector3d::UnitX();
  const auto slide = m.prismatic("slide", ground, b[0], o, z),
             hinge = m.revolute("hinge", ground, b[1], o, z);
  EXPECT_THROW(m.revolute("j", b[0], b[0], o, z), Error);
  EXPECT_THROW(m.revolute("j", ground, b[0], o, o), Error);
  EXPECT_THROW(m.universal("j", ground, b[0], o, z, z), Error);
  EXPECT_THROW(m.screw("j", ground, b[0], o, z, 0), Error);
  EXPECT_THROW(m.constant_velocity("j", ground, b[0], o, z, -z), Error);
  EXPECT_THROW(m.gear("j", slide, hinge, 1, 2), Error);
  EXPECT_THROW(m.gear("j", hinge, hinge, 0, 2), Error);
  EXPECT_THROW(m.gear("j", hinge, hinge, 1, 1001), Error);
  EXPECT_THROW(m.rolling_disc("j", ground, b[2], {.axle = z, .radius = 1}), Error);
  EXPECT_THROW(m.rolling_disc("j", ground, b[2], {.axle = x, .radius = 0}), Error);
  EXPECT_THROW(m.rolling_ball("j", b[2], ground, {.radius = 1}), Error);
  EXPECT_THROW(m.knife_edge("j", ground, b[2], o, z, z), Error);
}

/// Rows that keep right angles are satisfied by bodies turned by half a turn, too: those are found.
TEST(SpatialElements, BodiesTurnedOverAreFound) {
  const auto over = [](const std::function<void(SpatialMechanism&, int)>& join, const Vector3d& turn) {
    SpatialMechanism m;
    const auto b = m.body({.name = "b", .mass = 1, .inertia = Matrix3d::Identity()});
    join(m, b);
    State state = m.start();
    state.y.segment<4>(3) = quaternion_of(turn);
    const Point there = point(m, state);
    EXPECT_LE(largest(there.g), 1e-12);  // a solution, true or false
    return !turned_over(m, *there.at).empty();
  };
  constexpr double pi = std::numbers::pi;
  const Vector3d o = Vector3d::Zero(), x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ(),
                 third = 2 * pi / 3 * Vector3d(1, 1, 1).normalized();
  const auto hinge = [&](auto& m, int b) { m.revolute("j", ground, b, o, z); };
  const auto slide = [&](auto& m, int b) { m.prismatic("j", ground, b, o, z); };
  const auto weld = [&](auto& m, int b) { m.fixed("j", ground, b, o); };
  EXPECT_FALSE(over(hinge, o));
  EXPECT_FALSE(over(hinge, pi * z));
  EXPECT_TRUE(over(hinge, pi * x));
  EXPECT_FALSE(over(slide, o));
  EXPECT_TRUE(over(slide, pi * z));
  EXPECT_FALSE(over(weld, o));
  for (const Vector3d& turn : {x, y, z}) EXPECT_TRUE(over(weld, pi * turn));
  EXPECT_TRUE(over(weld, -third));
}

}  // namespace
}  // namespace dalembert
