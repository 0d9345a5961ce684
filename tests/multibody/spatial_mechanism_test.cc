// Do the elements of spatial mechanisms have the derivatives they claim, and do mechanisms made of them move as they
// should?
#include "dalembert/multibody/spatial/spatial_mechanism.h"

#include "dalembert/control/run.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "tests/support/spatial_proofs.h"

namespace dalembert {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
constexpr auto ground = Mechanism::ground;

/// Every joint there is, between moving bodies and to the ground.
std::shared_ptr<SpatialMechanism> everything() {
  auto m = std::make_shared<SpatialMechanism>();
  std::vector<int> b;
  for (int i = 0; i < 7; ++i) {
    Matrix3d I;
    I << 1 + .1 * i, .1, -.05, .1, 1.3, .02, -.05, .02, .9 + .2 * i;
    b.push_back(m->body({.name = "b" + std::to_string(i),
                         .mass = 1 + .3 * i,
                         .inertia = I,
                         .position = {.7 * i, .3 * i * i - .5 * i, .2 - .4 * i},
                         .orientation = {1, .3 * i - .5, .2 - .1 * i, .15 * i},
                         .velocity = {.3 - .1 * i, .2 * i, -.3},
                         .spin = {1 - .6 * i, .4, -.2 * i}}));
  }
  m->spherical("ball", ground, b[0], {.2, .1, -.1});
  m->revolute("hinge", b[0], b[1], {.5, .4, .2}, {1, 2, -1});
  m->universal("cross", b[1], b[2], {1, .4, 0}, {1, 0, 0}, {0, 1, .3});
  m->cylindrical("sleeve", b[2], b[3], {2, 1, -1}, {.2, 1, .5});
  m->prismatic("slide", b[3], b[4], {2.4, 1, -1}, {1, -1, 1});
  m->planar("table", ground, b[4], {2, 2, -2}, {.1, 0, 1});
  m->fixed("weld", b[4], b[5], {3, 3, -1});
  m->distance("rod", b[5], {3, 4, -2}, b[6], {4, 5, -2});
  m->distance("stay", ground, {0, 5, 1}, b[6], {4, 6, -2});
  m->point_on_line("wire", b[0], b[6], {4, 4, 0}, {0, 1, 1});
  return m;
}

TEST(SpatialMechanism, RowsAreDerivativesOfTheConstraints) {
  const auto m = everything();
  constexpr double h = 1e-3;
  for (const State& state : states_near_start(*m)) {
    const Point here = point(*m, state);
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
    expect_near(here.J.reshaped(), G.reshaped(), 1e-8, "J");
    const Vector dq = direction(here.v);
    const auto rate = [&](double e) {
      const Point there(*m, here.t, here.at->q + e * dq, here.v, here.s);
      return Vector(there.J * there.v);
    };
    expect_near(here.bias, derivative(rate, h), 1e-8, "bias");
  }
}

TEST(SpatialMechanism, DerivativesAreThoseOfTheEquations) {
  prove_derivatives(*everything());
}

TEST(SpatialMechanism, KinematicsAreThoseOfTheTangent) {
  const auto m = everything();
  Kinematics known, checked;
  for (const State& state : states_near_start(*m)) {
    const Point here = point(*m, state);
    const auto n = here.n;
    m->kinematics(*here.at, here.v, known);
    m->Mechanical::kinematics(*here.at, here.v, checked);
    expect_equal(known.N, checked.N, n.q, n.v, "N");
    expect_equal(known.inverse, checked.inverse, n.v, n.q, "inverse");
    expect_equal(known.Nv_q, checked.Nv_q, n.q, n.q, "Nv_q");
  }
}

/// The heavy top of the catalogue, made of a body and a ball joint.
TEST(SpatialMechanism, MovesAsTheHeavyTop) {
  const auto reference = make_problem("heavy-top");
  const State start = reference->start();
  const auto& top = as<Mechanical>(*reference);
  const Point at = point(top, start);
  auto m = std::make_shared<SpatialMechanism>(Vector3d(0, 0, -9.81));
  const auto body = m->body({.name = "top",
                             .mass = at.M(0, 0),
                             .inertia = at.M.block<3, 3>(3, 3),
                             .position = start.y.segment<3>(0),
                             .orientation = start.y.segment<4>(3),
                             .velocity = start.y.segment<3>(7),
                             .spin = start.y.segment<3>(10)});
  m->spherical("tip", ground, body, {0, 0, 0});
  RunOptions options;
  options.tolerance = {1e-10, 1e-10};
  options.end = 1;
  const Summary ours = run(m, options), theirs = run(reference, options);
  ASSERT_EQ(ours.outcome, Outcome::ok) << ours.message;
  ASSERT_EQ(theirs.outcome, Outcome::ok);
  for (Eigen::Index i = 0; i < 13; ++i)
    EXPECT_NEAR(ours.state.y[i], theirs.state.y[i], 1e-7 * (1 + std::abs(theirs.state.y[i]))) << i;
}

/// Two hinged links and a long rod, in the plane and in space.
TEST(SpatialMechanism, MovesAsThePlanarOne) {
  PlanarBody crank{.name = "crank", .mass = 1, .inertia = .1, .position = {.3, .4}, .angle = .2};
  PlanarBody link{.name = "link", .mass = 2, .inertia = .3, .position = {1.2, .5}, .angle = -.4};
  auto flat = std::make_shared<PlanarMechanism>(Point2{0, -9.81});
  const auto a2 = flat->body(crank), b2 = flat->body(link);
  flat->revolute("main", ground, a2, {0, 0});
  flat->revolute("pin", a2, b2, {.6, .8});
  flat->distance("rod", ground, {1.8, -2}, b2, {1.8, .2});

  auto space = std::make_shared<SpatialMechanism>(Vector3d(0, -9.81, 0));
  const auto raised = [&](const PlanarBody& b) {
    return space->body({.name = b.name,
                        .mass = b.mass,
                        .inertia = Vector3d(.05, .2, b.inertia).asDiagonal(),
                        .position = {b.position[0], b.position[1], 0},
                        .orientation = {std::cos(b.angle / 2), 0, 0, std::sin(b.angle / 2)}});
  };
  const auto a3 = raised(crank), b3 = raised(link);
  space->revolute("main", ground, a3, {0, 0, 0}, {0, 0, 1});
  space->revolute("pin", a3, b3, {.6, .8, 0}, {0, 0, 1});
  space->distance("rod", ground, {1.8, -2, 0}, b3, {1.8, .2, 0});

  RunOptions options;
  options.tolerance = {1e-10, 1e-10};
  options.end = 1;
  const Summary plane = run(flat, options), ours = run(space, options);
  ASSERT_EQ(plane.outcome, Outcome::ok) << plane.message;
  ASSERT_EQ(ours.outcome, Outcome::ok) << ours.message;
  for (const auto& [i, j] : {std::pair{0, 0}, {1, 1}, {7, 3}, {8, 4}})
    EXPECT_NEAR(ours.state.y[i], plane.state.y[j], 1e-8);
}

}  // namespace
}  // namespace dalembert
