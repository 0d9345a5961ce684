#include "dalembert/model/expression/derivatives.h"

#include <cmath>
#include <numbers>

namespace dalembert {
double power_of(double x, double p) {
  return p == 2 ? x * x : std::pow(x, p);
}

double value(const Operation& o, double x) {
  switch (o.op) {
    case Op::negate:
      return -x;
    case Op::power_of:
      return o.value == 2 ? x * x : std::pow(x, o.value);
    case Op::sin:
      return std::sin(x);
    case Op::cos:
      return std::cos(x);
    case Op::tan:
      return std::tan(x);
    case Op::asin:
      return std::asin(x);
    case Op::acos:
      return std::acos(x);
    case Op::atan:
      return std::atan(x);
    case Op::sinh:
      return std::sinh(x);
    case Op::cosh:
      return std::cosh(x);
    case Op::tanh:
      return std::tanh(x);
    case Op::exp:
      return std::exp(x);
    case Op::log:
      return std::log(x);
    case Op::log10:
      return std::log10(x);
    case Op::sqrt:
      return std::sqrt(x);
    case Op::cbrt:
      return std::cbrt(x);
    case Op::abs:
      return std::abs(x);
    case Op::sign:
      return x > 0 ? 1 : x < 0 ? -1 : x;  // NaN stays NaN
    case Op::step:
      return x >= 0 ? 1 : x < 0 ? 0 : x;
    case Op::floor:
      return std::floor(x);
    default:
      return std::nan("");
  }
}

Curve curve(const Operation& o, double x, double f) {
  switch (o.op) {
    case Op::negate:
      return {-1, 0};
    case Op::power_of: {
      const double p = o.value;
      if (p == 2) return {2 * x, 2};
      return {p == 0 ? 0 : p * std::pow(x, p - 1), p == 0 || p == 1 ? 0 : p * (p - 1) * std::pow(x, p - 2)};
    }
    case Op::sin:
      return {std::cos(x), -f};
    case Op::cos:
      return {-std::sin(x), -f};
    case Op::tan:
      return {1 + f * f, 2 * f * (1 + f * f)};
    case Op::asin: {
      const double s = 1 - x * x, first = 1 / std::sqrt(s);
      return {first, x * first / s};
    }
    case Op::acos: {
      const double s = 1 - x * x, first = -1 / std::sqrt(s);
      return {first, x * first / s};
    }
    case Op::atan: {
      const double first = 1 / (1 + x * x);
      return {first, -2 * x * first * first};
    }
    case Op::sinh:
      return {std::cosh(x), f};
    case Op::cosh:
      return {std::sinh(x), f};
    case Op::tanh: {
      const double c = std::cosh(x), first = 1 / (c * c);  // 1 - f^2 would lose its digits
      return {first, -2 * f * first};
    }
    case Op::exp:
      return {f, f};
    case Op::log:
      return {1 / x, -1 / (x * x)};
    case Op::log10:
      return {1 / (x * std::numbers::ln10), -1 / (x * x * std::numbers::ln10)};
    case Op::sqrt:
      return {0.5 / f, -0.25 / (f * x)};
    case Op::cbrt:
      return {1 / (3 * f * f), -2 / (9 * f * f * x)};
    case Op::abs:
      return {x < 0 ? -1. : 1., 0};
    default:
      return {0, 0};  // steps
  }
}

double value(Op op, double a, double b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return std::pow(a, b);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::hypot:
      return std::hypot(a, b);
    default:
      return std::nan("");
  }
}

Partials partials(Op op, double a, double b) {
  const double f = value(op, a, b);
  switch (op) {
    case Op::add:
      return {f, 1, 1, 0, 0, 0};
    case Op::subtract:
      return {f, 1, -1, 0, 0, 0};
    case Op::multiply:
      return {f, b, a, 0, 1, 0};
    case Op::divide: {
      const double r = 1 / b;
      return {f, r, -f * r, 0, -r * r, 2 * f * r * r};
    }
    case Op::power: {
      const Curve c = curve({Op::power_of, b}, a, f);
      const double l = std::log(a);
      if (a == 0 && b > 0) return {f, c.first, 0, c.second, b > 1 ? 0 : l, 0};  // 0 log 0 = 0
      return {f, c.first, f * l, c.second, std::pow(a, b - 1) * (1 + b * l), f * l * l};
    }
    case Op::atan2: {
      const double r = std::hypot(a, b), s = a / r, c = b / r;
      return {f, c / r, -s / r, -2 * s * c / r / r, (s - c) * (s + c) / r / r, 2 * s * c / r / r};
    }
    case Op::hypot: {
      const double s = a / f, c = b / f;
      return {f, s, c, c * c / f, -s * c / f, s * s / f};
    }
    default:
      return {f, 0, 0, 0, 0, 0};
  }
}

}  // namespace dalembert
