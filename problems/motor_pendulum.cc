// A direct-current motor swings a pendulum through a gear: current and motion in one system.
//
//   m x'' = -lambda1,  m y'' = -m g - lambda2,  n^2 J phi'' = n k i - c phi' + l (lambda1 cos phi + lambda2 sin phi)
//   L i' = V sin(2 pi w t) - R i - n k phi'
//   0 = x - l sin phi,  0 = y + l cos phi
//
// x, y = the bob, phi = the shaft behind the gear, n phi = the angle of the rotor, k = torque per current and voltage
// per speed [Krause1986]. The energy counts motion, height and the field of the winding; the source puts in V i, resistance and
// bearing take out R i^2 and c phi'^2. The digits in exact() come from the same motor in the one coordinate phi,
//
//   (m l^2 + n^2 J) phi'' = n k i - c phi' - m g l sin phi,
//
// by extrapolation in extended precision, orders 14 and 18 alike to 1e-16, with the multipliers from x'' and y''.
#include <cmath>
#include <numbers>

#include "dalembert/core/trigonometry.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/mechanical.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

const std::vector<Parameter> parameters = {{"m", 1, "kg", "mass of the bob"},
                                           {"l", .5, "m", "length of the rod"},
                                           {"g", 9.81, "m/s^2", "gravity"},
                                           {"J", 1e-4, "kg m^2", "inertia of the rotor"},
                                           {"n", 20, "", "gear ratio"},
                                           {"c", .05, "N m s", "friction of the bearing"},
                                           {"k", .05, "N m/A", "torque constant of the motor"},
                                           {"R", 1, "Ohm", "resistance of the winding"},
                                           {"L", 5e-3, "H", "inductance of the winding"},
                                           {"V", 12, "V", "amplitude of the voltage"},
                                           {"w", .8, "Hz", "frequency of the voltage"},
                                           {"phi", .3, "rad", "angle at the start"}};

enum Coordinate { x, y, phi };

struct MotorPlacement : Placement {
  SinCos angle;  // of phi
};

const SinCos& angle(const Placement& at) {
  return static_cast<const MotorPlacement&>(at).angle;
}

class MotorPendulum : public Mechanical {
 public:
  explicit MotorPendulum(const Parameters& p)
      : m_(p.positive("m")),
        l_(p.positive("l")),
        g_(p["g"]),
        inertia_(p.positive("J") * p.positive("n") * p["n"]),
        c_(p["c"]),
        nk_(p["n"] * p["k"]),
        R_(p["R"]),
        L_(p.positive("L")),
        V_(p["V"]),
        w_(2 * std::numbers::pi * p["w"]),
        phi0_(p["phi"]),
        published_(defaults(p, parameters)) {}

  Sizes sizes() const override { return {.q = 3, .v = 3, .s = 1, .holonomic = 2}; }
  Layout layout() const override {
    static const Layout layout = mechanical_layout({.q = {"x", "y", "phi"},
                                                    .v = {"x'", "y'", "phi'"},
                                                    .s = {"i"},
                                                    .lambda = {"rod x", "rod y"},
                                                    .q_units = {"m", "m", "rad"},
                                                    .v_units = {"m/s", "m/s", "rad/s"},
                                                    .s_units = {"A"},
                                                    .lambda_units = {"N", "N"}});
    return layout;
  }
  State start() const override {
    Vector qvs = Vector::Zero(7);
    const auto [sin, cos] = sin_cos(phi0_);
    qvs.head(3) << l_ * sin, -l_ * cos, phi0_;
    return with_multipliers(*this, 0, qvs);
  }
  double end() const override { return 5; }
  std::optional<State> exact(double t) const override {
    if (!published_) return {};
    return digits_at(t, {{5,
                          {-4.93569592402099415e-01, -7.99315798419213490e-02, -1.41024429852198915e+00,
                           -4.37235748300146607e-01, 2.69988745998671440e+00, -5.47012518912871005e+00,
                           5.34663920350876350e+00, -1.76523404617855222e+01, 5.60432176016214454e+00}}});
  }

  std::unique_ptr<Placement> placement() const override { return std::make_unique<MotorPlacement>(); }
  void place(Placement& at) const override { static_cast<MotorPlacement&>(at).angle = sin_cos(at.q[phi]); }
  void mass(const Placement&, Entries& M) const override {
    M.begin();
    M.add(x, x, m_);
    M.add(y, y, m_);
    M.add(phi, phi, inertia_);
    M.end();
  }
  void force(const Placement&, In v, In s, Out f) const override {
    f[x] = 0;
    f[y] = -m_ * g_;
    f[phi] = nk_ * s[0] - c_ * v[phi];
  }
  void auxiliary(const Placement& at, In v, In s, Out ds) const override {
    ds[0] = (voltage(at.t) - R_ * s[0] - nk_ * v[phi]) / L_;
  }
  void g(const Placement& at, Out residual) const override {
    residual[0] = at.q[x] - l_ * angle(at).sin;
    residual[1] = at.q[y] + l_ * angle(at).cos;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    J.begin();
    J.add(0, x, 1);
    J.add(0, phi, -l_ * angle(at).cos);
    J.add(1, y, 1);
    J.add(1, phi, -l_ * angle(at).sin);
    J.end();
  }
  void bias(const Placement& at, In v, Out bias) const override {
    bias[0] = l_ * angle(at).sin * v[phi] * v[phi];
    bias[1] = -l_ * angle(at).cos * v[phi] * v[phi];
  }
  std::optional<double> energy(const Placement& at, In v, In s) const override {
    return (m_ * v.head(2).squaredNorm() + inertia_ * v[phi] * v[phi] + L_ * s[0] * s[0]) / 2 +
           m_ * g_ * at.q[y];
  }
  double power(const Placement& at, In v, In s) const override {
    return voltage(at.t) * s[0] - R_ * s[0] * s[0] - c_ * v[phi] * v[phi];
  }
  bool conservative() const override { return false; }

 private:
  double voltage(double t) const { return V_ * std::sin(w_ * t); }

  double m_, l_, g_, inertia_, c_, nk_, R_, L_, V_, w_, phi0_;
  bool published_;  // the reference digits hold for these parameters
};

}  // namespace

std::vector<ProblemEntry> problems_in_motor_pendulum() {
  return {{"motor-pendulum", "an electric motor with its current swings a pendulum through a gear",
           Kind::mechanical, "Krause1986", parameters,
           [](const Parameters& p) { return std::make_shared<const MotorPendulum>(p); }}};
}

}  // namespace dalembert
