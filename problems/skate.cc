// A skate (knife edge) on an inclined plane, x downhill, y across, heading phi from downhill, let go with spin w.
//
//   m x'' = m g sin(angle) + mu sin phi,  m y'' = -mu cos phi,  J phi'' = 0,  0 = -x' sin phi + y' cos phi
//
// With c = g sin(angle) [NeimarkFufaev1972]:
//
//   x = c/(2 w^2) sin^2 wt,  y = c/(2 w^2) (wt - sin(2wt)/2),  phi = wt,  mu = -2 m c sin wt
//
// It drifts across the slope, never down: the vakonomic (wrong) equations give another motion.
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/core/trigonometry.h"
#include "dalembert/problem/catalogue.h"
#include "problems/on_blade.h"

namespace dalembert {
namespace {

class Skate : public OnBlade {
 public:
  explicit Skate(const Parameters& p)
      : m_(p.positive("m")), J_(p.positive("J")), w_(p["w"]), pull_(p["g"] * std::sin(p["angle"])) {
    if (w_ == 0) throw Error("the spin w is zero", "without spin the skate runs straight downhill; set w");
  }

  Layout layout() const override { return layout_with("phi", "edge"); }
  State start() const override { return *exact(0); }
  double end() const override { return 10; }
  std::optional<State> exact(double t) const override {
    const auto [s, c] = sin_cos(w_ * t);
    const double radius = pull_ / (2 * w_ * w_);
    State state{t, Vector(7)};
    state.y << radius * s * s, radius * (w_ * t - s * c), w_ * t, 2 * radius * w_ * s * c,
        2 * radius * w_ * s * s, w_, -2 * m_ * pull_ * s;
    return state;
  }

  void mass(const Placement&, Entries& M) const override {
    M.begin();
    M.add(0, 0, m_);
    M.add(1, 1, m_);
    M.add(2, 2, J_);
    M.end();
  }
  void force(const Placement&, In /*v*/, In /*s*/, Out f) const override {
    f[0] = m_ * pull_;
    f[1] = 0;
    f[2] = 0;
  }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    return (m_ * v.head(2).squaredNorm() + J_ * v[2] * v[2]) / 2 - m_ * pull_ * at.q[0];
  }
  void derivatives(const Placement& placement, In v, In /*s*/, In /*a*/, In l,
                   Derivatives& d) const override {
    const auto& at = heading(placement);
    d.K.begin();
    d.K.add(0, 2, -at.cos * l[0]);
    d.K.add(1, 2, -at.sin * l[0]);
    d.K.end();
    differentiate_row(at, v, d.B);
  }

 private:
  double m_, J_, w_, pull_;  // pull_ = g sin(angle)
};

}  // namespace

std::vector<ProblemEntry> problems_in_skate() {
  return {{"skate",
           "a spinning skate on a slope: drifts across, never down",
           Kind::mechanical,
           "NeimarkFufaev1972",
           {{"g", 9.81, "m/s^2", "gravity"},
            {"angle", .5235987755982988, "rad", "of the slope"},
            {"w", 1, "rad/s", "spin"},
            {"m", 1, "kg", "mass"},
            {"J", 1, "kg m^2", "inertia"}},
           [](const Parameters& p) { return std::make_shared<const Skate>(p); }}};
}

}  // namespace dalembert
