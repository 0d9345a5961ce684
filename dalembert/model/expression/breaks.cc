// Where an expression is not smooth in time: found from its own operations.
//
// Conditions, steps, ramps, absolute values compare two numbers. Where both are affine in t the time at which they are equal
// is solved for once; where they depend on t in another way the difference is scanned for changes of sign; where they depend
// on other variables nothing is known beforehand.
#include <algorithm>
#include <cmath>
#include <optional>

#include "dalembert/core/text.h"
#include "dalembert/model/expression/program.h"

namespace dalembert {

namespace {

constexpr int scanned = 4096;                 // points of a scan
constexpr std::size_t most_breaks = 100'000;  // of one expression; beyond, a drive is noise

/// A number on the stack, as far as time is concerned.
struct Number {
  bool timely = true;  // depends on t and constants alone
  bool affine = true;  // a t + b
  double a = 0, b = 0;
  std::size_t from = 0;  // its operations begin here
};

class Breaks {
 public:
  Breaks(Operations operations, std::size_t t, std::size_t variables, double begin, double end)
      : operations_(operations),
        t_(t),
        x_(std::max<std::size_t>(variables, t + 1), 0.0),
        begin_(begin),
        end_(end) {}

  bool other() const { return other_; }  ///< are there conditions on other variables?

  std::vector<double> find() {
    for (std::size_t i = 0; i < operations_.size(); ++i) next(i);
    if (!stack_.empty() && stack_.back().timely && !stack_.back().affine)
      quiet_stretches(stack_.back(), operations_.size());
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    return std::move(times_);
  }

 private:
  Number pop() {
    const Number top = stack_.back();
    stack_.pop_back();
    return top;
  }

  double at(const Number& x, std::size_t to, double t) {
    if (x.affine) return x.a * t + x.b;
    x_[t_] = t;
    return evaluate(operations_.subspan(x.from, to - x.from), x_.data());
  }

  void note(double t) {
    if (t > begin_ && t < end_ && times_.size() < most_breaks) times_.push_back(t);
  }

  /// Times at which x = y, whose operations end before `x_end` and `y_end`.
  void meet(const Number& x, std::size_t x_end, const Number& y, std::size_t y_end) {
    if (!x.timely || !y.timely) other_ = true;
    if (!x.timely || !y.timely) return;
    if (x.affine && y.affine) {
      if (x.a != y.a) note((y.b - x.b) / (x.a - y.a));
      return;
    }
    const auto difference = [&](double t) { return at(x, x_end, t) - at(y, y_end, t); };
    scan([&](double t) { return difference(t) >= 0 ? 1.0 : 0.0; });
    dips(difference);
  }

  /// Where a function changes its sign and changes it back between two points of the grid: its size has a minimum there, and is
  /// about to reach zero.
  template <class Function>
  void dips(Function f) {
    if (!(end_ > begin_)) return;
    const double step = (end_ - begin_) / scanned;
    double before = f(begin_), here = f(begin_ + step);
    for (int k = 2; k <= scanned; ++k) {
      const double after = f(begin_ + step * k), size = std::abs(here);
      if (before * here > 0 && here * after > 0 && size < std::abs(before) && size <= std::abs(after) &&
          size < 1.5 * (std::max(std::abs(before), std::abs(after)) - size))
        dip(f, begin_ + step * (k - 2), begin_ + step * k, here > 0 ? 1 : -1);
      before = here;
      here = after;
    }
  }

  /// By golden section, down to where the sign is the other one.
  template <class Function>
  void dip(Function f, double begin, double end, double sign) {
    constexpr double golden = 0.618033988749895;
    double a = begin, b = end;
    for (int round = 0; round < 60; ++round) {
      const double left = b - golden * (b - a), right = a + golden * (b - a);
      const double at_left = sign * f(left), at_right = sign * f(right);
      if (at_left < 0 || at_right < 0) {
        const double inside = at_left < 0 ? left : right;
        const auto side = [&](double t) { return sign * f(t) < 0 ? 1.0 : 0.0; };
        note(change(side, begin, inside));
        note(change(side, inside, end));
        return;
      }
      (at_left < at_right ? b : a) = at_left < at_right ? right : left;
    }
  }

  /// The time at which a piecewise constant function has changed, between two at which it is not the same.
  template <class Function>
  static double change(Function f, double low, double high) {
    const double value = f(low);
    while (high - low > 4e-16 * std::abs(high)) {
      const double middle = low + (high - low) / 2;
      if (middle <= low || middle >= high) break;
      (f(middle) == value ? low : high) = middle;
    }
    return high;
  }

  /// Where a piecewise constant function changes, by bisection between the points of a grid.
  template <class Function>
  void scan(Function f) {
    if (!(end_ > begin_)) return;
    double before = begin_, value = f(before);
    for (int k = 1; k <= scanned; ++k) {
      const double t = begin_ + (end_ - begin_) * k / scanned, now = f(t);
      if (now != value) note(change(f, before, t));
      before = t;
      value = now;
    }
  }

  void whole_numbers(const Number& x, std::size_t end) {
    if (!x.timely) other_ = true;
    if (!x.timely) return;
    if (!x.affine) return scan([&](double t) { return std::floor(at(x, end, t)); });
    if (x.a == 0) return;
    const double first = std::min(at(x, end, begin_), at(x, end, end_)),
                 last = std::max(at(x, end, begin_), at(x, end, end_));
    if (last - first > static_cast<double>(most_breaks)) return;
    for (double n = std::ceil(first); n <= last; ++n) note((n - x.b) / x.a);
  }

  /// A function of time that is flat but for a few short stretches could be stepped over: the stretches are looked for.
  void quiet_stretches(const Number& x, std::size_t end) {
    if (!(end_ > begin_)) return;
    std::vector<double> value(scanned + 1);
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k <= scanned; ++k) {
      const double t = begin_ + (end_ - begin_) * k / scanned, now = at(x, end, t);
      if (!std::isfinite(now))
        throw Error("is not finite at t = " + short_number(t), "end the run before, or change the formula");
      value[static_cast<std::size_t>(k)] = now;
      least = std::min(least, value[static_cast<std::size_t>(k)]);
      most = std::max(most, value[static_cast<std::size_t>(k)]);
    }
    if (!(most - least > 0) || !std::isfinite(most - least)) return;
    const auto time = [&](int k) { return begin_ + (end_ - begin_) * k / scanned; };
    const double little = 1e-3 * (most - least);
    std::sort(times_.begin(), times_.end());
    // A step ends on what is known already: only what changes beside it is to be looked for.
    const auto moves = [&](int k) {
      double from = value[static_cast<std::size_t>(k)];
      const auto known = std::lower_bound(times_.begin(), times_.end(), time(k));
      for (auto t = known; t != times_.end() && *t <= time(k + 1); ++t) {
        const double near = 1e-12 * std::max(std::abs(*t), end_ - begin_);
        if (std::abs(at(x, end, *t - near) - from) > little) return true;
        from = at(x, end, *t + near);
      }
      return std::abs(value[static_cast<std::size_t>(k) + 1] - from) > little;
    };
    std::vector<int> active;
    for (int k = 0; k < scanned; ++k)
      if (moves(k)) active.push_back(k);
    if (active.size() * 10 > static_cast<std::size_t>(scanned)) return;  // it is busy everywhere
    for (std::size_t i = 0; i < active.size(); ++i) {
      if (i == 0 || active[i] > active[i - 1] + 2) note(time(active[i] - 1));
      if (i + 1 == active.size() || active[i + 1] > active[i] + 2) note(time(active[i] + 2));
    }
  }

  void next(std::size_t i) {
    const Operation& o = operations_[i];
    const auto give = [&](bool timely, bool affine, double a, double b, std::size_t from) {
      stack_.push_back({timely, timely && affine, a, b, from});
    };
    const auto rough = [&](std::initializer_list<Number> of) {  // smooth or not, but not affine
      bool timely = true, fixed = true;
      for (const Number& x : of) timely = timely && x.timely, fixed = fixed && x.affine && x.a == 0;
      const std::size_t from = of.begin()->from;
      double value = 0;
      if (fixed) value = evaluate(operations_.subspan(from, i + 1 - from), x_.data());
      give(timely, fixed, 0, value, from);
    };
    switch (o.op) {
      case Op::constant:
        return give(true, true, 0, o.value, i);
      case Op::variable:
        return give(o.variable == t_, true, 1, 0, i);
      case Op::negate: {
        const Number x = pop();
        return give(x.timely, x.affine, -x.a, -x.b, x.from);
      }
      case Op::add:
      case Op::subtract: {
        const Number y = pop(), x = pop();
        const double sign = o.op == Op::add ? 1 : -1;
        return give(x.timely && y.timely, x.affine && y.affine, x.a + sign * y.a, x.b + sign * y.b, x.from);
      }
      case Op::multiply: {
        const Number y = pop(), x = pop();
        return give(x.timely && y.timely, x.affine && y.affine && (x.a == 0 || y.a == 0),
                    x.a * y.b + y.a * x.b, x.b * y.b, x.from);
      }
      case Op::divide: {
        const Number y = pop(), x = pop();
        return give(x.timely && y.timely, x.affine && y.affine && y.a == 0, x.a / y.b, x.b / y.b, x.from);
      }
      case Op::less:
      case Op::at_most:
      case Op::greater:
      case Op::at_least:
      case Op::equal:
      case Op::differs:
      case Op::min:
      case Op::max: {
        const Number y = pop(), x = pop();
        meet(x, y.from, y, i);
        return rough({x, y});
      }
      case Op::abs:
      case Op::sign:
      case Op::step: {
        const Number x = pop();
        meet(x, i, {}, i);
        return rough({x});
      }
      case Op::floor: {
        const Number x = pop();
        whole_numbers(x, i);
        return rough({x});
      }
      case Op::ramp:
      case Op::smooth_step: {
        const Number high = pop(), low = pop(), x = pop();
        meet(x, low.from, low, high.from);
        meet(x, low.from, high, i);
        return rough({x, low, high});
      }
      case Op::choose: {
        const Number b = pop(), a = pop(), condition = pop();
        return rough({condition, a, b});
      }
      case Op::power:
      case Op::atan2:
      case Op::hypot:
      case Op::both:
      case Op::either: {
        const Number y = pop(), x = pop();
        return rough({x, y});
      }
      default:
        return rough({pop()});
    }
  }

  Operations operations_;
  std::size_t t_;
  std::vector<double> x_;
  double begin_, end_;
  std::vector<Number> stack_;
  std::vector<double> times_;
  bool other_ = false;
};

}  // namespace

std::vector<double> Expression::breaks(std::size_t t, double begin, double end) const {
  if (!(end > begin) || constant()) return {};
  return Breaks(program_->operations, t, program_->variables, begin, end).find();
}

bool Expression::switches(std::size_t t) const {
  Breaks breaks(program_->operations, t, program_->variables, 0, 0);
  breaks.find();
  return breaks.other();
}

}  // namespace dalembert
