#include "dalembert/observe/accuracy/deviation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/problem/mechanical.h"

namespace dalembert {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double entry_deviation(double ours, double truth, const ErrorScale& scale, Eigen::Index entry) {
  if (std::isnan(ours) && std::isnan(truth)) return 0;  // neither mode has it
  const double part = std::abs(ours - truth) / scale.of(entry, std::abs(truth));
  return std::isfinite(part) ? part : infinite;
}

/// Infinite where there is nothing to turn.
double turn_deviation(const Problem& problem, const Block& block, In ours, In truth,
                      const ErrorScale& scale) {
  const auto* mechanical = as<Mechanical>(&problem);
  if (mechanical == nullptr || mechanical->plain() || block.name != "q" ||
      block.size != mechanical->sizes().q || !ours.allFinite() || !truth.allFinite())
    return infinite;
  Vector u(mechanical->sizes().v);
  mechanical->difference(truth, ours, u);
  return largest(u) / scale.absolute_of(block.offset);
}

bool same_events(const Summary& a, const Summary& b) {
  return std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(),
                    [](const EventRecord& x, const EventRecord& y) { return x.name == y.name; });
}

void widen(Deviations& all, const Deviations& more) {
  for (const auto& [name, value] : more) {
    double& mine = all[name];
    mine = std::max(mine, value);
  }
}

}  // namespace

Deviations deviations(const Problem& problem, const Tolerance& unit, const Sample& ours,
                      const Sample& truth) {
  const Layout layout = problem.report();
  const ErrorScale scale = unit.on(layout);
  Deviations all;
  for (const Block& block : layout.blocks()) {
    double worst = 0;
    for (Eigen::Index i = block.offset; i < block.offset + block.size; ++i)
      worst = std::max(worst, entry_deviation(ours.values[i], truth.values[i], scale, i));
    const auto part = [&](const Sample& sample) {
      return Vector(sample.values.segment(block.offset, block.size));
    };
    all[block.name] =
        worst == 0 ? 0 : std::min(worst, turn_deviation(problem, block, part(ours), part(truth), scale));
  }
  return all;
}

Deviations end_deviations(const Problem& problem, const Tolerance& unit, const Recording& ours,
                          const Recording& truth) {
  const Sample &a = ours.samples.back(), &b = truth.samples.back();
  Deviations all = deviations(problem, unit, a, b);
  all["t"] = std::abs(a.t - b.t) / (unit.absolute + unit.relative * std::abs(b.t));
  return all;
}

Deviations deviations(const Problem& problem, const Tolerance& unit, const Recording& ours,
                      const Recording& truth) {
  Deviations all = end_deviations(problem, unit, ours, truth);
  if (!same_events(ours.summary, truth.summary)) all["t"] = infinite;
  const std::size_t common = std::min(ours.samples.size(), truth.samples.size()) - 1;
  for (std::size_t i = 0; i < common; ++i)
    widen(all, deviations(problem, unit, ours.samples[i], truth.samples[i]));
  return all;
}

double largest_differential(const Problem& problem, const Deviations& all) {
  double worst = all.contains("t") ? all.at("t") : 0;
  const Layout layout = problem.report();
  for (const Block& block : layout.blocks())
    if (block.role == Role::differential) worst = std::max(worst, all.at(block.name));
  return worst;
}

}  // namespace dalembert
