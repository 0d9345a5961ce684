#include "app/work_precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dalembert::app {

namespace {

bool usable(const Costs& run) {
  return run.error > 0 && run.cost > 0 && std::isfinite(run.error) && std::isfinite(run.cost);
}

}  // namespace

std::vector<std::pair<std::string, double>> ranked(const std::vector<Costs>& runs) {
  struct Sum {
    std::string pair;
    double sum = 0;
    int count = 0;
  };
  std::vector<Sum> sums;
  for (const Costs& run : runs) {
    if (sums.empty() || sums.back().pair != run.pair) sums.push_back({run.pair});
    if (!usable(run)) continue;
    double least = run.cost;
    for (const Costs& other : runs)
      if (usable(other) && other.error <= run.error) least = std::min(least, other.cost);
    sums.back().sum += std::log(run.cost / least);
    ++sums.back().count;
  }
  std::vector<std::pair<std::string, double>> all;
  for (const Sum& s : sums)
    all.emplace_back(s.pair,
                     s.count > 0 ? std::exp(s.sum / s.count) : std::numeric_limits<double>::infinity());
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return all;
}

Panel work_precision(const std::string& title, const std::string& cost, const std::vector<Costs>& runs) {
  Panel panel{.title = title,
              .x_label = "error at the end",
              .y_label = cost,
              .x_axis = Axis::logarithmic,
              .y_axis = Axis::logarithmic,
              .series = {}};
  for (const auto& [pair, factor] : ranked(runs)) {
    if (!std::isfinite(factor)) continue;  // nothing to be seen of it
    Series series{.name = pair, .x = {}, .y = {}};
    for (const Costs& run : runs)
      if (run.pair == pair && usable(run)) {
        series.x.push_back(run.error);
        series.y.push_back(run.cost);
      }
    panel.series.push_back(std::move(series));
  }
  tell_apart(panel, Points::marked);
  return panel;
}

}  // namespace dalembert::app
