#include "dalembert/model/unit.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numbers>

namespace dalembert {

namespace {

using Symbols = std::map<std::string, Unit, std::less<>>;

const Symbols& symbols() {
  constexpr double pi = std::numbers::pi;
  //                                        kg  m   s  A  rad
  static const Symbols all = {
      {"kg", {1, 1, {1, 0, 0, 0, 0}}},        {"g", {1, 1000, {1, 0, 0, 0, 0}}},
      {"t", {1000, 1, {1, 0, 0, 0, 0}}},      {"m", {1, 1, {0, 1, 0, 0, 0}}},
      {"cm", {1, 100, {0, 1, 0, 0, 0}}},      {"mm", {1, 1000, {0, 1, 0, 0, 0}}},
      {"um", {1, 1e6, {0, 1, 0, 0, 0}}},      {"km", {1000, 1, {0, 1, 0, 0, 0}}},
      {"s", {1, 1, {0, 0, 1, 0, 0}}},         {"ms", {1, 1000, {0, 0, 1, 0, 0}}},
      {"min", {60, 1, {0, 0, 1, 0, 0}}},      {"h", {3600, 1, {0, 0, 1, 0, 0}}},
      {"A", {1, 1, {0, 0, 0, 1, 0}}},         {"mA", {1, 1000, {0, 0, 0, 1, 0}}},
      {"rad", {1, 1, {0, 0, 0, 0, 1}}},       {"deg", {pi, 180, {0, 0, 0, 0, 1}}},
      {"rev", {2 * pi, 1, {0, 0, 0, 0, 1}}},  {"rpm", {2 * pi, 60, {0, 0, -1, 0, 1}}},
      {"N", {1, 1, {1, 1, -2, 0, 0}}},        {"mN", {1, 1000, {1, 1, -2, 0, 0}}},
      {"kN", {1000, 1, {1, 1, -2, 0, 0}}},    {"MN", {1e6, 1, {1, 1, -2, 0, 0}}},
      {"Nm", {1, 1, {1, 2, -2, 0, 0}}},       {"kNm", {1000, 1, {1, 2, -2, 0, 0}}},
      {"J", {1, 1, {1, 2, -2, 0, 0}}},        {"W", {1, 1, {1, 2, -3, 0, 0}}},
      {"kW", {1000, 1, {1, 2, -3, 0, 0}}},    {"Pa", {1, 1, {1, -1, -2, 0, 0}}},
      {"kPa", {1000, 1, {1, -1, -2, 0, 0}}},  {"MPa", {1e6, 1, {1, -1, -2, 0, 0}}},
      {"GPa", {1e9, 1, {1, -1, -2, 0, 0}}},   {"bar", {1e5, 1, {1, -1, -2, 0, 0}}},
      {"l", {1, 1000, {0, 3, 0, 0, 0}}},      {"V", {1, 1, {1, 2, -3, -1, 0}}},
      {"mV", {1, 1000, {1, 2, -3, -1, 0}}},   {"ohm", {1, 1, {1, 2, -3, -2, 0}}},
      {"kohm", {1000, 1, {1, 2, -3, -2, 0}}}, {"uA", {1, 1e6, {0, 0, 0, 1, 0}}},
      {"F", {1, 1, {-1, -2, 4, 2, 0}}},       {"mF", {1, 1000, {-1, -2, 4, 2, 0}}},
      {"uF", {1, 1e6, {-1, -2, 4, 2, 0}}},    {"nF", {1, 1e9, {-1, -2, 4, 2, 0}}},
      {"H", {1, 1, {1, 2, -2, -2, 0}}},       {"mH", {1, 1000, {1, 2, -2, -2, 0}}},
  };
  return all;
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

void multiply(Unit& product, Unit factor, int power) {
  if (power < 0) std::swap(factor.numerator, factor.denominator);
  for (int k = 0; k < std::abs(power); ++k)
    product.numerator *= factor.numerator, product.denominator *= factor.denominator;
  for (std::size_t i = 0; i < factor.exponents.size(); ++i)
    product.exponents[i] += power * factor.exponents[i];
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

/// symbol [^digit] { (blank | * | /) symbol [^digit] }; a leading "1" as in 1/s.
std::optional<Unit> find_unit(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return {};
  Unit unit;
  if (text.starts_with("1/")) text.remove_prefix(1);
  while (!text.empty()) {
    const int sign = text.front() == '/' ? -1 : 1;
    if (text.front() == '/' || text.front() == '*') text.remove_prefix(1);
    text = trimmed(text);
    const auto end = std::find_if_not(text.begin(), text.end(), is_letter);
    const std::string_view symbol = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    const auto found = symbols().find(symbol);
    if (found == symbols().end()) return {};
    text.remove_prefix(symbol.size());
    int power = 1;
    if (text.size() >= 2 && text[0] == '^') {
      if (text[1] < '1' || text[1] > '9') return {};
      power = text[1] - '0';
      text.remove_prefix(2);
    }
    multiply(unit, found->second, sign * power);
    if (!text.empty() && text.front() != ' ' && text.front() != '*' && text.front() != '/') return {};
    text = trimmed(text);
  }
  return unit;
}

bool fits(const Unit& unit, const std::string& expected) {
  if (expected.empty()) return unit.exponents == Unit{}.exponents;
  std::string_view rest = expected;
  while (true) {
    const std::size_t next = rest.find(" or ");
    const auto one = find_unit(rest.substr(0, next));
    if (!one) return true;
    auto difference = unit.exponents;
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= one->exponents[i];
    // a moment per angle is often written N m
    if (unit.exponents[Unit::radian] == 0) difference[Unit::radian] = 0;
    if (difference == Unit{}.exponents) return true;
    if (next == std::string_view::npos) return false;
    rest.remove_prefix(next + 4);
  }
}

const std::vector<std::string>& unit_symbols() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const auto& [name, unit] : symbols()) names.push_back(name);
    return names;
  }();
  return all;
}

std::string measured_in(const std::string& symbol) {
  static const std::vector<std::pair<const char*, const char*>> kinds = {
      {"kg", "mass"},        {"m", "length"},     {"s", "time"},        {"A", "current"},
      {"rad", "angle"},      {"rpm", "rotation"}, {"N", "force"},       {"Nm", "moment, energy"},
      {"W", "power"},        {"Pa", "pressure"},  {"l", "volume"},      {"V", "voltage"},
      {"ohm", "resistance"}, {"H", "inductance"}, {"F", "capacitance"},
  };
  for (const auto& [one, what] : kinds)
    if (find_unit(one)->exponents == find_unit(symbol)->exponents) return what;
  return {};
}

bool is_sum(std::string_view expression) {
  int open = 0;
  char before = '(';  // the last one that is no blank
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    const bool sign = c == '+' || c == '-';
    const bool of_exponent =
        i >= 2 && (before == 'e' || before == 'E') && expression[i - 1] == before &&
        (std::isdigit(static_cast<unsigned char>(expression[i - 2])) != 0 || expression[i - 2] == '.');
    const bool after_value =
        std::isalnum(static_cast<unsigned char>(before)) || before == ')' || before == '.' || before == '_';
    if (sign && open == 0 && after_value && !of_exponent) return true;
    if (c != ' ') before = c;
  }
  return false;
}

/// In an expression nothing but `and` and `or` follows a finished number, name or parenthesis after a blank. What stands in
/// parentheses is no unit of the whole.
WithUnit split_unit(std::string_view text) {
  int open = 0;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    open += text[i - 1] == '(' ? 1 : text[i - 1] == ')' ? -1 : 0;
    if (text[i] != ' ' || text[i - 1] == ' ' || open > 0) continue;
    const char before = text[i - 1];
    const bool finished =
        std::isalnum(static_cast<unsigned char>(before)) || before == ')' || before == '.' || before == '_';
    const std::string_view rest = trimmed(text.substr(i));
    const bool keyword = rest.starts_with("and ") || rest.starts_with("or ");
    if (!finished || rest.empty() || !is_letter(rest.front()) || keyword) continue;
    const std::string_view head = trimmed(text.substr(0, i));
    const auto ends_with_word = [&](std::string_view word) {
      return head.ends_with(word) &&
             (head.size() == word.size() ||
              !std::isalnum(static_cast<unsigned char>(head[head.size() - word.size() - 1])));
    };
    if (ends_with_word("and") || ends_with_word("or") || ends_with_word("not")) continue;
    return {text.substr(0, i), rest};
  }
  return {text, {}};
}

}  // namespace dalembert
