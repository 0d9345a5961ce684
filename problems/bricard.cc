// Bricard's mechanism: five rods and the ground in a closed chain of six revolute joints. Thirty constraint rows on
// thirty velocities, and yet it moves: the rows have rank 29 wherever they are satisfied.
//
//   joint at P_k between rods A and B:  x_A + R_A a - x_B - R_B b = 0,   (R_A u)'(R_B n) = (R_A w)'(R_B n) = 0
//
// n is the axis of the joint, u and w are across it. Each rod has its centre x and a unit quaternion, velocities
// (x', omega) with omega in body components; bodies are aligned with the ground at the start, a cube's edges.
//
// With q0 the angle at P1 and sin q1 = -sin q0/(1 + sin q0) the joint angles are q0, q1, q0, q1, q0, q1: one degree of
// freedom, whose equation of motion exact() integrates. Data of the IFToMM multibody benchmark library
// [GonzalezEtAl2006].
#include <array>
#include <cmath>

#include "dalembert/core/rotations.h"
#include "dalembert/linear/least_constraint.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/mechanical.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr Eigen::Index rods = 5, joints = 6;

const std::vector<Parameter> parameters = {{"m", 1, "kg", "mass of a rod"},
                                           {"l", 1, "m", "length of a rod"},
                                           {"d", .1, "m", "width of its square section"},
                                           {"g", 9.81, "m/s^2", "gravity, along -y"}};

/// P_1 ... P_6, for rods of length 1.
Vector3d corner(Eigen::Index k) {
  static const std::array<Vector3d, joints> corners = {Vector3d(0, 0, 0),  Vector3d(1, 0, 0),
                                                       Vector3d(1, -1, 0), Vector3d(1, -1, 1),
                                                       Vector3d(0, -1, 1), Vector3d(0, 0, 1)};
  return corners[static_cast<std::size_t>(k)];
}

/// Axes Y, Z, X, Y, Z, X.
Vector3d axis(Eigen::Index joint, Eigen::Index shift = 0) {
  return Vector3d::Unit((joint + 1 + shift) % 3);
}

struct Attitudes : Placement {
  std::array<Matrix3d, rods> R;
};

/// One joint seen from both sides; the ground has no columns.
struct Side {
  Eigen::Index rod;  ///< none: the ground
  Vector3d arm;      ///< from the centre of the rod (the origin) to the joint
  Matrix3d R;
  Vector3d x;
  bool ground() const { return rod < 0 || rod >= rods; }
  Eigen::Index moves() const { return 6 * rod; }
  Eigen::Index turns() const { return 6 * rod + 3; }
  Vector3d omega(In v) const { return ground() ? Vector3d(0, 0, 0) : Vector3d(v.segment<3>(turns())); }
};

class Bricard : public Mechanical {
 public:
  explicit Bricard(const Parameters& p) : m_(p.positive("m")), l_(p.positive("l")), g_(p["g"]) {
    const double d = p.positive("d");
    along_ = m_ * 2 * d * d / 12;
    across_ = m_ * (l_ * l_ + d * d) / 12;
  }

  Sizes sizes() const override { return {.q = 7 * rods, .v = 6 * rods, .holonomic = 5 * joints}; }
  Layout layout() const override;
  State start() const override;
  double end() const override { return 10; }
  std::optional<State> exact(double t) const override;

  std::unique_ptr<Placement> placement() const override { return std::make_unique<Attitudes>(); }
  void place(Placement& at) const override {
    for (Eigen::Index i = 0; i < rods; ++i)
      static_cast<Attitudes&>(at).R[static_cast<std::size_t>(i)] =
          rotation_matrix(at.q.segment<4>(7 * i + 3).normalized());
  }
  bool plain() const override { return false; }
  void tangent(const Placement&, In u, Out dq) const override;
  void advance(const Placement&, In u, Out q) const override;
  void difference(In from, In to, Out u) const override;
  void kinematics(const Placement&, In v, Kinematics&) const override;

  void mass(const Placement&, Entries&) const override;
  void force(const Placement&, In v, In s, Out f) const override;
  void g(const Placement&, Out residual) const override;
  void jacobian(const Placement&, Entries&) const override;
  void bias(const Placement&, In v, Out bias) const override;
  std::optional<double> energy(const Placement&, In v, In s) const override;
  void derivatives(const Placement&, In v, In s, In a, In l, Derivatives&) const override;

 private:
  Vector3d inertia(Eigen::Index rod) const {
    return (corner(rod + 1) - corner(rod)).cwiseAbs2() * (along_ - across_) + Vector3d::Constant(across_);
  }
  Side side(const Placement&, Eigen::Index joint, Eigen::Index rod) const;
  /// Calls visit(row of the joint, A, B) for each joint.
  template <class Visit>
  void each_joint(const Placement& at, Visit visit) const {
    for (Eigen::Index k = 0; k < joints; ++k) visit(k, side(at, k, k - 1), side(at, k, k));
  }
  struct Chain;
  Chain chain(double q0) const;

  double m_, l_, g_, along_, across_;
};

Layout Bricard::layout() const {
  Names names;
  for (Eigen::Index i = 1; i <= rods; ++i) {
    const std::string rod = "rod" + std::to_string(i) + ".";
    for (const char* c : {"x", "y", "z", "e0", "e1", "e2", "e3"}) names.q.push_back(rod + c);
    for (const char* c : {"x'", "y'", "z'", "omega1", "omega2", "omega3"}) names.v.push_back(rod + c);
    for (const char* unit : {"m", "m", "m", "", "", "", ""}) names.q_units.emplace_back(unit);
    for (const char* unit : {"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"})
      names.v_units.emplace_back(unit);
  }
  for (Eigen::Index k = 0; k < joints; ++k) {
    const std::string joint = "P" + std::to_string(k + 1) + ".";
    for (const char* c : {"x", "y", "z"}) names.lambda.push_back(joint + c);
    for (const Eigen::Index across : {1, 2}) {  // the direction in which the joint holds the axis
      Eigen::Index which = 0;
      axis(k, across).maxCoeff(&which);
      names.lambda.push_back(joint + "tilt-" + std::string("xyz").substr(static_cast<std::size_t>(which), 1));
    }
    for (const char* unit : {"N", "N", "N", "N m", "N m"}) names.lambda_units.emplace_back(unit);
  }
  return mechanical_layout(std::move(names));
}

/// At rest, with the multipliers of least norm.
State Bricard::start() const {
  State state{0, Vector::Zero(13 * rods + 5 * joints)};
  for (Eigen::Index i = 0; i < rods; ++i) {
    state.y.segment<3>(7 * i) = l_ * (corner(i) + corner(i + 1)) / 2;
    state.y[7 * i + 3] = 1;
  }
  Attitudes at;
  at.q = state.y.head(7 * rods);
  place(at);
  Entries M, J;
  mass(at, M);
  jacobian(at, J);
  Vector f(6 * rods), a(6 * rods);
  force(at, state.y.segment(7 * rods, 6 * rods), Vector(), f);
  LeastConstraint motion;
  motion.bind(6 * rods, 5 * joints);
  motion.factor(M, J);
  motion.solve(f, Vector::Zero(5 * joints), a);
  M.multiply(a, -1, f);
  motion.multipliers(f, state.y.tail(5 * joints));
  return state;
}

Side Bricard::side(const Placement& at, Eigen::Index joint, Eigen::Index rod) const {
  if (rod < 0 || rod >= rods) return {rod, l_ * corner(joint), Matrix3d::Identity(), {0, 0, 0}};
  return {rod, l_ * (corner(joint) - (corner(rod) + corner(rod + 1)) / 2),
          static_cast<const Attitudes&>(at).R[static_cast<std::size_t>(rod)], at.q.segment<3>(7 * rod)};
}

void Bricard::tangent(const Placement& at, In u, Out dq) const {
  for (Eigen::Index i = 0; i < rods; ++i) {
    dq.segment<3>(7 * i) = u.segment<3>(6 * i);
    Vector4d spin;
    spin << 0, u.segment<3>(6 * i + 3) / 2;
    dq.segment<4>(7 * i + 3) = compose(at.q.segment<4>(7 * i + 3), spin);
  }
}

void Bricard::advance(const Placement& at, In u, Out q) const {
  for (Eigen::Index i = 0; i < rods; ++i) {
    q.segment<3>(7 * i) = at.q.segment<3>(7 * i) + u.segment<3>(6 * i);
    q.segment<4>(7 * i + 3) =
        compose(at.q.segment<4>(7 * i + 3), quaternion_of(u.segment<3>(6 * i + 3))).normalized();
  }
}

void Bricard::difference(In from, In to, Out u) const {
  for (Eigen::Index i = 0; i < rods; ++i) {
    u.segment<3>(6 * i) = to.segment<3>(7 * i) - from.segment<3>(7 * i);
    u.segment<3>(6 * i + 3) = rotation_vector_of(
        compose(conjugate(from.segment<4>(7 * i + 3)), Vector4d(to.segment<4>(7 * i + 3))));
  }
}

void write(Entries& entries, Eigen::Index row, Eigen::Index column, const Matrix3d& block) {
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) entries.add(row + i, column + j, block(i, j));
}
void write_row(Entries& entries, Eigen::Index row, Eigen::Index column, const Vector3d& values) {
  for (Eigen::Index j = 0; j < 3; ++j) entries.add(row, column + j, values[j]);
}
void write_identity(Entries& entries, Eigen::Index row, Eigen::Index column, double scale) {
  for (Eigen::Index i = 0; i < 3; ++i) entries.add(row + i, column + i, scale);
}

/// e' = E omega with E'E = |e|^2/4
void Bricard::kinematics(const Placement& at, In v, Kinematics& k) const {
  for (Entries* block : {&k.N, &k.inverse, &k.Nv_q}) block->begin();
  for (Eigen::Index r = 0; r < rods; ++r) {
    const Eigen::Index q = 7 * r, u = 6 * r;
    const Vector4d e = at.q.segment<4>(q + 3);
    Eigen::Matrix<double, 4, 3> E;
    E << -e.tail<3>().transpose(), e[0] * Matrix3d::Identity() + skew(e.tail<3>());
    E /= 2;
    write_identity(k.N, q, u, 1);
    write_identity(k.inverse, u, q, 1);
    for (Eigen::Index i = 0; i < 4; ++i)
      for (Eigen::Index j = 0; j < 3; ++j) {
        k.N.add(q + 3 + i, u + 3 + j, E(i, j));
        k.inverse.add(u + 3 + j, q + 3 + i, 4 / e.squaredNorm() * E(i, j));
      }
    const Vector3d half = v.segment<3>(u + 3) / 2;
    write_row(k.Nv_q, q + 3, q + 4, -half);
    for (Eigen::Index i = 0; i < 3; ++i) k.Nv_q.add(q + 4 + i, q + 3, half[i]);
    write(k.Nv_q, q + 4, q + 4, -skew(half));
  }
  for (Entries* block : {&k.N, &k.inverse, &k.Nv_q}) block->end();
}

void Bricard::mass(const Placement&, Entries& M) const {
  M.begin();
  for (Eigen::Index i = 0; i < rods; ++i) {
    write_identity(M, 6 * i, 6 * i, m_);
    for (Eigen::Index j = 0; j < 3; ++j) M.add(6 * i + 3 + j, 6 * i + 3 + j, inertia(i)[j]);
  }
  M.end();
}

void Bricard::force(const Placement&, In v, In /*s*/, Out f) const {
  for (Eigen::Index i = 0; i < rods; ++i) {
    const Vector3d omega = v.segment<3>(6 * i + 3);
    f.segment<3>(6 * i) << 0, -m_ * g_, 0;
    f.segment<3>(6 * i + 3) = inertia(i).cwiseProduct(omega).cross(omega);
  }
}

void Bricard::g(const Placement& at, Out residual) const {
  each_joint(at, [&](Eigen::Index k, const Side& A, const Side& B) {
    residual.segment<3>(5 * k) = A.x + A.R * A.arm - B.x - B.R * B.arm;
    for (const Eigen::Index across : {1, 2})
      residual[5 * k + 2 + across] = (A.R * axis(k, across)).dot(B.R * axis(k));
  });
}

void Bricard::jacobian(const Placement& at, Entries& J) const {
  J.begin();
  each_joint(at, [&](Eigen::Index k, const Side& A, const Side& B) {
    const Matrix3d C = A.R.transpose() * B.R;
    const Vector3d n = axis(k);
    for (const auto& [S, sign] : {std::pair(&A, 1.0), std::pair(&B, -1.0)}) {
      if (S->ground()) continue;
      write_identity(J, 5 * k, S->moves(), sign);
      write(J, 5 * k, S->turns(), -sign * S->R * skew(S->arm));
    }
    for (const Eigen::Index across : {1, 2}) {
      const Vector3d u = axis(k, across);
      if (!A.ground()) write_row(J, 5 * k + 2 + across, A.turns(), u.cross(C * n));
      if (!B.ground()) write_row(J, 5 * k + 2 + across, B.turns(), n.cross(C.transpose() * u));
    }
  });
  J.end();
}

void Bricard::bias(const Placement& at, In v, Out bias) const {
  each_joint(at, [&](Eigen::Index k, const Side& A, const Side& B) {
    const Vector3d a = A.omega(v), b = B.omega(v), n = axis(k);
    bias.segment<3>(5 * k) = A.R * a.cross(a.cross(A.arm)) - B.R * b.cross(b.cross(B.arm));
    for (const Eigen::Index across : {1, 2}) {
      const Vector3d u = axis(k, across);
      bias[5 * k + 2 + across] = (A.R * a.cross(a.cross(u))).dot(B.R * n) +
                                 2 * (A.R * a.cross(u)).dot(B.R * b.cross(n)) +
                                 (A.R * u).dot(B.R * b.cross(b.cross(n)));
    }
  });
}

std::optional<double> Bricard::energy(const Placement& at, In v, In /*s*/) const {
  double sum = 0;
  for (Eigen::Index i = 0; i < rods; ++i)
    sum += m_ * v.segment<3>(6 * i).squaredNorm() / 2 +
           inertia(i).dot(v.segment<3>(6 * i + 3).cwiseAbs2()) / 2 + m_ * g_ * at.q[7 * i + 1];
  return sum;
}

void Bricard::derivatives(const Placement& at, In v, In /*s*/, In /*a*/, In l, Derivatives& d) const {
  for (Entries* block : {&d.K, &d.D, &d.B}) block->begin();
  for (Eigen::Index i = 0; i < rods; ++i) {  // omega x J omega
    const Vector3d omega = v.segment<3>(6 * i + 3);
    write(d.D, 6 * i + 3, 6 * i + 3,
          skew(omega) * inertia(i).asDiagonal() - skew(inertia(i).cwiseProduct(omega)));
  }
  each_joint(at, [&](Eigen::Index k, const Side& A, const Side& B) {
    const Vector3d a = A.omega(v), b = B.omega(v), n = axis(k), p = l.segment<3>(5 * k);
    const Matrix3d C = A.R.transpose() * B.R;
    if (!A.ground()) {
      write(d.K, A.turns(), A.turns(), skew(A.arm) * skew(A.R.transpose() * p));
      write(d.B, 5 * k, A.turns(), -A.R * skew(a.cross(A.arm)));
    }
    if (!B.ground()) {
      write(d.K, B.turns(), B.turns(), -skew(B.arm) * skew(B.R.transpose() * p));
      write(d.B, 5 * k, B.turns(), B.R * skew(b.cross(B.arm)));
    }
    for (const Eigen::Index across : {1, 2}) {
      const Vector3d u = axis(k, across), on_A = C * n, on_B = C.transpose() * u;
      const Eigen::Index row = 5 * k + 2 + across;
      if (!A.ground()) {
        write(d.K, A.turns(), A.turns(), l[row] * skew(u) * skew(on_A));
        write_row(d.B, row, A.turns(), a.cross(u).cross(on_A) + u.cross(C * b.cross(n)));
      }
      if (!B.ground()) {
        write(d.K, B.turns(), B.turns(), l[row] * skew(n) * skew(on_B));
        write_row(d.B, row, B.turns(), b.cross(n).cross(on_B) + n.cross(C.transpose() * a.cross(u)));
      }
      if (A.ground() || B.ground()) continue;
      write(d.K, A.turns(), B.turns(), -l[row] * skew(u) * C * skew(n));
      write(d.K, B.turns(), A.turns(), -l[row] * skew(n) * C.transpose() * skew(u));
    }
  });
  for (Entries* block : {&d.K, &d.D, &d.B}) block->end();
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
              Vector::Constant(13 * rods + 5 * joints, not_a_number)};  // no multipliers: they are not unique
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
