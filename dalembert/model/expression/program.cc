// Evaluation of expressions with numbers that carry derivatives [GriewankWalther2008, ch. 3 and 13].
//
//   f(a)    ->  f' = f_a a',             f'' = f_a a'' + f_aa a'^2
//   f(a,b)  ->  f' = f_a a' + f_b b',    f'' = f_a a'' + f_b b'' + f_aa a'^2 + 2 f_ab a'b' + f_bb b'^2
#include "dalembert/model/expression/program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dalembert/core/pieces.h"
#include "dalembert/model/expression/derivatives.h"

namespace dalembert {

namespace {

constexpr std::size_t width = 4;  // derivatives carried at once

struct Sloped {
  double f;
  std::array<double, width> d;
};

struct Timed {
  double f, d, dd;
};

/// What does not change has no derivative, also where a derivative is infinite; and where nothing follows from a change, it may be
/// infinite itself: that of cosh(5000) in 1/cosh(5000).
double times(double gradient, double change) {
  return change == 0 || gradient == 0 ? 0 : gradient * change;
}

/// A value, and by how many roundings it may be off [Higham2002, sec. 3.3].
struct Rounded {
  double f, e;
};

double value_of(double x) {
  return x;
}
double value_of(const Sloped& x) {
  return x.f;
}
double value_of(const Timed& x) {
  return x.f;
}
double value_of(const Rounded& x) {
  return x.f;
}

void set_constant(double& to, double c) {
  to = c;
}
void set_constant(Sloped& to, double c) {
  to = {c, {}};
}
void set_constant(Timed& to, double c) {
  to = {c, 0, 0};
}

void set_constant(Rounded& to, double c) {
  to = {c, 0};
}

void apply(const Operation& o, double& a) {
  a = value(o, a);
}
void apply(const Operation& o, Sloped& a) {
  const double f = value(o, a.f), first = curve(o, a.f, f).first;
  a.f = f;
  for (double& d : a.d) d = times(first, d);
}
void apply(const Operation& o, Timed& a) {
  const double f = value(o, a.f);
  const Curve c = curve(o, a.f, f);
  a = {f, times(c.first, a.d), times(c.first, a.dd) + times(c.second, a.d * a.d)};
}

void apply(const Operation& o, Rounded& a) {
  const double f = value(o, a.f);
  a = {f, times(std::abs(curve(o, a.f, f).first), a.e) + std::abs(f)};
}

void apply(Op op, double& a, double b) {
  a = value(op, a, b);
}
void apply(Op op, Sloped& a, const Sloped& b) {
  const Partials p = partials(op, a.f, b.f);
  const auto at_corner =
      op == Op::hypot && p.f == 0;  // of the cone, where the gradient depends on the direction
  a.f = p.f;
  for (std::size_t i = 0; i < width; ++i)
    a.d[i] = at_corner ? std::hypot(a.d[i], b.d[i]) : times(p.a, a.d[i]) + times(p.b, b.d[i]);
}
void apply(Op op, Timed& a, const Timed& b) {
  const Partials p = partials(op, a.f, b.f);
  if (op == Op::hypot && p.f == 0) {
    const double d = std::hypot(a.d, b.d);
    a = {0, d, d == 0 ? std::hypot(a.dd, b.dd) : (a.d * a.dd + b.d * b.dd) / d};
    return;
  }
  a = {p.f, times(p.a, a.d) + times(p.b, b.d),
       times(p.a, a.dd) + times(p.b, b.dd) + times(p.aa, a.d * a.d) + times(p.ab, 2 * a.d * b.d) +
           times(p.bb, b.d * b.d)};
}

void apply(Op op, Rounded& a, const Rounded& b) {
  const Partials p = partials(op, a.f, b.f);
  a = {p.f, times(std::abs(p.a), a.e) + times(std::abs(p.b), b.e) + std::abs(p.f)};
}

/// 0 up to x0, 1 from x1 on; in between u, or 10 u^3 - 15 u^4 + 6 u^5, whose first two derivatives have no jumps.
template <class Number>
void climb(Op op, Number& x, const Number& x0, Number x1) {
  apply(Op::subtract, x, x0);
  apply(Op::subtract, x1, x0);
  apply(Op::divide, x, x1);
  const double u = value_of(x);
  if (u < 0) return set_constant(x, 0);
  if (u >= 1) return set_constant(x, 1);
  if (op == Op::ramp) return;
  Number sum, c;
  set_constant(sum, 6);
  for (const double next : {-15., 10., 0., 0., 0.}) {
    apply(Op::multiply, sum, x);
    set_constant(c, next);
    apply(Op::add, sum, c);
  }
  x = sum;
}

bool holds(Op op, double a, double b) {
  switch (op) {
    case Op::less:
      return a < b;
    case Op::at_most:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::at_least:
      return a >= b;
    case Op::equal:
      return a == b;
    case Op::differs:
      return a != b;
    case Op::both:
      return a != 0 && b != 0;
    default:
      return a != 0 || b != 0;
  }
}

/// Which way an operation goes whose derivative jumps; its arguments end before `end`.
std::int64_t way(Op op, const double* end) {
  switch (op) {
    case Op::abs:
    case Op::sign:
    case Op::step:
      return end[-1] >= 0;
    case Op::floor:
      return std::abs(end[-1]) < 1e18 ? static_cast<std::int64_t>(std::floor(end[-1])) : 0;
    case Op::min:
    case Op::max:
      return end[-1] < end[-2];
    case Op::ramp:
    case Op::smooth_step:
      return end[-3] < end[-2] ? 0 : end[-3] < end[-1] ? 1 : 2;
    case Op::less:
    case Op::at_most:
    case Op::greater:
    case Op::at_least:
    case Op::equal:
    case Op::differs:
      return holds(op, end[-2], end[-1]);
    default:
      return -1;  // smooth
  }
}

/// How far it is from going the other way.
double margin(Op op, const double* end) {
  switch (op) {
    case Op::abs:
    case Op::sign:
    case Op::step:
      return end[-1];
    case Op::floor:
      return std::abs(end[-1] - std::round(end[-1]));
    case Op::ramp:
    case Op::smooth_step:
      return std::min(std::abs(end[-3] - end[-2]), std::abs(end[-3] - end[-1]));
    default:
      return end[-2] - end[-1];
  }
}

struct Unnoted {
  template <class Number>
  void operator()(Op, const Number*) const {}
};

/// `load(i, to)` writes variable i; `note(op, end)` sees each operation and where its arguments end.
template <class Number, class Load, class Note = Unnoted>
Number evaluate_as(Operations operations, const Load& load, const Note& note = {}) {
  Number stack[tallest_stack];
  Number* end = stack;
  for (const Operation& o : operations) {
    note(o.op, end);
    if (o.op == Op::constant) {
      set_constant(*end++, o.value);
    } else if (o.op == Op::variable) {
      load(o.variable, *end++);
    } else if (o.op < Op::add) {
      apply(o, end[-1]);
    } else if (o.op < Op::min) {
      --end;
      apply(o.op, end[-1], end[0]);
    } else if (o.op == Op::min || o.op == Op::max) {
      --end;
      const double a = value_of(end[-1]), b = value_of(end[0]);
      if ((o.op == Op::min ? b < a : b > a) || std::isnan(b)) end[-1] = end[0];
    } else if (o.op == Op::choose) {
      end -= 2;
      end[-1] = value_of(end[-1]) != 0 ? end[0] : end[1];
    } else if (o.op < Op::choose) {
      end -= 2;
      climb(o.op, end[-1], end[0], end[1]);
    } else if (o.op == Op::not_so) {
      set_constant(end[-1], value_of(end[-1]) == 0 ? 1 : 0);
    } else {
      --end;
      set_constant(end[-1], holds(o.op, value_of(end[-1]), value_of(end[0])) ? 1 : 0);
    }
  }
  return end[-1];
}

}  // namespace

double evaluate(Operations operations, const double* x) {
  const auto load = [x](std::size_t i, double& to) { to = x[i]; };
  if (PieceRecord* record = PieceRecord::current(); record != nullptr)
    return evaluate_as<double>(operations, load, [record](Op op, const double* end) {
      if (const std::int64_t noted = way(op, end); noted >= 0 || op == Op::floor)
        record->note(noted, margin(op, end));
    });
  return evaluate_as<double>(operations, load);
}

double FormulaPart::at(const double* x) const {
  return evaluate(operations_, x);
}

double FormulaPart::noise(const double* x) const {
  const auto load = [x](std::size_t i, Rounded& to) { to = {x[i], std::abs(x[i])}; };
  return std::numeric_limits<double>::epsilon() * evaluate_as<Rounded>(operations_, load).e;
}

double evaluate(Operations operations, const double* x, std::size_t n, double* gradient) {
  if (n == 0) return evaluate(operations, x);
  if (PieceRecord::current() != nullptr) evaluate(operations, x);  // notes which way it goes
  double f = 0;
  for (std::size_t first = 0; first < n; first += width) {
    const Sloped number = evaluate_as<Sloped>(operations, [&](std::size_t i, Sloped& to) {
      to = {x[i], {}};
      if (i >= first && i < first + width) to.d[i - first] = 1;
    });
    f = number.f;
    std::copy_n(number.d.begin(), std::min(width, n - first), gradient + first);
  }
  return f;
}

Motion::Value evaluate_at(Operations operations, double t) {
  const Timed f = evaluate_as<Timed>(operations, [t](std::size_t, Timed& to) { to = {t, 1, 0}; });
  return {f.f, f.d, f.dd};
}

}  // namespace dalembert
