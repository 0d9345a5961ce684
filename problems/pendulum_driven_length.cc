// A pendulum whose length is driven, in Cartesian coordinates: l(t) = l0 (1 + a sin w t).
//
//   m x'' = -lambda x,  m y'' = -m g - lambda y,  0 = (x^2 + y^2 - l(t)^2)/2
//
// The row moves: w = -l l'. With the angle phi from the lowest point, l phi'' + 2 l' phi' + g sin phi = 0 and
// lambda = m (v^2 - l'^2 - l l'' - g y)/l^2. The digits in exact() come from that equation by extrapolation in quadruple
// precision, orders 14 and 18 with two steps each alike in all digits given.
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/mechanical.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

const std::vector<Parameter> parameters = {{"m", 1, "kg", "mass"},
                                           {"g", 9.81, "m/s^2", "gravity"},
                                           {"l", 1, "m", "mean length"},
                                           {"a", .3, "", "share of the length that is driven"},
                                           {"w", 2, "rad/s", "frequency of the drive"},
                                           {"phi", 1, "rad", "angle at the start"}};

struct DrivenPlacement : Placement {
  double l, l_t, l_tt;
};

const DrivenPlacement& drive_at(const Placement& at) {
  return static_cast<const DrivenPlacement&>(at);
}

class DrivenPendulum : public Mechanical {
 public:
  explicit DrivenPendulum(const Parameters& p)
      : m_(p.positive("m")),
        g_(p["g"]),
        l_(p.positive("l")),
        a_(p["a"]),
        w_(p["w"]),
        phi_(p["phi"]),
        published_(defaults(p, parameters)) {
    if (!(std::abs(a_) < 1))
      throw Error("the driven share a of the length is not below 1", "set a between -1 and 1");
  }

  Sizes sizes() const override { return {.q = 2, .v = 2, .holonomic = 1}; }
  Layout layout() const override {
    static const Layout layout = mechanical_layout({.q = {"x", "y"},
                                                    .v = {"x'", "y'"},
                                                    .lambda = {"bar"},
                                                    .q_units = {"m", "m"},
                                                    .v_units = {"m/s", "m/s"},
                                                    .lambda_units = {"N/m"}});
    return layout;
  }
  State start() const override {
    const double sin = std::sin(phi_), cos = std::cos(phi_), l_t = l_ * a_ * w_;
    return with_multipliers(*this, 0, Vector{{l_ * sin, -l_ * cos, l_t * sin, -l_t * cos}});
  }
  double end() const override { return 10; }
  std::optional<State> exact(double t) const override {
    if (!published_) return {};
    return digits_at(t, {{10,
                          {-7.724328463633994835e-01, -1.012979200709405170e+00, 1.359533186444509711e+00,
                           -1.344605604446904135e+00, 9.199804370842690204e+00}}});
  }

  std::unique_ptr<Placement> placement() const override { return std::make_unique<DrivenPlacement>(); }
  void place(Placement& placement) const override {
    auto& at = static_cast<DrivenPlacement&>(placement);
    at.l = l_ * (1 + a_ * std::sin(w_ * at.t));
    at.l_t = l_ * a_ * w_ * std::cos(w_ * at.t);
    at.l_tt = -l_ * a_ * w_ * w_ * std::sin(w_ * at.t);
  }
  void mass(const Placement&, Entries& M) const override { M.write<2>({{{0, 0}, {1, 1}}}, {m_, m_}); }
  void force(const Placement&, In /*v*/, In /*s*/, Out f) const override {
    f[0] = 0;
    f[1] = -m_ * g_;
  }
  void g(const Placement& at, Out residual) const override {
    const double l = drive_at(at).l;
    residual[0] = (at.q.squaredNorm() - l * l) / 2;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    J.write<2>({{{0, 0}, {0, 1}}}, {at.q[0], at.q[1]});
  }
  void velocity_bias(const Placement& at, Out w) const override { w[0] = -drive_at(at).l * drive_at(at).l_t; }
  void bias(const Placement& placement, In v, Out bias) const override {
    const auto& at = drive_at(placement);
    bias[0] = v.squaredNorm() - at.l_t * at.l_t - at.l * at.l_tt;
  }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    return m_ * (v.squaredNorm() / 2 + g_ * at.q[1]);
  }
  bool conservative() const override { return a_ == 0 || w_ == 0; }
  void derivatives(const Placement&, In v, In /*s*/, In /*a*/, In l, Derivatives& d) const override {
    d.K.write<2>({{{0, 0}, {1, 1}}}, {l[0], l[0]});
    d.B.write<2>({{{0, 0}, {0, 1}}}, {v[0], v[1]});
  }

 private:
  double m_, g_, l_, a_, w_, phi_;
  bool published_;  // the reference digits hold for these parameters
};

}  // namespace

std::vector<ProblemEntry> problems_in_pendulum_driven_length() {
  return {{"pendulum-driven-length", "pendulum in Cartesian coordinates whose length is driven",
           Kind::mechanical, "MantegazzaMasarati2012", parameters,
           [](const Parameters& p) { return std::make_shared<const DrivenPendulum>(p); }}};
}

}  // namespace dalembert
