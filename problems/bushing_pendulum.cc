// A body held at a fixed distance from a grounded one, with a stiff bushing between the two.
//
//   M v' = f - G'lambda,  q = (x1, y1, theta1, x2, y2, theta2)
//   0 = x1,  0 = y1,  0 = theta1,  0 = (x1-x2)^2 + (y1-y2)^2 - 1,  0 = theta2      [YenPetzold1998] (5.1)
//
// The bushing sits at s1 = (1/2,0) of body 1 and s2 = (-1/2,0) of body 2. With e = R1'(r2 + R2 s2 - r1) - s1,
// the displacement seen from body 1, and theta = theta2 - theta1 it has the potential and the dissipation
//
//   U = (kx e_x^2 + ky e_y^2 + ktheta theta^2)/(2 eps),  W = (cx e_x'^2 + cy e_y'^2 + ctheta theta'^2)/2,
//
// so that the stiffness seen from the ground is ky/eps I + (kx-ky)/eps (c^2, cs; cs, s^2) with c, s of theta1:
// differs from [YenPetzold1998], where the second part misses its 1/eps. Masses, gravity and the end are not
// printed there. The start is printed with five digits and misses the distance by 5.9e-7.
//
// The digits in exact() are ours: only the angle of body 2 about body 1 is free, and its equation was solved
// by extrapolation in extended precision.
#include <cmath>

#include "dalembert/core/trigonometry.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/mechanical.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

using Eigen::Vector2d;
using Rows = Eigen::Matrix<double, 2, 6>;
using Square = Eigen::Matrix<double, 6, 6>;

const std::vector<Parameter> parameters = {{"eps", 1e-3, "", "divides the stiffnesses"},
                                           {"kx", 1, "N/m", "stiffness, times eps"},
                                           {"ky", 1, "N/m", "stiffness, times eps"},
                                           {"ktheta", 1, "N m", "stiffness, times eps"},
                                           {"cx", 10, "N s/m", "damping"},
                                           {"cy", 10, "N s/m", "damping"},
                                           {"ctheta", 10, "N m s", "damping"},
                                           {"m", 1, "kg", "mass of each body"},
                                           {"J", 1, "kg m^2", "inertia of each body"},
                                           {"g", 0, "m/s^2", "gravity"}};

enum Coordinate { x1, y1, theta1, x2, y2, theta2 };

/// The quarter turn.
Vector2d turned(const Vector2d& u) {
  return {-u[1], u[0]};
}

struct Bushing : Placement {
  Eigen::Matrix2d R;      // R1'
  Vector2d e, arm, foot;  // displacement; R1'(r2 + R2 s2 - r1) and R1' R2 s2
  Rows E;                 // e_q
};

const Bushing& bushing(const Placement& at) {
  return static_cast<const Bushing&>(at);
}

class BushingPendulum : public Mechanical {
 public:
  explicit BushingPendulum(const Parameters& p)
      : k_(Vector2d(p["kx"], p["ky"]) / p.positive("eps")),
        c_(p["cx"], p["cy"]),
        k_theta_(p["ktheta"] / p["eps"]),
        c_theta_(p["ctheta"]),
        m_(p.positive("m")),
        J_(p.positive("J")),
        g_(p["g"]),
        published_(defaults(p, parameters)) {}

  Sizes sizes() const override { return {.q = 6, .v = 6, .holonomic = 5}; }
  Layout layout() const override {
    static const Layout layout =
        mechanical_layout({.q = {"x1", "y1", "theta1", "x2", "y2", "theta2"},
                           .v = {"x1'", "y1'", "theta1'", "x2'", "y2'", "theta2'"},
                           .lambda = {"ground-x", "ground-y", "ground-theta", "distance", "orientation"},
                           .q_units = {"m", "m", "rad", "m", "m", "rad"},
                           .v_units = {"m/s", "m/s", "rad/s", "m/s", "m/s", "rad/s"},
                           .lambda_units = {"N", "N", "N m", "N/m", "N m"}});
    return layout;
  }
  State start() const override {
    Vector y(12);
    y << 0, 0, 0, 9.9989e-1, -1.4852e-2, 0, 0, 0, 0, -6.75e-5, -4.5444e-3, 0;
    return with_multipliers(*this, 0, y);
  }
  double end() const override { return 1; }
  std::optional<State> exact(double t) const override {
    if (!published_) return {};
    return digits_at(
        t, {{1,
             {0, 0, 0, 9.999999954849013e-01, -9.502735097483519e-05, 0, 0, 0, 0, -6.075966126342998e-08,
              -6.393912948829256e-04, 0, -9.228972816110877e-06, -1.014212635334558e-01,
              -5.071063199070137e-02, -2.053138747588256e-06, -5.071063196183222e-02}}});
  }

  std::unique_ptr<Placement> placement() const override { return std::make_unique<Bushing>(); }
  void place(Placement&) const override;
  void mass(const Placement&, Entries& M) const override {
    M.begin();
    for (Eigen::Index i = 0; i < 6; ++i) M.add(i, i, i == theta1 || i == theta2 ? J_ : m_);
    M.end();
  }
  void force(const Placement&, In v, In s, Out f) const override;
  void g(const Placement&, Out residual) const override;
  void jacobian(const Placement&, Entries&) const override;
  void bias(const Placement&, In v, Out bias) const override;
  std::optional<double> energy(const Placement&, In v, In s) const override;
  double power(const Placement&, In v, In s) const override;
  bool conservative() const override { return false; }  // damping
  void derivatives(const Placement&, In v, In s, In a, In l, Derivatives&) const override;

 private:
  /// What the bushing bears: (K e + C e', ktheta theta + ctheta theta').
  Vector2d tension(const Bushing& at, In v) const {
    return k_.cwiseProduct(at.e) + c_.cwiseProduct(at.E * v.head<6>());
  }
  double torque(const Bushing& at, In v) const {
    return k_theta_ * (at.q[theta2] - at.q[theta1]) + c_theta_ * (v[theta2] - v[theta1]);
  }

  Vector2d k_, c_;
  double k_theta_, c_theta_, m_, J_, g_;
  bool published_;  // the reference digits hold for these parameters
};

void BushingPendulum::place(Placement& placement) const {
  auto& at = static_cast<Bushing&>(placement);
  const auto [sin, cos] = sin_cos(at.q[theta1]);
  const auto [sin2, cos2] = sin_cos(at.q[theta2]);
  at.R << cos, sin, -sin, cos;
  const Vector2d r(at.q[x2] - at.q[x1], at.q[y2] - at.q[y1]);
  at.foot = at.R * Vector2d(-.5 * cos2, -.5 * sin2);
  at.arm = at.R * r + at.foot;
  at.e = at.arm - Vector2d(.5, 0);
  at.E << -at.R, -turned(at.arm), at.R, turned(at.foot);
}

void BushingPendulum::force(const Placement& placement, In v, In /*s*/, Out f) const {
  const Bushing& at = bushing(placement);
  const Vector2d F = tension(at, v);
  const double T = torque(at, v);
  for (Eigen::Index i = 0; i < 6; ++i) f[i] = -at.E.col(i).dot(F);
  f[theta1] += T;
  f[theta2] -= T;
  f[y1] -= m_ * g_;
  f[y2] -= m_ * g_;
}

void BushingPendulum::g(const Placement& at, Out residual) const {
  const double dx = at.q[x1] - at.q[x2], dy = at.q[y1] - at.q[y2];
  residual[0] = at.q[x1];
  residual[1] = at.q[y1];
  residual[2] = at.q[theta1];
  residual[3] = dx * dx + dy * dy - 1;
  residual[4] = at.q[theta2];
}

void BushingPendulum::jacobian(const Placement& at, Entries& J) const {
  const double dx = at.q[x1] - at.q[x2], dy = at.q[y1] - at.q[y2];
  J.begin();
  J.add(0, x1, 1);
  J.add(1, y1, 1);
  J.add(2, theta1, 1);
  J.add(3, x1, 2 * dx);
  J.add(3, y1, 2 * dy);
  J.add(3, x2, -2 * dx);
  J.add(3, y2, -2 * dy);
  J.add(4, theta2, 1);
  J.end();
}

void BushingPendulum::bias(const Placement&, In v, Out bias) const {
  const double dx = v[x1] - v[x2], dy = v[y1] - v[y2];
  bias.setZero();
  bias[3] = 2 * (dx * dx + dy * dy);
}

std::optional<double> BushingPendulum::energy(const Placement& placement, In v, In /*s*/) const {
  const Bushing& at = bushing(placement);
  const double theta = at.q[theta2] - at.q[theta1];
  double twice = k_theta_ * theta * theta;
  for (Eigen::Index i = 0; i < 2; ++i) twice += k_[i] * at.e[i] * at.e[i];
  for (Eigen::Index i = 0; i < 6; ++i) twice += (i == theta1 || i == theta2 ? J_ : m_) * v[i] * v[i];
  return twice / 2 + m_ * g_ * (at.q[y1] + at.q[y2]);
}

double BushingPendulum::power(const Placement& placement, In v, In /*s*/) const {
  const Vector2d rate = bushing(placement).E * v.head<6>();
  const double turn = v[theta2] - v[theta1];
  return -c_.dot(rate.cwiseAbs2()) - c_theta_ * turn * turn;
}

void BushingPendulum::derivatives(const Placement& placement, In v, In /*s*/, In /*a*/, In l,
                                  Derivatives& d) const {
  const Bushing& at = bushing(placement);
  // d(E v)/dq, from e_(r2,theta1) = -e_(r1,theta1) = -turned R1', e_(theta1,theta1) = -arm,
  // e_(theta1,theta2) = foot, e_(theta2,theta2) = -foot.
  const Vector2d slip = at.R * Vector2d(v[x2] - v[x1], v[y2] - v[y1]);
  Rows Ev_q;
  for (Eigen::Index i = 0; i < 2; ++i) {
    Ev_q.col(x2 + i) = -v[theta1] * turned(at.R.col(i));
    Ev_q.col(x1 + i) = -Ev_q.col(x2 + i);
  }
  Ev_q.col(theta1) = -turned(slip) - v[theta1] * at.arm + v[theta2] * at.foot;
  Ev_q.col(theta2) = (v[theta1] - v[theta2]) * at.foot;

  // K = E'(diag(k) E + diag(c) (E v)_q) + F'e_qq, and 2 l_3 between the centres.
  const Rows F_q = k_.asDiagonal() * at.E + c_.asDiagonal() * Ev_q;
  Square K = at.E.transpose() * F_q;
  const Vector2d F = tension(at, v);
  for (Eigen::Index i = 0; i < 2; ++i) {
    const double mixed = -F.dot(turned(at.R.col(i)));
    K(x2 + i, theta1) += mixed, K(theta1, x2 + i) += mixed;
    K(x1 + i, theta1) -= mixed, K(theta1, x1 + i) -= mixed;
    K(x1 + i, x1 + i) += 2 * l[3], K(x2 + i, x2 + i) += 2 * l[3];
    K(x1 + i, x2 + i) -= 2 * l[3], K(x2 + i, x1 + i) -= 2 * l[3];
  }
  const double pull = F.dot(at.foot);
  K(theta1, theta1) += k_theta_ - F.dot(at.arm);
  K(theta2, theta2) += k_theta_ - pull;
  K(theta1, theta2) += pull - k_theta_;
  K(theta2, theta1) += pull - k_theta_;

  Square D = at.E.transpose() * c_.asDiagonal() * at.E;
  D(theta1, theta1) += c_theta_, D(theta2, theta2) += c_theta_;
  D(theta1, theta2) -= c_theta_, D(theta2, theta1) -= c_theta_;
  d.K.begin();
  d.D.begin();
  for (Eigen::Index i = 0; i < 6; ++i)
    for (Eigen::Index j = 0; j < 6; ++j) d.K.add(i, j, K(i, j)), d.D.add(i, j, D(i, j));
  d.K.end();
  d.D.end();

  const double dx = v[x1] - v[x2], dy = v[y1] - v[y2];
  d.B.begin();
  d.B.add(3, x1, 2 * dx);
  d.B.add(3, y1, 2 * dy);
  d.B.add(3, x2, -2 * dx);
  d.B.add(3, y2, -2 * dy);
  d.B.end();
}

}  // namespace

std::vector<ProblemEntry> problems_in_bushing_pendulum() {
  return {{"bushing-pendulum", "two bodies at a fixed distance with a stiff bushing between them",
           Kind::mechanical, "YenPetzold1998", parameters,
           [](const Parameters& p) { return std::make_shared<const BushingPendulum>(p); }}};
}

}  // namespace dalembert
