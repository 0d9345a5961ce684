// The planar slider crank with a flexible connecting rod, driven at constant speed: stiff and oscillatory.
//
//   M(p,q) (p'',q'') = f - G'lambda,  p = (phi1, phi2, x3),  q the elastic coordinates of the rod
//   0 = l1 sin phi1 + (l2+q4) sin phi2,  0 = x3 - l1 cos phi1 - (l2+q4) cos phi2,  0 = phi1 - Omega t
//
// The rod has two sine shapes of bending (q1,q2) and a quadratic stretch with nodes in the middle and at the
// end (q3,q4). With delta = phi1 - phi2 the coupling of crank and rod is
//
//   A(delta,q) = l1 l2 m2 cos(delta)/2 + a.q,  a(delta) = rho l1 (cos(delta) c1 + sin(delta) c2),  n = da/ddelta
//
//   M11 = J1 + m2 l1^2,  M12 = A,  M1q = n,  M22 = J2 + q.Mq q + 2 rho c12.q,  M2q = rho (c21 + Bq'q),  Mqq = Mq
//   f1 = phi2'^2 A_delta - 2 phi2' a.q'
//   f2 = -phi1'^2 A_delta - 2 phi2' (rho c12 + Mq q).q'
//   fq = phi2'^2 (Mq q + rho c12) + phi1'^2 a + 2 rho phi2' Bq q' - Kq q - nonlinear V_q - damping D q'
//
// where Bq is skew and V = pi^2 E d h/(2 l2^2) (q1^2 q4/2 + 2 q2^2 q4 - b q1 q2 (2 q4 - 4 q3)), b = 80/(9 pi^2).
// Model of [Simeon1996] with the data of [MazziaMagherini2008] II-19, whose program has 3.1415927 for pi: with
// more digits of pi q1 changes by 2e-7 of its size, so pi is what it is there. The printed x3 = .450016933 misses the
// second constraint by 2e-10; here x3 starts on it, as nothing else depends on x3. (A start corrected in all
// coordinates would stretch the rod by 1e-10, which rings: 5e-7 in the rates.) The digits in exact() are ours:
// index-1 form, Radau IIA of order 9 in extended precision; those printed in [MazziaMagherini2008] agree to 8
// (rates of q) to 14 digits, but for the 2e-10 in x3.
#include <array>
#include <cmath>

#include "dalembert/core/trigonometry.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/drawable.h"
#include "dalembert/problem/mechanical.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

using Eigen::Matrix4d;
using Eigen::Vector4d;

const std::vector<Parameter> parameters = {
    {"Omega", 150, "rad/s", "speed of the crank"},
    {"E", 2e11, "N/m^2", "Young's modulus of the rod"},
    {"nonlinear", 0, "", "factor of the cubic potential of the rod; 1 is the nonlinear beam"},
    {"damping", 0, "", "factor of the damping of the rod; 1 is the damped model"}};

// Data of [MazziaMagherini2008] II-19, in SI units.
constexpr double pi = 3.1415927, pi2 = pi * pi, pi3 = pi2 * pi, pi4 = pi2 * pi2;
constexpr double l1 = .15, l2 = .30, m2 = .151104, m3 = .075552, J1 = .002727, J2 = .0045339259;
constexpr double width = .008, height = .008, rho = 7870;
constexpr double volume = width * height * l2;

struct Rod {
  Vector4d c1, c2, c12, c21;
  Matrix4d M, K, B, D;

  Rod(double E, double damping) {
    c1 = volume * Vector4d(0, 0, 2. / 3, 1. / 6);
    c2 = volume * Vector4d(2 / pi, 0, 0, 0);
    c12 = l2 * volume * Vector4d(0, 0, 1. / 3, 1. / 6);
    c21 = l2 * volume * Vector4d(1 / pi, -1 / (2 * pi), 0, 0);
    M << .5, 0, 0, 0,  //
        0, .5, 0, 0,   //
        0, 0, 8, 1,    //
        0, 0, 1, 2;
    M *= rho * volume;
    const double slender = height * height / (l2 * l2);
    K << pi4 / 24 * slender, 0, 0, 0,    //
        0, pi4 * 2 / 3 * slender, 0, 0,  //
        0, 0, 16. / 3, -8. / 3,          //
        0, 0, -8. / 3, 7. / 3;
    K *= E * width * height / l2;
    B << 0, 0, -16 / pi3, 8 / pi3 - 1 / pi,  //
        0, 0, 0, 1 / (2 * pi),               //
        16 / pi3, 0, 0, 0,                   //
        1 / pi - 8 / pi3, -1 / (2 * pi), 0, 0;
    B *= volume;
    D << 5, 0, 0, 0,                                           //
        0, 25, 0, 0,                                           //
        0, 0, .5 * 230.8375455264791, -.5 * 262.688487992052,  //
        0, 0, -.5 * 262.688487992052, .5 * 421.7421837156818;
    D *= damping;
  }
};

enum Coordinate { phi1, phi2, x3, q1, q2, q3, q4 };

struct CrankPlacement : Placement {
  SinCos crank, rod;  // of phi1 and phi2
  double A, A_delta;
  Vector4d a, n;        // A_q and its derivative by delta
  Vector4d M2q, swing;  // rho (c21 + Bq'q), rho c12 + Mq q
  double M22, length;   // length = l2 + q4
};

const CrankPlacement& known(const Placement& at) {
  return static_cast<const CrankPlacement&>(at);
}

class SliderCrankFlexible : public Mechanical, public Drawable {
 public:
  explicit SliderCrankFlexible(const Parameters& p)
      : Omega_(p["Omega"]),
        cubic_(p["nonlinear"] * pi2 * p.positive("E") * width * height / (2 * l2 * l2)),
        rod_(p["E"], p["damping"]),
        published_(defaults(p, parameters)),
        start_(published_start()) {}

  Sizes sizes() const override { return {.q = 7, .v = 7, .holonomic = 3}; }
  Layout layout() const override {
    static const Layout layout =
        mechanical_layout({.q = {"phi1", "phi2", "x3", "q1", "q2", "q3", "q4"},
                           .v = {"phi1'", "phi2'", "x3'", "q1'", "q2'", "q3'", "q4'"},
                           .lambda = {"slider-y", "slider-x", "drive"},
                           .q_units = {"rad", "rad", "m", "m", "m", "m", "m"},
                           .v_units = {"rad/s", "rad/s", "m/s", "m/s", "m/s", "m/s", "m/s"},
                           .lambda_units = {"N", "N", "N m"}});
    return layout;
  }
  State start() const override { return start_; }
  double end() const override { return .1; }
  Sketch sketch() const override {
    using enum Sketch::Kind;
    return {.points = {"O", "pin", "rod 1", "rod 2", "rod 3", "slider", "near", "far"},
            .parts = {{support, "ground", {0}},
                      {rail, "guide", {6, 7}},
                      {link, "crank", {0, 1}},
                      {rope, "rod", {1, 2, 3, 4, 5}},
                      {ball, "slider", {5}}}};
  }
  /// The rod as it bends: its shapes, square to the line between its ends.
  Eigen::Matrix3Xd sketch_points(const State& state) const override {
    const auto [sin1, cos1] = sin_cos(state.y[0]);
    const auto [sin2, cos2] = sin_cos(state.y[1]);
    const Eigen::Vector2d pin(l1 * cos1, l1 * sin1), along(cos2, sin2), across(-sin2, cos2);
    std::vector<Eigen::Vector2d> all = {{0, 0}, pin};
    for (int i = 1; i <= 3; ++i) {
      const double part = i / 4.0, length = l2 + state.y[6];
      all.emplace_back(pin + part * length * along +
                       (state.y[3] * std::sin(pi * part) + state.y[4] * std::sin(2 * pi * part)) * across);
    }
    for (const double x : {state.y[2], l2 - l1, l2 + l1}) all.emplace_back(x, 0);
    return in_plane(all);
  }
  std::optional<State> exact(double t) const override {
    if (!published_) return {};
    return digits_at(
        t, {{.1,
             {15, -3.3117349882563051e-1, 1.6973733263997208e-1, 1.8931928997009205e-4, 2.3757512499866454e-5,
              -5.3238967707486179e-6, -8.3633132788077678e-6, 150, 60.253467551318359, -8.7531163267041517,
              -3.0055413998525e-2, -5.5004318013328e-3, 4.9741117946491e-4, 1.1055599936026e-3,
              -62.329358327737, -163.792099323724, 25.298579470003}}});
  }

  std::unique_ptr<Placement> placement() const override { return std::make_unique<CrankPlacement>(); }
  void place(Placement&) const override;
  void mass(const Placement&, Entries&) const override;
  void force(const Placement&, In v, In s, Out f) const override;
  void g(const Placement&, Out residual) const override;
  void jacobian(const Placement&, Entries&) const override;
  void velocity_bias(const Placement&, Out w) const override { w << 0, 0, -Omega_; }
  void bias(const Placement&, In v, Out bias) const override;
  std::optional<double> energy(const Placement&, In v, In s) const override;
  double power(const Placement&, In v, In /*s*/) const override {
    const Vector4d rate = v.tail<4>();
    return -rate.dot(rod_.D * rate);
  }
  bool conservative() const override { return false; }  // the drive
  void derivatives(const Placement&, In v, In s, In a, In l, Derivatives&) const override;

 private:
  static constexpr double b_ = 80 / (9 * pi2);
  /// The smooth motion of release 2.4, for Omega = 150; velocities scale with the speed.
  State published_start() const {
    Vector y(14);
    y << 0, 0, l1 + l2 + .169327969e-4, 0, 0, .103339863e-4, .169327969e-4, 150, -74.99576703969453,
        -.2689386719979040e-5, .4448961125815990, .4634339319238670e-2, -.1785910760000550e-5,
        -.2689386719979040e-5;
    y.tail(7) *= Omega_ / 150;
    return with_multipliers(*this, 0, y);
  }
  Vector4d cubic_force(const Vector4d& q) const;
  Matrix4d cubic_stiffness(const Vector4d& q) const;

  double Omega_, cubic_;
  Rod rod_;
  bool published_;  // the reference digits hold for these parameters
  State start_;
};

void SliderCrankFlexible::place(Placement& placement) const {
  auto& at = static_cast<CrankPlacement&>(placement);
  const auto both = sin_cos(at.q[phi1], at.q[phi2], 0, 0);
  at.crank = both[0];
  at.rod = both[1];
  const SinCos delta = at.crank + SinCos{-at.rod.sin, at.rod.cos};
  const Vector4d q = at.q.tail<4>();
  at.a = rho * l1 * (delta.cos * rod_.c1 + delta.sin * rod_.c2);
  at.n = rho * l1 * (delta.cos * rod_.c2 - delta.sin * rod_.c1);
  at.A = l1 * l2 * m2 / 2 * delta.cos + at.a.dot(q);
  at.A_delta = -l1 * l2 * m2 / 2 * delta.sin + at.n.dot(q);
  at.M2q = rho * (rod_.c21 + rod_.B.transpose() * q);
  const Vector4d Mq = rod_.M * q;
  at.swing = rho * rod_.c12 + Mq;
  at.M22 = J2 + q.dot(Mq) + 2 * rho * rod_.c12.dot(q);
  at.length = l2 + q[3];
}

// Places, row after row.
constexpr std::array<Entries::Place, 27> in_mass = {
    {{phi1, phi1}, {phi1, phi2}, {phi1, q1}, {phi1, q2}, {phi1, q3}, {phi1, q4}, {phi2, phi1},
     {phi2, phi2}, {phi2, q1},   {phi2, q2}, {phi2, q3}, {phi2, q4}, {x3, x3},   {q1, phi1},
     {q1, phi2},   {q1, q1},     {q2, phi1}, {q2, phi2}, {q2, q2},   {q3, phi1}, {q3, phi2},
     {q3, q3},     {q3, q4},     {q4, phi1}, {q4, phi2}, {q4, q3},   {q4, q4}}};
constexpr std::array<Entries::Place, 8> in_rows = {
    {{0, phi1}, {0, phi2}, {0, q4}, {1, phi1}, {1, phi2}, {1, x3}, {1, q4}, {2, phi1}}};
constexpr std::array<Entries::Place, 6> in_bent_rows = {
    {{0, phi1}, {0, phi2}, {0, q4}, {1, phi1}, {1, phi2}, {1, q4}}};

/// Angles and the rod against each other, without x3.
constexpr std::array<int, 6> moving = {phi1, phi2, q1, q2, q3, q4};
constexpr std::array<Entries::Place, 36> everywhere = [] {
  std::array<Entries::Place, 36> places{};
  for (std::size_t k = 0; k < places.size(); ++k) places[k] = {moving[k / 6], moving[k % 6]};
  return places;
}();

void SliderCrankFlexible::mass(const Placement& placement, Entries& M) const {
  const auto& at = known(placement);
  constexpr std::array<std::size_t, 4> elastic = {13, 16, 19, 23};  // where the row of each begins
  std::array<double, 27> values;
  values[0] = J1 + m2 * l1 * l1, values[1] = values[6] = at.A, values[7] = at.M22, values[12] = m3;
  for (std::size_t i = 0; i < elastic.size(); ++i) {
    const auto r = static_cast<Eigen::Index>(i);
    values[2 + i] = values[elastic[i]] = at.n[r];
    values[8 + i] = values[elastic[i] + 1] = at.M2q[r];
    values[elastic[i] + 2] = i < 3 ? rod_.M(r, r) : rod_.M(3, 2);
  }
  values[22] = rod_.M(2, 3), values[26] = rod_.M(3, 3);
  M.write(in_mass, values);
}

Vector4d SliderCrankFlexible::cubic_force(const Vector4d& q) const {
  const double stretch = b_ * (2 * q[3] - 4 * q[2]);
  return cubic_ * Vector4d(q[0] * q[3] - stretch * q[1], 4 * q[1] * q[3] - stretch * q[0],
                           4 * b_ * q[0] * q[1], q[0] * q[0] / 2 + 2 * q[1] * q[1] - 2 * b_ * q[0] * q[1]);
}

Matrix4d SliderCrankFlexible::cubic_stiffness(const Vector4d& q) const {
  const double stretch = b_ * (2 * q[3] - 4 * q[2]);
  const double k03 = q[0] - 2 * b_ * q[1], k13 = 4 * q[1] - 2 * b_ * q[0];
  Matrix4d K;
  K << q[3], -stretch, 4 * b_ * q[1], k03,     //
      -stretch, 4 * q[3], 4 * b_ * q[0], k13,  //
      4 * b_ * q[1], 4 * b_ * q[0], 0, 0,      //
      k03, k13, 0, 0;
  return cubic_ * K;
}

void SliderCrankFlexible::force(const Placement& placement, In v, In /*s*/, Out f) const {
  const auto& at = known(placement);
  const double w1 = v[phi1], w2 = v[phi2];
  const Vector4d q = at.q.tail<4>(), u = v.tail<4>();
  f[phi1] = w2 * (w2 * at.A_delta - 2 * at.a.dot(u));
  f[phi2] = -w1 * w1 * at.A_delta - 2 * w2 * at.swing.dot(u);
  f[x3] = 0;
  f.tail<4>() = w2 * w2 * at.swing + w1 * w1 * at.a + 2 * rho * w2 * (rod_.B * u) - rod_.K * q - rod_.D * u -
                cubic_force(q);
}

void SliderCrankFlexible::g(const Placement& placement, Out residual) const {
  const auto& at = known(placement);
  residual[0] = l1 * at.crank.sin + at.length * at.rod.sin;
  residual[1] = at.q[x3] - l1 * at.crank.cos - at.length * at.rod.cos;
  residual[2] = at.q[phi1] - Omega_ * at.t;
}

void SliderCrankFlexible::jacobian(const Placement& placement, Entries& J) const {
  const auto& at = known(placement);
  J.write<8>(in_rows, {l1 * at.crank.cos, at.length * at.rod.cos, at.rod.sin,      //
                       l1 * at.crank.sin, at.length * at.rod.sin, 1, -at.rod.cos,  //
                       1});
}

void SliderCrankFlexible::bias(const Placement& placement, In v, Out bias) const {
  const auto& at = known(placement);
  const double crank = l1 * v[phi1] * v[phi1], rod = at.length * v[phi2] * v[phi2],
               twice = 2 * v[q4] * v[phi2];
  bias[0] = -crank * at.crank.sin - rod * at.rod.sin + twice * at.rod.cos;
  bias[1] = crank * at.crank.cos + rod * at.rod.cos + twice * at.rod.sin;
  bias[2] = 0;
}

std::optional<double> SliderCrankFlexible::energy(const Placement& placement, In v, In /*s*/) const {
  const auto& at = known(placement);
  const double w1 = v[phi1], w2 = v[phi2];
  const Vector4d q = at.q.tail<4>(), u = v.tail<4>();
  const double kinetic = (J1 + m2 * l1 * l1) * w1 * w1 / 2 + at.M22 * w2 * w2 / 2 + m3 * v[x3] * v[x3] / 2 +
                         u.dot(rod_.M * u) / 2 + w1 * w2 * at.A + w1 * at.n.dot(u) + w2 * at.M2q.dot(u);
  // V is a form of degree 3: V = q.V_q/3
  return kinetic + q.dot(rod_.K * q) / 2 + q.dot(cubic_force(q)) / 3;
}

void SliderCrankFlexible::derivatives(const Placement& placement, In v, In /*s*/, In a, In l,
                                      Derivatives& d) const {
  const auto& at = known(placement);
  const double w1 = v[phi1], w2 = v[phi2], a1 = a[phi1], a2 = a[phi2];
  const Vector4d q = at.q.tail<4>(), u = v.tail<4>(), aq = a.tail<4>();

  // By delta, which enters columns phi1 and phi2 with opposite signs; A_(delta,delta) = -A.
  const double r1_delta = at.A_delta * a2 - at.a.dot(aq) + w2 * w2 * at.A + 2 * w2 * at.n.dot(u);
  const double r2_delta = at.A_delta * a1 - w1 * w1 * at.A;
  const Vector4d rq_delta = -a1 * at.a - w1 * w1 * at.n;
  const Vector4d r1_q = a2 * at.a - w2 * w2 * at.n;
  const Vector4d r2_q =
      a1 * at.a + 2 * a2 * at.swing + rho * (rod_.B * aq) + w1 * w1 * at.n + 2 * w2 * (rod_.M * u);
  const Matrix4d rq_q = rho * a2 * rod_.B.transpose() - w2 * w2 * rod_.M + rod_.K + cubic_stiffness(q);
  // (G'l)_q
  const double crank = l1 * (l[1] * at.crank.cos - l[0] * at.crank.sin);
  const double rod = at.length * (l[1] * at.rod.cos - l[0] * at.rod.sin);
  const double mixed = l[0] * at.rod.cos + l[1] * at.rod.sin;

  std::array<double, 36> K;
  K[0] = r1_delta + crank, K[1] = -r1_delta;
  K[6] = r2_delta, K[7] = -r2_delta + rod;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto r = static_cast<Eigen::Index>(i);
    const double pull = q1 + r == q4 ? mixed : 0;
    K[2 + i] = r1_q[r];
    K[8 + i] = r2_q[r] + pull;
    double* row = K.data() + 12 + 6 * i;
    row[0] = rq_delta[r], row[1] = -rq_delta[r] + pull;
    for (Eigen::Index j = 0; j < 4; ++j) row[2 + j] = rq_q(r, j);
  }
  d.K.write(everywhere, K);

  const Vector4d fq_w2 = 2 * w2 * at.swing + 2 * rho * (rod_.B * u);
  std::array<double, 36> D;
  D[0] = 0, D[1] = 2 * (at.a.dot(u) - w2 * at.A_delta);
  D[6] = 2 * w1 * at.A_delta, D[7] = 2 * at.swing.dot(u);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto r = static_cast<Eigen::Index>(i);
    D[2 + i] = 2 * w2 * at.a[r];
    D[8 + i] = 2 * w2 * at.swing[r];
    double* row = D.data() + 12 + 6 * i;
    row[0] = -2 * w1 * at.a[r], row[1] = -fq_w2[r];
    for (Eigen::Index j = 0; j < 4; ++j) row[2 + j] = rod_.D(r, j) - 2 * rho * w2 * rod_.B(r, j);
  }
  d.D.write(everywhere, D);

  d.B.write<6>(in_bent_rows,
               {-l1 * at.crank.sin * w1, at.rod.cos * v[q4] - at.length * at.rod.sin * w2,
                at.rod.cos * w2,  //
                l1 * at.crank.cos * w1, at.rod.sin * v[q4] + at.length * at.rod.cos * w2, at.rod.sin * w2});
}

}  // namespace

std::vector<ProblemEntry> problems_in_slider_crank_flexible() {
  return {{"slider-crank-flexible", "planar slider crank with a flexible rod, driven at constant speed",
           Kind::mechanical, "MazziaMagherini2008", parameters,
           [](const Parameters& p) { return std::make_shared<const SliderCrankFlexible>(p); }}};
}

}  // namespace dalembert
