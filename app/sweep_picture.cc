#include "app/sweep_picture.h"

#include <algorithm>
#include <limits>

#include "dalembert/core/csv.h"
#include "dalembert/observe/heat_map.h"
#include "dalembert/observe/plot.h"

namespace dalembert::app {

namespace {

std::string with_unit(const SweepResult& result, std::size_t quantity) {
  return dalembert::with_unit(result.task.quantities[quantity].name(), result.units[quantity]);
}

/// The values that a parameter takes, ascending.
std::vector<double> levels(const SweepResult& result, std::size_t parameter) {
  std::vector<double> all;
  for (const auto& values : result.task.design.cases) all.push_back(values[parameter]);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::string curves(const std::string& title, const SweepResult& result, std::size_t parameter, bool points) {
  std::vector<SweepRow> rows = result.rows;
  const auto x = [&](const SweepRow& row) { return result.task.design.cases[row.number][parameter]; };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const SweepRow& a, const SweepRow& b) { return x(a) < x(b); });
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < result.units.size(); ++i) {
    Panel panel{.title = i == 0 ? title : "",
                .x_label = result.task.design.names[parameter],
                .y_label = with_unit(result, i),
                .series = {}};
    Series series{.name = "",
                  .x = {},
                  .y = {},
                  .line = points ? Line::none : Line::solid,
                  .marker = points || rows.size() < 60 ? Marker::circle : Marker::none};
    for (const SweepRow& row : rows) {
      series.x.push_back(x(row));
      series.y.push_back(row.values[i]);
    }
    panel.series.push_back(std::move(series));
    panels.push_back(std::move(panel));
  }
  return svg(plot(panels));
}

std::string fields(const std::string& title, const SweepResult& result, std::size_t first,
                   std::size_t second) {
  const std::vector<double> x = levels(result, first), y = levels(result, second);
  const auto at = [](const std::vector<double>& all, double value) {
    return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), value) - all.begin());
  };
  std::vector<HeatMap> maps;
  for (std::size_t i = 0; i < result.units.size(); ++i) {
    HeatMap map{title.empty() ? with_unit(result, i) : with_unit(result, i) + " of " + title,
                result.task.design.names[first],
                result.task.design.names[second],
                x,
                y,
                std::vector<double>(x.size() * y.size(), std::numeric_limits<double>::quiet_NaN())};
    for (const SweepRow& row : result.rows) {
      const auto& values = result.task.design.cases[row.number];
      map.z[at(y, values[second]) * x.size() + at(x, values[first])] = row.values[i];
    }
    maps.push_back(std::move(map));
  }
  return heat_map_svg(maps);
}

}  // namespace

std::string sweep_picture(const std::string& title, const SweepResult& result) {
  std::vector<std::size_t> varied;
  for (std::size_t i = 0; i < result.task.design.names.size(); ++i)
    if (levels(result, i).size() > 1) varied.push_back(i);
  if (varied.empty()) return curves(title, result, 0, true);
  if (varied.size() == 1) return curves(title, result, varied[0], false);
  const bool full =
      varied.size() == 2 &&
      levels(result, varied[0]).size() * levels(result, varied[1]).size() == result.task.design.cases.size();
  return full ? fields(title, result, varied[0], varied[1]) : curves(title, result, varied[0], true);
}

}  // namespace dalembert::app
