// Do discs, balls and blades in space roll and slide as they should? Exact motions, published digits, a planar twin.
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "tests/support/spatial_motions.h"

namespace dalembert {
namespace {

using namespace testing;

// Yaw about z, lean about x, spin about the axle y.
struct Coin {
  std::shared_ptr<SpatialMechanism> m;
  Vector3d centre;
  Matrix3d upright;  ///< yaw and lean
};
Coin coin(const std::array<double, 5>& q, const Vector3d& u) {
  constexpr double r = .26, mass = 3.43;
  Coin c{std::make_shared<SpatialMechanism>(Vector3d(0, 0, -9.81)), {}, {}};
  const Vector4d yaw = turned(q[0], Z), lean = turned(q[1], X), spin = turned(q[2], Y);
  c.upright = rotation_matrix(compose(yaw, lean));
  c.centre = Vector3d(q[3], q[4], 0) + r * c.upright.col(2);
  const Vector3d omega = c.upright * u;
  const Vector4d e = compose(compose(yaw, lean), spin);
  const auto b = c.m->body({.name = "coin",
                            .mass = mass,
                            .inertia = mass * r * r / 4 * principal(1, 2, 1),
                            .position = c.centre,
                            .orientation = e,
                            .velocity = omega.cross(r * c.upright.col(2)),
                            .spin = rotation_matrix(e).transpose() * omega});
  c.m->rolling_disc("ground", ground, b, {.axle = c.upright.col(1), .radius = r});
  return c;
}

/// Accelerations published with a model by Kane's method, at two states; u is the angular velocity along yawed, leaning and
/// not spinning axes.
TEST(SpatialMotions, TheRollingDiscHasItsPublishedAccelerations) {
  constexpr double r = .26;
  struct Published {
    std::array<double, 5> q, rates;
    Vector3d u;
    std::array<double, 2> contact;
  };
  const std::vector<Published> states = {
      {{.3, .1, 1.97, -.35, 2.27},
       {.126603940595934, .215942571601660, 1.28736069604936, .319764288376543, .0989146857254898},
       {-.2, 1.3, .15},
       {-.00992793421754526, .0412861634829171}},
      {{3.97, -.28, 8.2, -.35, 2.27},
       {.0259159090798597, .668041660387416, -2.19283799213811, .385441810852219, .420109283790573},
       {-.25, -2.2, .62},
       {-.154098542632173, -.146102664410010}}};
  for (const Published& is : states) {
    // The published rates say what u means: body-fixed components.
    const double yaw = is.rates[0], lean = is.rates[1], spin = is.rates[2];
    const Vector3d unspun(lean, spin + yaw * std::sin(is.q[1]), yaw * std::cos(is.q[1]));
    const Vector3d fixed = rotation_matrix(turned(is.q[2], Y)).transpose() * unspun;
    EXPECT_LE((fixed - is.u).norm(), 1e-13);
    const Coin c = coin(is.q, unspun);
    const Point here = point(*c.m, c.m->start());
    EXPECT_LE(largest(here.g), 1e-14);
    EXPECT_LE(largest(here.J * here.v), 1e-14);
    const Vector a = here.solve().first;
    // The frame i, j, k turns with w = yaw' Z + lean' i, the coin with w + spin' j. The contact is centre - r k.
    const Vector3d i = c.upright.col(0), j = c.upright.col(1), k = c.upright.col(2), w = yaw * Z + lean * i,
                   products = yaw * lean * Z.cross(i);  // w' = yaw'' Z + lean'' i + products
    const Vector3d alpha = rotation(here, 0) * a.segment<3>(3);
    Matrix3d axes;
    axes << Z, i, j;
    const Vector3d second = axes.partialPivLu().solve(alpha - products - spin * w.cross(j));
    const Vector3d w_rate = second[0] * Z + second[1] * i + products;
    const Vector3d contact = Vector3d(a.segment<3>(0)) - r * (w_rate.cross(k) + w.cross(w.cross(k)));
    EXPECT_NEAR(contact[0], is.contact[0], 1e-12);
    EXPECT_NEAR(contact[1], is.contact[1], 1e-12);
    EXPECT_NEAR(contact[2], 0, 1e-12);
  }
}

/// A coin that leans by a constant angle (s, c its sine and cosine) and rolls round a circle, precession W about z. Along the
/// lean axis i, the axle j and k from the contact to the centre, omega = (0, w, W c) and the centre moves with r w i;
/// m (centre acceleration + g z) at the contact turns the angular momentum:
///
///   W c (I_k W s - I_j w) = m r (r w W c + g s)
TEST(SpatialMotions, ACoinRollsInACircle) {
  constexpr double r = .26, lean = .3, W = 2.5;
  const double s = std::sin(lean), c = std::cos(lean);
  const double w = (W * W * s * c / 4 - 9.81 / r * s) / (1.5 * W * c);
  const Coin steady_coin = coin({.4, lean, 0, 1, 2}, Vector3d(0, w, W * c));
  const Point start = point(*steady_coin.m, steady_coin.m->start());
  const Vector a = start.solve().first;
  const Matrix3d R = rotation(start, 0);
  // Steady: the acceleration of the centre is W Z x v, that of the spin is W Z x omega.
  const Vector3d v = start.v.segment<3>(0), omega = R * start.v.segment<3>(3);
  EXPECT_LE((Vector3d(a.segment<3>(0)) - (W * Z).cross(v)).norm(), 1e-12);
  EXPECT_LE((R * a.segment<3>(3) - (W * Z).cross(omega)).norm(), 1e-11);
  constexpr double end = 4;
  const Point there = reached(*steady_coin.m, moved(steady_coin.m, end));
  const Matrix3d round = rotation_matrix(turned(W * end, Z));
  // The axle and the velocity have turned with the precession; the height is the same.
  EXPECT_LE((rotation(there, 0) * Y - round * R * Y).norm(), 1e-6);
  EXPECT_LE((Vector3d(there.v.segment<3>(0)) - round * v).norm(), 1e-6);
  EXPECT_NEAR(position(there, 0)[2], r * c, 1e-8);
}

TEST(SpatialMotions, ABallRollsDownAnIncline) {
  auto m = std::make_shared<SpatialMechanism>(Vector3d(0, 0, -9.81));
  constexpr double slope = .4, radius = .1;
  const Vector3d normal(std::sin(slope), 0, std::cos(slope)), down(std::cos(slope), 0, -std::sin(slope));
  const auto ball = m->body({.name = "ball",
                             .mass = 3,
                             .inertia = .4 * 3 * radius * radius * Matrix3d::Identity(),
                             .position = radius * normal,
                             .orientation = {.3, .4, -.1, .7},
                             .velocity = .5 * Y});
  m->rolling_ball("slope", ground, ball, {.radius = radius, .normal = normal});
  // Sideways the given velocity without spin is shared: 5/7 of it remains.
  const Point end = reached(*m, moved(m, 2));
  const Vector3d expected = radius * normal + 5. / 7 * (9.81 * std::sin(slope) * 2 * down + .5 * 2 * Y);
  EXPECT_LE((position(end, 0) - expected).norm(), 1e-8);
}

/// On a turntable the centre of a rolling ball moves in a circle, at 2/7 of the table's speed.
TEST(SpatialMotions, ABallCirclesOnATurntable) {
  auto m = std::make_shared<SpatialMechanism>(Vector3d(0, 0, -9.81));
  constexpr double radius = .1, speed = 3;
  const auto table = m->body({.name = "table", .mass = 5, .inertia = principal(1, 1, 2)});
  const auto ball = m->body({.name = "ball",
                             .mass = 1,
                             .inertia = .4 * radius * radius * Matrix3d::Identity(),
                             .position = {.8, .1, radius},
                             .velocity = {.2, -.3, 0}});
  m->drive("motor", m->revolute("axis", ground, table, origin, Z), steady(speed));
  m->rolling_ball("on", table, ball, {.radius = radius});
  const double turn = 2. / 7 * speed, period = 2 * pi / turn;
  const Point half = reached(*m, moved(m, period / 2)), whole = reached(*m, moved(m, period));
  const Vector3d first = half.v.segment<3>(6), second = whole.v.segment<3>(6);
  EXPECT_GT(first.norm(), .1);
  EXPECT_LE((first + second).norm(), 1e-7);                                 // half a turn apart
  EXPECT_LE((position(whole, 1) - Vector3d(.8, .1, radius)).norm(), 1e-7);  // the circle is closed
  const double across = (position(half, 1) - position(whole, 1)).norm();
  EXPECT_NEAR(across, 2 * second.norm() / turn, 1e-7);
}

/// The Chaplygin sleigh in space, on a flat joint, moves as the one in the plane.
TEST(SpatialMotions, ASleighMovesAsThePlanarOne) {
  auto flat = std::make_shared<PlanarMechanism>(Point2{0, 0});
  const auto sled =
      flat->body({.name = "sled", .mass = 2, .inertia = .3, .angle = .4, .velocity = {.5, .2}, .spin = 1});
  flat->knife_edge("blade", sled, {-.3, .1}, {1, .5});
  auto space = std::make_shared<SpatialMechanism>(Vector3d(0, 0, -9.81));
  const auto body = space->body({.name = "sled",
                                 .mass = 2,
                                 .inertia = principal(.1, .4, .3),
                                 .orientation = turned(.4, Z),
                                 .velocity = {.5, .2, 0},
                                 .spin = Z});
  space->planar("ice", ground, body, origin, Z);
  space->knife_edge("blade", ground, body, {-.3, .1, 0}, {1, .5, 0}, Z);
  RunOptions options;
  options.tolerance = {1e-10, 1e-10};
  options.end = 4;
  const Summary plane = run(flat, options);
  ASSERT_EQ(plane.outcome, Outcome::ok);
  const Point end = reached(*space, moved(space, 4));
  EXPECT_NEAR(end.at->q[0], plane.state.y[0], 1e-8);
  EXPECT_NEAR(end.at->q[1], plane.state.y[1], 1e-8);
  EXPECT_NEAR(end.v[5], plane.state.y[5], 1e-8);
}

}  // namespace
}  // namespace dalembert
