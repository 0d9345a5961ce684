#include "app/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "app/screen.h"
#include "app/text.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/core/text.h"

namespace dalembert::app {

namespace {

constexpr std::size_t most_shown = 40;  // rows on the screen

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : c == '\n' ? " " : std::string(1, c);
  return out + "\"";
}

std::string head(const SweepResult& result) {
  std::string line = "case";
  for (const auto& name : result.task.design.names) line += "," + quoted(name);
  for (std::size_t i = 0; i < result.units.size(); ++i)
    line += "," + quoted(with_unit(result.task.quantities[i].name(), result.units[i]));
  return line + ",outcome,steps,message\n";
}

/// What says which case it is, in front of its results.
std::string front(const SweepResult& result, std::size_t number) {
  std::string line = std::to_string(number + 1);
  for (const double value : result.task.design.cases[number]) line += "," + full_number(value);
  return line + ",";
}

std::string line(const SweepResult& result, const SweepRow& row) {
  std::string out = front(result, row.number);
  for (const double value : row.values) out += (std::isnan(value) ? "" : full_number(value)) + ",";
  return out + row.outcome + "," + std::to_string(row.steps) + "," + quoted(row.message) + "\n";
}

/// The cells of a line of a .csv file.
std::vector<std::string> cells(const std::string& text) {
  std::vector<std::string> all(1);
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && inside && i + 1 < text.size() && text[i + 1] == '"')
      all.back() += text[++i];
    else if (c == '"')
      inside = !inside;
    else if (c == ',' && !inside)
      all.emplace_back();
    else
      all.back() += c;
  }
  return all;
}

[[noreturn]] void another(const std::string& path, std::size_t number) {
  throw Error(path + ":" + std::to_string(number) + ":1: this line is not of the same sweep",
              "resume with the call that wrote the file, or name another file");
}

SweepRow read_row(const std::string& path, const SweepResult& result, const std::string& text,
                  std::size_t number) {
  const std::size_t results = result.task.quantities.size(), names = result.task.design.names.size();
  if (number >= result.task.design.cases.size() || text.rfind(front(result, number), 0) != 0)
    another(path, number + 2);
  const auto all = cells(text);
  if (all.size() != 1 + names + results + 3) another(path, number + 2);
  SweepRow row;
  row.number = number;
  for (std::size_t i = 0; i < results; ++i)
    row.values.push_back(number_in(all[1 + names + i]).value_or(std::numeric_limits<double>::quiet_NaN()));
  row.outcome = all[1 + names + results];
  row.steps = static_cast<std::int64_t>(number_in(all[2 + names + results]).value_or(0));
  row.message = all[3 + names + results];
  return row;
}

std::string parameters(const SweepResult& result, std::size_t number) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < result.task.design.names.size(); ++i)
    all.push_back(result.task.design.names[i] + " = " + short_number(result.task.design.cases[number][i]));
  return join(all);
}

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

SweepFile::SweepFile(std::string path, const SweepResult& result)
    : path_(std::move(path)), result_(result), file_(path_, std::ios::binary) {
  file_ << head(result_);
  for (const SweepRow& row : result_.rows) file_ << line(result_, row);
  check();
}

void SweepFile::write(const SweepRow& row) {
  file_ << line(result_, row);
  check();
}

void SweepFile::close() {
  file_.close();
  check();
}

void SweepFile::check() {
  file_.flush();
  if (!file_)
    throw Error("'" + path_ + "' cannot be written", "is there room on the disk, and may you write there?");
}

void read_rows(const std::string& path, SweepResult& result) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return;
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  std::size_t begin = 0;
  for (std::size_t number = 0, end; (end = all.find('\n', begin)) != std::string::npos;
       begin = end + 1, ++number) {
    const std::string text = all.substr(begin, end - begin);
    if (number == 0 && text + "\n" != head(result)) another(path, 1);
    if (number > 0) result.rows.push_back(read_row(path, result, text, number - 1));
  }
}

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
