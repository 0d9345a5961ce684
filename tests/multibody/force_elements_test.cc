// Do forces along measures have the derivatives they claim and keep the balance of energy, and do mechanisms with motors and
// cylinders move as they should?
#include <numbers>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/multibody/forces/cylinder.h"
#include "dalembert/multibody/forces/force_law.h"
#include "dalembert/multibody/forces/friction.h"
#include "dalembert/multibody/forces/motor.h"
#include "dalembert/multibody/forces/spring.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "dalembert/observe/monitor.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/force_proofs.h"

namespace dalembert {
namespace {

using Eigen::Vector3d;
constexpr auto ground = Mechanism::ground;

/// One of each, on the measures in turn.
void add_force_elements(Mechanism& m, const std::vector<MeasurePtr>& on) {
  std::size_t next = 0;
  const auto act = [&](const std::string& name, std::shared_ptr<const ForceElement> element) {
    m.add_force(name, on[next++ % on.size()], std::move(element));
  };
  for (std::size_t round = 0; round < on.size(); ++round) {
    const std::string tag = std::to_string(round);
    act("spring" + tag,
        std::make_shared<Spring>(Spring::Constants{.stiffness = 4, .damping = .3, .length = .5}));
    act("law" + tag, std::make_shared<ForceLaw>(Law::of<3>([](auto c, auto rate, auto t) {
          using std::sin;
          return 2.0 * c * c * c + rate * (1.0 + c * c) + sin(3.0 * t) * c;
        })));
    act("friction" + tag,
        std::make_shared<Friction>(Friction::Constants{
            .viscous = .4, .coulomb = 1.2, .breakaway = 2, .stribeck = .8, .transition = .5}));
    act("motor" + tag,
        std::make_shared<Motor>(
            Motor::Constants{.constant = .3, .resistance = 2, .inductance = .4, .ratio = 3, .current = .7},
            Law::of<3>([](auto t, auto c, auto rate) {
              using std::cos;
              return 5.0 * cos(t) - 2.0 * c * c - .3 * rate;
            })));
    act("cylinder" + tag,
        std::make_shared<Cylinder>(Cylinder::Constants{.area_a = .5,
                                                       .area_b = .3,
                                                       .volume_a = 3,
                                                       .volume_b = 3,
                                                       .shortest = -1,
                                                       .longest = 2,
                                                       .bulk_modulus = 20,
                                                       .flow = .4,
                                                       .supply = 4,
                                                       .tank = .1,
                                                       .soft = .5,
                                                       .underlap = .2,
                                                       .leak = .1,
                                                       .stop = 7,
                                                       .start_a = 1.5,
                                                       .start_b = 2},
                                   Law::of<3>([](auto t, auto c, auto rate) {
                                     using std::sin;
                                     return .5 * sin(2.0 * t) + .2 * c - .1 * rate;
                                   }),
                                   Friction::Constants{.viscous = .2, .coulomb = .4, .transition = .6}));
    ++next;  // so that in the next round each has another measure
  }
}

std::shared_ptr<PlanarMechanism> planar_elements() {
  auto m = std::make_shared<PlanarMechanism>();
  const auto a =
      m->body({.name = "a", .mass = 1, .inertia = .3, .position = {.2, .1}, .angle = .4, .spin = .8});
  const auto b = m->body({.name = "b",
                          .mass = 1.4,
                          .inertia = .5,
                          .position = {1.4, -.3},
                          .angle = -.3,
                          .velocity = {.3, .6},
                          .spin = -.5});
  const auto p = m->point({.name = "p", .mass = .7, .position = {.5, 1.3}, .velocity = {-.4, .2}});
  add_force_elements(
      *m, {m->length(a, {.3, .4}, b, {1.1, -.6}), m->angle(a, b), m->length(ground, {2, 2}, p, {.5, 1.3}),
           m->displacement(b, p, {.5, 1.3}, {1, .4}), m->angle(ground, a)});
  return m;
}

std::shared_ptr<SpatialMechanism> spatial_elements() {
  auto m = std::make_shared<SpatialMechanism>();
  Eigen::Matrix3d I;
  I << 1, .1, -.05, .1, 1.3, .02, -.05, .02, .9;
  const auto a = m->body({.name = "a",
                          .mass = 1,
                          .inertia = I,
                          .position = {.2, .1, .3},
                          .orientation = {1, .2, -.1, .3},
                          .spin = {.8, -.3, .4}});
  const auto b = m->body({.name = "b",
                          .mass = 1.4,
                          .inertia = 1.2 * I,
                          .position = {1.4, -.3, .1},
                          .orientation = {1, -.4, .2, .1},
                          .velocity = {.3, .6, -.2},
                          .spin = {-.5, .2, .3}});
  const auto p = m->point({.name = "p", .mass = .7, .position = {.5, 1.3, -.4}, .velocity = {-.4, .2, .1}});
  add_force_elements(*m, {m->length(a, {.3, .4, 0}, b, {1.1, -.6, .2}), m->angle(a, b, {.3, .2, 1}),
                          m->length(ground, {2, 2, 1}, p, {.5, 1.3, -.4}),
                          m->displacement(b, p, {.5, 1.3, -.4}, {1, .4, .2})});
  return m;
}

TEST(ForceElements, HaveTheSlopesTheyClaim) {
  expect_derivatives(*planar_elements());
  expect_derivatives(*spatial_elements());
}

TEST(ForceElements, ChangeTheEnergyByTheirPower) {
  expect_power(*planar_elements());
  expect_power(*spatial_elements());
}

TEST(ForceElements, AllocateNothing) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP();
  const auto m = spatial_elements();
  const Point here = point(*m, m->start());
  const Vector a = Vector::Zero(here.n.v), l;
  Vector f(here.n.v), ds(here.n.s);
  Derivatives d;
  m->derivatives(*here.at, here.v, here.s, a, l, d);
  const long before = testing::allocations;
  m->force(*here.at, here.v, here.s, f);
  m->auxiliary(*here.at, here.v, here.s, ds);
  m->derivatives(*here.at, here.v, here.s, a, l, d);
  const double sum = *m->energy(*here.at, here.v, here.s) + m->power(*here.at, here.v, here.s);
  EXPECT_EQ(testing::allocations - before, 0) << sum;
}

/// m v' = -F tanh(v/u) has the solution sinh(v/u) = sinh(v0/u) exp(-F t/(m u)); viscous friction beside it is e^(-d t/m).
TEST(ForceElements, FrictionSlowsDownAsItShould) {
  auto m = std::make_shared<PlanarMechanism>(Point2{0, 0});
  const auto dry = m->point({.name = "dry", .mass = 2, .velocity = {1.5, 0}});
  const auto wet = m->point({.name = "wet", .mass = 2, .velocity = {1.5, 0}});
  m->add_force("dry", m->displacement(ground, dry, {0, 0}, {1, 0}),
               std::make_shared<Friction>(Friction::Constants{.coulomb = 3, .transition = .2}));
  m->add_force("wet", m->displacement(ground, wet, {0, 0}, {1, 0}),
               std::make_shared<Friction>(Friction::Constants{.viscous = .7}));
  m->ends_at(.9);
  RunOptions options;
  options.tolerance = {1e-11, 1e-11};
  Monitor monitor;
  const Summary s = run(m, options, {&monitor});
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_NEAR(s.state.y[4], .2 * std::asinh(std::sinh(1.5 / .2) * std::exp(-3 * .9 / (2 * .2))), 1e-9);
  EXPECT_NEAR(s.state.y[6], 1.5 * std::exp(-.7 * .9 / 2), 1e-9);
  EXPECT_LT(std::abs(monitor.energy()->error()), 1e-8);
  EXPECT_LT(monitor.energy()->work, -3);
}

/// A motor swings a pendulum: the same numbers as the problem of the catalogue.
std::shared_ptr<PlanarMechanism> motor_pendulum() {
  auto m = std::make_shared<PlanarMechanism>();
  constexpr double phi = .3, l = .5, n = 20, J = 1e-4;
  const auto bob = m->body({.name = "bob",
                            .mass = 1,
                            .inertia = n * n * J,
                            .position = {l * std::sin(phi), -l * std::cos(phi)},
                            .angle = phi});
  const auto shaft = m->revolute("shaft", ground, bob, {0, 0});
  m->add_force("motor", m->coordinate(shaft),
               std::make_shared<Motor>(
                   Motor::Constants{.constant = .05, .resistance = 1, .inductance = 5e-3, .ratio = n},
                   Law::of<3>([](auto t, auto, auto) {
                     using std::sin;
                     return 12.0 * sin(2 * std::numbers::pi * .8 * t);
                   })));
  m->add_force("bearing", m->coordinate(shaft),
               std::make_shared<Friction>(Friction::Constants{.viscous = .05}));
  m->ends_at(5);
  return m;
}

TEST(ForceElements, AMotorMovesAsThatOfTheCatalogue) {
  const auto m = motor_pendulum();
  const auto reference = make_problem("motor-pendulum");
  const State truth = *reference->exact(5);
  for (const std::string method : {"auto", "radau"}) {
    RunOptions options;
    options.request.method = method;
    options.tolerance = {1e-11, 1e-11};
    Monitor monitor;
    const Summary s = run(m, options, {&monitor});
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    for (Eigen::Index i = 0; i < 7; ++i)
      EXPECT_NEAR(s.state.y[i], truth.y[i], 1e-8 * (1 + std::abs(truth.y[i]))) << method << " " << i;
    EXPECT_LT(std::abs(monitor.energy()->error()), 1e-7) << method;
    const Point ours = point(*m, s.state), theirs = point(as<Mechanical>(*reference), truth);
    EXPECT_NEAR(ours.energy(), theirs.energy(), 1e-7);
    EXPECT_NEAR(m->power(*ours.at, ours.v, ours.s), theirs.problem.power(*theirs.at, theirs.v, theirs.s),
                1e-6);
  }
}

/// Closed, without leak and friction, oil is a spring: nothing comes in and nothing is lost. A leak loses what falls from one pressure to the
/// other, an open valve what falls from the supply and to the tank.
TEST(ForceElements, ACylinderKnowsWhereHydraulicPowerGoes) {
  constexpr double E = 1500e6, A = 2e-3, B = 1.2e-3, ps = 10e6, pt = .1e6, K = 4e-7;
  const auto cylinder = [&](double flow, double leak) {
    return Cylinder({.area_a = A,
                     .area_b = B,
                     .volume_a = 2e-4,
                     .volume_b = 2e-4,
                     .shortest = .2,
                     .longest = .4,
                     .bulk_modulus = E,
                     .flow = flow,
                     .supply = ps,
                     .tank = pt,
                     .soft = 1,
                     .underlap = 1e-6,
                     .leak = leak},
                    Law(1.));
  };
  const double s[] = {3e6, 4e6};
  const ForceElement::Input in{0, .3, .25, s};
  const auto power = [&](const Cylinder& one) {
    ForceElement::Response out;
    one.respond(in, out);
    const ForceElement::Energy kept = one.energy(in);
    return (kept.gradient_c - out.F) * in.rate + kept.gradient_s[0] * out.k[0] +
           kept.gradient_s[1] * out.k[1];
  };
  const double rounding = 1e-9 * A * s[0] * in.rate;
  EXPECT_NEAR(power(cylinder(0, 0)), 0, rounding);
  EXPECT_NEAR(cylinder(0, 0).dissipation(in), 0, rounding);
  const double leak = 1e-12, lost = leak * (s[0] - s[1]) * (s[0] - s[1]);
  EXPECT_NEAR(cylinder(0, leak).dissipation(in), lost, .005 * lost);  // p^2/2E comes along
  EXPECT_NEAR(power(cylinder(0, leak)), -cylinder(0, leak).dissipation(in), rounding);
  const double QA = K * std::sqrt(ps - s[0]), QB = K * std::sqrt(s[1] - pt),
               throttled = (ps - s[0]) * QA + (s[1] - pt) * QB;
  EXPECT_NEAR(cylinder(K, 0).dissipation(in), throttled, .005 * throttled);
  EXPECT_NEAR(power(cylinder(K, 0)) + cylinder(K, 0).dissipation(in), ps * QA - pt * QB, 1e-4 * ps * QA);
}

/// A cylinder moves a slider-crank, from the catalogue: pressures in Pa here, in MPa there.
TEST(ForceElements, ACylinderMovesAsThatOfTheCatalogue) {
  constexpr double r = .1, l = .3, mega = 1e6;
  const double theta = -std::asin(r / l), half = l / 2 * std::cos(theta);
  auto m = std::make_shared<PlanarMechanism>();
  const auto crank = m->body({.name = "crank", .mass = 1, .inertia = .05, .angle = std::numbers::pi / 2});
  const auto rod = m->body(
      {.name = "rod", .mass = 2, .inertia = 2 * l * l / 12, .position = {half, r / 2}, .angle = theta});
  const auto slider = m->point({.name = "slider", .mass = 10, .position = {2 * half, 0}});
  const auto main = m->revolute("main", ground, crank, {0, 0});
  m->revolute("pin", crank, rod, {0, r});
  m->revolute("wrist", rod, slider, {2 * half, 0});
  m->slot("guide", ground, slider, {0, 0}, {1, 0});
  m->add_force("bearing", m->coordinate(main),
               std::make_shared<Friction>(Friction::Constants{.viscous = 60}));
  m->add_force("cylinder", m->length(ground, {0, 0}, slider, {2 * half, 0}),
               std::make_shared<Cylinder>(Cylinder::Constants{.area_a = 2e-3,
                                                              .area_b = 1.2e-3,
                                                              .volume_a = 2e-4,
                                                              .volume_b = 2e-4,
                                                              .shortest = l - r,
                                                              .longest = l + r,
                                                              .bulk_modulus = 1500 * mega,
                                                              .flow = 4e-4 / std::sqrt(mega),
                                                              .supply = 10 * mega,
                                                              .tank = .1 * mega,
                                                              .soft = .1 * mega,
                                                              .underlap = .05,
                                                              .start_a = 3 * mega,
                                                              .start_b = 3 * mega * 2 / 1.2},
                                          Law::of<3>([](auto t, auto, auto) {
                                            using std::sin;
                                            return .5 * sin(2 * std::numbers::pi * t);
                                          })));
  m->ends_at(.8);
  RunOptions options;
  options.tolerance = {1e-11, 1e-11};
  Monitor monitor;
  const Summary s = run(m, options, {&monitor});
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  const State truth = *make_problem("hydraulic-slider-crank")->exact(.8);
  const auto& y = s.state.y;
  // crank (x, y, phi), rod (x, y, theta), slider (x, y); velocities likewise; pressures
  const std::vector<std::pair<double, double>> pairs = {
      {y[2], truth.y[0]},  {y[3], truth.y[1]},  {y[4], truth.y[2]},          {y[5], truth.y[3]},
      {y[6], truth.y[4]},  {y[10], truth.y[5]}, {y[11], truth.y[6]},         {y[12], truth.y[7]},
      {y[13], truth.y[8]}, {y[14], truth.y[9]}, {y[16] / mega, truth.y[10]}, {y[17] / mega, truth.y[11]}};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    EXPECT_NEAR(pairs[i].first, pairs[i].second, 1e-8 * (1 + std::abs(pairs[i].second))) << i;
  EXPECT_LT(std::abs(monitor.energy()->error()), 1e-6 * std::abs(monitor.energy()->work));
}

/// A torsion spring in space that is wound up by three turns before it throws the body back.
TEST(ForceElements, TurnsOfAnAngleAreCounted) {
  auto m = std::make_shared<SpatialMechanism>();
  const auto wheel =
      m->body({.name = "wheel", .mass = 1, .inertia = Vector3d(1, 1, .5).asDiagonal(), .spin = {0, 0, 40}});
  const auto hinge = m->revolute("hinge", ground, wheel, {0, 0, 0}, {0, 0, 1});
  m->add_force("spring", m->coordinate(hinge),
               std::make_shared<Spring>(Spring::Constants{.stiffness = 2, .length = .3}));
  ASSERT_EQ(m->sizes().s, 1);
  m->ends_at(2);
  RunOptions options;
  options.tolerance = {1e-10, 1e-10};
  Monitor monitor;
  const Summary s = run(m, options, {&monitor});
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  // phi - .3 = -.3 cos 2t + 20 sin 2t: up to 20 rad
  const double phi = .3 - .3 * std::cos(4.) + 20 * std::sin(4.);
  const Block& angles = s.layout["s"];
  EXPECT_NEAR(s.state.y[angles.offset], phi, 1e-7);
  EXPECT_NEAR(std::abs(s.state.y[3]), std::abs(std::cos(phi / 2)), 1e-7);
  EXPECT_NEAR(s.state.y[7 + 5], .6 * std::sin(4.) + 40 * std::cos(4.), 1e-6);
  EXPECT_LT(std::abs(monitor.energy()->error()), 1e-5);  // of 400
}

TEST(ForceElements, RefuseWhatMakesNoSense) {
  EXPECT_THROW(Friction({.coulomb = 1}), Error);
  EXPECT_THROW(Friction({.coulomb = 1, .breakaway = .5, .transition = .1}), Error);
  EXPECT_THROW(Friction({.coulomb = 1, .breakaway = 2, .transition = .1}), Error);
  EXPECT_THROW(Motor({.constant = 1, .resistance = 1}, Law(1.)), Error);
  EXPECT_THROW(Cylinder({.area_a = 1}, Law(0.)), Error);
}

}  // namespace
}  // namespace dalembert
