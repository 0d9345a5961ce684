#include "dalembert/core/csv.h"

namespace dalembert {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : c == '\n' ? " " : std::string(1, c);
  return quoted + "\"";
}

std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> all(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      all.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      all.emplace_back();
    else if (c != '\r')
      all.back() += c;
  }
  return all;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

std::pair<std::string, std::string> name_and_unit(const std::string& title) {
  const auto bracket = title.rfind(" [");
  if (bracket == std::string::npos || title.back() != ']') return {title, ""};
  return {title.substr(0, bracket), title.substr(bracket + 2, title.size() - bracket - 3)};
}

}  // namespace dalembert
