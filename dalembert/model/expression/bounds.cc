// Bounds of an expression over ranges of its variables: interval arithmetic [Moore1966], operation by operation.
//
// Rounding is not directed: bounds are wanted to find what is narrow, not to prove anything to the last digit.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dalembert/model/expression/derivatives.h"
#include "dalembert/model/expression/program.h"

namespace dalembert {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double pi = 3.14159265358979323846;
constexpr Range anything = {-infinite, infinite};
constexpr Range no = {0, 0}, yes = {1, 1}, perhaps = {0, 1};

Range hull(std::initializer_list<double> values) {
  Range range = {infinite, -infinite};
  for (const double x : values) {
    if (std::isnan(x)) return anything;
    range.widen(x);
  }
  return range;
}

/// Zero times infinity is zero: the infinite one is a bound, not a value.
double product(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

Range multiply(Range a, Range b) {
  return hull(
      {product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)});
}

Range divide(Range a, Range b) {
  if (b.holds(0)) return anything;
  return multiply(a, hull({1 / b.low, 1 / b.high}));
}

/// Of an increasing function whose domain is from `least` to `most`.
template <class Function>
Range rising(Function f, Range x, double least = -infinite, double most = infinite) {
  return hull({f(std::clamp(x.low, least, most)), f(std::clamp(x.high, least, most))});
}

Range absolute(Range x) {
  const Range ends = hull({std::abs(x.low), std::abs(x.high)});
  return x.holds(0) ? Range{0, ends.high} : ends;
}

/// sin over x + shift: 1 and -1 where a crest or a trough lies inside.
Range wave(Range x, double shift) {
  if (!(x.high - x.low < 2 * pi)) return {-1, 1};
  Range range = hull({std::sin(x.low + shift), std::sin(x.high + shift)});
  const auto meets = [&](double phase) {
    const double turns = std::ceil((x.low + shift - phase) / (2 * pi));
    return phase + 2 * pi * turns <= x.high + shift;
  };
  if (meets(pi / 2)) range.high = 1;
  if (meets(-pi / 2)) range.low = -1;
  return range;
}

Range raise(Range x, double exponent) {
  const auto f = [exponent](double a) { return std::pow(a, exponent); };
  if (exponent != std::floor(exponent)) {  // of negative numbers it is NaN
    if (exponent < 0 && x.low <= 0) return {x.high > 0 ? f(x.high) : 0, infinite};
    return hull({f(std::max(x.low, 0.0)), f(std::max(x.high, 0.0))});
  }
  if (exponent < 0) return divide(yes, raise(x, -exponent));
  const bool even = std::fmod(exponent, 2) == 0;
  return even ? rising(f, absolute(x)) : rising(f, x);
}

Range raise(Range x, Range exponent) {
  if (!(x.low > 0)) return anything;
  return hull({std::pow(x.low, exponent.low), std::pow(x.low, exponent.high), std::pow(x.high, exponent.low),
               std::pow(x.high, exponent.high)});
}

Range angle(Range y, Range x) {
  if (x.low <= 0 && y.holds(0)) return {-pi, pi};
  return hull({std::atan2(y.low, x.low), std::atan2(y.low, x.high), std::atan2(y.high, x.low),
               std::atan2(y.high, x.high)});
}

Range climb(Op op, Range x, Range x0, Range x1) {
  if (x0.low != x0.high || x1.low != x1.high || !(x0.low < x1.low)) return perhaps;
  const auto f = [&](double a) {
    const double u = std::clamp((a - x0.low) / (x1.low - x0.low), 0.0, 1.0);
    return op == Op::ramp ? u : u * u * u * (10 + u * (6 * u - 15));
  };
  return rising(f, x);
}

Range not_so(Range a) {
  return a.holds(0) ? (a.low == a.high ? yes : perhaps) : no;
}

Range less(Range a, Range b) {
  return a.high < b.low ? yes : a.low >= b.high ? no : perhaps;
}

Range condition(Op op, Range a, Range b) {
  switch (op) {
    case Op::less:
    case Op::at_most:
      return less(a, b);
    case Op::greater:
    case Op::at_least:
      return less(b, a);
    case Op::equal:
      return a.high < b.low || b.high < a.low ? no : a.low == a.high && b.low == b.high ? yes : perhaps;
    case Op::differs:
      return not_so(condition(Op::equal, a, b));
    case Op::both:
      return {a.holds(0) || b.holds(0) ? 0.0 : 1.0, not_so(a).low == 1 || not_so(b).low == 1 ? 0.0 : 1.0};
    default:
      return {a.holds(0) && b.holds(0) ? 0.0 : 1.0, not_so(a).low == 1 && not_so(b).low == 1 ? 0.0 : 1.0};
  }
}

Range one(const Operation& o, Range x) {
  const auto f = [&o](double a) { return value(o, a); };
  switch (o.op) {
    case Op::negate:
      return {-x.high, -x.low};
    case Op::power_of:
      return raise(x, o.value);
    case Op::sin:
      return wave(x, 0);
    case Op::cos:
      return wave(x, pi / 2);
    case Op::tan:
      return std::floor(x.low / pi + 0.5) == std::floor(x.high / pi + 0.5) ? rising(f, x) : anything;
    case Op::asin:
    case Op::acos:
      return rising(f, x, -1, 1);
    case Op::cosh:
      return rising(f, absolute(x));
    case Op::log:
    case Op::log10:
    case Op::sqrt:
      return rising(f, x, 0);
    case Op::abs:
      return absolute(x);
    default:
      return rising(f, x);
  }
}

Range two(Op op, Range a, Range b) {
  switch (op) {
    case Op::add:
      return hull({a.low + b.low, a.high + b.high});
    case Op::subtract:
      return hull({a.low - b.high, a.high - b.low});
    case Op::multiply:
      return multiply(a, b);
    case Op::divide:
      return divide(a, b);
    case Op::power:
      return raise(a, b);
    case Op::atan2:
      return angle(a, b);
    case Op::hypot:
      return {std::hypot(absolute(a).low, absolute(b).low), std::hypot(absolute(a).high, absolute(b).high)};
    case Op::min:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::max:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    default:
      return condition(op, a, b);
  }
}

Range three(Op op, Range a, Range b, Range c) {
  if (op != Op::choose) return climb(op, a, b, c);
  if (!a.holds(0)) return b;
  return a.low == a.high ? c : Range{std::min(b.low, c.low), std::max(b.high, c.high)};
}

}  // namespace

Range bounds(Operations operations, const Range* x) {
  std::array<Range, tallest_stack> stack;
  Range* end = stack.data();
  for (const Operation& o : operations) {
    if (o.op == Op::constant) {
      *end++ = {o.value, o.value};
    } else if (o.op == Op::variable) {
      *end++ = x[o.variable];
    } else if (o.op < Op::add) {
      end[-1] = one(o, end[-1]);
    } else if (o.op == Op::not_so) {
      end[-1] = not_so(end[-1]);
    } else if (o.op == Op::ramp || o.op == Op::smooth_step || o.op == Op::choose) {
      end -= 2;
      end[-1] = three(o.op, end[-1], end[0], end[1]);
    } else {
      --end;
      end[-1] = two(o.op, end[-1], end[0]);
    }
  }
  return end[-1];
}

namespace {

constexpr std::size_t most_parts = 24;  // of one formula

/// Sums and products of few factors bend gently; all else may be flat here and steep there.
bool gentle(Operations operations, std::size_t i) {
  const Operation& o = operations[i];
  return o.op <= Op::negate || o.op == Op::add || o.op == Op::subtract || o.op == Op::multiply ||
         (o.op == Op::divide && operations[i - 1].op == Op::constant) ||
         (o.op == Op::power_of && o.value >= 0 && o.value <= 4);
}

std::size_t count_arguments(Op op) {
  if (op < Op::negate) return 0;
  if (op < Op::add || op == Op::not_so) return 1;
  return op == Op::ramp || op == Op::smooth_step || op == Op::choose ? 3 : 2;
}

}  // namespace

std::vector<FormulaPart> narrow_parts(Operations operations, std::size_t variables) {
  struct Node {
    std::size_t first;  // of its operations
    bool narrow;
  };
  std::vector<Node> stack;
  std::vector<FormulaPart> parts;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Op op = operations[i].op;
    Node node{i, !gentle(operations, i)};
    for (std::size_t k = count_arguments(op); k > 0; --k) {
      node.first = stack.back().first;
      node.narrow = node.narrow || stack.back().narrow;
      stack.pop_back();
    }
    stack.push_back(node);
    const bool whole = i + 1 == operations.size(), sign = op == Op::negate;
    if (node.narrow && (whole || (!sign && parts.size() + 1 < most_parts)))
      parts.emplace_back(operations.subspan(node.first, i + 1 - node.first), variables);
  }
  return parts;
}

}  // namespace dalembert
