// A hydraulic cylinder moves a slider-crank: two chamber pressures and five coordinates under four constraints.
//
//   J phi'' = -c phi' - r (lambda1 sin phi - lambda2 cos phi)
//   m x'' = lambda3 - lambda1,  m y'' = -m g - lambda2 - lambda4
//   m l^2/12 theta'' = -l/2 ((lambda1 + lambda3) sin theta - (lambda2 - lambda4) cos theta)
//   ms xs'' = AA pA - AB pB - lambda3
//   pA' = B/(V0 + AA (xs - l + r)) (QA - AA xs'),  pB' = B/(V0 + AB (l + r - xs)) (QB + AB xs')
//   0 = x - l/2 cos theta - r cos phi,  0 = y - l/2 sin theta - r sin phi
//   0 = xs - x - l/2 cos theta,         0 = y + l/2 sin theta
//
// phi = crank, x, y, theta = centre and angle of the rod, xs = slider with the piston. The valve opens each chamber to
// the supply ps and to the tank pt [Merritt1967, ch. 5],
//
//   QA = K (a Q(ps-pA) - b Q(pA-pt)),  QB = K (b Q(ps-pB) - a Q(pB-pt)),  Q(d) = d/(d^2 + soft^2)^(1/4),
//
// Q being the square root of an orifice, made laminar below `soft`; an underlapped spool at u = u0 sin(2 pi w t) leaves
// the openings a, b = (sqrt(u^2 + e^2) +- u)/2. Pressures are in MPa. The digits in exact() come from the same
// mechanism in the one coordinate phi (kinetic energy from the derivatives of the coordinates by phi), by extrapolation
// in extended precision, orders 14 and 18 alike to 1e-16; multipliers from Newton's law of slider and rod, checked by
// that of the crank.
#include <cmath>
#include <numbers>

#include "dalembert/core/error.h"
#include "dalembert/core/trigonometry.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/mechanical.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

const std::vector<Parameter> parameters = {{"r", .1, "m", "length of the crank"},
                                           {"l", .3, "m", "length of the rod"},
                                           {"J", .05, "kg m^2", "inertia of the crank"},
                                           {"m", 2, "kg", "mass of the rod"},
                                           {"ms", 10, "kg", "mass of slider and piston"},
                                           {"g", 9.81, "m/s^2", "gravity"},
                                           {"c", 60, "N m s", "friction of the crank"},
                                           {"AA", 2e-3, "m^2", "area of the piston"},
                                           {"AB", 1.2e-3, "m^2", "area on the side of the piston rod"},
                                           {"V0", 2e-4, "m^3", "dead volume of each chamber"},
                                           {"B", 1500, "MPa", "bulk modulus of the oil"},
                                           {"K", 4e-4, "m^3/s/MPa^.5", "flow of the open valve"},
                                           {"ps", 10, "MPa", "pressure of the supply"},
                                           {"pt", .1, "MPa", "pressure of the tank"},
                                           {"soft", .1, "MPa", "where the flow becomes turbulent"},
                                           {"e", .05, "", "underlap of the spool"},
                                           {"u0", .5, "", "amplitude of the spool"},
                                           {"w", 1, "Hz", "frequency of the spool"}};

constexpr double newton = 1e6;  // MPa m^2

enum Coordinate { phi, x, y, theta, xs };

struct CrankPlacement : Placement {
  SinCos crank, rod;
};

const CrankPlacement& known(const Placement& at) {
  return static_cast<const CrankPlacement&>(at);
}

class HydraulicSliderCrank : public Mechanical {
 public:
  explicit HydraulicSliderCrank(const Parameters& p)
      : r_(p.positive("r")),
        l_(p.positive("l")),
        J_(p.positive("J")),
        m_(p.positive("m")),
        ms_(p.positive("ms")),
        g_(p["g"]),
        c_(p["c"]),
        AA_(p.positive("AA")),
        AB_(p.positive("AB")),
        V0_(p.positive("V0")),
        B_(p.positive("B")),
        K_(p["K"]),
        ps_(p["ps"]),
        pt_(p["pt"]),
        soft_(p.positive("soft")),
        e_(p.positive("e")),
        u0_(p["u0"]),
        w_(2 * std::numbers::pi * p["w"]),
        published_(defaults(p, parameters)) {
    if (!(r_ < l_)) throw Error("the crank is as long as the rod", "set r below l");
  }

  Sizes sizes() const override { return {.q = 5, .v = 5, .s = 2, .holonomic = 4}; }
  Layout layout() const override {
    static const Layout layout =
        mechanical_layout({.q = {"phi", "x", "y", "theta", "xs"},
                           .v = {"phi'", "x'", "y'", "theta'", "xs'"},
                           .s = {"pA", "pB"},
                           .lambda = {"crank pin x", "crank pin y", "slider pin x", "slider pin y"},
                           .q_units = {"rad", "m", "m", "rad", "m"},
                           .v_units = {"rad/s", "m/s", "m/s", "rad/s", "m/s"},
                           .s_units = {"MPa", "MPa"},
                           .lambda_units = {"N", "N", "N", "N"}});
    return layout;
  }
  /// The crank is upright, and the pressures hold each other in balance.
  State start() const override {
    Vector qvs = Vector::Zero(12);
    const double angle = -std::asin(r_ / l_), half = l_ / 2 * std::cos(angle);
    qvs.head(5) << std::numbers::pi / 2, half, r_ / 2, angle, 2 * half;
    qvs.tail(2) << 3, 3 * AA_ / AB_;
    return with_multipliers(*this, 0, qvs);
  }
  double end() const override { return .8; }
  std::optional<State> exact(double t) const override {
    if (!published_) return {};
    return digits_at(t, {{.8,
                          {1.14189359152798704e+00, 1.84529180727881500e-01, 4.54711310010062244e-02,
                           -3.07986896271580146e-01, 3.27471043894307768e-01, 1.91431366818895945e+00,
                           -1.86754540614341308e-01, 3.98055852156042483e-02, -2.78473949715199025e-01,
                           -1.99417066062208743e-01, 4.49249580677607094e+00, 8.40411240756359395e+00,
                           -1.10434098263437199e+03, 3.41741868797978803e+02, -1.10372353210575867e+03,
                           -3.60849422710802933e+02}}});
  }

  std::unique_ptr<Placement> placement() const override { return std::make_unique<CrankPlacement>(); }
  void place(Placement& placement) const override {
    auto& at = static_cast<CrankPlacement&>(placement);
    at.crank = sin_cos(at.q[phi]);
    at.rod = sin_cos(at.q[theta]);
  }
  void mass(const Placement&, Entries& M) const override {
    M.write<5>({{{phi, phi}, {x, x}, {y, y}, {theta, theta}, {xs, xs}}},
               {J_, m_, m_, m_ * l_ * l_ / 12, ms_});
  }
  void force(const Placement&, In v, In s, Out f) const override {
    f.setZero();
    f[phi] = -c_ * v[phi];
    f[y] = -m_ * g_;
    f[xs] = push(s);
  }
  void auxiliary(const Placement&, In v, In s, Out ds) const override;
  void g(const Placement&, Out residual) const override;
  void jacobian(const Placement&, Entries&) const override;
  void bias(const Placement&, In v, Out bias) const override;
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    return (J_ * v[phi] * v[phi] + m_ * (v[x] * v[x] + v[y] * v[y]) +
            m_ * l_ * l_ / 12 * v[theta] * v[theta] + ms_ * v[xs] * v[xs]) /
               2 +
           m_ * g_ * at.q[y];
  }
  double power(const Placement&, In v, In s) const override { return push(s) * v[xs] - c_ * v[phi] * v[phi]; }
  bool conservative() const override { return false; }

 private:
  /// The force of both pressures on the piston.
  double push(In s) const { return newton * (AA_ * s[0] - AB_ * s[1]); }
  double orifice(double d) const { return d / std::sqrt(std::sqrt(d * d + soft_ * soft_)); }

  double r_, l_, J_, m_, ms_, g_, c_, AA_, AB_, V0_, B_, K_, ps_, pt_, soft_, e_, u0_, w_;
  bool published_;  // the reference digits hold for these parameters
};

void HydraulicSliderCrank::auxiliary(const Placement& at, In v, In s, Out ds) const {
  const double u = u0_ * std::sin(w_ * at.t), root = std::hypot(u, e_), a = (root + u) / 2,
               b = (root - u) / 2;
  const double QA = K_ * (a * orifice(ps_ - s[0]) - b * orifice(s[0] - pt_)),
               QB = K_ * (b * orifice(ps_ - s[1]) - a * orifice(s[1] - pt_));
  ds[0] = B_ / (V0_ + AA_ * (at.q[xs] - l_ + r_)) * (QA - AA_ * v[xs]);
  ds[1] = B_ / (V0_ + AB_ * (l_ + r_ - at.q[xs])) * (QB + AB_ * v[xs]);
}

void HydraulicSliderCrank::g(const Placement& placement, Out residual) const {
  const auto& at = known(placement);
  const double dx = l_ / 2 * at.rod.cos, dy = l_ / 2 * at.rod.sin;
  residual[0] = at.q[x] - dx - r_ * at.crank.cos;
  residual[1] = at.q[y] - dy - r_ * at.crank.sin;
  residual[2] = at.q[xs] - at.q[x] - dx;
  residual[3] = at.q[y] + dy;
}

void HydraulicSliderCrank::jacobian(const Placement& placement, Entries& J) const {
  const auto& at = known(placement);
  const double dx = l_ / 2 * at.rod.cos, dy = l_ / 2 * at.rod.sin;
  J.write<11>({{{0, phi},
                {0, x},
                {0, theta},
                {1, phi},
                {1, y},
                {1, theta},
                {2, x},
                {2, theta},
                {2, xs},
                {3, y},
                {3, theta}}},
              {r_ * at.crank.sin, 1, dy, -r_ * at.crank.cos, 1, -dx, -1, dy, 1, 1, dx});
}

void HydraulicSliderCrank::bias(const Placement& placement, In v, Out bias) const {
  const auto& at = known(placement);
  const double rod = l_ / 2 * v[theta] * v[theta], crank = r_ * v[phi] * v[phi];
  bias[0] = rod * at.rod.cos + crank * at.crank.cos;
  bias[1] = rod * at.rod.sin + crank * at.crank.sin;
  bias[2] = rod * at.rod.cos;
  bias[3] = -rod * at.rod.sin;
}

}  // namespace

std::vector<ProblemEntry> problems_in_hydraulic_slider_crank() {
  return {{"hydraulic-slider-crank", "a cylinder with two chamber pressures moves a slider-crank",
           Kind::mechanical, "Merritt1967", parameters,
           [](const Parameters& p) { return std::make_shared<const HydraulicSliderCrank>(p); }}};
}

}  // namespace dalembert
