#include <algorithm>
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/fit/minimize.h"

namespace dalembert {

namespace {

std::string without_blanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

/// The two sides of "max(force)<3"; the value is a number.
struct Relation {
  std::string left;
  char sign = 0;  // 0: there is none
  double value = 0;
};
Relation relation(const std::string& given) {
  const std::string text = without_blanks(given);
  const std::size_t at = text.find_first_of("<>=");
  if (at == std::string::npos) return {text};
  std::size_t right = at + 1;
  if (text[at] != '=' && right < text.size() && text[right] == '=') ++right;  // <= means <
  const auto value = number_in(text.substr(right));
  if (!value || !std::isfinite(*value))
    throw Error("'" + given + "' has no number behind '" + text[at] + "'", "write one, as in max(angle)<0.5");
  return {text.substr(0, at), text[at], *value};
}

}  // namespace

std::string Objective::name() const {
  if (form == Form::near) return of.name() + "=" + short_number(value);
  return (form == Form::most ? "-" : "") + of.name();
}

Objective read_objective(const std::string& text) {
  const Relation r = relation(text);
  if (r.sign == '<' || r.sign == '>')
    throw Error("'" + text + "' is a condition, not an objective", "give it as a constraint");
  if (r.sign == '=') return {read_quantity(r.left), Objective::Form::near, r.value};
  if (r.left.starts_with('-')) return {read_quantity(r.left.substr(1)), Objective::Form::most};
  return {read_quantity(r.left), Objective::Form::least};
}

std::string RunCondition::name() const {
  const char* sign = sense == Sense::below ? "<" : sense == Sense::above ? ">" : "=";
  return of.name() + sign + short_number(bound);
}

RunCondition read_condition(const std::string& text) {
  const Relation r = relation(text);
  if (r.sign == 0)
    throw Error("'" + text + "' is not a condition", "write one with <, > or =, as in max(angle)<0.5");
  const auto sense = r.sign == '<'   ? RunCondition::Sense::below
                     : r.sign == '>' ? RunCondition::Sense::above
                                     : RunCondition::Sense::equal;
  return {read_quantity(r.left), sense, r.value};
}

const Algorithm& find_algorithm(const std::string& name) {
  std::vector<std::string> known;
  for (const Algorithm& a : algorithms) {
    if (name == a.name) return a;
    known.emplace_back(a.name);
  }
  throw unknown("algorithm", name, known);
}

}  // namespace dalembert
