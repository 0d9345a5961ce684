// The equations of two problems of the catalogue once more, as templates: with duals they give IDA its exact
// Jacobian.
//
//   balance  M(q) a + G(q)' l - f(q,v)
//   turned   G(q) w
//   bias     g'' = G(q) a + bias(q,v)
//
// work_precision compares them with the catalogue before it uses them.
#pragma once

#include "dalembert/core/trigonometry.h"
#include "dalembert/problem/dual.h"

namespace dalembert::bench {

template <int n>
Dual<n> variable(double value, int direction) {
  Dual<n> x(value);
  x.gradient.d[direction] = 1;
  return x;
}

/// Sine and cosine of one angle, and of sums.
template <class T>
struct Turn {
  T sin, cos;
};
inline Turn<double> turn(double angle) {
  const SinCos both = sin_cos(angle);
  return {both.sin, both.cos};
}
template <std::size_t n>
Turn<Dual<n>> turn(const Dual<n>& angle) {
  const SinCos both = sin_cos(angle.value);
  return {{both.sin, both.cos * angle.gradient}, {both.cos, -both.sin * angle.gradient}};
}
template <class T>
Turn<T> operator+(const Turn<T>& a, const Turn<T>& b) {
  return {a.sin * b.cos + a.cos * b.sin, a.cos * b.cos - a.sin * b.sin};
}

/// Andrews' mechanism, equations and data of problems/andrews.cc.
template <class T>
class AndrewsModel {
 public:
  static constexpr int n = 7, m = 6;
  static constexpr const char* name = "andrews";

  explicit AndrewsModel(const T* q) {
    const Turn<T> b = turn(q[0]), th = turn(q[1]), ga = turn(q[2]), ph = turn(q[3]), de = turn(q[4]),
                  om = turn(q[5]), ep = turn(q[6]);
    const Turn<T> b_th = b + th, ph_de = ph + de, om_ep = om + ep;
    M12 = k12 * th.cos, M45 = k45 * ph.sin, M67 = k67 * om.sin;
    c12 = k12 * th.sin, c45 = k45 * ph.cos, c67 = k67 * om.cos;
    rr_sin = rr * b.sin, rr_cos = rr * b.cos;
    d_sin = d * b_th.sin, d_cos = d * b_th.cos;
    ss_sin = ss * ga.sin, ss_cos = ss * ga.cos;
    arm = sd * ga.cos + sc * ga.sin, arm_normal = sd * ga.sin - sc * ga.cos;
    e_sin = e * ph_de.sin, e_cos = e * ph_de.cos;
    zt_sin = zt * de.sin, zt_cos = zt * de.cos;
    zf_sin = zf * om_ep.sin, zf_cos = zf * om_ep.cos;
    u_sin = u * ep.sin, u_cos = u * ep.cos;
  }

  void mass(const double* a, T* r) const {
    r[0] = (M11 - 2 * M12) * a[0] + (M22 - M12) * a[1];
    r[1] = (M22 - M12) * a[0] + M22 * a[1];
    r[2] = M33 * a[2];
    r[3] = M44 * a[3] + (M44 + M45) * a[4];
    r[4] = (M44 + M45) * a[3] + (M55 + 2 * M45) * a[4];
    r[5] = M66 * a[5] + (M66 - M67) * a[6];
    r[6] = (M66 - M67) * a[5] + (M77 - 2 * M67) * a[6];
  }

  void balance(const T* v, const double* a, const double* l, T* r) const {
    mass(a, r);
    const T x = arm + (xb - xc), y = arm_normal + (yb - yc);
    using std::sqrt;
    const T pull = c0 * (l0 / sqrt(x * x + y * y) - 1);
    const double lx = l[0] + l[2] + l[4], ly = l[1] + l[3] + l[5];
    const T turned_theta = d_sin * lx - d_cos * ly;
    r[0] = r[0] + turned_theta + rr_cos * ly - rr_sin * lx - mom + c12 * v[1] * (v[1] + 2 * v[0]);
    r[1] = r[1] + turned_theta - c12 * v[0] * v[0];
    r[2] = r[2] - ss_cos * l[0] - ss_sin * l[1] - pull * (y * arm - x * arm_normal);
    const T turned_phi = -(e_cos * l[2] + e_sin * l[3]);
    r[3] = r[3] + turned_phi - c45 * v[4] * v[4];
    r[4] = r[4] + turned_phi + zt_sin * l[2] - zt_cos * l[3] + c45 * v[3] * (v[3] + 2 * v[4]);
    const T turned_omega = zf_sin * l[4] - zf_cos * l[5];
    r[5] = r[5] + turned_omega + c67 * v[6] * v[6];
    r[6] = r[6] + turned_omega - u_cos * l[4] - u_sin * l[5] - c67 * v[5] * (v[5] + 2 * v[6]);
  }

  template <class W>  // double, or T
  void turned(const W* w, T* r) const {
    const W b_th = w[0] + w[1], ph_de = w[3] + w[4], om_ep = w[5] + w[6];
    const T X = d_sin * b_th - rr_sin * w[0], Y = rr_cos * w[0] - d_cos * b_th;
    r[0] = X - ss_cos * w[2];
    r[1] = Y - ss_sin * w[2];
    r[2] = X - e_cos * ph_de + zt_sin * w[4];
    r[3] = Y - e_sin * ph_de - zt_cos * w[4];
    r[4] = X + zf_sin * om_ep - u_cos * w[6];
    r[5] = Y - zf_cos * om_ep - u_sin * w[6];
  }

  void bias(const T* v, const double* a, T* r) const {
    turned(a, r);
    const auto square = [](const T& x) { return x * x; };
    const T b = square(v[0]), b_th = square(v[0] + v[1]), ga = square(v[2]), ph_de = square(v[3] + v[4]),
            de = square(v[4]), om_ep = square(v[5] + v[6]), ep = square(v[6]);
    const T X = d_cos * b_th - rr_cos * b, Y = d_sin * b_th - rr_sin * b;
    r[0] = r[0] + X + ss_sin * ga;
    r[1] = r[1] + Y - ss_cos * ga;
    r[2] = r[2] + X + e_sin * ph_de + zt_cos * de;
    r[3] = r[3] + Y - e_cos * ph_de + zt_sin * de;
    r[4] = r[4] + X + zf_cos * om_ep + u_sin * ep;
    r[5] = r[5] + Y + zf_sin * om_ep - u_cos * ep;
  }

 private:
  static constexpr double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706,
                          m7 = .05498;
  static constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5,
                          I6 = 5.667e-7, I7 = 1.912e-5;
  static constexpr double xb = -.03635, yb = .03273, xc = .014, yc = .072;
  static constexpr double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, ss = .035,
                          sa = .01874, sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916, u = .04,
                          ua = .01228, ub = .00449, zf = .02, zt = .04, fa = .01421;
  static constexpr double mom = .033, c0 = 4530, l0 = .07785;
  static constexpr double M22 = m2 * da * da + I2;
  static constexpr double M11 = m1 * ra * ra + m2 * rr * rr + I1 + M22;
  static constexpr double M33 = m3 * (sa * sa + sb * sb) + I3;
  static constexpr double M44 = m4 * (e - ea) * (e - ea) + I4;
  static constexpr double M55 = m4 * zt * zt + m5 * (ta * ta + tb * tb) + I5 + M44;
  static constexpr double M66 = m6 * (zf - fa) * (zf - fa) + I6;
  static constexpr double M77 = m6 * u * u + m7 * (ua * ua + ub * ub) + I7 + M66;
  static constexpr double k12 = m2 * da * rr, k45 = m4 * zt * (e - ea), k67 = m6 * u * (zf - fa);

  T M12, M45, M67, c12, c45, c67;
  T rr_sin, rr_cos, d_sin, d_cos, ss_sin, ss_cos, arm, arm_normal, e_sin, e_cos, zt_sin, zt_cos, zf_sin,
      zf_cos, u_sin, u_cos;
};

/// The pendulum in Cartesian coordinates with unit data, problems/pendulum.cc.
template <class T>
class PendulumModel {
 public:
  static constexpr int n = 2, m = 1;
  static constexpr const char* name = "pendulum";

  explicit PendulumModel(const T* q) : x(q[0]), y(q[1]) {}
  void mass(const double* a, T* r) const {
    r[0] = a[0];
    r[1] = a[1];
  }
  void balance(const T* /*v*/, const double* a, const double* l, T* r) const {
    r[0] = x * l[0] + a[0];
    r[1] = y * l[0] + (a[1] + 1);
  }
  template <class W>
  void turned(const W* w, T* r) const {
    r[0] = x * w[0] + y * w[1];
  }
  void bias(const T* v, const double* a, T* r) const {
    r[0] = x * a[0] + y * a[1] + v[0] * v[0] + v[1] * v[1];
  }

 private:
  T x, y;
};

}  // namespace dalembert::bench
