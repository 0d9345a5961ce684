// The N-four-bar: N+1 cranks on the ground one beside the other, their tips joined by N couplers. All 2N+1 links are
// uniform bars of length l and mass m; the cranks turn together, theta from the upright, and with them tip i at
// (i l + l sin theta, l cos theta).
//
//   theta'^2 = w0^2 + 2 (g V/I) (cos theta0 - cos theta),  I = ((N+1)/3 + N) l,  V = (N+1)/2 + N
//
// Whenever the cranks lie flat the constraint Jacobian loses N ranks and each coupler could leave the parallelogram
// for its mirror image: the motion itself stays smooth. A02 of the IFToMM library [GonzalezEtAl2006], N = 40 there;
// N = 2 is its double four-bar. Only q and v are given by exact(): multipliers are not unique where rank is lost.
// With dl the last crank is longer by dl: its couplers then turn before the flat position instead of passing it.
#include <cmath>
#include <numbers>

#include "dalembert/problem/catalogue.h"
#include "problems/planar_links.h"
#include "problems/reduced_motion.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

const std::vector<Parameter> parameters = {
    {"n", 2, "", "number of loops"},
    {"g", 9.81, "m/s^2", "gravity"},
    {"l", 1, "m", "length of each link"},
    {"m", 1, "kg", "mass of each link"},
    {"th0", 0, "rad", "angle of the cranks at the start, clockwise from the upright"},
    {"w0", 1, "rad/s", "speed of the cranks at the start"},
    {"dl", 0, "m", "how much longer the last crank is"}};

class FourBar : public PlanarLinks {
 public:
  explicit FourBar(const Parameters& p)
      : PlanarLinks(p["g"]),
        n_(p.count("n", 1, 100'000)),
        l_(p.positive("l")),
        th0_(p["th0"]),
        w0_(p["w0"]),
        dl_(p["dl"]) {
    const double m = p.positive("m");
    for (Eigen::Index i = 0; i <= n_; ++i) add_link("crank" + std::to_string(i), m, l_);
    for (Eigen::Index j = 0; j < n_; ++j) add_link("coupler" + std::to_string(j), m, l_);
    for (Eigen::Index i = 0; i <= n_; ++i)
      add_pin("A" + std::to_string(i), {{i, -half(i), 1}}, static_cast<double>(i) * l_, 0);
    for (Eigen::Index j = 0; j < n_; ++j) {
      const Eigen::Index coupler = n_ + 1 + j;
      add_pin("B" + std::to_string(j), {{coupler, -l_ / 2, 1}, {j, half(j), -1}}, 0, 0);
      add_pin("C" + std::to_string(j), {{coupler, l_ / 2, 1}, {j + 1, half(j + 1), -1}}, 0, 0);
    }
  }

  double end() const override { return 10; }
  State start() const override {
    const Vector qv = together(th0_, w0_);
    if (n_ <= 20) return with_multipliers(*this, 0, qv);
    State state{
        0, Vector::Zero(MechanicalState(sizes()).size())};  // a dense solution would be slow: left to the run
    state.y.head(qv.size()) = qv;
    return state;
  }
  std::optional<State> exact(double t) const override {
    if (dl_ != 0) return {};
    const auto n = static_cast<long double>(n_);
    const long double rate = gravity() * ((n + 1) / 2 + n) / (((n + 1) / 3 + n) * l_);
    const double fastest = std::sqrt(w0_ * w0_ + 4 * std::abs(static_cast<double>(rate)));
    const ReducedMotion now = reduced_motion([&](long double x, long double) { return rate * std::sin(x); },
                                             {th0_, w0_}, t, 0.06 / fastest);
    State state{t, Vector::Constant(MechanicalState(sizes()).size(), not_a_number)};
    state.y.head(12 * n_ + 6) = together(now.x, now.v);
    return state;
  }

 private:
  double half(Eigen::Index crank) const { return (crank == n_ ? l_ + dl_ : l_) / 2; }

  /// q and v with all cranks at theta, turning with w.
  Vector together(long double theta, long double w) const {
    const auto sin = static_cast<double>(std::sin(theta)), cos = static_cast<double>(std::cos(theta));
    const auto turn = static_cast<double>(w);
    const double phi = static_cast<double>(std::numbers::pi_v<long double> / 2 - theta);
    const Eigen::Index q = 3 * (2 * n_ + 1);
    Vector y = Vector::Zero(2 * q);
    for (Eigen::Index i = 0; i <= n_; ++i) {
      y.segment<3>(3 * i) << static_cast<double>(i) * l_ + l_ / 2 * sin, l_ / 2 * cos, phi;
      y.segment<3>(q + 3 * i) << l_ / 2 * cos * turn, -l_ / 2 * sin * turn, -turn;
    }
    for (Eigen::Index j = 0; j < n_; ++j) {
      const Eigen::Index k = 3 * (n_ + 1 + j);
      y.segment<3>(k) << (static_cast<double>(j) + .5) * l_ + l_ * sin, l_ * cos, 0;
      y.segment<3>(q + k) << l_ * cos * turn, -l_ * sin * turn, 0;
    }
    return y;
  }

  Eigen::Index n_;
  double l_, th0_, w0_, dl_;
};

}  // namespace

std::vector<ProblemEntry> problems_in_four_bar() {
  return {{"four-bar", "N four-bar linkages in a row, through positions where N constraints become dependent",
           Kind::mechanical, "GonzalezEtAl2006", parameters,
           [](const Parameters& p) { return std::make_shared<const FourBar>(p); }}};
}

}  // namespace dalembert
