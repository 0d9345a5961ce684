#include "app/text.h"

#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert::app {

double to_number(const std::string& option, const std::string& text) {
  const auto value = number_in(text);
  if (!value) throw Error(option + " is '" + text + "'", "it must be a number, for instance 1e-6");
  return *value;
}

long to_count(const std::string& option, const std::string& text, long most) {
  const double value = to_number(option, text);
  if (!(value >= 1 && value <= static_cast<double>(most) && value == std::floor(value)))
    throw Error(option + " is '" + text + "'", fmt::format("it must be a whole number from 1 to {}", most));
  return static_cast<long>(value);
}

std::pair<std::string, std::string> to_assignment(const std::string& option, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(option + " is '" + text + "'", "it must be NAME=VALUE");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::map<std::string, double> to_assignments(const std::string& option,
                                             const std::vector<std::string>& texts) {
  std::map<std::string, double> all;
  for (const auto& text : texts) {
    const auto [name, value] = to_assignment(option, text);
    if (!all.emplace(name, to_number(option + " " + name, value)).second)
      throw Error(option + " " + name + " is given more than once", "give it once");
  }
  return all;
}

std::string number(double x, int digits) {
  return std::isnan(x) ? "-" : fmt::format("{:.{}g}", x, digits);
}

std::string plural(long count, const std::string& singular, const std::string& plural) {
  return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

std::string join(const std::vector<std::string>& words, const std::string& between) {
  return fmt::format("{}", fmt::join(words, between));
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

std::string indented(const std::string& text) {
  std::istringstream stream(text);
  std::string all;
  for (std::string line; std::getline(stream, line);) all += line.empty() ? "\n" : "  " + line + "\n";
  return all;
}

std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_of(" \t\n\"'\\$`*?[]{}()<>|&;!~#") == std::string::npos;
  if (plain) return word;
  std::string safe = "'";
  for (const char c : word) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return safe + "'";
}

}  // namespace dalembert::app
