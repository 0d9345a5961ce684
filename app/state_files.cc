#include "app/state_files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "dalembert/core/csv.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/observe/files/run_result.h"

namespace dalembert::app {

namespace {

/// What a result file has in common with others: names, and rows that begin with the time.
struct Rows {
  std::vector<std::string> names, units;  // units may be unknown
  std::vector<std::vector<double>> all;
};

Rows read_csv(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw Error("cannot read '" + file + "'");
  Rows rows;
  std::string line;
  std::getline(stream, line);
  for (const auto& title : csv_cells(line)) {
    const auto [name, unit] = name_and_unit(title);
    rows.names.push_back(name);
    rows.units.push_back(unit);
  }
  for (int number = 2; std::getline(stream, line); ++number) {
    std::vector<double> values;
    for (const auto& text : csv_cells(line)) {
      const auto value = text.empty() ? std::optional(not_a_number) : number_in(text);
      if (!value)
        throw Error("'" + file + "', line " + std::to_string(number) + ": '" + text + "' is no number",
                    "give a file that `run --out` wrote, with units in its first line");
      values.push_back(*value);
    }
    if (values.size() != rows.names.size())
      throw Error("'" + file + "', line " + std::to_string(number) + " has " + std::to_string(values.size()) +
                  " fields for " + std::to_string(rows.names.size()) + " names");
    rows.all.push_back(std::move(values));
  }
  return rows;
}

Rows read_hdf5(const std::string& file) {
  const RunRecord record = read_result(file).record;
  Rows rows{{"t"}, {}, {}};
  for (const RecordColumn& column : record.columns) rows.names.push_back(column.name);
  for (std::size_t i = 0; i < record.rows(); ++i) {
    std::vector<double> values = {record.times[i]};
    for (std::size_t k = 0; k < record.columns.size(); ++k) values.push_back(record.value(i, k));
    rows.all.push_back(std::move(values));
  }
  return rows;
}

Rows read_rows(const std::string& file) {
  const std::string suffix = std::filesystem::path(file).extension().string();
  if (suffix != ".h5" && suffix != ".csv")
    throw Error("--from-state '" + file + "': states are read from .h5 and .csv files that `run` wrote");
  return suffix == ".h5" ? read_hdf5(file) : read_csv(file);
}

const std::vector<double>& row_at(const Rows& rows, const StateName& name) {
  const std::string file = "'" + name.file + "'";
  if (rows.all.empty()) throw Error(file + " has no rows");
  if (!name.t) return rows.all.back();
  const auto same = [&](const std::vector<double>& row) {
    return std::abs(row.front() - *name.t) <= 1e-12 * std::max(1.0, std::abs(*name.t));
  };
  if (const auto found = std::find_if(rows.all.begin(), rows.all.end(), same); found != rows.all.end())
    return *found;
  const auto after = std::find_if(rows.all.begin(), rows.all.end(),
                                  [&](const std::vector<double>& row) { return row.front() > *name.t; });
  std::string next;
  if (after != rows.all.begin()) next = full_number((after - 1)->front());
  if (after != rows.all.end()) next += (next.empty() ? "" : " and ") + full_number(after->front());
  throw Error(file + " has no output at t = " + full_number(*name.t), "next to it there are " + next);
}

}  // namespace

StateName to_state_name(const std::string& text) {
  const auto colon = text.rfind(':');
  std::error_code none;
  if (colon == std::string::npos || std::filesystem::exists(text, none)) return {text};
  if (const auto t = number_in(text.substr(colon + 1)); t && std::isfinite(*t))
    return {text.substr(0, colon), t};
  return {text};
}

std::map<std::string, double> read_state(const StateName& name, const Problem& problem) {
  const Rows rows = read_rows(name.file);
  const std::vector<double>& row = row_at(rows, name);
  std::map<std::string, double> values;
  if (rows.names.front() != "t") throw Error("'" + name.file + "' does not begin with the time");
  values["t"] = row.front();
  const Layout layout = problem.layout();
  for (const auto& block : layout.blocks()) {
    if (block.role != Role::differential) continue;
    for (Eigen::Index i = 0; i < block.size; ++i) {
      const std::string label = layout.label(block.offset + i);
      const auto found = std::find(rows.names.begin(), rows.names.end(), label);
      if (found == rows.names.end())
        throw Error("'" + name.file + "' has no column '" + label + "'",
                    "it holds states of another problem, or was written with --names safe");
      const auto column = static_cast<std::size_t>(found - rows.names.begin());
      const std::string unit = column < rows.units.size() ? rows.units[column] : "";
      const std::string& expected = block.units[static_cast<std::size_t>(i)];
      if (!unit.empty() && unit != expected)
        throw Error("'" + name.file + "' has " + label + " in '" + unit + "', and the run takes it in '" +
                        expected + "'",
                    "give a file that `run --out` wrote");
      const double value = row[column];
      if (!std::isfinite(value)) throw Error("'" + name.file + "' does not know " + label + " there");
      values[label] = value;
    }
  }
  return values;
}

void go_on(const std::vector<Watch>& watches, const StateName& name) {
  const Rows rows = read_rows(name.file);
  const std::vector<double>& row = row_at(rows, name);
  for (const Watch& watch : watches) {
    const auto found = std::find(rows.names.begin(), rows.names.end(), watch.name);
    if (!watch.go_on || found == rows.names.end()) continue;
    const double value = row[static_cast<std::size_t>(found - rows.names.begin())];
    if (std::isfinite(value)) watch.go_on(row.front(), value);
  }
}

StateKeeper::StateKeeper(StateName name, const Subject& subject)
    : name_(std::move(name)), writer_(name_.file, subject.problem->report(), subject.watches()) {}

void StateKeeper::begin(const Problem& mode, const State& start) {
  reporter_.emplace(mode);
  if (name_.t && start.t == *name_.t && !kept_) keep(start);
}

void StateKeeper::step(const StepView& step) {
  writer_.step(step);
  if (name_.t && !kept_ && *name_.t > step.begin() && *name_.t <= step.end())
    keep(step.at(*name_.t, Depth::multipliers));
}

void StateKeeper::keep(const State& state) {
  writer_.output((*reporter_)(state));
  kept_ = true;
}

void StateKeeper::finish(const State& state) {
  if (!name_.t) writer_.output(state);
  if (name_.t && !kept_)
    throw Error("the run did not come to t = " + full_number(*name_.t) + ": '" + name_.file +
                "' was not written");
  writer_.end();
  if (writer_.status() != Outcome::ok) throw Error(writer_.trouble());
}

}  // namespace dalembert::app
