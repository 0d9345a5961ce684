// A damped pendulum turned to and fro by a torque, chaotic for the data of [BakerGollub1990], in two forms of the same motion.
//
//   theta'' + c theta' + g sin theta = A cos(w t)                                                     driven-pendulum-angle
//
//   x'' = -c x' - y T - lambda x,  y'' = -g - c y' + x T - lambda y,  T = A cos(w t),  0 = (x^2 + y^2 - 1)/2   driven-pendulum
//
// Mass and length are 1. Lyapunov exponents of both forms are the same, and sum up to -c.
#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/drawable.h"
#include "dalembert/problem/mechanical.h"
#include "dalembert/problem/ode.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

struct Data {
  explicit Data(const Parameters& p) : c(p["c"]), g(p["g"]), A(p["A"]), w(p["w"]), phi(p["phi"]) {}
  double torque(double t) const { return A * std::cos(w * t); }
  double c, g, A, w, phi;
};

class Cartesian final : public Mechanical, public Drawable {
 public:
  explicit Cartesian(const Parameters& p) : d_(p) {}
  Sizes sizes() const override { return {.q = 2, .v = 2, .holonomic = 1}; }
  Layout layout() const override {
    static const Layout layout = mechanical_layout({.q = {"x", "y"}, .v = {"x'", "y'"}, .lambda = {"bar"}});
    return layout;
  }
  State start() const override {
    return with_multipliers(*this, 0, Vector{{std::sin(d_.phi), -std::cos(d_.phi), 0, 0}});
  }
  double end() const override { return 20; }
  void mass(const Placement&, Entries& M) const override { M.write<2>({{{0, 0}, {1, 1}}}, {1, 1}); }
  void force(const Placement& at, In v, In /*s*/, Out f) const override {
    const double T = d_.torque(at.t);
    f[0] = -d_.c * v[0] - at.q[1] * T;
    f[1] = -d_.g - d_.c * v[1] + at.q[0] * T;
  }
  void g(const Placement& at, Out residual) const override { residual[0] = (at.q.squaredNorm() - 1) / 2; }
  void jacobian(const Placement& at, Entries& J) const override {
    J.write<2>({{{0, 0}, {0, 1}}}, {at.q[0], at.q[1]});
  }
  void bias(const Placement&, In v, Out bias) const override { bias[0] = v.squaredNorm(); }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    return v.squaredNorm() / 2 + d_.g * at.q[1];
  }
  double power(const Placement& at, In v, In /*s*/) const override {
    return -d_.c * v.squaredNorm() + d_.torque(at.t) * (at.q[0] * v[1] - at.q[1] * v[0]);
  }
  bool conservative() const override { return d_.c == 0 && d_.A == 0; }
  void derivatives(const Placement& at, In v, In /*s*/, In /*a*/, In l, Derivatives& d) const override {
    const double T = d_.torque(at.t);
    d.K.write<4>({{{0, 0}, {0, 1}, {1, 0}, {1, 1}}}, {l[0], T, -T, l[0]});
    d.D.write<2>({{{0, 0}, {1, 1}}}, {d_.c, d_.c});
    d.B.write<2>({{{0, 0}, {0, 1}}}, {v[0], v[1]});
  }
  Sketch sketch() const override {
    return {.points = {"O", "bob"},
            .parts = {{Sketch::Kind::support, "ground", {0}},
                      {Sketch::Kind::link, "bar", {0, 1}},
                      {Sketch::Kind::ball, "mass", {1}}}};
  }
  Eigen::Matrix3Xd sketch_points(const State& state) const override {
    return in_plane({{0, 0}, state.y.head<2>()});
  }

 private:
  Data d_;
};

class Angle final : public Ode {
 public:
  explicit Angle(const Parameters& p) : d_(p) {}
  Layout layout() const override {
    return Layout().add("y", 2, Role::differential, 1, {"theta", "theta'"}, {"rad", "rad/s"});
  }
  State start() const override { return {0, Eigen::Vector2d(d_.phi, 0)}; }
  double end() const override { return 20; }
  void f(double t, In y, Out dy) const override {
    dy[0] = y[1];
    dy[1] = -d_.c * y[1] - d_.g * std::sin(y[0]) + d_.torque(t);
  }
  void f_y(double, In y, Entries& a) const override {
    a.write<3>({{{0, 1}, {1, 0}, {1, 1}}}, {1, -d_.g * std::cos(y[0]), -d_.c});
  }

 private:
  Data d_;
};

const std::vector<Parameter> parameters = {{"c", .5, "1/s", "damping"},
                                           {"g", 1, "1/s^2", "gravity over length"},
                                           {"A", 1.5, "1/s^2", "amplitude of the torque"},
                                           {"w", 2. / 3, "rad/s", "its frequency"},
                                           {"phi", .2, "rad", "angle from the lowest point at the start"}};

}  // namespace

std::vector<ProblemEntry> problems_in_driven_pendulum() {
  return {
      {"driven-pendulum", "damped pendulum under a periodic torque, in Cartesian coordinates",
       Kind::mechanical, "BakerGollub1990", parameters,
       [](const Parameters& p) { return std::make_shared<const Cartesian>(p); }},
      {"driven-pendulum-angle", "damped pendulum under a periodic torque, in its angle", Kind::ode,
       "BakerGollub1990", parameters, [](const Parameters& p) { return std::make_shared<const Angle>(p); }}};
}

}  // namespace dalembert
