#include "app/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/screen.h"
#include "app/text.h"
#include "dalembert/core/csv.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/core/text.h"

namespace dalembert::app {

std::string parameters(const SweepResult& result, std::size_t number) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < result.task.design.names.size(); ++i)
    all.push_back(result.task.design.names[i] + " = " + short_number(result.task.design.cases[number][i]));
  return join(all);
}

namespace {

constexpr std::size_t most_shown = 40;  // rows on the screen

std::string all_rows(const SweepResult& result) {
  std::vector<std::string> names = {"case"};
  names.insert(names.end(), result.task.design.names.begin(), result.task.design.names.end());
  for (std::size_t i = 0; i < result.units.size(); ++i)
    names.push_back(with_unit(result.task.quantities[i].name(), result.units[i]));
  names.emplace_back("outcome");
  Table table(names);
  for (const SweepRow& row : result.rows) {
    std::vector<std::string> one = {std::to_string(row.number + 1)};
    for (const double value : result.task.design.cases[row.number]) one.push_back(number(value));
    for (const double value : row.values) one.push_back(number(value));
    one.push_back(row.outcome);
    table.add(std::move(one));
  }
  return shown(table, "  ");
}

std::string extremes(const SweepResult& result) {
  Table table({"result", "unit", "least", "in case", "largest", "in case"});
  for (std::size_t i = 0; i < result.units.size(); ++i) {
    const SweepRow *least = nullptr, *most = nullptr;
    for (const SweepRow& row : result.rows) {
      if (std::isnan(row.values[i])) continue;
      if (least == nullptr || row.values[i] < least->values[i]) least = &row;
      if (most == nullptr || row.values[i] > most->values[i]) most = &row;
    }
    if (least != nullptr)
      table.add({result.task.quantities[i].name(), result.units[i], number(least->values[i]),
                 std::to_string(least->number + 1), number(most->values[i]),
                 std::to_string(most->number + 1)});
  }
  return table.empty() ? "" : shown(table, "  ");
}

std::string failures(const SweepResult& result) {
  std::map<std::string, std::vector<const SweepRow*>> by_outcome;
  for (const SweepRow& row : result.rows)
    if (!row.good()) by_outcome[row.outcome].push_back(&row);
  std::string out;
  for (const auto& [outcome, rows] : by_outcome)
    out += fmt::format("ended early  {} by {}, the first with {}: {}\n", rows.size(), outcome,
                       parameters(result, rows.front()->number), rows.front()->message);
  return out;
}

/// Each once, with how often it was said.
std::string warnings(const SweepResult& result) {
  std::map<std::string, int> all;
  for (const SweepRow& row : result.rows)
    for (const std::string& sentence : row.warnings) ++all[sentence];
  std::string out;
  constexpr std::size_t most = 5;
  std::size_t shown = 0;
  for (const auto& [sentence, count] : all)
    if (++shown <= most)
      out += fmt::format("warning      in {} of {} runs: {}\n", count, result.rows.size(), sentence);
  if (all.size() > most) out += fmt::format("warning      and {} others\n", all.size() - most);
  return out;
}

}  // namespace

std::string text(const std::string& title, const SweepResult& result, double seconds) {
  const std::size_t made = result.rows.size() - result.task.first;
  std::string out = fmt::format("sweep        {}\nruns         {} of {}", title, result.rows.size(),
                                result.task.design.cases.size());
  if (result.task.first > 0) out += fmt::format(", {} of them made before", result.task.first);
  out += fmt::format("\ntime         {:.3g} s", seconds);
  if (made > 0) out += fmt::format(", {:.3g} ms for a run", 1e3 * seconds / static_cast<double>(made));
  out += "\n" + failures(result) + warnings(result);
  if (result.rows.size() <= most_shown) return out + all_rows(result);
  return out + extremes(result);
}

}  // namespace dalembert::app
