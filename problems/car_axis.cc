// The car axis: two wheels on springs under a stiff axis; the right end of the ground moves.
//
//   K xl'' = (L0-Ll) xl/Ll - lambda1 xb - 2 lambda2 (xl-xr)
//   K yl'' = (L0-Ll) yl/Ll - lambda1 yb - 2 lambda2 (yl-yr) - K g
//   K xr'' = (L0-Lr) (xr-xb)/Lr + 2 lambda2 (xl-xr)
//   K yr'' = (L0-Lr) (yr-yb)/Lr + 2 lambda2 (yl-yr) - K g
//   0 = xb xl + yb yl,  0 = (xl-xr)^2 + (yl-yr)^2 - L^2
//
// with K = M eps^2/2, yb = r sin wt, xb = sqrt(L^2 - yb^2), Ll = |(xl,yl)|, Lr = |(xr-xb, yr-yb)|. All
// quantities are dimensionless. From [Schneider1994]; data of [MazziaMagherini2008] II-17, whose multipliers
// have the other sign. The digits in exact() are ours: Radau IIA of order 9 in extended precision, three
// tolerances alike to 1e-16, and a run in minimal coordinates agrees. The 21 digits printed in
// [MazziaMagherini2008] are off by up to 5e-12.
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/core/trigonometry.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/drawable.h"
#include "dalembert/problem/mechanical.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

const std::vector<Parameter> parameters = {{"eps", 1e-2, "", "1/eps^2 is the stiffness of the springs"},
                                           {"M", 10, "", "mass of the chassis"},
                                           {"L", 1, "", "length of the axis"},
                                           {"L0", .5, "", "length of the unloaded springs"},
                                           {"r", .1, "", "height of the bumps"},
                                           {"w", 10, "", "frequency of the bumps"},
                                           {"g", 1, "", "gravity"}};

/// The ground's right end (xb,yb) with its derivatives, and the lengths of the springs.
struct CarAxisPlacement : Placement {
  double xb, yb, xb_t, yb_t, xb_tt, yb_tt;
  double left, right;
};

const CarAxisPlacement& known(const Placement& at) {
  return static_cast<const CarAxisPlacement&>(at);
}

enum Coordinate { xl, yl, xr, yr };

class CarAxis : public Mechanical, public Drawable {
 public:
  explicit CarAxis(const Parameters& p)
      : K_(p.positive("M") * p.positive("eps") * p["eps"] / 2),
        L_(p.positive("L")),
        L0_(p.positive("L0")),
        r_(p["r"]),
        w_(p["w"]),
        g_(p["g"]),
        published_(defaults(p, parameters)) {
    if (!(std::abs(r_) < L_)) throw Error("the bumps are as high as the axis is long", "set r below L");
  }

  Sizes sizes() const override { return {.q = 4, .v = 4, .holonomic = 2}; }
  Layout layout() const override {
    using Words = std::vector<std::string>;
    static const Layout layout = mechanical_layout({.q = {"xl", "yl", "xr", "yr"},
                                                    .v = {"xl'", "yl'", "xr'", "yr'"},
                                                    .lambda = {"upright", "axis"},
                                                    .q_units = Words(4, ""),
                                                    .v_units = Words(4, ""),
                                                    .lambda_units = Words(2, "")});
    return layout;
  }
  State start() const override {
    State state{0, Vector::Zero(10)};  // both multipliers vanish
    const double speed = -r_ * w_ * L0_ / L_;
    state.y.head(8) << 0, L0_, L_, L0_, speed, 0, speed, 0;
    return state;
  }
  double end() const override { return 3; }
  std::optional<State> exact(double t) const override {
    if (!published_) return {};
    return digits_at(
        t, {{3,
             {4.934557842752409e-02, 4.969894602300081e-01, 1.041742524885426e+00, 3.739110272653658e-01,
              -7.705836840359209e-02, 7.446866592068410e-03, 1.755681575354171e-02, 7.703410437796009e-01,
              4.736886590853326e-03, 1.104680331259566e-03}}});
  }

  Sketch sketch() const override {
    using enum Sketch::Kind;
    return {.points = {"left", "right", "road left", "road right"},
            .parts = {{support, "ground", {2}},
                      {rail, "road", {2, 3}},
                      {spring, "left spring", {2, 0}},
                      {spring, "right spring", {3, 1}},
                      {link, "axis", {0, 1}},
                      {ball, "wheels", {0, 1}}}};
  }
  Eigen::Matrix3Xd sketch_points(const State& state) const override {
    const auto placed = placed_at(state.t, state.y.head(4));
    const CarAxisPlacement& at = known(*placed);
    return in_plane({state.y.head<2>(), state.y.segment<2>(2), {0, 0}, {at.xb, at.yb}});
  }

  std::unique_ptr<Placement> placement() const override { return std::make_unique<CarAxisPlacement>(); }
  void place(Placement&) const override;
  void mass(const Placement&, Entries& M) const override {
    M.begin();
    for (Eigen::Index i = 0; i < 4; ++i) M.add(i, i, K_);
    M.end();
  }
  void force(const Placement&, In v, In s, Out f) const override;
  void g(const Placement&, Out residual) const override;
  void jacobian(const Placement&, Entries&) const override;
  void velocity_bias(const Placement&, Out w) const override;
  void bias(const Placement&, In v, Out bias) const override;
  std::optional<double> energy(const Placement&, In v, In s) const override;
  double power(const Placement&, In v, In s) const override;
  bool conservative() const override { return false; }  // the ground
  void derivatives(const Placement&, In v, In s, In a, In l, Derivatives&) const override;

 private:
  double K_, L_, L0_, r_, w_, g_;
  bool published_;  // the reference digits hold for these parameters
};

void CarAxis::place(Placement& placement) const {
  auto& at = static_cast<CarAxisPlacement&>(placement);
  const auto [sin, cos] = sin_cos(w_ * at.t);
  at.yb = r_ * sin;
  at.yb_t = r_ * w_ * cos;
  at.yb_tt = -w_ * w_ * at.yb;
  at.xb = std::sqrt(L_ * L_ - at.yb * at.yb);
  at.xb_t = -at.yb * at.yb_t / at.xb;
  at.xb_tt = -(at.yb_t * at.yb_t + at.yb * at.yb_tt + at.xb_t * at.xb_t) / at.xb;
  at.left = std::hypot(at.q[xl], at.q[yl]);
  at.right = std::hypot(at.q[xr] - at.xb, at.q[yr] - at.yb);
}

void CarAxis::force(const Placement& placement, In /*v*/, In /*s*/, Out f) const {
  const auto& at = known(placement);
  const double push_l = L0_ / at.left - 1, push_r = L0_ / at.right - 1;
  f[xl] = push_l * at.q[xl];
  f[yl] = push_l * at.q[yl] - K_ * g_;
  f[xr] = push_r * (at.q[xr] - at.xb);
  f[yr] = push_r * (at.q[yr] - at.yb) - K_ * g_;
}

void CarAxis::g(const Placement& placement, Out residual) const {
  const auto& at = known(placement);
  const double dx = at.q[xl] - at.q[xr], dy = at.q[yl] - at.q[yr];
  residual[0] = at.xb * at.q[xl] + at.yb * at.q[yl];
  residual[1] = dx * dx + dy * dy - L_ * L_;
}

void CarAxis::jacobian(const Placement& placement, Entries& J) const {
  const auto& at = known(placement);
  const double dx = at.q[xl] - at.q[xr], dy = at.q[yl] - at.q[yr];
  J.begin();
  J.add(0, xl, at.xb);
  J.add(0, yl, at.yb);
  J.add(1, xl, 2 * dx);
  J.add(1, yl, 2 * dy);
  J.add(1, xr, -2 * dx);
  J.add(1, yr, -2 * dy);
  J.end();
}

void CarAxis::velocity_bias(const Placement& placement, Out w) const {
  const auto& at = known(placement);
  w[0] = at.xb_t * at.q[xl] + at.yb_t * at.q[yl];
  w[1] = 0;
}

void CarAxis::bias(const Placement& placement, In v, Out bias) const {
  const auto& at = known(placement);
  const double dx = v[xl] - v[xr], dy = v[yl] - v[yr];
  bias[0] = 2 * (at.xb_t * v[xl] + at.yb_t * v[yl]) + at.xb_tt * at.q[xl] + at.yb_tt * at.q[yl];
  bias[1] = 2 * (dx * dx + dy * dy);
}

std::optional<double> CarAxis::energy(const Placement& placement, In v, In /*s*/) const {
  const auto& at = known(placement);
  const double left = at.left - L0_, right = at.right - L0_;
  return K_ * v.squaredNorm() / 2 + K_ * g_ * (at.q[yl] + at.q[yr]) + (left * left + right * right) / 2;
}

/// The moving ground works on the foot of the right spring.
double CarAxis::power(const Placement& placement, In /*v*/, In /*s*/) const {
  const auto& at = known(placement);
  return (L0_ / at.right - 1) * ((at.q[xr] - at.xb) * at.xb_t + (at.q[yr] - at.yb) * at.yb_t);
}

void CarAxis::derivatives(const Placement& placement, In v, In /*s*/, In /*a*/, In l, Derivatives& d) const {
  const auto& at = known(placement);
  // Hessian of (|d|-L0)^2/2: (1 - L0/|d|) I + L0 d d'/|d|^3; and 2 l_1 between the ends of the axis.
  const auto write_spring = [&](Eigen::Index first, double x, double y, double length) {
    const double even = 1 - L0_ / length + 2 * l[1], along = L0_ / (length * length * length);
    d.K.add(first, first, even + along * x * x);
    d.K.add(first, first + 1, along * x * y);
    d.K.add(first + 1, first, along * x * y);
    d.K.add(first + 1, first + 1, even + along * y * y);
  };
  d.K.begin();
  write_spring(xl, at.q[xl], at.q[yl], at.left);
  write_spring(xr, at.q[xr] - at.xb, at.q[yr] - at.yb, at.right);
  for (const Eigen::Index i : {xl, yl}) {
    d.K.add(i, i + 2, -2 * l[1]);
    d.K.add(i + 2, i, -2 * l[1]);
  }
  d.K.end();

  const double dx = v[xl] - v[xr], dy = v[yl] - v[yr];
  d.B.begin();
  d.B.add(0, xl, at.xb_t);
  d.B.add(0, yl, at.yb_t);
  d.B.add(1, xl, 2 * dx);
  d.B.add(1, yl, 2 * dy);
  d.B.add(1, xr, -2 * dx);
  d.B.add(1, yr, -2 * dy);
  d.B.end();
}

}  // namespace

std::vector<ProblemEntry> problems_in_car_axis() {
  return {{"car-axis", "two wheels on stiff springs, an axis, and a ground that moves", Kind::mechanical,
           "MazziaMagherini2008", parameters,
           [](const Parameters& p) { return std::make_shared<const CarAxis>(p); }}};
}

}  // namespace dalembert
