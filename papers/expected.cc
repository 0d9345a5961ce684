#include "papers/expected.h"

#include <fmt/format.h>

#include <map>
#include <sstream>

namespace dalembert {

/// Generated from papers/*/verdicts.txt: the id of a paper, and its file.
const std::vector<std::pair<std::string, std::string>>& verdict_files();

namespace {

using Rows = std::map<std::string, std::string>;  // "label | quantity": verdict

std::string key(const PaperRow& row) {
  return row.label + (row.variant.empty() ? "" : ", " + row.variant) + " | " + row.quantity;
}

/// Tables begin a line; their rows are indented, verdict first; # begins a comment.
std::map<std::string, Rows> parse(const std::string& text) {
  std::map<std::string, Rows> tables;
  std::istringstream stream(text);
  std::string table;
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto bar = line.find(" | ");
    if (line[0] != ' ')
      tables[table = line];
    else
      tables[table][line.substr(bar + 3)] = line.substr(2, bar - 2);
  }
  return tables;
}

void compare(const std::string& where, Rows expected, const PaperTable& table,
             std::vector<std::string>& all) {
  for (const auto& row : table.rows) {
    const auto found = expected.find(key(row));
    const std::string now = verdict_of(row);
    if (found == expected.end())
      all.push_back(fmt::format("{}, {}: {}; no such row is expected", where, key(row), now));
    else if (found->second != now)
      all.push_back(fmt::format("{}, {}: {}; expected: {}", where, key(row), now, found->second));
    if (found != expected.end()) expected.erase(found);
  }
  for (const auto& [row, verdict] : expected)
    all.push_back(fmt::format("{}, {}: no such row; expected: {}", where, row, verdict));
}

}  // namespace

std::vector<std::string> unexpected(const PaperReport& report) {
  std::vector<std::string> all;
  for (const auto& [paper, text] : verdict_files())
    if (paper == report.paper) {
      auto expected = parse(text);
      for (const auto& table : report.tables) compare("table " + table.id, expected[table.id], table, all);
      return all;
    }
  for (const auto& table : report.tables)
    for (const auto& row : table.rows)
      if (row.verdict == Verdict::differs || row.verdict == Verdict::unexplained)
        all.push_back(fmt::format("table {}, {}: {}", table.id, key(row), verdict_of(row)));
  return all;
}

std::string verdicts(const PaperReport& report) {
  std::string all;
  for (const auto& table : report.tables) {
    all += table.id + "\n";
    for (const auto& row : table.rows) all += fmt::format("  {} | {}\n", verdict_of(row), key(row));
  }
  return all;
}

}  // namespace dalembert
