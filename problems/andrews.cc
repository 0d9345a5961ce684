// Andrews' squeezing mechanism: seven rigid bodies in the plane, closed to three loops, driven by a motor at O.
//
//   q = (beta, Theta, gamma, Phi, delta, Omega, epsilon),  M(q) q'' = f(q,q') - G(q)' lambda,  0 = g(q)
//
// with, for X = rr cos b - d cos(b+T), Y = rr sin b - d sin(b+T) (b = beta, T = Theta), two rows for each loop:
//
//   K3:  X - ss sin gamma - xb                      Y + ss cos gamma - yb
//   K5:  X - e sin(Phi+delta) - zt cos delta - xa   Y + e cos(Phi+delta) - zt sin delta - ya
//   K7:  X - zf cos(Omega+eps) - u sin eps - xa     Y - zf sin(Omega+eps) + u cos eps - ya
//
// One degree of freedom; six rows. Equations and data: [HairerWanner1996] VII.7, [MazziaMagherini2008] II-18.
// First integral: v'M v/2 + c0 (L - l0)^2/2 - mom beta. The digits in exact() are ours: an index-1 run with
// Dormand-Prince in extended precision and a half-explicit run of order 5 agree to 1e-15 in q and 4e-13 in v.
// The digits printed in [MazziaMagherini2008] violate the energy by 2e-10 and G v by 1e-9.
#include <array>

#include "dalembert/core/trigonometry.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/drawable.h"
#include "dalembert/problem/mechanical.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

// Masses [kg], inertias about the centres of mass [kg m^2], lengths and fixed points [m].
constexpr double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706, m7 = .05498;
constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7,
                 I7 = 1.912e-5;
constexpr double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072;
constexpr double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, ss = .035, sa = .01874,
                 sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916, u = .04, ua = .01228,
                 ub = .00449, zf = .02, zt = .04, fa = .01421;

// Products of these that the equations need: M is constant but for a cosine and two sines.
constexpr double M22 = m2 * da * da + I2;
constexpr double M11 = m1 * ra * ra + m2 * rr * rr + I1 + M22;
constexpr double M33 = m3 * (sa * sa + sb * sb) + I3;
constexpr double M44 = m4 * (e - ea) * (e - ea) + I4;
constexpr double M55 = m4 * zt * zt + m5 * (ta * ta + tb * tb) + I5 + M44;
constexpr double M66 = m6 * (zf - fa) * (zf - fa) + I6;
constexpr double M77 = m6 * u * u + m7 * (ua * ua + ub * ub) + I7 + M66;
constexpr double k12 = m2 * da * rr, k45 = m4 * zt * (e - ea), k67 = m6 * u * (zf - fa);

enum Coordinate { beta, theta, gamma, phi, delta, omega, epsilon };

// Entries of M and of K.
constexpr std::array<Entries::Place, 13> square_places = {{{beta, beta},
                                                           {beta, theta},
                                                           {theta, beta},
                                                           {theta, theta},  //
                                                           {gamma, gamma},  //
                                                           {phi, phi},
                                                           {phi, delta},
                                                           {delta, phi},
                                                           {delta, delta},  //
                                                           {omega, omega},
                                                           {omega, epsilon},
                                                           {epsilon, omega},
                                                           {epsilon, epsilon}}};
// Entries of J and of B.
constexpr std::array<Entries::Place, 22> row_places = {{{0, beta}, {0, theta}, {0, gamma},                //
                                                        {1, beta}, {1, theta}, {1, gamma},                //
                                                        {2, beta}, {2, theta}, {2, phi},   {2, delta},    //
                                                        {3, beta}, {3, theta}, {3, phi},   {3, delta},    //
                                                        {4, beta}, {4, theta}, {4, omega}, {4, epsilon},  //
                                                        {5, beta}, {5, theta}, {5, omega}, {5, epsilon}}};

/// Sines and cosines of one position, each multiplied by its length.
struct AndrewsPlacement : Placement {
  double theta_sin, theta_cos, phi_sin, phi_cos, omega_sin, omega_cos;
  double rr_sin, rr_cos;   // rr (sin, cos) beta
  double d_sin, d_cos;     // d (sin, cos)(beta + Theta)
  double ss_sin, ss_cos;   // ss (sin, cos) gamma
  double arm, arm_normal;  // D - B = (sd cos + sc sin, sd sin - sc cos) gamma
  double e_sin, e_cos;     // e (sin, cos)(Phi + delta)
  double zt_sin, zt_cos;   // zt (sin, cos) delta
  double zf_sin, zf_cos;   // zf (sin, cos)(Omega + epsilon)
  double u_sin, u_cos;     // u (sin, cos) epsilon
};

const AndrewsPlacement& known(const Placement& at) {
  return static_cast<const AndrewsPlacement&>(at);
}

const std::vector<Parameter> parameters = {{"mom", .033, "N m", "moment of the motor on beta"},
                                           {"c0", 4530, "N/m", "stiffness of the spring"},
                                           {"l0", .07785, "m", "length of the unloaded spring"}};

class Andrews : public Mechanical, public Drawable {
 public:
  explicit Andrews(const Parameters& p)
      : mom_(p["mom"]), c0_(p["c0"]), l0_(p["l0"]), published_(defaults(p, parameters)) {
    Vector qv = Vector::Zero(14);
    qv.head(7) << -0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550,
        -0.222668390165885885, 1.23054744454982119;
    start_ = with_multipliers(*this, 0, qv);
  }

  Sizes sizes() const override { return {.q = 7, .v = 7, .holonomic = 6}; }
  Sketch sketch() const override;
  Eigen::Matrix3Xd sketch_points(const State&) const override;

  Layout layout() const override {
    using Words = std::vector<std::string>;
    static const Layout layout =
        mechanical_layout({.q = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"},
                           .v = {"beta'", "Theta'", "gamma'", "Phi'", "delta'", "Omega'", "epsilon'"},
                           .lambda = {"K3.x", "K3.y", "K5.x", "K5.y", "K7.x", "K7.y"},
                           .q_units = Words(7, "rad"),
                           .v_units = Words(7, "rad/s"),
                           .lambda_units = Words(6, "N")});
    return layout;
  }

  State start() const override { return start_; }
  double end() const override { return .03; }
  std::optional<State> exact(double t) const override;

  std::unique_ptr<Placement> placement() const override { return std::make_unique<AndrewsPlacement>(); }
  void place(Placement&) const override;
  void mass(const Placement&, Entries&) const override;
  void force(const Placement&, In v, In s, Out f) const override;
  void g(const Placement&, Out residual) const override;
  void jacobian(const Placement&, Entries&) const override;
  void bias(const Placement&, In v, Out bias) const override;
  std::optional<double> energy(const Placement&, In v, In s) const override;
  void derivatives(const Placement&, In v, In s, In a, In l, Derivatives&) const override;

 private:
  double mom_, c0_, l0_;
  bool published_;  // the reference digits hold for these parameters
  State start_;
};

void Andrews::place(Placement& placement) const {
  auto& at = static_cast<AndrewsPlacement&>(placement);
  const double* q = at.q.data();
  const auto [b, th, ga, ph] = sin_cos(q[beta], q[theta], q[gamma], q[phi]);
  const auto [de, om, ep, same] = sin_cos(q[delta], q[omega], q[epsilon], q[epsilon]);
  const SinCos b_th = b + th, ph_de = ph + de, om_ep = om + ep;
  at.theta_sin = th.sin, at.theta_cos = th.cos;
  at.phi_sin = ph.sin, at.phi_cos = ph.cos;
  at.omega_sin = om.sin, at.omega_cos = om.cos;
  at.rr_sin = rr * b.sin, at.rr_cos = rr * b.cos;
  at.d_sin = d * b_th.sin, at.d_cos = d * b_th.cos;
  at.ss_sin = ss * ga.sin, at.ss_cos = ss * ga.cos;
  at.arm = sd * ga.cos + sc * ga.sin, at.arm_normal = sd * ga.sin - sc * ga.cos;
  at.e_sin = e * ph_de.sin, at.e_cos = e * ph_de.cos;
  at.zt_sin = zt * de.sin, at.zt_cos = zt * de.cos;
  at.zf_sin = zf * om_ep.sin, at.zf_cos = zf * om_ep.cos;
  at.u_sin = u * ep.sin, at.u_cos = u * ep.cos;
}

void Andrews::mass(const Placement& placement, Entries& M) const {
  const auto& at = known(placement);
  const double c = k12 * at.theta_cos, p = k45 * at.phi_sin, o = k67 * at.omega_sin;
  M.write(square_places, {M11 - 2 * c, M22 - c, M22 - c, M22,  //
                          M33,                                 //
                          M44, M44 + p, M44 + p, M55 + 2 * p,  //
                          M66, M66 - o, M66 - o, M77 - 2 * o});
}

void Andrews::force(const Placement& placement, In v, In /*s*/, Out f) const {
  const auto& at = known(placement);
  // The spring pulls D towards C; D moves by (-arm_normal, arm) per gamma.
  const double x = at.arm + xb - xc, y = at.arm_normal + yb - yc;
  const double pull = c0_ * (l0_ / std::sqrt(x * x + y * y) - 1);
  const double s = k12 * at.theta_sin, p = k45 * at.phi_cos, o = k67 * at.omega_cos;
  f[0] = mom_ - s * v[theta] * (v[theta] + 2 * v[beta]);
  f[1] = s * v[beta] * v[beta];
  f[2] = pull * (y * at.arm - x * at.arm_normal);
  f[3] = p * v[delta] * v[delta];
  f[4] = -p * v[phi] * (v[phi] + 2 * v[delta]);
  f[5] = -o * v[epsilon] * v[epsilon];
  f[6] = o * v[omega] * (v[omega] + 2 * v[epsilon]);
}

void Andrews::g(const Placement& placement, Out g) const {
  const auto& at = known(placement);
  const double X = at.rr_cos - at.d_cos, Y = at.rr_sin - at.d_sin;
  g[0] = X - at.ss_sin - xb;
  g[1] = Y + at.ss_cos - yb;
  g[2] = X - at.e_sin - at.zt_cos - xa;
  g[3] = Y + at.e_cos - at.zt_sin - ya;
  g[4] = X - at.zf_cos - at.u_sin - xa;
  g[5] = Y - at.zf_sin + at.u_cos - ya;
}

void Andrews::jacobian(const Placement& placement, Entries& J) const {
  const auto& at = known(placement);
  const double X_b = at.d_sin - at.rr_sin, Y_b = at.rr_cos - at.d_cos;
  J.write(row_places, {X_b, at.d_sin,  -at.ss_cos,                         //
                       Y_b, -at.d_cos, -at.ss_sin,                         //
                       X_b, at.d_sin,  -at.e_cos,  at.zt_sin - at.e_cos,   //
                       Y_b, -at.d_cos, -at.e_sin,  -at.e_sin - at.zt_cos,  //
                       X_b, at.d_sin,  at.zf_sin,  at.zf_sin - at.u_cos,   //
                       Y_b, -at.d_cos, -at.zf_cos, -at.zf_cos - at.u_sin});
}

void Andrews::bias(const Placement& placement, In v, Out bias) const {
  const auto& at = known(placement);
  const auto square = [](double x) { return x * x; };
  const double b = square(v[beta]), b_th = square(v[beta] + v[theta]), ga = square(v[gamma]);
  const double ph_de = square(v[phi] + v[delta]), de = square(v[delta]);
  const double om_ep = square(v[omega] + v[epsilon]), ep = square(v[epsilon]);
  const double X = at.d_cos * b_th - at.rr_cos * b, Y = at.d_sin * b_th - at.rr_sin * b;
  bias[0] = X + at.ss_sin * ga;
  bias[1] = Y - at.ss_cos * ga;
  bias[2] = X + at.e_sin * ph_de + at.zt_cos * de;
  bias[3] = Y - at.e_cos * ph_de + at.zt_sin * de;
  bias[4] = X + at.zf_cos * om_ep + at.u_sin * ep;
  bias[5] = Y + at.zf_sin * om_ep - at.u_cos * ep;
}

std::optional<double> Andrews::energy(const Placement& placement, In v, In /*s*/) const {
  const auto& at = known(placement);
  static thread_local Entries M;  // methods ask for the energy within steps
  mass(at, M);
  Eigen::Matrix<double, 7, 1> momentum = Eigen::Matrix<double, 7, 1>::Zero();
  M.multiply(v, 1, momentum);
  const double stretch = std::hypot(at.arm + xb - xc, at.arm_normal + yb - yc) - l0_;
  return v.dot(momentum) / 2 + c0_ * stretch * stretch / 2 - mom_ * at.q[beta];
}

void Andrews::derivatives(const Placement& placement, In v, In /*s*/, In a, In l, Derivatives& all) const {
  const auto& at = known(placement);
  // Second derivatives of l'g.
  const double lx = l[0] + l[2] + l[4], ly = l[1] + l[3] + l[5];
  const double b_th = lx * at.d_cos + ly * at.d_sin, b = b_th - lx * at.rr_cos - ly * at.rr_sin;
  const double ga = l[0] * at.ss_sin - l[1] * at.ss_cos;
  const double ph_de = l[2] * at.e_sin - l[3] * at.e_cos, de = ph_de + l[2] * at.zt_cos + l[3] * at.zt_sin;
  const double om_ep = l[4] * at.zf_cos + l[5] * at.zf_sin, ep = om_ep + l[4] * at.u_sin - l[5] * at.u_cos;
  // The spring, whose length changes by slope/length per gamma.
  const double x = at.arm + xb - xc, y = at.arm_normal + yb - yc, length = std::sqrt(x * x + y * y);
  const double slope = y * at.arm - x * at.arm_normal;
  const double curve = at.arm * (at.arm - x) + at.arm_normal * (at.arm_normal - y);
  const double spring = c0_ * (l0_ * slope * slope / (length * length * length) + (1 - l0_ / length) * curve);
  const double s = k12 * at.theta_sin, c = k12 * at.theta_cos, p = k45 * at.phi_cos, p_sin = k45 * at.phi_sin,
               o = k67 * at.omega_cos, o_sin = k67 * at.omega_sin;
  all.K.write(square_places,
              {b, b_th + s * (2 * a[beta] + a[theta]) + c * v[theta] * (v[theta] + 2 * v[beta]), b_th,
               b_th + s * a[beta] - c * v[beta] * v[beta],  //
               ga + spring,                                 //
               ph_de + p * a[delta] + p_sin * v[delta] * v[delta], ph_de,
               ph_de + p * (a[phi] + 2 * a[delta]) - p_sin * v[phi] * (v[phi] + 2 * v[delta]), de,  //
               om_ep - o * a[epsilon] - o_sin * v[epsilon] * v[epsilon], om_ep,
               om_ep - o * (a[omega] + 2 * a[epsilon]) + o_sin * v[omega] * (v[omega] + 2 * v[epsilon]), ep});

  static constexpr std::array<Entries::Place, 9> coriolis_places = {{{beta, beta},
                                                                     {beta, theta},
                                                                     {theta, beta},
                                                                     {phi, delta},
                                                                     {delta, phi},
                                                                     {delta, delta},
                                                                     {omega, epsilon},
                                                                     {epsilon, omega},
                                                                     {epsilon, epsilon}}};
  all.D.write(coriolis_places, {2 * s * v[theta], 2 * s * (v[theta] + v[beta]), -2 * s * v[beta],  //
                                -2 * p * v[delta], 2 * p * (v[phi] + v[delta]), 2 * p * v[phi],    //
                                2 * o * v[epsilon], -2 * o * (v[omega] + v[epsilon]), -2 * o * v[omega]});

  const double w_b_th = v[beta] + v[theta], w_ph_de = v[phi] + v[delta], w_om_ep = v[omega] + v[epsilon];
  const double X_th = at.d_cos * w_b_th, Y_th = at.d_sin * w_b_th;
  const double X_b = X_th - at.rr_cos * v[beta], Y_b = Y_th - at.rr_sin * v[beta];
  const double e_sin = at.e_sin * w_ph_de, e_cos = at.e_cos * w_ph_de;
  const double zf_sin = at.zf_sin * w_om_ep, zf_cos = at.zf_cos * w_om_ep;
  all.B.write(row_places, {X_b,
                           X_th,
                           at.ss_sin * v[gamma],  //
                           Y_b,
                           Y_th,
                           -at.ss_cos * v[gamma],  //
                           X_b,
                           X_th,
                           e_sin,
                           e_sin + at.zt_cos * v[delta],  //
                           Y_b,
                           Y_th,
                           -e_cos,
                           -e_cos + at.zt_sin * v[delta],  //
                           X_b,
                           X_th,
                           zf_cos,
                           zf_cos + at.u_sin * v[epsilon],  //
                           Y_b,
                           Y_th,
                           zf_sin,
                           zf_sin - at.u_cos * v[epsilon]});
}

std::optional<State> Andrews::exact(double t) const {
  if (!published_) return {};
  return digits_at(t, {{.025, {1.21071492344476588e+01,  -1.22570301035754863e+01, 4.40973355583011901e-01,
                               1.93945166054456038e-01,  4.90519544681589770e-01,  -1.93945166054456044e-01,
                               1.21976677181042929e+00,  5.87459789077802885e+02,  -4.77557147264263032e+02,
                               4.30700057000742659e+01,  8.59778417967857465e+01,  -9.25947288267175983e+00,
                               -8.59778417967857471e+01, 3.20230270921652731e+01,  4.86720452784305143e+01,
                               2.49456888066116280e+01,  -1.70504451607030905e+01, 1.39063074300586515e+01,
                               -2.63902161691663892e+01, -3.84589744522614328e+01}},
                       {.03, {1.58107711951537066e+01,  -1.57563710584118387e+01, 4.08222401196458143e-02,
                              -5.34730116342079584e-01, 5.24409965879954085e-01,  5.34730116342079573e-01,
                              1.04808074104193784e+00,  1.13992030225910606e+03,  -1.42437929517754008e+03,
                              1.10329119106184222e+01,  1.92933741050317408e+01,  5.73569914829493316e-01,
                              -1.92933741050317408e+01, 3.23179149249126559e-01,  1.99175348104538637e+02,
                              -2.97553099749717160e+01, 2.30665436116221518e+01,  3.14527252757711353e+01,
                              2.26424947863943805e+01,  1.16173923526112689e+01}}});
}

Sketch Andrews::sketch() const {
  enum Point { O, P, E, B, D, A, G, H, C };
  using enum Sketch::Kind;
  return {.points = {"O", "P", "E", "B", "D", "A", "G", "H", "C"},
          .parts = {{support, "ground", {O, B, A, C}},
                    {link, "K3", {B, E, D}},
                    {spring, "spring", {D, C}},
                    {link, "K1", {O, P}},
                    {link, "K2", {P, E}},
                    {link, "K4", {E, G}},
                    {link, "K5", {G, A}},
                    {link, "K6", {E, H}},
                    {link, "K7", {H, A}}}};
}

Eigen::Matrix3Xd Andrews::sketch_points(const State& state) const {
  const auto placed = placed_at(state.t, state.y.head(7));
  const auto& at = static_cast<const AndrewsPlacement&>(*placed);
  const Eigen::Vector2d A(xa, ya), B(xb, yb), C(xc, yc), P(at.rr_cos, at.rr_sin);
  return in_plane({{0, 0},
                   P,
                   P - Eigen::Vector2d(at.d_cos, at.d_sin),
                   B,
                   B + Eigen::Vector2d(at.arm, at.arm_normal),
                   A,
                   A + Eigen::Vector2d(at.zt_cos, at.zt_sin),
                   A + Eigen::Vector2d(at.u_sin, -at.u_cos),
                   C});
}

}  // namespace

std::vector<ProblemEntry> problems_in_andrews() {
  return {{"andrews", "Andrews' squeezing mechanism: seven bodies in the plane, one degree of freedom",
           Kind::mechanical, "HairerWanner1996", parameters,
           [](const Parameters& p) { return std::make_shared<const Andrews>(p); }}};
}

}  // namespace dalembert
