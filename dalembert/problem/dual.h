// Numbers that carry their derivatives along (forward differentiation [GriewankWalther2008, ch. 3]).
//
//   f(x) -> (f, f' x'),   f(x,y) -> (f, f_x x' + f_y y')
//
// What x' is, is left open: Slopes<n> holds n directional derivatives, Origins the set of unknowns that a value was
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
struct Slopes {
  std::array<double, n> d{};
  friend Slopes operator*(double c, Slopes a) {
    for (double& x : a.d) x *= c;
    return a;
  }
  friend Slopes operator+(Slopes a, const Slopes& b) {
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

template <class Slope>
struct Forward {
  double value = 0;
  Slope slope{};

  Forward() = default;
  Forward(double v) : value(v) {}  // a constant; implicit, so that formulas read as they are written
  Forward(double v, Slope s) : value(v), slope(std::move(s)) {}

  friend Forward operator-(const Forward& a) { return {-a.value, -1.0 * a.slope}; }
  friend Forward operator+(const Forward& a, const Forward& b) {
    return {a.value + b.value, a.slope + b.slope};
  }
  friend Forward operator-(const Forward& a, const Forward& b) {
    return {a.value - b.value, a.slope + -1.0 * b.slope};
  }
  friend Forward operator*(const Forward& a, const Forward& b) {
    return {a.value * b.value, b.value * a.slope + a.value * b.slope};
  }
  friend Forward operator/(const Forward& a, const Forward& b) {
    const double q = a.value / b.value, r = 1 / b.value;
    return {q, r * a.slope + (-q * r) * b.slope};
  }
  // With plain numbers: no slopes to carry, and no 0 times infinity among them.
  friend Forward operator+(const Forward& a, double c) { return {a.value + c, a.slope}; }
  friend Forward operator+(double c, const Forward& a) { return {c + a.value, a.slope}; }
  friend Forward operator-(const Forward& a, double c) { return {a.value - c, a.slope}; }
  friend Forward operator-(double c, const Forward& a) { return {c - a.value, -1.0 * a.slope}; }
  friend Forward operator*(const Forward& a, double c) { return {a.value * c, c * a.slope}; }
  friend Forward operator*(double c, const Forward& a) { return {c * a.value, c * a.slope}; }
  friend Forward operator/(const Forward& a, double c) { return {a.value / c, (1 / c) * a.slope}; }
  friend Forward operator/(double c, const Forward& a) {
    const double q = c / a.value;
    return {q, (-q / a.value) * a.slope};
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
    return {e, e * a.slope};
  }
  friend Forward log(const Forward& a) { return {std::log(a.value), (1 / a.value) * a.slope}; }
  friend Forward sqrt(const Forward& a) {
    const double root = std::sqrt(a.value);
    return {root, (0.5 / root) * a.slope};
  }
  friend Forward sin(const Forward& a) { return {std::sin(a.value), std::cos(a.value) * a.slope}; }
  friend Forward cos(const Forward& a) { return {std::cos(a.value), -std::sin(a.value) * a.slope}; }
  friend Forward tan(const Forward& a) {
    const double tangent = std::tan(a.value);
    return {tangent, (1 + tangent * tangent) * a.slope};
  }
  friend Forward atan(const Forward& a) {
    return {std::atan(a.value), (1 / (1 + a.value * a.value)) * a.slope};
  }
  friend Forward atan2(const Forward& y, const Forward& x) {
    const double r2 = x.value * x.value + y.value * y.value;
    return {std::atan2(y.value, x.value), (x.value / r2) * y.slope + (-y.value / r2) * x.slope};
  }
  friend Forward sinh(const Forward& a) { return {std::sinh(a.value), std::cosh(a.value) * a.slope}; }
  friend Forward cosh(const Forward& a) { return {std::cosh(a.value), std::sinh(a.value) * a.slope}; }
  friend Forward tanh(const Forward& a) {
    const double tangent = std::tanh(a.value);
    return {tangent, (1 - tangent * tangent) * a.slope};
  }
  friend Forward hypot(const Forward& x, const Forward& y) {
    const double r = std::hypot(x.value, y.value);
    return {r, (x.value / r) * x.slope + (y.value / r) * y.slope};
  }
  friend Forward abs(const Forward& a) { return {std::abs(a.value), (a.value < 0 ? -1.0 : 1.0) * a.slope}; }
  friend Forward pow(const Forward& a, double p) {
    return {std::pow(a.value, p), (p == 0 ? 0 : p * std::pow(a.value, p - 1)) * a.slope};
  }
};

template <std::size_t n>
using Dual = Forward<Slopes<n>>;
using Traced = Forward<Origins>;

}  // namespace dalembert
