// A pendulum whose pivot moves up and down, in Cartesian coordinates: stable or not as Mathieu's equation says.
//
//   x'' = -c x' - lambda x,  y'' = -g - c y' - lambda (y - p),  p = a cos(w t),  0 = (x^2 + (y - p)^2 - l^2)/2
//
// Mass 1; damping acts on the velocity relative to the pivot, (x', y' - p'). With the angle phi from the lowest point
//
//   phi'' + c phi' + (g + p'')/l sin phi = 0,
//
// which for small phi and tau = w t/2 is Mathieu's u'' + (A - 2 Q cos 2 tau) u = 0 with A = 4 g/(l w^2), Q = 2 a/l; around the
// upright position A is negative, and a fast pivot holds the pendulum there [Kapitza1951].
#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/drawable.h"
#include "dalembert/problem/mechanical.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

struct PivotPlacement : Placement {
  double p, p_t, p_tt;
};
const PivotPlacement& pivot(const Placement& at) {
  return static_cast<const PivotPlacement&>(at);
}

class MovingPivot final : public Mechanical, public Drawable {
 public:
  explicit MovingPivot(const Parameters& p)
      : c_(p["c"]), g_(p["g"]), l_(p.positive("l")), a_(p["a"]), w_(p["w"]), phi_(p["phi"]) {}
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
    return with_multipliers(*this, 0, Vector{{l_ * std::sin(phi_), a_ - l_ * std::cos(phi_), 0, 0}});
  }
  double end() const override { return 10; }

  std::unique_ptr<Placement> placement() const override { return std::make_unique<PivotPlacement>(); }
  void place(Placement& placement) const override {
    auto& at = static_cast<PivotPlacement&>(placement);
    at.p = a_ * std::cos(w_ * at.t);
    at.p_t = -a_ * w_ * std::sin(w_ * at.t);
    at.p_tt = -a_ * w_ * w_ * std::cos(w_ * at.t);
  }
  void mass(const Placement&, Entries& M) const override { M.write<2>({{{0, 0}, {1, 1}}}, {1, 1}); }
  void force(const Placement& at, In v, In /*s*/, Out f) const override {
    f[0] = -c_ * v[0];
    f[1] = -g_ - c_ * (v[1] - pivot(at).p_t);
  }
  void g(const Placement& at, Out residual) const override {
    const double y = at.q[1] - pivot(at).p;
    residual[0] = (at.q[0] * at.q[0] + y * y - l_ * l_) / 2;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    J.write<2>({{{0, 0}, {0, 1}}}, {at.q[0], at.q[1] - pivot(at).p});
  }
  void velocity_bias(const Placement& at, Out w) const override {
    w[0] = -(at.q[1] - pivot(at).p) * pivot(at).p_t;
  }
  void bias(const Placement& at, In v, Out bias) const override {
    const double y = v[1] - pivot(at).p_t;
    bias[0] = v[0] * v[0] + y * y - (at.q[1] - pivot(at).p) * pivot(at).p_tt;
  }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    return v.squaredNorm() / 2 + g_ * at.q[1];
  }
  double power(const Placement& at, In v, In /*s*/) const override {
    return -c_ * (v[0] * v[0] + (v[1] - pivot(at).p_t) * v[1]);
  }
  bool conservative() const override { return c_ == 0 && a_ == 0; }
  void derivatives(const Placement& at, In v, In /*s*/, In /*a*/, In l, Derivatives& d) const override {
    d.K.write<2>({{{0, 0}, {1, 1}}}, {l[0], l[0]});
    d.D.write<2>({{{0, 0}, {1, 1}}}, {c_, c_});
    d.B.write<2>({{{0, 0}, {0, 1}}}, {v[0], v[1] - pivot(at).p_t});
  }
  Sketch sketch() const override {
    return {.points = {"pivot", "bob"},
            .parts = {{Sketch::Kind::link, "bar", {0, 1}}, {Sketch::Kind::ball, "mass", {1}}}};
  }
  Eigen::Matrix3Xd sketch_points(const State& state) const override {
    return in_plane({{0, a_ * std::cos(w_ * state.t)}, state.y.head<2>()});
  }

 private:
  double c_, g_, l_, a_, w_, phi_;
};

}  // namespace

std::vector<ProblemEntry> problems_in_moving_pivot() {
  return {{"moving-pivot",
           "pendulum whose pivot moves up and down, in Cartesian coordinates",
           Kind::mechanical,
           "Kapitza1951",
           {{"c", 0, "1/s", "damping"},
            {"g", 9.81, "m/s^2", "gravity"},
            {"l", 1, "m", "length"},
            {"a", .1, "m", "amplitude of the pivot"},
            {"w", 6, "rad/s", "its frequency"},
            {"phi", 0.1, "rad", "angle from the lowest point at the start"}},
           [](const Parameters& p) { return std::make_shared<const MovingPivot>(p); }}};
}

}  // namespace dalembert
