// The spherical pendulum in Cartesian coordinates: a point mass at distance l from the origin, started sideways.
//
//   m q'' = -m g e_z - lambda q,  0 = (|q|^2 - l^2)/2
//
// Energy and the moment about the vertical are kept, so that with E = v^2/2 + g z and L = x y' - y x'
//
//   l^2 z'^2 = 2 (E - g z)(l^2 - z^2) - L^2 = 2 g (z - z1)(z - z2)(z - z3),   z1 <= z <= z2 < z3,
//   z = z1 + (z2 - z1) sn^2(w t, k),  w^2 = g (z3 - z1)/(2 l^2),  k^2 = (z2 - z1)/(z3 - z1)
//
// [AbramowitzStegun1964] 16.1 from the lowest point on, cd instead of sn from the highest. The azimuth is the integral of
// L/(l^2 - z^2), and lambda = m (v^2 - g z)/l^2.
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/drawable.h"
#include "dalembert/problem/mechanical.h"
#include "problems/elliptic.h"

namespace dalembert {
namespace {

class SphericalPendulum : public Mechanical, public Drawable {
 public:
  explicit SphericalPendulum(const Parameters& p)
      : m_(p.positive("m")), l_(p.positive("l")), g_(p.positive("g")), v0_(p.positive("v")) {
    const double theta = p["theta"];
    if (!(theta > 0 && theta < 3))
      throw Error("theta is not between 0 and 3", "set an angle from the vertical");
    x0_ = l_ * std::sin(theta);
    z0_ = -l_ * std::cos(theta);
    E_ = v0_ * v0_ / 2 + g_ * z0_;
    L_ = x0_ * v0_;
    // The cubic without its root z0.
    const double half = (E_ / g_ - z0_) / 2, rest = -l_ * l_ - 2 * half * z0_;
    const double root = std::sqrt(half * half - rest), other = half - root;
    highest_ = z0_ > other;
    z1_ = std::min(z0_, other);
    z2_ = std::max(z0_, other);
    const double z3 = half + root;
    w_ = std::sqrt(g_ * (z3 - z1_) / 2) / l_;
    modulus_ = (z2_ - z1_) / (z3 - z1_);
  }

  Sizes sizes() const override { return {.q = 3, .v = 3, .holonomic = 1}; }
  Layout layout() const override {
    static const Layout layout = mechanical_layout({.q = {"x", "y", "z"},
                                                    .v = {"x'", "y'", "z'"},
                                                    .lambda = {"bar"},
                                                    .q_units = {"m", "m", "m"},
                                                    .v_units = {"m/s", "m/s", "m/s"},
                                                    .lambda_units = {"N/m"}});
    return layout;
  }
  State start() const override {
    State state{0, Vector(7)};
    state.y << x0_, 0, z0_, 0, v0_, 0, m_ * (v0_ * v0_ - g_ * z0_) / (l_ * l_);
    return state;
  }
  double end() const override { return 10; }
  std::optional<State> exact(double t) const override;
  Sketch sketch() const override {
    return {.planar = false,
            .points = {"O", "bob"},
            .parts = {{Sketch::Kind::support, "ground", {0}},
                      {Sketch::Kind::rope, "bar", {0, 1}},
                      {Sketch::Kind::ball, "mass", {1}}}};
  }
  Eigen::Matrix3Xd sketch_points(const State& state) const override {
    Eigen::Matrix3Xd points = Eigen::Matrix3Xd::Zero(3, 2);
    points.col(1) = state.y.head<3>();
    return points;
  }

  void mass(const Placement&, Entries& M) const override {
    M.write<3>({{{0, 0}, {1, 1}, {2, 2}}}, {m_, m_, m_});
  }
  void force(const Placement&, In /*v*/, In /*s*/, Out f) const override {
    f[0] = f[1] = 0;
    f[2] = -m_ * g_;
  }
  void g(const Placement& at, Out residual) const override {
    residual[0] = (at.q.squaredNorm() - l_ * l_) / 2;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    J.write<3>({{{0, 0}, {0, 1}, {0, 2}}}, {at.q[0], at.q[1], at.q[2]});
  }
  void bias(const Placement&, In v, Out bias) const override { bias[0] = v.squaredNorm(); }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    return m_ * (v.squaredNorm() / 2 + g_ * at.q[2]);
  }
  void derivatives(const Placement&, In v, In /*s*/, In /*a*/, In l, Derivatives& d) const override {
    d.K.write<3>({{{0, 0}, {1, 1}, {2, 2}}}, {l[0], l[0], l[0]});
    d.B.write<3>({{{0, 0}, {0, 1}, {0, 2}}}, {v[0], v[1], v[2]});
  }

 private:
  struct Height {
    double z, z_t;
  };
  Height height(double t) const {
    const auto [sn, cn, dn] = elliptic(w_ * t, modulus_);
    const double range = z2_ - z1_;
    if (!highest_) return {z1_ + range * sn * sn, 2 * w_ * range * sn * cn * dn};
    const double cd = cn / dn;  // and (cd)' = -(1 - k^2) sn/dn^2
    return {z1_ + range * cd * cd, -2 * w_ * range * (1 - modulus_) * cd * sn / (dn * dn)};
  }

  double m_, l_, g_, v0_, x0_, z0_, E_, L_, z1_, z2_, w_, modulus_;
  bool highest_;  // at the start
};

std::optional<State> SphericalPendulum::exact(double t) const {
  // The azimuth: Gauss's rule of order 10 on panels short against the swing and against the passage near the vertical.
  constexpr double nodes[] = {-.90617984593866399280, -.53846931010568309104, 0, .53846931010568309104,
                              .90617984593866399280};
  constexpr double weights[] = {.23692688505618908751, .47862867049936646804, .56888888888888888889,
                                .47862867049936646804, .23692688505618908751};
  const double closest = l_ * l_ - std::max(z1_ * z1_, z2_ * z2_);
  const double rate = 2 * w_ + std::abs(L_) / closest, panels = std::ceil(4 * rate * std::abs(t));
  const double width = panels > 0 ? t / panels : 0;
  double azimuth = 0;
  for (double panel = 0; panel < panels; ++panel)
    for (std::size_t k = 0; k < 5; ++k) {
      const double z = height((panel + (1 + nodes[k]) / 2) * width).z;
      azimuth += weights[k] * width / 2 * L_ / (l_ * l_ - z * z);
    }
  const auto [z, z_t] = height(t);
  const double rho = std::sqrt(l_ * l_ - z * z), rho_t = -z * z_t / rho, turn = L_ / rho;  // rho azimuth'
  const double sin = std::sin(azimuth), cos = std::cos(azimuth), v2 = 2 * (E_ - g_ * z);
  State state{t, Vector(7)};
  state.y << rho * cos, rho * sin, z, rho_t * cos - turn * sin, rho_t * sin + turn * cos, z_t,
      m_ * (v2 - g_ * z) / (l_ * l_);
  return state;
}

}  // namespace

std::vector<ProblemEntry> problems_in_spherical_pendulum() {
  return {{"spherical-pendulum",
           "point mass on a sphere, in Cartesian coordinates, pushed sideways",
           Kind::mechanical,
           "AbramowitzStegun1964",
           {{"m", 1, "kg", "mass"},
            {"l", 1, "m", "length of the bar"},
            {"g", 9.81, "m/s^2", "gravity"},
            {"theta", 1.2, "rad", "angle from the lowest point at the start"},
            {"v", 1.5, "m/s", "horizontal speed at the start"}},
           [](const Parameters& p) { return std::make_shared<const SphericalPendulum>(p); }}};
}

}  // namespace dalembert
