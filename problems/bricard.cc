// Bricard's mechanism: five rods and the ground in a closed chain of six revolute joints. Thirty constraint rows on
// thirty velocities, and yet it moves: the rows have rank 29 wherever they are satisfied.
//
// Rods are aligned with the ground at the start, where they are the edges of a cube.
//
// With q0 the angle at P1 and sin q1 = -sin q0/(1 + sin q0) the joint angles are q0, q1, q0, q1, q0, q1: one degree of
// freedom, whose equation of motion exact() integrates. Data of the IFToMM multibody benchmark library
// [GonzalezEtAl2006].
#include <array>
#include <cmath>
#include <string>

#include "dalembert/core/rotations.h"
#include "dalembert/linear/least_constraint.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "dalembert/problem/catalogue.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr Eigen::Index rods = 5, hinges = 6;

const std::vector<Parameter> parameters = {{"m", 1, "kg", "mass of a rod"},
                                           {"l", 1, "m", "length of a rod"},
                                           {"d", .1, "m", "width of its square section"},
                                           {"g", 9.81, "m/s^2", "gravity, along -y"}};

/// P_1 ... P_6, for rods of length 1.
Vector3d corner(Eigen::Index k) {
  static const std::array<Vector3d, hinges> corners = {Vector3d(0, 0, 0),  Vector3d(1, 0, 0),
                                                       Vector3d(1, -1, 0), Vector3d(1, -1, 1),
                                                       Vector3d(0, -1, 1), Vector3d(0, 0, 1)};
  return corners[static_cast<std::size_t>(k)];
}

/// Axes Y, Z, X, Y, Z, X.
Vector3d axis(Eigen::Index joint) {
  return Vector3d::Unit((joint + 1) % 3);
}

class Bricard : public SpatialMechanism {
 public:
  explicit Bricard(const Parameters& p)
      : SpatialMechanism(Vector3d(0, -p["g"], 0)), m_(p.positive("m")), l_(p.positive("l")), g_(p["g"]) {
    const double d = p.positive("d");
    along_ = m_ * 2 * d * d / 12;
    across_ = m_ * (l_ * l_ + d * d) / 12;
    for (Eigen::Index i = 0; i < rods; ++i)
      body({.name = "rod" + std::to_string(i + 1),
            .mass = m_,
            .inertia = inertia(i).asDiagonal(),
            .position = l_ * (corner(i) + corner(i + 1)) / 2});
    for (int k = 0; k < hinges; ++k)
      revolute("P" + std::to_string(k + 1), k - 1, k == rods ? ground : k, l_ * corner(k), axis(k));
    ends_at(10);
  }
  State start() const override;
  std::optional<State> exact(double t) const override;

 private:
  Vector3d inertia(Eigen::Index rod) const {
    return (corner(rod + 1) - corner(rod)).cwiseAbs2() * (along_ - across_) + Vector3d::Constant(across_);
  }
  struct Chain;
  Chain chain(double q0) const;

  double m_, l_, g_, along_, across_;
};

/// At rest, with the multipliers of least norm.
State Bricard::start() const {
  State state = SpatialMechanism::start();
  const auto at = placed_at(state);
  Entries M, J;
  mass(*at, M);
  jacobian(*at, J);
  Vector f(6 * rods), a(6 * rods);
  force(*at, state.y.segment(7 * rods, 6 * rods), Vector(), f);
  LeastConstraint motion;
  motion.bind(6 * rods, 5 * hinges);
  motion.factor(M, J);
  motion.solve(f, Vector::Zero(5 * hinges), a);
  M.multiply(a, -1, f);
  motion.multipliers(f, state.y.tail(5 * hinges));
  return state;
}

/// The chain at the angle q0: positions, velocities per q0', accelerations per q0'^2 (at q0'' = 0), and the equation of
/// motion inertia q0'' = force - centrifugal q0'^2, by virtual power.
struct Bricard::Chain {
  Vector q = Vector(7 * rods), v = Vector(6 * rods);
  double inertia = 0, force = 0, centrifugal = 0;
};

Bricard::Chain Bricard::chain(double q0) const {
  const double s = std::sin(q0), q1 = std::asin(-s / (1 + s));
  const double slope = -std::cos(q0) / ((1 + s) * (1 + s)) / std::cos(q1);  // q1' per q0'
  const double bend = (s / ((1 + s) * (1 + s)) + 2 * std::cos(q0) * std::cos(q0) / std::pow(1 + s, 3) +
                       std::sin(q1) * slope * slope) /
                      std::cos(q1);
  Chain c;
  Vector4d e(1, 0, 0, 0);
  Vector3d omega(0, 0, 0), alpha(0, 0, 0), at(0, 0, 0), rate(0, 0, 0), rate2(0, 0, 0);  // of the joint
  for (Eigen::Index i = 0; i < rods; ++i) {
    const bool first = i % 2 == 0;
    const double angle = first ? q0 : q1, turn = first ? 1 : slope, turn2 = first ? 0 : bend;
    const Vector3d n = axis(i), half = l_ * (corner(i + 1) - corner(i)) / 2;
    const Vector4d step = quaternion_of(angle * n);
    const Matrix3d back = rotation_matrix(step).transpose();
    e = compose(e, step);
    const Vector3d carried = back * omega;
    omega = carried + turn * n;
    alpha = back * alpha + turn2 * n + turn * carried.cross(n);
    const Matrix3d R = rotation_matrix(e);
    const Vector3d arm_rate = R * omega.cross(half),
                   arm_rate2 = R * (alpha.cross(half) + omega.cross(omega.cross(half)));
    const Vector3d x_rate = rate + arm_rate, x_rate2 = rate2 + arm_rate2, J = inertia(i);
    c.q.segment<3>(7 * i) = at + R * half;
    c.q.segment<4>(7 * i + 3) = e;
    c.v.segment<3>(6 * i) = x_rate;
    c.v.segment<3>(6 * i + 3) = omega;
    c.inertia += m_ * x_rate.squaredNorm() + omega.dot(J.cwiseProduct(omega));
    c.force -= m_ * g_ * x_rate[1];
    c.centrifugal +=
        m_ * x_rate.dot(x_rate2) + omega.dot(J.cwiseProduct(alpha));  // omega'(omega x J omega) = 0
    at += 2 * R * half;
    rate += 2 * arm_rate;
    rate2 += 2 * arm_rate2;
  }
  return c;
}

std::optional<State> Bricard::exact(double t) const {
  constexpr double longest = 5e-4;  // classical Runge-Kutta steps: errors of rounding
  const auto steps = static_cast<int>(std::ceil(std::abs(t) / longest));
  const double h = steps > 0 ? t / steps : 0;
  const auto acceleration = [&](double angle, double speed) {
    const Chain c = chain(angle);
    return (c.force - c.centrifugal * speed * speed) / c.inertia;
  };
  double angle = 0, speed = 0;
  for (int k = 0; k < steps; ++k) {
    const double a1 = acceleration(angle, speed), v2 = speed + h / 2 * a1;
    const double a2 = acceleration(angle + h / 2 * speed, v2), v3 = speed + h / 2 * a2;
    const double a3 = acceleration(angle + h / 2 * v2, v3), v4 = speed + h * a3;
    const double a4 = acceleration(angle + h * v3, v4);
    angle += h / 6 * (speed + 2 * v2 + 2 * v3 + v4);
    speed += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  const Chain c = chain(angle);
  State state{t,
              Vector::Constant(13 * rods + 5 * hinges, not_a_number)};  // no multipliers: they are not unique
  state.y.head(13 * rods) << c.q, speed * c.v;
  return state;
}

}  // namespace

std::vector<ProblemEntry> problems_in_bricard() {
  return {{"bricard", "Bricard's mechanism: six hinges, 30 constraint rows of rank 29, one degree of freedom",
           Kind::mechanical, "GonzalezEtAl2006", parameters,
           [](const Parameters& p) { return std::make_shared<const Bricard>(p); }}};
}

}  // namespace dalembert
