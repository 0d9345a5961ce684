// A unit point mass on the unit circle, held by forces that are stiff across the circle and softer along it.
//
//   q'' = f(t,q,v) - lambda q,  0 = (|q|^2 - 1)/2
//
//   circle-linear   f = (-x/eps, -(y+1)/eps^2 - 1)                                    [YenPetzold1998] 5.1
//   circle-spring   f = -(l-l0)/(l eps^2) (q-a) - (0,1),  a = (0,-1/2),  l = |q-a|    [YenPetzold1998] 5.1
//   circle-spring-appended  the same with the stretch s = l - l0 as a third coordinate    [YenPetzold1998] section 4
//   circle-bushing  f = -(Kn n n' + Kt t t') (q-b) - c v                              [YenPetzold1998] (4.2)
//
// The forces printed for the first two push away from the equilibrium (0,-1) that the text calls stable; here
// they pull. With its stretch appended, the spring is linear in the coordinates: it pulls at s with -s/eps^2, s has no mass, and what
// is nonlinear stands in a constraint, 0 = s - (l - l0), whose multiplier -s/eps^2 hands the force on to q. In the last b = n = (cos phi, sin phi) runs along the circle with phi = sin(time) and t is the
// tangent there: stiffness and centre depend on time, not on q, as (4.2) demands. (With n taken at q the
// comparison turns round: cs then needs about 100 steps and cm several hundred.)
//
// The digits in exact() are ours: the motion has one degree of freedom, the angle on the circle, and its
// equation was solved by extrapolation in extended precision, two step sizes alike to the digits given.
#include <cmath>

#include "dalembert/core/trigonometry.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/mechanical.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

using Eigen::Vector2d;
using Stiffness = Eigen::Matrix2d;

/// What the three share: mass, constraint, and derivatives but for those of the force.
class OnCircle : public Mechanical {
 public:
  Sizes sizes() const override { return {.q = 2, .v = 2, .holonomic = 1}; }
  Layout layout() const override {
    static const Layout layout = mechanical_layout({.q = {"x", "y"},
                                                    .v = {"x'", "y'"},
                                                    .lambda = {"circle"},
                                                    .q_units = {"m", "m"},
                                                    .v_units = {"m/s", "m/s"},
                                                    .lambda_units = {"N/m"}});
    return layout;
  }
  void mass(const Placement&, Entries& M) const override {
    M.begin();
    M.add(0, 0, 1);
    M.add(1, 1, 1);
    M.end();
  }
  void g(const Placement& at, Out residual) const override { residual[0] = (at.q.squaredNorm() - 1) / 2; }
  void jacobian(const Placement& at, Entries& J) const override {
    J.begin();
    J.add(0, 0, at.q[0]);
    J.add(0, 1, at.q[1]);
    J.end();
  }
  void bias(const Placement&, In v, Out bias) const override { bias[0] = v.squaredNorm(); }

 protected:
  /// K = l I - f_q and B = v'.
  static void write(const Stiffness& minus_f_q, In v, In l, Derivatives& d) {
    d.K.begin();
    for (Eigen::Index i = 0; i < 2; ++i)
      for (Eigen::Index j = 0; j < 2; ++j) d.K.add(i, j, minus_f_q(i, j) + (i == j ? l[0] : 0));
    d.K.end();
    d.B.begin();
    d.B.add(0, 0, v[0]);
    d.B.add(0, 1, v[1]);
    d.B.end();
  }
};

const std::vector<Parameter> linear_parameters = {
    {"eps", 1e-4, "", "1/eps is the stiffness along x, 1/eps^2 that along y"}};

class CircleLinear : public OnCircle {
 public:
  explicit CircleLinear(const Parameters& p)
      : kx_(1 / p.positive("eps")), ky_(kx_ * kx_), published_(defaults(p, linear_parameters)) {}

  State start() const override { return with_multipliers(*this, 0, Eigen::Vector4d(0, -1, 1, 0)); }
  double end() const override { return .25; }
  std::optional<State> exact(double t) const override {
    if (!published_) return {};
    return digits_at(t, {{.25,
                          {-2.707268795717323e-03, -9.999963353411190e-01, -9.619510760260346e-01,
                           2.604269674891979e-03, 3.683166050739072e+02}}});
  }
  void force(const Placement& at, In /*v*/, In /*s*/, Out f) const override {
    f[0] = -kx_ * at.q[0];
    f[1] = -ky_ * (at.q[1] + 1) - 1;
  }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    const double x = at.q[0], y = at.q[1] + 1;
    return (v.squaredNorm() + kx_ * x * x + ky_ * y * y) / 2 + y;
  }
  void derivatives(const Placement&, In v, In /*s*/, In /*a*/, In l, Derivatives& d) const override {
    write(Vector2d(kx_, ky_).asDiagonal(), v, l, d);
  }

 private:
  double kx_, ky_;
  bool published_;  // the reference digits hold for these parameters
};

const std::vector<Parameter> spring_parameters = {
    {"eps", 1e-4, "s", "1/eps^2 is the stiffness of the spring"},
    {"l0", .4, "m", "length of the unloaded spring"}};

class CircleSpring : public OnCircle {
 public:
  explicit CircleSpring(const Parameters& p)
      : k_(1 / (p.positive("eps") * p["eps"])),
        l0_(p.positive("l0")),
        published_(defaults(p, spring_parameters)) {}

  /// As printed: 8e-9 off the circle.
  State start() const override { return with_multipliers(*this, 0, Eigen::Vector4d(.04471, -.999, 0, 0)); }
  double end() const override { return .05; }
  std::optional<State> exact(double t) const override {
    if (!published_) return {};
    return digits_at(t, {{.05,
                          {3.749887729801238e-03, -9.999929691462905e-01, -1.412047480499635e+02,
                           -5.295056749791726e-01, -9.980692707683703e+06}}});
  }
  void force(const Placement& at, In /*v*/, In /*s*/, Out f) const override {
    const Vector2d d = arm(at);
    const double l = d.norm(), pull = k_ * (l - l0_) / l;
    f[0] = -pull * d[0];
    f[1] = -pull * d[1] - 1;
  }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    const double stretch = arm(at).norm() - l0_;
    return (v.squaredNorm() + k_ * stretch * stretch) / 2 + at.q[1] + 1;
  }
  void derivatives(const Placement& at, In v, In /*s*/, In /*a*/, In l, Derivatives& d) const override {
    // Hessian of (|d|-l0)^2/2: (1 - l0/|d|) I + l0 d d'/|d|^3
    const Vector2d along = arm(at);
    const double length = along.norm();
    write(k_ * ((1 - l0_ / length) * Stiffness::Identity() +
                l0_ / (length * length * length) * along * along.transpose()),
          v, l, d);
  }

 private:
  static Vector2d arm(const Placement& at) { return {at.q[0], at.q[1] + .5}; }

  double k_, l0_;
  bool published_;  // the reference digits hold for these parameters
};

/// circle-spring with (x, y, s): M = diag(1, 1, 0), regular on the constraints.
class CircleSpringAppended : public Mechanical {
 public:
  explicit CircleSpringAppended(const Parameters& p)
      : k_(1 / (p.positive("eps") * p["eps"])),
        l0_(p.positive("l0")),
        published_(defaults(p, spring_parameters)) {}

  Sizes sizes() const override { return {.q = 3, .v = 3, .holonomic = 2}; }
  Layout layout() const override {
    static const Layout layout = mechanical_layout({.q = {"x", "y", "s"},
                                                    .v = {"x'", "y'", "s'"},
                                                    .lambda = {"circle", "spring"},
                                                    .q_units = {"m", "m", "m"},
                                                    .v_units = {"m/s", "m/s", "m/s"},
                                                    .lambda_units = {"N/m", "N"}});
    return layout;
  }
  /// That of circle-spring, moved onto the circle.
  State start() const override {
    const Vector2d q = Vector2d(.04471, -.999).normalized();
    Vector qv = Vector::Zero(6);
    qv.head<3>() << q[0], q[1], std::hypot(q[0], q[1] + .5) - l0_;
    return with_multipliers(*this, 0, qv);
  }
  double end() const override { return .05; }
  std::optional<State> exact(double t) const override {
    if (!published_) return {};
    // Of circle-spring, with l^2 = y + 5/4 on the circle: s = l - l0, s' = y'/(2 l).
    const double y = -9.999929691462905e-01, dy = -5.295056749791726e-01, l = std::sqrt(y + 1.25);
    return digits_at(t, {{.05,
                          {3.749887729801238e-03, y, l - l0_, -1.412047480499635e+02, dy, dy / (2 * l),
                           -9.980692707683703e+06, -k_ * (l - l0_)}}});
  }
  void mass(const Placement&, Entries& M) const override { M.write<2>({{{0, 0}, {1, 1}}}, {1, 1}); }
  void force(const Placement& at, In /*v*/, In /*s*/, Out f) const override { f << 0, -1, -k_ * at.q[2]; }
  void g(const Placement& at, Out residual) const override {
    residual << (at.q.head<2>().squaredNorm() - 1) / 2, at.q[2] - arm(at).norm() + l0_;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    const Vector2d e = arm(at).normalized();
    J.write<5>({{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}}}, {at.q[0], at.q[1], -e[0], -e[1], 1});
  }
  void bias(const Placement& at, In v, Out bias) const override {
    const Vector2d w = v.head<2>();
    bias << w.squaredNorm(), -w.dot(bending(at) * w);
  }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    return (v.head<2>().squaredNorm() + k_ * at.q[2] * at.q[2]) / 2 + at.q[1] + 1;
  }
  void derivatives(const Placement& at, In v, In /*s*/, In /*a*/, In l, Derivatives& d) const override {
    const Stiffness H = bending(at);
    const Vector2d turned = H * v.head<2>();
    d.K.write<5>({{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}}},
                 {l[0] - l[1] * H(0, 0), -l[1] * H(0, 1), -l[1] * H(1, 0), l[0] - l[1] * H(1, 1), k_});
    d.B.write<4>({{{0, 0}, {0, 1}, {1, 0}, {1, 1}}}, {v[0], v[1], -turned[0], -turned[1]});
  }

 private:
  static Vector2d arm(const Placement& at) { return {at.q[0], at.q[1] + .5}; }
  /// The Hessian of |d|: (I - d d'/|d|^2)/|d|
  static Stiffness bending(const Placement& at) {
    const Vector2d d = arm(at);
    const double l = d.norm();
    return (Stiffness::Identity() - d * d.transpose() / (l * l)) / l;
  }

  double k_, l0_;
  bool published_;  // the reference digits hold for these parameters
};

const std::vector<Parameter> bushing_parameters = {{"Kn", 1e10, "N/m", "stiffness across the circle"},
                                                   {"Kt", 1e4, "N/m", "stiffness along the circle"},
                                                   {"c", 20, "N s/m", "damping"}};

/// The moving centre b = n with the tangent there, and q - b along both.
struct Centre : Placement {
  Vector2d n, tangent;
  double rate;           // of the angle phi
  double across, along;  // n'(q-b), t'(q-b)
};

const Centre& centre(const Placement& at) {
  return static_cast<const Centre&>(at);
}

class CircleBushing : public OnCircle {
 public:
  explicit CircleBushing(const Parameters& p)
      : Kn_(p.positive("Kn")),
        Kt_(p.positive("Kt")),
        c_(p["c"]),
        published_(defaults(p, bushing_parameters)) {}

  /// With the centre, at its speed.
  State start() const override { return with_multipliers(*this, 0, Eigen::Vector4d(1, 0, 0, 1)); }
  double end() const override { return 3; }
  std::optional<State> exact(double t) const override {
    if (!published_) return {};
    return digits_at(t, {{3,
                          {9.898927706507782e-01, 1.418178501223518e-01, 1.403901106508453e-01,
                           -9.799271070901075e-01, 6.93440222350939e+03}}});
  }
  std::unique_ptr<Placement> placement() const override { return std::make_unique<Centre>(); }
  void place(Placement& placement) const override {
    auto& at = static_cast<Centre&>(placement);
    const auto [angle, rate] = sin_cos(at.t);
    const auto [sin, cos] = sin_cos(angle);
    at.n << cos, sin;
    at.tangent << -sin, cos;
    at.rate = rate;
    const Vector2d d = at.q.head<2>() - at.n;
    at.across = at.n.dot(d);
    at.along = at.tangent.dot(d);
  }
  void force(const Placement& placement, In v, In /*s*/, Out f) const override {
    const Centre& at = centre(placement);
    for (Eigen::Index i = 0; i < 2; ++i)
      f[i] = -Kn_ * at.across * at.n[i] - Kt_ * at.along * at.tangent[i] - c_ * v[i];
  }
  std::optional<double> energy(const Placement& placement, In v, In /*s*/) const override {
    const Centre& at = centre(placement);
    return (v.squaredNorm() + Kn_ * at.across * at.across + Kt_ * at.along * at.along) / 2;
  }
  /// Damping, and what the moving centre puts in: across' = phi' along, along' = -phi' (across + 1) at fixed q.
  double power(const Placement& placement, In v, In /*s*/) const override {
    const Centre& at = centre(placement);
    return at.rate * at.along * (Kn_ * at.across - Kt_ * (at.across + 1)) - c_ * v.squaredNorm();
  }
  bool conservative() const override { return false; }
  void derivatives(const Placement& placement, In v, In /*s*/, In /*a*/, In l,
                   Derivatives& d) const override {
    const Centre& at = centre(placement);
    write(Kn_ * at.n * at.n.transpose() + Kt_ * at.tangent * at.tangent.transpose(), v, l, d);
    d.D.begin();
    d.D.add(0, 0, c_);
    d.D.add(1, 1, c_);
    d.D.end();
  }

 private:
  double Kn_, Kt_, c_;
  bool published_;  // the reference digits hold for these parameters
};

}  // namespace

std::vector<ProblemEntry> problems_in_circle() {
  return {{"circle-linear", "point mass on the circle under a linear force, stiffer across than along",
           Kind::mechanical, "YenPetzold1998", linear_parameters,
           [](const Parameters& p) { return std::make_shared<const CircleLinear>(p); }},
          {"circle-spring", "point mass on the circle, drawn to a point inside by a stiff spring",
           Kind::mechanical, "YenPetzold1998", spring_parameters,
           [](const Parameters& p) { return std::make_shared<const CircleSpring>(p); }},
          {"circle-spring-appended", "the same with the stretch of the spring as a coordinate without mass",
           Kind::mechanical, "YenPetzold1998", spring_parameters,
           [](const Parameters& p) { return std::make_shared<const CircleSpringAppended>(p); }},
          {"circle-bushing", "point mass on the circle in a bushing that runs along it, very stiff across",
           Kind::mechanical, "YenPetzold1998", bushing_parameters,
           [](const Parameters& p) { return std::make_shared<const CircleBushing>(p); }}};
}

}  // namespace dalembert
