#include "dalembert/sweep/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

using Reduction = Quantity::Reduction;

struct ReductionName {
  Reduction reduction;
  const char* name;
};
constexpr std::array<ReductionName, 6> reductions = {{{Reduction::end, "end"},
                                                      {Reduction::least, "min"},
                                                      {Reduction::most, "max"},
                                                      {Reduction::mean, "mean"},
                                                      {Reduction::time, "time"},
                                                      {Reduction::count, "count"}}};

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

bool of_event(Reduction r) {
  return r == Reduction::time || r == Reduction::count;
}

Eigen::Index entry_of(const Layout& layout, const std::string& label) {
  for (Eigen::Index i = 0; i < layout.size(); ++i)
    if (layout.label(i) == label) return i;
  return -1;
}

std::string unit_of(const Layout& layout, Eigen::Index entry) {
  for (const Block& block : layout.blocks())
    if (entry >= block.offset && entry < block.offset + block.size)
      return block.units[static_cast<std::size_t>(entry - block.offset)];
  return {};
}

}  // namespace

std::string Quantity::name() const {
  for (const ReductionName& k : reductions)
    if (k.reduction == reduction) return std::string(k.name) + "(" + of + ")";
  return of;
}

Quantity read_quantity(const std::string& text) {
  const std::size_t open = text.find('(');
  if (open == std::string::npos && !text.empty()) return {Reduction::end, text};
  if (open != std::string::npos && text.back() == ')' && open + 2 < text.size())
    for (const ReductionName& k : reductions)
      if (text.compare(0, open, k.name) == 0)
        return {k.reduction, text.substr(open + 1, text.size() - open - 2)};
  throw Error(
      "'" + text + "' is not a result of a run",
      "write max(NAME), min, mean or end of a watch or an entry of the state, time(EVENT) or count(EVENT)");
}

std::vector<Quantity> usual_quantities(const Problem& problem, const std::vector<Watch>& watches) {
  std::vector<Quantity> all;
  for (const Watch& watch : watches) all.push_back({Reduction::end, watch.name});
  if (!all.empty()) return all;
  const Layout layout = problem.report();
  const Block& first = layout.blocks().front();
  for (Eigen::Index i = 0; i < first.size; ++i)
    all.push_back({Reduction::end, layout.label(first.offset + i)});
  return all;
}

Measurement::Measurement(const Problem& problem, std::vector<Watch> watches,
                         const std::vector<Quantity>& quantities)
    : layout_(problem.report()), watches_(std::move(watches)) {
  for (const Quantity& q : quantities) {
    Sought s{q.reduction, q.of, nullptr, -1, q.reduction == Reduction::count ? 0.0 : not_known};
    std::string unit = q.reduction == Reduction::time ? "s" : "";
    if (!of_event(q.reduction)) {
      const auto watch =
          std::find_if(watches_.begin(), watches_.end(), [&](const Watch& w) { return w.name == q.of; });
      s.entry = entry_of(layout_, q.of);
      if (watch != watches_.end()) {
        s.watch = &*watch;
        unit = watch->unit;
      } else if (s.entry >= 0) {
        unit = unit_of(layout_, s.entry);
      } else {
        std::vector<std::string> known;
        for (const Watch& w : watches_) known.push_back(w.name);
        for (Eigen::Index i = 0; i < layout_.size(); ++i) known.push_back(layout_.label(i));
        throw unknown("watch or entry of the state", q.of, known);
      }
    }
    sought_.push_back(std::move(s));
    units_.push_back(std::move(unit));
  }
}

void Measurement::begin(const Problem& mode, const State&) {
  reporter_.emplace(mode, layout_);
}

double Measurement::look(const Sought& s, const StepView& step, double t) const {
  const State state = (*reporter_)(step.at(t, Depth::multipliers));
  return s.watch != nullptr ? s.watch->value(state) : state.y[s.entry];
}

namespace {

/// Five points at equal distances.
struct Points {
  double begin, h;  // from one to the next
  std::array<double, 5> f;

  double at(int k) const { return begin + k * h; }
  /// By how much the second and the fourth leave the parabola through the others.
  double bend() const {
    return std::max(std::abs(f[1] - (3 * f[0] + 6 * f[2] - f[4]) / 8),
                    std::abs(f[3] - (3 * f[4] + 6 * f[2] - f[0]) / 8));
  }
  /// How far apart Simpson's rule is with three and with five of them, for a length of 1; Boole's rule is nearer than both.
  double roughness() const {
    return std::abs((f[0] + 4 * f[2] + f[4]) / 6 - (f[0] + 4 * f[1] + 2 * f[2] + 4 * f[3] + f[4]) / 12);
  }
  /// Boole's rule.
  double integral() const { return 4 * h / 90 * (7 * (f[0] + f[4]) + 32 * (f[1] + f[3]) + 12 * f[2]); }
};

// A step is cut where no period of what is measured meets both parts.
constexpr double cut = 0.41421356237309503;
constexpr int most_halvings = 14, most_pieces = 20000;
constexpr double rough = 2e-5,
                 bent =
                     1e-3;  // of the largest value: Boole's rule is right to 1e-7 then, and so are parabolas

}  // namespace

// A watch may swing many times in one step: of a body that spins freely the angle is a straight line. So pieces are halved until the
// points between are where a parabola has them.
void Measurement::measure(Sought& s, const StepView& step) const {
  const auto value = [&](double t) { return look(s, step, t); };
  const auto five = [&](double a, double b, double fa, double fm, double fb) {
    const double h = (b - a) / 4;
    return Points{a, h, {fa, value(a + h), fm, value(a + 3 * h), fb}};
  };
  const double a = step.begin(), b = step.end(), c = a + cut * (b - a);
  const double fa = value(a), fc = value(c), fb = value(b);
  struct Open {
    Points points;
    int depth;
  };
  std::vector<Open> open = {{five(a, c, fa, value((a + c) / 2), fc), 0},
                            {five(c, b, fc, value((c + b) / 2), fb), 0}};
  for (int pieces = 0; !open.empty(); ++pieces) {
    const auto [p, depth] = open.back();
    open.pop_back();
    for (const double f : p.f) s.size = std::max(s.size, std::abs(f));
    const bool fine =
        s.reduction == Reduction::mean ? p.roughness() <= rough * s.size : p.bend() <= bent * s.size;
    if (pieces == most_pieces) {
      s.lost = true;
      return;
    }
    if (!fine && depth < most_halvings) {
      open.push_back({five(p.at(2), p.at(4), p.f[2], p.f[3], p.f[4]), depth + 1});
      open.push_back({five(p.at(0), p.at(2), p.f[0], p.f[1], p.f[2]), depth + 1});
    } else if (s.reduction == Reduction::mean) {
      s.integral += p.integral();
      s.span += 4 * p.h;
    } else {
      search(s, step, p.begin, p.h, p.f);
    }
  }
}

// Parabolas through the best point and its neighbours, [Brent1973, section 5.2]: three of them leave nothing that the run's own
// tolerance would not have left too.
void Measurement::search(Sought& s, const StepView& step, double begin, double h,
                         const std::array<double, 5>& y) const {
  const double sign = s.reduction == Reduction::most ? 1 : -1;
  const auto better = [&](double a, double b) { return std::isnan(b) || sign * a > sign * b; };
  std::size_t best = 0;
  for (std::size_t k = 1; k < y.size(); ++k)
    if (better(y[k], y[best])) best = k;
  const bool near = std::isnan(s.value) || sign * (y[best] - s.value) > -1e-3 * s.size;
  if (better(y[best], s.value)) s.value = y[best];
  if (!near) return;
  best = std::clamp<std::size_t>(best, 1, y.size() - 2);
  double a = begin + static_cast<double>(best - 1) * h, b = a + h, c = b + h;
  double fa = y[best - 1], fb = y[best], fc = y[best + 1];
  for (int round = 0; round < 3; ++round) {
    const double p = (b - a) * (b - a) * (fb - fc) - (b - c) * (b - c) * (fb - fa);
    const double q = (b - a) * (fb - fc) - (b - c) * (fb - fa);
    const double t = b - 0.5 * p / q;
    if (!(t > a && t < c) || t == b) return;
    const double f = look(s, step, t);
    if (better(f, s.value)) s.value = f;
    if (!better(f, fb)) return;
    (t < b ? c : a) = b;
    (t < b ? fc : fa) = fb;
    b = t;
    fb = f;
  }
}

void Measurement::step(const StepView& step) {
  for (const Watch& watch : watches_)
    if (watch.follow) watch.follow(step);
  for (Sought& s : sought_)
    if (!of_event(s.reduction) && s.reduction != Reduction::end) measure(s, step);
}

void Measurement::event(const EventRecord& event, const State&) {
  for (Sought& s : sought_) {
    if (!of_event(s.reduction) || s.name != event.name) continue;
    if (s.reduction == Reduction::count)
      s.value += 1;
    else if (std::isnan(s.value))
      s.value = event.t;
  }
}

std::vector<double> Measurement::values(const Summary& summary) const {
  std::vector<double> all;
  for (const Sought& s : sought_) {
    if (s.lost) {
      all.push_back(not_known);
      continue;
    }
    switch (s.reduction) {
      case Reduction::end:
        all.push_back(s.watch != nullptr ? s.watch->value(summary.state) : summary.state.y[s.entry]);
        break;
      case Reduction::mean:
        all.push_back(s.span > 0 ? s.integral / s.span : not_known);
        break;
      default:
        all.push_back(s.value);
    }
  }
  return all;
}

}  // namespace dalembert
