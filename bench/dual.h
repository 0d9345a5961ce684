// Forward differentiation in several directions at once: a value and its gradient.
#pragma once

#include <Eigen/Dense>

#include "problems/trigonometry.h"

namespace dalembert::bench {

template <int directions>
struct Dual {
  using Gradient = Eigen::Array<double, directions, 1>;
  double value = 0;
  Gradient gradient = Gradient::Zero();

  Dual() = default;
  Dual(double v) : value(v) {}  // NOLINT: constants mix with duals
  Dual(double v, const Gradient& g) : value(v), gradient(g) {}

  static Dual variable(double v, int direction) {
    Dual x(v);
    x.gradient[direction] = 1;
    return x;
  }

  Dual operator-() const { return {-value, -gradient}; }
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.gradient + b.gradient}; }
  friend Dual operator+(const Dual& a, double b) { return {a.value + b, a.gradient}; }
  friend Dual operator+(double a, const Dual& b) { return b + a; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.gradient - b.gradient}; }
  friend Dual operator-(const Dual& a, double b) { return {a.value - b, a.gradient}; }
  friend Dual operator-(double a, const Dual& b) { return {a - b.value, -b.gradient}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.value * b.gradient + b.value * a.gradient};
  }
  friend Dual operator*(const Dual& a, double b) { return {a.value * b, b * a.gradient}; }
  friend Dual operator*(double a, const Dual& b) { return b * a; }
};

/// 1/sqrt(x)
inline double inverse_root(double x) {
  return 1 / std::sqrt(x);
}
template <int directions>
Dual<directions> inverse_root(const Dual<directions>& x) {
  const double r = inverse_root(x.value);
  return {r, (-r / (2 * x.value)) * x.gradient};
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
template <int directions>
Turn<Dual<directions>> turn(const Dual<directions>& angle) {
  const SinCos both = sin_cos(angle.value);
  return {{both.sin, both.cos * angle.gradient}, {both.cos, -both.sin * angle.gradient}};
}
template <class T>
Turn<T> operator+(const Turn<T>& a, const Turn<T>& b) {
  return {a.sin * b.cos + a.cos * b.sin, a.cos * b.cos - a.sin * b.sin};
}

inline double value(double x) {
  return x;
}
template <int directions>
double value(const Dual<directions>& x) {
  return x.value;
}

}  // namespace dalembert::bench
