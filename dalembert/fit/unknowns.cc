#include "dalembert/fit/unknowns.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

namespace {

bool in_ratios(const Unknown& x) {
  return x.range.spacing == Variation::Spacing::logarithmic;
}

}  // namespace

void check_unknowns(const std::vector<Unknown>& unknowns) {
  if (unknowns.empty()) throw Error("no parameter is sought", "name one with its range, as in k=100:1000");
  std::set<std::string> names;
  for (const Unknown& x : unknowns) {
    const Variation& range = x.range;
    if (!names.insert(range.name).second) throw Error("'" + range.name + "' is sought twice", "name it once");
    if (!range.values.empty() || !(range.low < range.high))
      throw Error("'" + range.name + "' has no range that it is sought in",
                  "write " + range.name + "=LOW:HIGH, or LOW:HIGH:log for equal ratios");
    if (!(x.start >= range.low && x.start <= range.high))
      throw Error("'" + range.name + "' starts at " + short_number(x.start) + ", outside of " +
                      short_number(range.low) + " to " + short_number(range.high),
                  "start inside of the range");
  }
}

double middle(const Variation& range) {
  const Unknown x{range, {}, 0};
  return from_box(x, 0.5);
}

double in_box(const Unknown& x, double value) {
  const auto [low, high] = std::pair(x.range.low, x.range.high);
  const double u = in_ratios(x) ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return std::clamp(u, 0.0, 1.0);
}

double from_box(const Unknown& x, double u) {
  const auto [low, high] = std::pair(x.range.low, x.range.high);
  if (u <= 0) return low;
  if (u >= 1) return high;
  return in_ratios(x) ? low * std::pow(high / low, u) : low + u * (high - low);
}

double stretch(const Unknown& x, double u) {
  const auto [low, high] = std::pair(x.range.low, x.range.high);
  return in_ratios(x) ? from_box(x, u) * std::log(high / low) : high - low;
}

Vector in_box(const std::vector<Unknown>& unknowns) {
  Vector u(static_cast<Eigen::Index>(unknowns.size()));
  for (std::size_t k = 0; k < unknowns.size(); ++k)
    u[static_cast<Eigen::Index>(k)] = in_box(unknowns[k], unknowns[k].start);
  return u;
}

Values from_box(const std::vector<Unknown>& unknowns, const Vector& u) {
  Values all;
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const Unknown& x = unknowns[k];
    const double at = u[static_cast<Eigen::Index>(k)];
    // Where it starts it is what was asked for, to the last digit.
    all[x.range.name] = at == in_box(x, x.start) ? x.start : from_box(x, at);
  }
  return all;
}

std::vector<Vector> starts(const std::vector<Unknown>& unknowns, int count, std::uint64_t seed) {
  std::vector<Vector> all = {in_box(unknowns)};
  if (count < 2) return all;
  std::vector<Variation> ranges;
  for (const Unknown& x : unknowns) ranges.push_back(x.range);
  const Design design = latin_hypercube(ranges, static_cast<std::size_t>(count - 1), seed);
  for (const auto& values : design.cases) {
    Vector u(static_cast<Eigen::Index>(values.size()));
    for (std::size_t k = 0; k < values.size(); ++k)
      u[static_cast<Eigen::Index>(k)] = in_box(unknowns[k], values[k]);
    all.push_back(std::move(u));
  }
  return all;
}

double difference_step(const Unknown& x, double u) {
  if (in_ratios(x)) return std::min(1e-3, 1e-3 / std::abs(std::log(x.range.high / x.range.low)));
  const double share = std::abs(from_box(x, u)) / (x.range.high - x.range.low);
  return 1e-3 * std::clamp(share, 1e-2, 1.0);
}

}  // namespace dalembert
