// Numbers that carry their derivatives along (forward differentiation [GriewankWalther2008, ch. 3]).
//
//   f(x) -> (f, f' x'),   f(x,y) -> (f, f_x x' + f_y y')
//
// What x' is, is left open: Gradient<n> holds n directional derivatives, Origins the set of unknowns that a value was
// computed from. Written once for both, an expression yields its Jacobian and the pattern of its Jacobian. So is what x
// is: numbers of numbers with derivatives have second derivatives.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace dalembert {

/// n directional derivatives.
template <std::size_t n, class Scalar = double>
struct Gradient {
  std::array<Scalar, n> d{};
  friend Gradient operator*(const Scalar& c, Gradient a) {
    for (Scalar& x : a.d) x *= c;
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

/// A value and its derivatives.
template <class Derivative, class Scalar = double>
struct Forward {
  Scalar value = 0;
  Derivative gradient{};

  Forward() = default;
  Forward(double v) : value(v) {}  // a constant; implicit, so that formulas read as they are written
  Forward(Scalar v, Derivative s) : value(std::move(v)), gradient(std::move(s)) {}

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
    const Scalar q = a.value / b.value, r = 1 / b.value;
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
    const Scalar q = c / a.value;
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
    using std::exp;
    const Scalar e = exp(a.value);
    return {e, e * a.gradient};
  }
  friend Forward log(const Forward& a) {
    using std::log;
    return {log(a.value), (1 / a.value) * a.gradient};
  }
  friend Forward sqrt(const Forward& a) {
    using std::sqrt;
    const Scalar root = sqrt(a.value);
    return {root, (0.5 / root) * a.gradient};
  }
  friend Forward sin(const Forward& a) {
    using std::cos, std::sin;
    return {sin(a.value), cos(a.value) * a.gradient};
  }
  friend Forward cos(const Forward& a) {
    using std::cos, std::sin;
    return {cos(a.value), -sin(a.value) * a.gradient};
  }
  friend Forward tan(const Forward& a) {
    using std::tan;
    const Scalar tangent = tan(a.value);
    return {tangent, (1 + tangent * tangent) * a.gradient};
  }
  friend Forward atan(const Forward& a) {
    using std::atan;
    return {atan(a.value), (1 / (1 + a.value * a.value)) * a.gradient};
  }
  friend Forward atan2(const Forward& y, const Forward& x) {
    using std::atan2;
    const Scalar r2 = x.value * x.value + y.value * y.value;
    return {atan2(y.value, x.value), (x.value / r2) * y.gradient + (-y.value / r2) * x.gradient};
  }
  friend Forward sinh(const Forward& a) {
    using std::cosh, std::sinh;
    return {sinh(a.value), cosh(a.value) * a.gradient};
  }
  friend Forward cosh(const Forward& a) {
    using std::cosh, std::sinh;
    return {cosh(a.value), sinh(a.value) * a.gradient};
  }
  friend Forward tanh(const Forward& a) {
    using std::tanh;
    const Scalar tangent = tanh(a.value);
    return {tangent, (1 - tangent * tangent) * a.gradient};
  }
  friend Forward hypot(const Forward& x, const Forward& y) {
    using std::hypot;
    const Scalar r = hypot(x.value, y.value);
    return {r, (x.value / r) * x.gradient + (y.value / r) * y.gradient};
  }
  friend Forward abs(const Forward& a) {
    using std::abs;
    return {abs(a.value), (a.value < 0 ? -1.0 : 1.0) * a.gradient};
  }
  friend Forward pow(const Forward& a, double p) {
    using std::pow;
    return {pow(a.value, p), (p == 0 ? Scalar(0) : p * pow(a.value, p - 1)) * a.gradient};
  }
};

/// A number with n directional derivatives.
template <std::size_t n>
using Dual = Forward<Gradient<n>>;
/// A number that knows which unknowns it was computed from.
using Traced = Forward<Origins>;
/// A number with first and second derivatives along one direction: of x + tau d + sigma d.
using Second = Forward<Gradient<1, Dual<1>>, Dual<1>>;

}  // namespace dalembert
