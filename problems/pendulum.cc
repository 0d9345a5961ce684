// The pendulum in Cartesian coordinates, let go from the horizontal: m = point mass, l = length of the bar.
//
//   m x'' = -lambda x,  m y'' = -m g - lambda y,  0 = (x^2 + y^2 - l^2)/2
//
// Solved by elliptic functions of modulus k^2 = 1/2 [AbramowitzStegun1964] 16.1: with w0 = sqrt(g/l) and the
// angle phi from the lowest point, sin(phi/2) = k cd(w0 t), and lambda = -3 m g y/l^2. "pendulum" has the
// unit data of [BraseyHairer1993] section 6.1; "pendulum-benchmark" the data of the IFToMM multibody library
// [GonzalezEtAl2006].
#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/drawable.h"
#include "dalembert/problem/mechanical.h"
#include "problems/elliptic.h"

namespace dalembert {
namespace {

class Pendulum : public Mechanical, public Drawable {
 public:
  /// Lets go at x = side l; side is 1 or -1.
  Pendulum(const Parameters& p, double side, double end)
      : g_(p["g"]), l_(p.positive("l")), m_(p.positive("m")), side_(side), end_(end) {}

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
    State state{0, Vector::Zero(5)};
    state.y[0] = side_ * l_;
    return state;
  }
  double end() const override { return end_; }

  std::optional<State> exact(double t) const override {
    if (!(g_ > 0)) return {};
    const double w0 = std::sqrt(g_ / l_);
    const auto [sn, cn, dn] = elliptic(w0 * t, .5);
    const double sin_phi = cn / (dn * dn), cos_phi = sn * sn / (2 * dn * dn), phi_t = -w0 * sn / dn;
    State state{t, Vector(5)};
    state.y << side_ * l_ * sin_phi, -l_ * cos_phi, side_ * l_ * phi_t * cos_phi, l_ * phi_t * sin_phi,
        3 * m_ * g_ * cos_phi / l_;
    return state;
  }

  void mass(const Placement&, Entries& M) const override {
    M.begin();
    M.add(0, 0, m_);
    M.add(1, 1, m_);
    M.end();
  }
  void force(const Placement&, In /*v*/, In /*s*/, Out f) const override {
    f[0] = 0;
    f[1] = -m_ * g_;
  }
  void g(const Placement& at, Out residual) const override {
    residual[0] = (at.q.squaredNorm() - l_ * l_) / 2;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    J.begin();
    J.add(0, 0, at.q[0]);
    J.add(0, 1, at.q[1]);
    J.end();
  }
  void bias(const Placement&, In v, Out bias) const override { bias[0] = v.squaredNorm(); }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    return m_ * (v.squaredNorm() / 2 + g_ * at.q[1]);
  }
  void derivatives(const Placement&, In v, In /*s*/, In /*a*/, In l, Derivatives& d) const override {
    d.K.begin();
    d.K.add(0, 0, l[0]);
    d.K.add(1, 1, l[0]);
    d.K.end();
    d.B.begin();
    d.B.add(0, 0, v[0]);
    d.B.add(0, 1, v[1]);
    d.B.end();
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
  double g_, l_, m_, side_, end_;
};

std::vector<Parameter> parameters(double g) {
  return {{"g", g, "m/s^2", "gravity"}, {"l", 1, "m", "length of the bar"}, {"m", 1, "kg", "mass"}};
}

}  // namespace

std::vector<ProblemEntry> problems_in_pendulum() {
  return {{"pendulum", "pendulum in Cartesian coordinates with unit data, let go from the horizontal",
           Kind::mechanical, "BraseyHairer1993", parameters(1),
           [](const Parameters& p) { return std::make_shared<const Pendulum>(p, 1, 10); }},
          {"pendulum-benchmark", "planar simple pendulum of the IFToMM multibody benchmark library",
           Kind::mechanical, "GonzalezEtAl2006", parameters(9.81),
           [](const Parameters& p) { return std::make_shared<const Pendulum>(p, -1, 10); }}};
}

}  // namespace dalembert
