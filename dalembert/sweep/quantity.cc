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
constexpr int samples_per_step = 5;

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

// Parabolas through the best point and its neighbours, [Brent1973, section 5.2]: three of them leave nothing that the run's own
// tolerance would not have left too.
void Measurement::search(Sought& s, const StepView& step, const double* y) const {
  const double sign = s.reduction == Reduction::most ? 1 : -1;
  const auto better = [&](double a, double b) { return std::isnan(b) || sign * a > sign * b; };
  int best = 0;
  for (int k = 1; k < samples_per_step; ++k)
    if (better(y[k], y[best])) best = k;
  if (better(y[best], s.value)) s.value = y[best];
  if (best == 0 || best == samples_per_step - 1) best = best == 0 ? 1 : samples_per_step - 2;
  const double h = (step.end() - step.begin()) / (samples_per_step - 1);
  double a = step.begin() + (best - 1) * h, b = a + h, c = b + h;
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
  const double h = step.end() - step.begin();
  for (Sought& s : sought_) {
    if (of_event(s.reduction) || s.reduction == Reduction::end) continue;
    std::array<double, samples_per_step> y{};
    for (int k = 0; k < samples_per_step; ++k)
      y[static_cast<std::size_t>(k)] = look(
          s, step, k + 1 == samples_per_step ? step.end() : step.begin() + h * k / (samples_per_step - 1));
    if (s.reduction == Reduction::mean) {  // Boole's rule
      s.integral += h / 90 * (7 * (y[0] + y[4]) + 32 * (y[1] + y[3]) + 12 * y[2]);
      s.span += h;
    } else {
      search(s, step, y.data());
    }
  }
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
  for (const Sought& s : sought_) switch (s.reduction) {
      case Reduction::end:
        all.push_back(s.watch != nullptr ? s.watch->value(summary.state) : summary.state.y[s.entry]);
        break;
      case Reduction::mean:
        all.push_back(s.span > 0 ? s.integral / s.span : not_known);
        break;
      default:
        all.push_back(s.value);
    }
  return all;
}

}  // namespace dalembert
