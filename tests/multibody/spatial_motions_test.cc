// Do joints in space move as they should? Exact motions, published digits, and a planar twin.
#include "tests/support/spatial_motions.h"

#include "dalembert/multibody/forces/spring.h"
#include "dalembert/multibody/planar/planar_mechanism.h"

namespace dalembert {
namespace {

using namespace testing;

/// The angle is known up to full turns only, and the drive does not mind.
TEST(SpatialMotions, ADrivenCrankTurnsManyTimes) {
  auto m = std::make_shared<SpatialMechanism>(Vector3d(0, 0, 0));
  const Vector3d axis = Vector3d(1, 2, -1).normalized();
  const auto crank =
      m->body({.name = "crank", .mass = 2, .inertia = principal(.1, .2, .3), .position = {1, 0, 1}});
  const auto hinge = m->revolute("hinge", ground, crank, origin, axis);
  constexpr double alpha = 20;  // theta = alpha t^2/2: 16 turns in 3.2 s
  m->drive("motor", hinge, {[](double t) { return Motion::Value{alpha * t * t / 2, alpha * t, alpha}; }});
  const Summary summary = moved(m, 3.2);
  const double angle = alpha * 3.2 * 3.2 / 2;
  const Point end = reached(*m, summary);
  EXPECT_LE(largest(end.g), 1e-9);
  EXPECT_LE((rotation(end, 0) - rotation_matrix(turned(angle, axis))).norm(), 1e-8);
  EXPECT_LE((end.v.segment<3>(3) - alpha * 3.2 * axis).norm(), 1e-6);
  // The moment of the motor accelerates the crank about its axis.
  const double inertia =
      axis.dot(principal(.1, .2, .3) * axis) + 2 * Vector3d(1, 0, 1).cross(axis).squaredNorm();
  EXPECT_NEAR(end.solve().second[5], -inertia * alpha, 1e-6);
}

/// m x'' = -m g - I (2 pi/pitch)^2 x''
TEST(SpatialMotions, ANutTurnsDownItsScrew) {
  for (const double pitch : {.05, -.2}) {
    auto m = std::make_shared<SpatialMechanism>(Vector3d(0, 0, -9.81));
    const auto nut = m->body({.name = "nut", .mass = .5, .inertia = principal(1e-3, 2e-3, 3e-3)});
    m->screw("thread", ground, nut, {.1, 0, 0}, Z, pitch);
    // The axis is off the centre of mass: the nut swings about it.
    const double lead = pitch / (2 * pi), inertia = 3e-3 + .5 * .01;
    const double acceleration = -9.81 * .5 / (.5 + inertia / (lead * lead));
    const Summary summary = moved(m, 2);
    const Point end = reached(*m, summary);
    const double x = acceleration * 2;
    EXPECT_NEAR(position(end, 0)[2], x, 1e-8);
    EXPECT_LE((rotation(end, 0) - rotation_matrix(turned(x / lead, Z))).norm(), 1e-7);
    EXPECT_GT(std::abs(x / lead), 2 * pi);  // more than one turn
    EXPECT_LE(largest(end.g), 1e-9);
  }
}

/// An unbalanced wheel that turns another: energy E = (I_1 + I_2 (z_1/z_2)^2) w^2/2 - m g l cos(angle)
TEST(SpatialMotions, WheelsMesh) {
  for (const int z_2 : {40, -40}) {
    auto m = std::make_shared<SpatialMechanism>(Vector3d(0, 0, -9.81));
    const auto wheel = [&](const char* name, double inertia, const Vector3d& at, double spin) {
      return m->body({.name = name,
                      .mass = 1,
                      .inertia = principal(.01, inertia, .02),
                      .position = at,
                      .velocity = spin * Y.cross(Vector3d(0, 0, at[2])),
                      .spin = spin * Y});
    };
    const auto one = wheel("one", .03, {0, 0, -.1}, 20), two = wheel("two", .05, {1, 0, 0}, 0);
    const auto first = m->revolute("first", ground, one, origin, Y),
               second = m->revolute("second", ground, two, {1, 0, 0}, Y);
    m->gear("mesh", first, second, 20, z_2);
    const Summary summary = moved(m, 3);
    const Point end = reached(*m, summary);
    const double inertia = .03 + .01 + .05 / 4, w = end.v[4];
    // At the start the turning of the first wheel is shared, in the kinetic metric.
    const double begin = .04 * 20 / inertia, angle = std::atan2(-position(end, 0)[0], -position(end, 0)[2]);
    EXPECT_NEAR(inertia * w * w / 2 - 9.81 * .1 * std::cos(angle), inertia * begin * begin / 2 - 9.81 * .1,
                1e-7);
    EXPECT_NEAR(end.v[10], -20. / z_2 * w, 1e-8);
    EXPECT_LE(largest(end.g), 1e-9);
    // It has gone round and round: even at its top it is fast.
    EXPECT_GT(3 * std::sqrt(begin * begin - 4 * 9.81 * .1 / inertia), 3 * 2 * pi);
  }
}

/// Willis: (planet - carrier) z_planet = -(sun - carrier) z_sun
TEST(SpatialMotions, PlanetsTurnOnTheirCarrier) {
  auto m = std::make_shared<SpatialMechanism>(Vector3d(0, 0, 0));
  const auto at = [&](const char* name, double x) {
    return m->body({.name = name, .mass = 1, .inertia = principal(.1, .1, .1), .position = {x, 0, 0}});
  };
  const auto carrier = at("carrier", .5), sun = at("sun", 0), planet = at("planet", 1);
  const auto arm = m->revolute("arm", ground, carrier, origin, Z),
             centre = m->revolute("centre", carrier, sun, origin, Z),
             axle = m->revolute("axle", carrier, planet, {1, 0, 0}, Z);
  m->gear("mesh", centre, axle, 24, 12);
  m->drive("turn", arm, steady(3));
  m->drive("spin", m->angle(ground, sun, Z), steady(10));
  const Summary summary = moved(m, 2);
  const Point end = reached(*m, summary);
  EXPECT_NEAR(end.v[17], 3 - 2 * (10 - 3), 1e-8);
  EXPECT_LE((rotation(end, planet) - rotation_matrix(turned(2 * (3. - 14), Z))).norm(), 1e-8);
}

/// Two shafts that meet at an angle, in bearings, joined in one way or another; the speed of the second.
template <class Join>
double speed_behind(double bend, double angle, Join join) {
  auto m = std::make_shared<SpatialMechanism>(Vector3d(0, 0, 0));
  const Vector3d along(std::cos(bend), std::sin(bend), 0);
  const auto one = m->body({.name = "one", .mass = 1, .inertia = principal(.1, .2, .2), .position = -X});
  const auto two = m->body({.name = "two",
                            .mass = 1,
                            .inertia = principal(.1, .2, .2),
                            .position = along,
                            .orientation = turned(bend, Z)});
  const auto bearing = m->revolute("one", ground, one, -X, X);
  m->cylindrical("two", ground, two, along, along);
  join(*m, one, two, along);
  m->drive("motor", bearing, steady(5));
  const Summary summary = moved(m, angle / 5);
  return reached(*m, summary).v[9] / 5;
}

TEST(SpatialMotions, AUniversalJointTurnsUnevenly) {
  constexpr double bend = .5;
  for (const double angle : {.3, 2., 9.}) {
    // One axis of the cross is across both shafts at the start.
    const double ratio = speed_behind(bend, angle, [](auto& m, int one, int two, const Vector3d& along) {
      m.universal("cross", one, two, origin, Z, along.cross(Z));
    });
    // angle counts from where the axis of the first shaft is across the plane of the shafts
    EXPECT_NEAR(ratio, std::cos(bend) / (1 - std::pow(std::sin(bend) * std::sin(angle), 2)), 1e-7) << angle;
  }
}

TEST(SpatialMotions, AConstantVelocityJointTurnsEvenly) {
  for (const double bend : {0., .5, 1.2})
    for (const double angle : {.3, 2., 9.})
      EXPECT_NEAR(speed_behind(bend, angle,
                               [](auto& m, int one, int two, const Vector3d& along) {
                                 m.constant_velocity("bent", one, two, origin, X, along);
                               }),
                  1, 1e-9)
          << bend << " " << angle;
}

/// Positions of the centre of mass: Radau IIA of order 13 in the direction of the axis alone.
TEST(SpatialMotions, TheHeavyTopHasItsDigits) {
  auto m = std::make_shared<SpatialMechanism>(Vector3d(0, 0, -9.81));
  const Vector3d spin(0, 150, -4.61538);
  const auto top = m->body({.name = "top",
                            .mass = 15,
                            .inertia = principal(.234375, .46875, .234375),
                            .position = Y,
                            .velocity = spin.cross(Y),
                            .spin = spin});
  m->spherical("tip", ground, top, origin);
  const Point end = reached(*m, moved(m, 1, 1e-11));
  EXPECT_LE((position(end, 0) - Vector3d(.1733439640983860, .6400885920705688, -.7484907911335813)).norm(),
            1e-8);
}

/// The rigid slider-crank of the IFToMM library; the digits are those of minimal coordinates.
TEST(SpatialMotions, TheSpatialSliderCrankHasItsDigits) {
  auto m = std::make_shared<SpatialMechanism>(Vector3d(0, 0, -9.81));
  const Vector3d A(0, .1, .12), B(0, .1, .2), C(.2, 0, 0), d = (C - B).normalized(),
                                                           a = Vector3d(0, 2, -1).normalized();
  Matrix3d R;  // of the rod: its own axis first
  R << d, a, d.cross(a);
  const Eigen::Quaterniond e(R);
  const auto crank = m->body({.name = "crank",
                              .mass = .12,
                              .inertia = principal(1e-4, 1e-5, 1e-4),
                              .position = (A + B) / 2,
                              .velocity = (6 * X).cross((B - A) / 2),
                              .spin = 6 * X});
  const Vector3d rod_spin(1.92, -.96, .48);
  const auto rod = m->body({.name = "rod",
                            .mass = .5,
                            .inertia = principal(4e-4, 4e-3, 4e-3),
                            .position = (B + C) / 2,
                            .orientation = {e.w(), e.x(), e.y(), e.z()},
                            .velocity = (6 * X).cross(B - A) + rod_spin.cross((C - B) / 2),
                            .spin = R.transpose() * rod_spin});
  const auto slider = m->body({.name = "slider",
                               .mass = 2,
                               .inertia = principal(1e-4, 1e-4, 1e-4),
                               .position = C,
                               .velocity = .24 * X});
  m->revolute("main", ground, crank, A, X);
  m->spherical("pin", crank, rod, B);
  m->universal("fork", slider, rod, C, X, a);
  m->prismatic("guide", ground, slider, C, X);
  const Summary summary = moved(m, 1);
  EXPECT_EQ(summary.start_message, "");  // given consistently
  const Point end = reached(*m, summary);
  EXPECT_NEAR(position(end, 2)[0], .211721661393444, 1e-8);
  const Vector3d arm = position(end, 0) - A;
  EXPECT_NEAR(std::remainder(std::atan2(-arm[1], arm[2]) - 10.9135907298647, 2 * pi), 0, 1e-7);
}

/// Three bars and four hinges: in space three of the twenty rows follow from the others.
TEST(SpatialMotions, AFourBarMovesAsThePlanarOne) {
  auto flat = std::make_shared<PlanarMechanism>(Point2{0, -9.81});
  auto space = std::make_shared<SpatialMechanism>(Vector3d(0, -9.81, 0));
  const std::vector<Vector3d> pins = {{0, 0, 0}, {.3, .8, 0}, {2, 1.4, 0}, {1.8, 0, 0}};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3d from = pins[i], to = pins[i + 1], middle = (from + to) / 2;
    const double length = (to - from).norm(), mass = length, inertia = mass * length * length / 12,
                 angle = std::atan2(to[1] - from[1], to[0] - from[0]);
    const std::string name = "bar" + std::to_string(i);
    flat->body(
        {.name = name, .mass = mass, .inertia = inertia, .position = {middle[0], middle[1]}, .angle = angle});
    space->body({.name = name,
                 .mass = mass,
                 .inertia = principal(.01, inertia, inertia),
                 .position = middle,
                 .orientation = turned(angle, Z)});
  }
  for (int i = 0; i < 4; ++i) {
    const int a = i - 1, b = i == 3 ? ground : i;
    const Vector3d at = pins[static_cast<std::size_t>(i)];
    flat->revolute("pin" + std::to_string(i), a, b, {at[0], at[1]});
    space->revolute("pin" + std::to_string(i), a, b, at, Z);
  }
  RunOptions options;
  options.tolerance = {1e-10, 1e-10};
  options.end = 1.5;
  const Summary plane = run(flat, options), ours = run(space, options);
  ASSERT_EQ(plane.outcome, Outcome::ok) << plane.message;
  ASSERT_EQ(ours.outcome, Outcome::ok) << ours.message;
  ASSERT_TRUE(ours.redundancy);
  for (Eigen::Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(ours.state.y[7 * i], plane.state.y[3 * i], 1e-8);
    EXPECT_NEAR(ours.state.y[7 * i + 1], plane.state.y[3 * i + 1], 1e-8);
  }
}

/// The stiff flyball governor of the IFToMM library. Digits from minimal coordinates, by extrapolation in extended
/// precision.
std::shared_ptr<SpatialMechanism> governor() {
  auto m = std::make_shared<SpatialMechanism>(Vector3d(0, 0, -9.81));
  constexpr double fall = pi / 6, along = .3 * 2e-4 / 12, across = .3 * (1 + 1e-4) / 12;
  const Vector3d turn = 2 * pi * Z;
  const auto body = [&](const char* name, double mass, const Matrix3d& inertia, const Vector3d& at,
                        double tilt) {
    return m->body({.name = name,
                    .mass = mass,
                    .inertia = inertia,
                    .position = at,
                    .orientation = turned(tilt, Y),
                    .velocity = turn.cross(at),
                    .spin = rotation_matrix(turned(tilt, Y)).transpose() * turn});
  };
  const auto shaft = body("shaft", .3, principal(across, across, along), .5 * Z, 0),
             slider = body("slider", 3, principal(.005, .005, .005), .5 * Z, 0);
  m->revolute("bearing", ground, shaft, origin, Z);
  m->prismatic("sleeve", shaft, slider, .5 * Z, Z);
  for (const double side : {1., -1.}) {
    const std::string number = side > 0 ? "1" : "2";
    const Vector3d hinge(.05 * side, 0, 1), arm(side * std::cos(fall), 0, -std::sin(fall)),
        tip = hinge + arm, middle = hinge + arm / 2;
    const auto rod =
        body(("rod" + number).c_str(), .3, principal(along, across, across), middle, side * fall);
    const auto ball =
        m->point({.name = "ball" + number, .mass = 5, .position = tip, .velocity = turn.cross(tip)});
    m->revolute("hinge" + number, shaft, rod, hinge, Y);
    m->spherical("tip" + number, rod, ball, tip);
    m->add_force("spring" + number, m->length(rod, middle, slider, {.05 * side, 0, .5}),
                 std::make_shared<Spring>(Spring::Constants{.stiffness = 8e5, .damping = 4e4, .length = .5}));
  }
  return m;
}

TEST(SpatialMotions, TheFlyballGovernorHasItsDigits) {
  const auto m = governor();
  RunOptions options;
  options.tolerance = {1e-8, 1e-8};
  options.end = 1;
  options.request = {"ggl", "radau5"};
  const Summary summary = run(m, options);
  ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
  const Vector& y = summary.state.y;
  EXPECT_NEAR(y[7 + 2], .5014209223795677, 1e-6);
  const Eigen::Index v = m->sizes().q;
  EXPECT_NEAR(y[v + 6 + 2], -.1221514928977289, 1e-6);
  EXPECT_NEAR(y[v + 5], 6.271125741876555, 1e-6);
}

/// q' = N v keeps the length of quaternions, and advance() makes it exact.
TEST(SpatialMotions, QuaternionsKeepTheirLength) {
  auto m = std::make_shared<SpatialMechanism>(Vector3d(0, 0, -9.81));
  const auto top = m->body({.name = "top",
                            .mass = 1,
                            .inertia = principal(.02, .03, .01),
                            .position = {.1, 0, .2},
                            .spin = {3, 1, 20}});
  m->spherical("tip", ground, top, origin);
  RunOptions options;
  options.end = 100;
  options.step = 1e-3;  // 10^5 steps
  options.control = Control::fixed;
  const Summary summary = run(m, options);
  ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
  EXPECT_GE(summary.statistics.steps, 100'000);
  EXPECT_NEAR(summary.state.y.segment<4>(3).norm(), 1, 1e-14);
}

}  // namespace
}  // namespace dalembert
