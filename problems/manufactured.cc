// Problems made for order tests: a smooth motion is prescribed, and the forces are what makes it a solution.
//
// "manufactured" exercises every term of a mechanical problem: q' = N(q) v with N != I, M(t,q) full, forces
// that depend on everything, a moving holonomic row, a moving velocity-level row and a first-order state.
// With a star for the prescribed functions of time, a* = v*' and J = [G; A],
//
//   f = M(t,q) a* + J(t,q)' (lambda*, mu*) + r(q - q*, v - v*, s - s*),  r(0,0,0) = 0
//   0 = c(t,q) - c(t,q*),   0 = A(t,q) (v - v*) + sin(q1 - q1*)/2
//
// "manufactured-ode": y' = y*' + F(y) - F(y*). The method of manufactured solutions: [Roache1998] chapter 3.
#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/mechanical.h"
#include "dalembert/problem/ode.h"

namespace dalembert {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

/// The prescribed motion at one time.
struct Prescribed {
  explicit Prescribed(double t)
      : q(.5 + .4 * std::sin(t), std::cos(t), .3 + .5 * std::sin(2 * t)),
        q_t(.4 * std::cos(t), -std::sin(t), std::cos(2 * t)),
        q_tt(-.4 * std::sin(t), -std::cos(t), -2 * std::sin(2 * t)),
        v(q_t),
        a(q_tt),
        s(1 + .5 * std::sin(1.5 * t)),
        s_t(.75 * std::cos(1.5 * t)),
        multipliers(1 + std::cos(t), .5 - std::sin(2 * t)) {
    v[2] = (2 + std::cos(q[2])) * q_t[2];
    a[2] = (2 + std::cos(q[2])) * q_tt[2] - std::sin(q[2]) * q_t[2] * q_t[2];
  }
  Vector3d q, q_t, q_tt, v, a;
  double s, s_t;
  Vector2d multipliers;
};

/// c(t,q) = q1 + q1 q2/2 + h(t) sin q3 with h = 1 + sin(t)/4, and its derivatives along a motion.
struct Surface {
  Surface(double t, const Vector3d& q)
      : sin3(std::sin(q[2])),
        cos3(std::cos(q[2])),
        h(1 + std::sin(t) / 4),
        h_t(std::cos(t) / 4),
        h_tt(-std::sin(t) / 4) {
    value = q[0] + q[0] * q[1] / 2 + h * sin3;
    c_q = Vector3d(1 + q[1] / 2, q[0] / 2, h * cos3);
    c_t = h_t * sin3;
  }
  /// The second derivative for speed u, without c_q u'.
  double second(const Vector3d& u) const {
    return h_tt * sin3 + 2 * h_t * cos3 * u[2] + u[0] * u[1] - h * sin3 * u[2] * u[2];
  }
  double sin3, cos3, h, h_t, h_tt;
  double value, c_t;
  Vector3d c_q;
};

struct ManufacturedPlacement : Placement {
  Prescribed star{0};
  Surface here{0, Vector3d::Zero()}, there{0, Vector3d::Zero()};  // at q and at q*
  double n3 = 1;                                                  // N(q) = diag(1, 1, n3)
  Vector3d A = Vector3d::Zero();
};

const ManufacturedPlacement& known(const Placement& at) {
  return static_cast<const ManufacturedPlacement&>(at);
}

Matrix3d mass_matrix(double t, In q) {
  const double m01 = .5 * std::cos(t), m02 = .2 * q[1], m12 = .3 * std::sin(q[2]);
  Matrix3d M;
  M << 3 + std::sin(q[0]), m01, m02,   //
      m01, 2 + .1 * q[1] * q[1], m12,  //
      m02, m12, 4 + std::cos(t + q[1]);
  return M;
}

class Manufactured : public Mechanical {
 public:
  Sizes sizes() const override { return {.q = 3, .v = 3, .s = 1, .holonomic = 1, .nonholonomic = 1}; }
  Layout layout() const override {
    using Words = std::vector<std::string>;
    static const Layout layout = mechanical_layout({.q = {"q1", "q2", "q3"},
                                                    .v = {"v1", "v2", "v3"},
                                                    .s = {"s"},
                                                    .lambda = {"surface"},
                                                    .mu = {"blade"},
                                                    .q_units = Words(3, ""),
                                                    .v_units = Words(3, ""),
                                                    .s_units = {""},
                                                    .lambda_units = {""},
                                                    .mu_units = {""}});
    return layout;
  }
  State start() const override { return *exact(0); }
  double end() const override { return 1; }
  std::optional<State> exact(double t) const override {
    const Prescribed star(t);
    State state{t, Vector(9)};
    state.y << star.q, star.v, star.s, star.multipliers;
    return state;
  }

  std::unique_ptr<Placement> placement() const override { return std::make_unique<ManufacturedPlacement>(); }
  void place(Placement& placement) const override {
    auto& at = static_cast<ManufacturedPlacement&>(placement);
    at.star = Prescribed(at.t);
    at.here = Surface(at.t, at.q);
    at.there = Surface(at.t, at.star.q);
    at.n3 = 1 / (2 + at.here.cos3);
    at.A = {.5 * std::sin(at.q[1]), 1.5 + .25 * at.q[0] * std::cos(at.t), .3 * at.q[2]};
  }
  void tangent(const Placement& at, In u, Out dq) const override {
    dq[0] = u[0];
    dq[1] = u[1];
    dq[2] = known(at).n3 * u[2];
  }
  bool plain() const override { return false; }
  void kinematics(const Placement& at, In v, Kinematics& k) const override {
    const double n3 = known(at).n3;  // 1/(2 + cos q3), so n3' = n3^2 sin q3
    k.N.write<3>({{{0, 0}, {1, 1}, {2, 2}}}, {1, 1, n3});
    k.inverse.write<3>({{{0, 0}, {1, 1}, {2, 2}}}, {1, 1, 1 / n3});
    k.Nv_q.write<1>({{{2, 2}}}, {n3 * n3 * std::sin(at.q[2]) * v[2]});
  }

  void mass(const Placement& at, Entries& entries) const override {
    const Matrix3d M = mass_matrix(at.t, at.q);
    entries.begin();
    for (Eigen::Index i = 0; i < 3; ++i)
      for (Eigen::Index j = 0; j < 3; ++j) entries.add(i, j, M(i, j));
    entries.end();
  }
  void force(const Placement&, In v, In s, Out f) const override;
  void auxiliary(const Placement& placement, In v, In s, Out ds) const override {
    const auto& at = known(placement);
    const auto& star = at.star;
    ds[0] = star.s_t - 1.5 * (s[0] - star.s) + (s[0] * s[0] - star.s * star.s) / 4 +
            .5 * at.q[1] * (v[0] - star.v[0]) + std::sin(at.q[2] - star.q[2]);
  }

  void g(const Placement& at, Out residual) const override {
    residual[0] = known(at).here.value - known(at).there.value;
  }
  void jacobian(const Placement&, Entries&) const override;
  void velocity_bias(const Placement&, Out w) const override;
  void bias(const Placement&, In v, Out bias) const override;
  bool conservative() const override { return false; }
};

Eigen::Matrix<double, 2, 3> rows(const ManufacturedPlacement& at) {
  Eigen::Matrix<double, 2, 3> J;
  J << at.here.c_q[0], at.here.c_q[1], at.here.c_q[2] * at.n3, at.A.transpose();
  return J;
}

void Manufactured::force(const Placement& placement, In v, In s, Out f) const {
  const auto& at = known(placement);
  const auto& star = at.star;
  const Vector3d dq = at.q - star.q, dv = v - star.v;
  f = mass_matrix(at.t, at.q) * star.a + rows(at).transpose() * star.multipliers;
  f[0] += -2 * dq[0] + .5 * v[0] * dv[1];
  f[1] += -3 * std::sin(dq[1]) - v[1] * v[1] + star.v[1] * star.v[1] + .3 * s[0] * dv[0];
  f[2] += -at.q[0] * dq[2] - .5 * dv[2] + (s[0] - star.s);
}

void Manufactured::jacobian(const Placement& at, Entries& entries) const {
  const auto J = rows(known(at));
  entries.begin();
  for (Eigen::Index i = 0; i < 2; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) entries.add(i, j, J(i, j));
  entries.end();
}

void Manufactured::velocity_bias(const Placement& placement, Out w) const {
  const auto& at = known(placement);
  const auto& star = at.star;
  w[0] = at.here.c_t - (at.there.c_t + at.there.c_q.dot(star.q_t));
  w[1] = .5 * std::sin(at.q[0] - star.q[0]) - at.A.dot(star.v);
}

void Manufactured::bias(const Placement& placement, In v, Out bias) const {
  const auto& at = known(placement);
  const auto& star = at.star;
  const Vector3d u(v[0], v[1], at.n3 * v[2]);               // q'
  const double n3_t = at.n3 * at.n3 * at.here.sin3 * u[2];  // N' along the motion
  const double star_tt = at.there.second(star.q_t) + at.there.c_q.dot(star.q_tt);
  bias[0] = at.here.second(u) + at.here.c_q[2] * n3_t * v[2] - star_tt;

  const Vector3d A_t(.5 * std::cos(at.q[1]) * u[1], .25 * (u[0] * std::cos(at.t) - at.q[0] * std::sin(at.t)),
                     .3 * u[2]);
  bias[1] = A_t.dot(Vector3d(v) - star.v) - at.A.dot(star.a) +
            .5 * std::cos(at.q[0] - star.q[0]) * (u[0] - star.q_t[0]);
}

class ManufacturedOde : public Ode {
 public:
  Layout layout() const override { return Layout().add("y", 3, Role::differential, 1); }
  State start() const override { return *exact(0); }
  double end() const override { return 1; }
  std::optional<State> exact(double t) const override { return State{t, prescribed(t)}; }
  void f(double t, In y, Out dy) const override {
    const Vector3d rate(-std::sin(t), -.5 * std::exp(-t / 2), std::cos(2 * t));
    dy = rate + F(y) - F(prescribed(t));
  }
  void f_y(double, In y, Entries& a) const override {
    a.begin();
    a.add(0, 0, -y[1]);
    a.add(0, 1, -y[0]);
    a.add(1, 0, 2 * y[0]);
    a.add(1, 2, -1);
    a.add(2, 0, std::cos(y[0]));
    a.add(2, 1, -y[2]);
    a.add(2, 2, -y[1]);
    a.end();
  }

 private:
  static Vector3d prescribed(double t) { return {std::cos(t), std::exp(-t / 2), 1 + .5 * std::sin(2 * t)}; }
  static Vector3d F(In y) { return {-y[0] * y[1], y[0] * y[0] - y[2], std::sin(y[0]) - y[1] * y[2]}; }
};

}  // namespace

std::vector<ProblemEntry> problems_in_manufactured() {
  return {{"manufactured",
           "for order tests: a prescribed motion that needs every term of a mechanical problem",
           Kind::mechanical,
           "Roache1998",
           {},
           [](const Parameters&) { return std::make_shared<const Manufactured>(); }},
          {"manufactured-ode",
           "for order tests: nonlinear, not autonomous, with a prescribed solution",
           Kind::ode,
           "Roache1998",
           {},
           [](const Parameters&) { return std::make_shared<const ManufacturedOde>(); }}};
}

}  // namespace dalembert
