// Do the elements of planar mechanisms have the derivatives they claim, and do mechanisms made of them move as they
// should?
#include "dalembert/multibody/planar/planar_mechanism.h"

#include <numbers>

#include "dalembert/control/run.h"
#include "dalembert/multibody/forces/spring.h"
#include "tests/support/planar_proofs.h"

namespace dalembert {
namespace {

constexpr auto ground = PlanarMechanism::ground;

/// Every joint, drive and force there is, between moving bodies and to the ground.
std::shared_ptr<PlanarMechanism> everything() {
  auto m = std::make_shared<PlanarMechanism>();
  std::vector<int> b;
  for (int i = 0; i < 6; ++i)
    b.push_back(m->body({.name = "b" + std::to_string(i),
                         .mass = 1 + .3 * i,
                         .inertia = .2 + .1 * i,
                         .position = {.7 * i, .3 * i * i - .5 * i},
                         .angle = .4 * i - .7,
                         .velocity = {.3 - .1 * i, .2 * i},
                         .spin = 1 - .6 * i}));
  m->revolute("hinge", ground, b[0], {.2, .1});
  m->revolute("elbow", b[0], b[1], {.5, .4});
  m->slot("guide", b[1], b[2], {1, .3}, {1, .5});
  m->slot("rail", ground, b[2], {1.5, .2}, {0, 1});
  m->distance("rod", b[2], {1, 1}, b[3], {2, .4});
  m->distance("stay", ground, {-1, 1}, b[3], {2, .2});
  m->prismatic("slider", b[3], b[4], {2.4, 1}, {1, -1});
  m->gear("gear", b[0], b[3], -2.5);
  m->drive("motor", m->angle(ground, b[4]), {[](double t) {
             return Motion::Value{std::sin(2 * t), 2 * std::cos(2 * t), -4 * std::sin(2 * t)};
           }});
  const auto p = m->point({.name = "p", .mass = .7, .position = {2, -1}, .velocity = {.4, .2}});
  m->revolute("bob", b[1], p, {2.1, -.9});
  m->add_force("torsion", m->angle(b[0], b[2]),
               std::make_shared<Spring>(Spring::Constants{.stiffness = 2, .damping = .3, .length = .4}));
  m->add_force("damper", m->displacement(b[1], p, {2, -1}, {1, 3}),
               std::make_shared<Spring>(Spring::Constants{.damping = 1.3}));
  m->drive("pull", m->length(b[3], {2, 1}, p, {2, -1}), {[](double t) {
             return Motion::Value{2 + t * t, 2 * t, 2};
           }});
  m->knife_edge("blade", b[5], {3.4, 5}, {1, .2});
  m->add_force("spring", m->length(b[0], {.1, .2}, b[5], {3, 4}),
               std::make_shared<Spring>(Spring::Constants{.stiffness = 20, .damping = 3, .length = 2}));
  m->add_force("stay", m->length(ground, {5, 0}, b[4], {2, 2}),
               std::make_shared<Spring>(Spring::Constants{.stiffness = 9, .length = 1}));
  return m;
}

TEST(PlanarMechanism, RowsAreDerivativesOfTheConstraints) {
  prove_rows(*everything());
}

TEST(PlanarMechanism, DerivativesAreThoseOfTheEquations) {
  prove_derivatives(*everything());
}

TEST(PlanarMechanism, EnergyChangesByPower) {
  prove_power(*everything());
}

/// A driven crank holds its angle exactly and needs the moment that the equations ask for.
TEST(PlanarMechanism, FollowsItsDrive) {
  auto m = std::make_shared<PlanarMechanism>(Point2{0, -10});
  const auto crank = m->body({.name = "crank", .mass = 2, .inertia = .5, .position = {1, 0}, .spin = 0});
  const auto main = m->revolute("main", ground, crank, {0, 0});
  m->drive("motor", main, {[](double t) { return Motion::Value{3 * t * t / 2, 3 * t, 3}; }});
  m->ends_at(2);
  RunOptions options;
  options.tolerance = {1e-9, 1e-9};
  const Summary s = run(m, options);
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_NEAR(s.state.y[2], 6, 1e-9);
  EXPECT_NEAR(s.state.y[5], 6, 1e-8);
  // (I + m) 3 = -lambda - m g cos(6): the drive's moment is minus its multiplier
  EXPECT_NEAR(s.state.y[8], -(2.5 * 3 + 20 * std::cos(6.)), 1e-6);
}

}  // namespace
}  // namespace dalembert
