// Partitioned problems with a prescribed solution: two fields x and y of two coordinates each, one interface row.
//
//   M(t,q) q'' = F(t,q,v) - F(t,q*,v*) + M(t,q) q*'' + J(t,q)'(lambda* - lambda),    0 = c(t,q) - c(t,q*)
//   M = diag( [4 + sin t + n cos(x1)/3, 1; 1, 3], [5, 2; 2, 4 + cos t] )
//   F = -C(t) q - n (sin x1 + x1' x2/3, y1/5, y1^2/2, x1' sin(y2)/4),    c = D(t) q + n (x1 y1/2 + sin y2)
//
// "coupled-linear", n = 0, is [WangHouModnak2011, (1)] with A_j, C_j, D_j = B_j' and the right-hand sides functions of
// time; "coupled-nonlinear", n = 1, is (57)-(59), where forces and rows of one field see the other one, too. q* is
// (sin t, cos t, 1/2 + sin(2t)/4, cos(t/2)), lambda* = 1 + cos t [Roache1998, chapter 3].
#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/partitioned.h"

namespace dalembert {
namespace {

using Eigen::Vector4d;

/// The prescribed motion at one time.
struct Prescribed {
  explicit Prescribed(double t)
      : q(std::sin(t), std::cos(t), .5 + std::sin(2 * t) / 4, std::cos(t / 2)),
        v(std::cos(t), -std::sin(t), std::cos(2 * t) / 2, -std::sin(t / 2) / 2),
        a(-std::sin(t), -std::cos(t), -std::sin(2 * t), -std::cos(t / 2) / 4),
        lambda(1 + std::cos(t)) {}
  Vector4d q, v, a;
  double lambda;
};

class Coupled final : public Mechanical {
 public:
  explicit Coupled(double n) : n_(n) {}
  Sizes sizes() const override { return {.q = 4, .v = 4, .holonomic = 1}; }
  Layout layout() const override {
    static const Layout layout = mechanical_layout(
        {.q = {"x1", "x2", "y1", "y2"}, .v = {"x1'", "x2'", "y1'", "y2'"}, .lambda = {"joint"}});
    return layout;
  }
  State start() const override { return *exact(0); }
  double end() const override { return 3; }
  std::optional<State> exact(double t) const override {
    const Prescribed at(t);
    State state{t, Vector(9)};
    state.y << at.q, at.v, at.lambda;
    return state;
  }

  void mass(const Placement& at, Entries& M) const override {
    M.write<8>({{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}, {2, 3}, {3, 2}, {3, 3}}},
               {first_mass(at), 1, 1, 3, 5, 2, 2, 4 + std::cos(at.t)});
  }
  void force(const Placement& at, In v, In /*s*/, Out f) const override {
    const Prescribed known(at.t);
    const Vector4d all =
        law(at.t, at.q, v) - law(at.t, known.q, known.v) + gradient(at.t, at.q) * known.lambda;
    const Vector4d& a = known.a;
    f[0] = all[0] + first_mass(at) * a[0] + a[1];
    f[1] = all[1] + a[0] + 3 * a[1];
    f[2] = all[2] + 5 * a[2] + 2 * a[3];
    f[3] = all[3] + 2 * a[2] + (4 + std::cos(at.t)) * a[3];
  }
  void g(const Placement& at, Out residual) const override {
    residual[0] = value(at.t, at.q) - value(at.t, Prescribed(at.t).q);
  }
  void jacobian(const Placement& at, Entries& J) const override {
    const Vector4d c = gradient(at.t, at.q);
    J.write<4>({{{0, 0}, {0, 1}, {0, 2}, {0, 3}}}, {c[0], c[1], c[2], c[3]});
  }
  void velocity_bias(const Placement& at, Out w) const override {
    const Prescribed known(at.t);
    w[0] = D_t(at.t).dot(at.q - known.q) - gradient(at.t, known.q).dot(known.v);
  }
  void bias(const Placement& at, In v, Out bias) const override {
    const Prescribed known(at.t);
    bias[0] = second(at.t, at.q, v) - second(at.t, known.q, known.v) - gradient(at.t, known.q).dot(known.a);
  }

 private:
  double first_mass(const Placement& at) const { return 4 + std::sin(at.t) + n_ * std::cos(at.q[0]) / 3; }
  static Vector4d D(double t) { return {1 + .3 * std::sin(t), .5, -2, .4 * std::cos(t)}; }
  static Vector4d D_t(double t) { return {.3 * std::cos(t), 0, 0, -.4 * std::sin(t)}; }
  static Vector4d D_tt(double t) { return {-.3 * std::sin(t), 0, 0, -.4 * std::cos(t)}; }

  double value(double t, const Vector4d& q) const {
    return D(t).dot(q) + n_ * (q[0] * q[2] / 2 + std::sin(q[3]));
  }
  Vector4d gradient(double t, const Vector4d& q) const {
    return D(t) + n_ * Vector4d(q[2] / 2, 0, q[0] / 2, std::cos(q[3]));
  }
  /// c'' without the gradient times q''.
  double second(double t, const Vector4d& q, const Vector4d& v) const {
    return D_tt(t).dot(q) + 2 * D_t(t).dot(v) + n_ * (v[0] * v[2] - std::sin(q[3]) * v[3] * v[3]);
  }
  Vector4d law(double t, const Vector4d& q, const Vector4d& v) const {
    const double k = 1 + std::sin(t) / 2;
    return Vector4d(2 * k * q[0] + q[1], q[0] + 2 * q[1], q[2] + 2 * q[3], 2 * k * q[3]) -
           n_ * Vector4d(std::sin(q[0]) + v[0] * q[1] / 3, q[2] / 5, q[2] * q[2] / 2,
                         v[0] * std::sin(q[3]) / 4);
  }

  double n_;
};

ProblemEntry entry(const char* name, const char* summary, double n) {
  return {name, summary, Kind::partitioned, "WangHouModnak2011", {}, [n](const Parameters&) {
            return cut_in_two(std::make_shared<const Coupled>(n), 2);
          }};
}

}  // namespace

std::vector<ProblemEntry> problems_in_coupled_exact() {
  return {
      entry("coupled-linear", "two linear fields with coefficients that depend on time, known solution", 0),
      entry("coupled-nonlinear", "two nonlinear fields and a nonlinear joint, known solution", 1)};
}

}  // namespace dalembert
