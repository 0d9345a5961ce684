// Numbers that carry their derivatives along (forward differentiation [GriewankWalther2008, ch. 3]).
//
//   f(x) -> (f, f' x'),   f(x,y) -> (f, f_x x' + f_y y')
//
// What x' is, is left open: Gradient<n> holds n directional derivatives, Origins the set of unknowns that a value was
// computed from. Written once for both, an expression yields its Jacobian and the pattern of its Jacobian.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

namespace dalembert {

/// n directional derivatives.
template <std::size_t n>
struct Gradient {
  std::array<double, n> d{};
  friend Gradient operator*(double c, Gradient a) {
    for (double& x : a.d) x *= c;
    return a;
  }
  friend Gradient operator+(Gradient a, const Gradient& b) {
    for (std::size_t i = 0; i < n; ++i) a.d[i] += b.d[i];
    return a;
  }
};

/// Which unknowns a value depends on; whatever the numbers are, also where a derivative happens to vanish.
struct Origins {
  std::vector<int> of{};  // ascending
  friend Origins operator*(double, Origins a) { return a; }
  friend Origins operator+(const Origins& a, const Origins& b) {
    Origins both;
    std::set_union(a.of.begin(), a.of.end(), b.of.begin(), b.of.end(), std::back_inserter(both.of));
    return both;
  }
};

template <class Derivative>
struct Forward {
  double value = 0;
  Derivative gradient{};

  Forward() = default;
  Forward(double v) : value(v) {}  // a constant; implicit, so that formulas read as they are written
  Forward(double v, Derivative s) : value(v), gradient(std::move(s)) {}

  friend Forward operator-(const Forward& a) { return {-a.value, -1.0 * a.gradient}; }
  friend Forward operator+(const Forward& a, const Forward& b) {
    return {a.value + b.value, a.gradient + b.gradient};
  }
  friend Forward operator-(const Forward& a, const Forward& b) {
    return {a.value - b.value, a.gradient + -1.0 * b.gradient};
  }
  friend Forward operator*(const Forward& a, const Forward& b) {
    return {a.value * b.value, b.value * a.gradient + a.value * b.gradient};
  }
  friend Forward operator/(const Forward& a, const Forward& b) {
    const double q = a.value / b.value, r = 1 / b.value;
    return {q, r * a.gradient + (-q * r) * b.gradient};
  }
  // With plain numbers: no derivatives to carry, and no 0 times infinity among them.
  friend Forward operator+(const Forward& a, double c) { return {a.value + c, a.gradient}; }
  friend Forward operator+(double c, const Forward& a) { return {c + a.value, a.gradient}; }
  friend Forward operator-(const Forward& a, double c) { return {a.value - c, a.gradient}; }
  friend Forward operator-(double c, const Forward& a) { return {c - a.value, -1.0 * a.gradient}; }
  friend Forward operator*(const Forward& a, double c) { return {a.value * c, c * a.gradient}; }
  friend Forward operator*(double c, const Forward& a) { return {c * a.value, c * a.gradient}; }
  friend Forward operator/(const Forward& a, double c) { return {a.value / c, (1 / c) * a.gradient}; }
  friend Forward operator/(double c, const Forward& a) {
    const double q = c / a.value;
    return {q, (-q / a.value) * a.gradient};
  }
  Forward& operator+=(const Forward& b) { return *this = *this + b; }
  Forward& operator-=(const Forward& b) { return *this = *this - b; }
  Forward& operator*=(const Forward& b) { return *this = *this * b; }
  Forward& operator/=(const Forward& b) { return *this = *this / b; }

  // Branches are taken by value.
  friend bool operator<(const Forward& a, const Forward& b) { return a.value < b.value; }
  friend bool operator>(const Forward& a, const Forward& b) { return a.value > b.value; }
  friend bool operator<=(const Forward& a, const Forward& b) { return a.value <= b.value; }
  friend bool operator>=(const Forward& a, const Forward& b) { return a.value >= b.value; }

  // Found where the argument is such a number; a formula says `using std::exp;` to serve plain ones too.
  friend Forward exp(const Forward& a) {
    const double e = std::exp(a.value);
    return {e, e * a.gradient};
  }
  friend Forward log(const Forward& a) { return {std::log(a.value), (1 / a.value) * a.gradient}; }
  friend Forward sqrt(const Forward& a) {
    const double root = std::sqrt(a.value);
    return {root, (0.5 / root) * a.gradient};
  }
  friend Forward sin(const Forward& a) { return {std::sin(a.value), std::cos(a.value) * a.gradient}; }
  friend Forward cos(const Forward& a) { return {std::cos(a.value), -std::sin(a.value) * a.gradient}; }
  friend Forward tan(const Forward& a) {
    const double tangent = std::tan(a.value);
    return {tangent, (1 + tangent * tangent) * a.gradient};
  }
  friend Forward atan(const Forward& a) {
    return {std::atan(a.value), (1 / (1 + a.value * a.value)) * a.gradient};
  }
  friend Forward atan2(const Forward& y, const Forward& x) {
    const double r2 = x.value * x.value + y.value * y.value;
    return {std::atan2(y.value, x.value), (x.value / r2) * y.gradient + (-y.value / r2) * x.gradient};
  }
  friend Forward sinh(const Forward& a) { return {std::sinh(a.value), std::cosh(a.value) * a.gradient}; }
  friend Forward cosh(const Forward& a) { return {std::cosh(a.value), std::sinh(a.value) * a.gradient}; }
  friend Forward tanh(const Forward& a) {
    const double tangent = std::tanh(a.value);
    return {tangent, (1 - tangent * tangent) * a.gradient};
  }
  friend Forward hypot(const Forward& x, const Forward& y) {
    const double r = std::hypot(x.value, y.value);
    return {r, (x.value / r) * x.gradient + (y.value / r) * y.gradient};
  }
  friend Forward abs(const Forward& a) {
    return {std::abs(a.value), (a.value < 0 ? -1.0 : 1.0) * a.gradient};
  }
  friend Forward pow(const Forward& a, double p) {
    return {std::pow(a.value, p), (p == 0 ? 0 : p * std::pow(a.value, p - 1)) * a.gradient};
  }
};

template <std::size_t n>
using Dual = Forward<Gradient<n>>;
using Traced = Forward<Origins>;

}  // namespace dalembert
