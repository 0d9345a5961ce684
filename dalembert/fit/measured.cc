#include "dalembert/fit/measured.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <sstream>

#include "dalembert/core/csv.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/model/model.h"
#include "dalembert/model/unit.h"

namespace dalembert {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// Where the cells of a line begin, from 1.
std::vector<int> beginnings(const std::string& line) {
  std::vector<int> all = {1};
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] == '"') quoted = !quoted;
    if (line[k] == ',' && !quoted) all.push_back(static_cast<int>(k) + 2);
  }
  return all;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Reads lines, and collects what is wrong with them.
class DataReader {
 public:
  DataReader(const std::string& text, const std::string& name) : name_(name) {
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
      ++line_;
      if (line_ == 1 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);  // as spreadsheets mark UTF-8
      if (trimmed(line).empty() || line == "\r" || line.starts_with('#')) continue;
      if (names_.empty())
        head(line);
      else
        numbers(line);
      if (complaints_.size() >= 20) break;
    }
    if (names_.empty())
      complain(1, "", "the file has no line", "write a line of names, such as t,ride, and lines of numbers");
    else if (rows_.empty() && complaints_.empty())
      complain(1, "", "there is no line of numbers", "write one for each time of measurement");
    if (!complaints_.empty()) throw ModelError(std::move(complaints_));
  }

  MeasuredData result() {
    const auto t = static_cast<std::size_t>(time_ - names_.begin());
    std::stable_sort(rows_.begin(), rows_.end(),
                     [t](const Row& a, const Row& b) { return a.values[t] < b.values[t]; });
    MeasuredData all;
    all.first = {name_, rows_.front().line, rows_.front().at[t]};
    for (const Row& row : rows_)
      all.t.push_back(unit_of_time_ ? unit_of_time_->in_si(row.values[t]) : row.values[t]);
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (k == t) continue;
      MeasuredData::Column column{names_[k].first, names_[k].second, places_[k], {}, {}};
      for (const Row& row : rows_) column.values.push_back(row.values[k]);
      all.columns.push_back(std::move(column));
    }
    return all;
  }

 private:
  struct Row {
    int line;
    std::vector<double> values;
    std::vector<int> at;
  };

  void complain(int column, const std::string& text, const std::string& what, const std::string& hint) {
    complaints_.push_back({{name_, std::max(line_, 1), column}, text, what, hint});
  }

  void head(const std::string& line) {
    const std::vector<int> at = beginnings(line);
    for (const std::string& cell : csv_cells(line)) {
      const int column = at[std::min(names_.size(), at.size() - 1)];
      auto name = name_and_unit(trimmed(cell));
      if (name.first.empty())
        complain(column, cell, "a column has no name", "name a watch or an entry of the state");
      else if (std::any_of(names_.begin(), names_.end(),
                           [&](const auto& other) { return other.first == name.first; }))
        complain(column, cell, "column '" + name.first + "' is there twice", "name it once");
      names_.push_back(std::move(name));
      places_.push_back({name_, line_, column});
    }
    time_ = std::find_if(names_.begin(), names_.end(), [](const auto& name) { return name.first == "t"; });
    if (time_ == names_.end())
      complain(1, line, "no column is named t", "name the times of measurement t");
    else
      take_unit_of_time();
    if (names_.size() < 2)
      complain(1, line, "nothing but times is measured",
               "add a column named like a watch or an entry of the state");
  }

  void take_unit_of_time() {
    if (time_->second.empty()) return;
    unit_of_time_ = find_unit(time_->second);
    if (unit_of_time_ && fits(*unit_of_time_, "s")) return;
    const Place& place = places_[static_cast<std::size_t>(time_ - names_.begin())];
    complain(place.column, time_->second, "times are in '" + time_->second + "'",
             "their unit is one of time: s, ms, min");
  }

  void numbers(const std::string& line) {
    const auto cells = csv_cells(line);
    const std::vector<int> at = beginnings(line);
    if (cells.size() != names_.size())
      return complain(1, line,
                      "there are " + std::to_string(cells.size()) + " numbers for " +
                          std::to_string(names_.size()) + " names",
                      "write one number for each name, or nothing between two commas");
    Row row{line_, {}, at};
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const std::string cell = trimmed(cells[k]);
      const bool time = names_[k].first == "t";
      const auto value = cell.empty() && !time ? std::optional(nothing) : number_in(cell);
      if (!value || (!cell.empty() && !std::isfinite(*value)))
        complain(at[k], cell, cell.empty() ? "the time is missing" : "'" + cell + "' is not a number",
                 time ? "write the time in seconds, as in 0.35" : "write one, as in 0.35, or leave it empty");
      row.values.push_back(value.value_or(nothing));
    }
    rows_.push_back(std::move(row));
  }

  std::string name_;
  int line_ = 0;
  std::vector<std::pair<std::string, std::string>> names_;  // with units
  std::vector<std::pair<std::string, std::string>>::iterator time_;
  std::optional<Unit> unit_of_time_;  // none: seconds
  std::vector<Place> places_;
  std::vector<Row> rows_;
  std::vector<Complaint> complaints_;
};

Eigen::Index entry_named(const Layout& layout, const std::string& label) {
  for (Eigen::Index i = 0; i < layout.size(); ++i)
    if (layout.label(i) == label) return i;
  return -1;
}

std::optional<std::string> unit_in(const SweepProblem& made, const std::string& name) {
  for (const Watch& watch : made.watches)
    if (watch.name == name) return watch.unit;
  const Layout layout = made.problem->report();
  const Eigen::Index entry = entry_named(layout, name);
  for (const Block& block : layout.blocks())
    if (entry >= block.offset && entry < block.offset + block.size)
      return block.units[static_cast<std::size_t>(entry - block.offset)];
  return {};
}

double spread(const MeasuredData::Column& column) {
  double sum = 0, squares = 0;
  const auto count = static_cast<double>(column.count());
  for (const double y : column.values)
    if (!std::isnan(y)) sum += y;
  const double mean = sum / count;
  for (const double y : column.values)
    if (!std::isnan(y)) squares += (y - mean) * (y - mean);
  const double found = std::sqrt(squares / count);
  // A constant, or a single number, is as large as it is; zeros are taken as they are.
  return found > 1e-12 * std::abs(mean) ? found : mean != 0 ? std::abs(mean) : 1;
}

}  // namespace

std::size_t MeasuredData::Column::count() const {
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](double y) { return !std::isnan(y); }));
}

MeasuredData measured_from_text(const std::string& text, const std::string& name) {
  return DataReader(text, name).result();
}

MeasuredData read_measured(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    throw Error("'" + path.string() + "' cannot be read",
                "give a .csv file with a line of names, one of them t, and lines of numbers");
  return measured_from_text(text.str(), path.string());
}

void settle(MeasuredData& data, const SweepProblem& made) {
  std::vector<Complaint> complaints;
  std::vector<std::string> known;
  for (const Watch& watch : made.watches) known.push_back(watch.name);
  const Layout layout = made.problem->report();
  for (Eigen::Index i = 0; i < layout.size(); ++i) known.push_back(layout.label(i));
  for (MeasuredData::Column& column : data.columns) {
    const auto complain = [&](const std::string& what, const std::string& hint) {
      complaints.push_back({column.place, column.name, what, hint});
    };
    const auto unit = unit_in(made, column.name);
    if (!unit) {
      const Error error = unknown("watch or entry of the state", column.name, known);
      complain(error.what(), error.hint());
      continue;
    }
    if (!column.unit.empty() && column.unit != *unit) {
      const auto written = find_unit(column.unit);
      if (!written || !fits(*written, *unit)) {
        complain("column '" + column.name + "' is in '" + column.unit + "'",
                 unit->empty() ? "it is a number without unit" : "its unit is " + *unit);
        continue;
      }
      for (double& y : column.values) y = written->in_si(y);
    }
    column.unit = *unit;
    if (column.count() == 0) {
      complain("nothing was measured in column '" + column.name + "'", "leave it out");
      continue;
    }
    column.spread = spread(column);
    if (!column.scale) column.scale = column.spread;
  }
  const double start = made.problem->start().t;
  if (data.t.front() < start)
    complaints.push_back({data.first, full_number(data.t.front()),
                          "t = " + short_number(data.t.front()) + " is before the start of the run",
                          "the run begins at t = " + short_number(start)});
  else if (data.t.back() <= start)
    complaints.push_back({data.first, full_number(data.t.front()),
                          "nothing is measured after the start of the run",
                          "the run begins at t = " + short_number(start) + "; give later times"});
  if (!complaints.empty()) throw ModelError(std::move(complaints));
}

Samples::Samples(const SweepProblem& made, const MeasuredData& data)
    : data_(data), layout_(made.problem->report()), watches_(made.watches) {
  for (const MeasuredData::Column& column : data.columns) {
    const auto watch =
        std::find_if(watches_.begin(), watches_.end(), [&](const Watch& w) { return w.name == column.name; });
    watch_.push_back(watch == watches_.end() ? nullptr : &*watch);
    entry_.push_back(entry_named(layout_, column.name));
    if (watch_.back() == nullptr && entry_.back() < 0)
      throw Error("with these parameters there is no '" + column.name + "'");
  }
  values_.assign(data.t.size() * data.columns.size(), nothing);
}

void Samples::begin(const Problem& mode, const State&) {
  reporter_.emplace(mode, layout_);
}

void Samples::step(const StepView& step) {
  for (const Watch& watch : watches_)
    if (watch.follow) watch.follow(step);
  for (; next_ < data_.t.size() && data_.t[next_] <= step.end(); ++next_) {
    const State state = (*reporter_)(step.at(data_.t[next_], Depth::multipliers));
    for (std::size_t k = 0; k < watch_.size(); ++k)
      values_[k * data_.t.size() + next_] =
          watch_[k] != nullptr ? watch_[k]->value(state) : state.y[entry_[k]];
  }
}

}  // namespace dalembert
