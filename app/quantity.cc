#include "app/quantity.h"

#include <algorithm>
#include <cmath>

#include "app/text.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/model/expression/expression.h"
#include "dalembert/model/unit.h"

namespace dalembert::app {

namespace {

struct Quantity {
  double value = 0;  ///< in SI units
  std::string unit;  ///< as it was written
};

double evaluate(const std::string& option, const std::string& text, std::string_view formula) {
  if (const auto plain = number_in(formula)) return *plain;
  try {
    return Expression::parse(formula, {})(nullptr);
  } catch (const ExpressionError&) {
    throw Error(option + " is '" + text + "'", "it must be a number, for instance 0.5 or \"500 mm\"");
  }
}

Quantity to_quantity(const std::string& option, const std::string& text) {
  const auto [formula, symbol] = split_unit(text);
  const double plain = evaluate(option, text, formula);
  if (symbol.empty()) return {plain, ""};
  const auto unit = find_unit(symbol);
  if (!unit) {
    const Error error = unknown("unit", std::string(symbol), unit_symbols());
    throw Error(option + " is '" + text + "': " + error.what(), error.hint());
  }
  return {unit->in_si(plain), std::string(symbol)};
}

}  // namespace

std::map<std::string, double> to_parameters(const std::vector<std::string>& texts) {
  return to_parameters(texts, {});
}

std::map<std::string, double> to_parameters(const std::vector<std::string>& texts,
                                            const std::vector<Parameter>& known) {
  std::map<std::string, double> all;
  for (const auto& text : texts) {
    const auto [name, value] = to_assignment("--set", text);
    const std::string option = "--set " + name;
    const Quantity found = to_quantity(option, value);
    const auto parameter = std::find_if(known.begin(), known.end(),
                                        [&name = name](const Parameter& p) { return p.name == name; });
    if (!found.unit.empty() && parameter != known.end() && !fits(*find_unit(found.unit), parameter->unit))
      throw Error(option + " is in " + found.unit,
                  parameter->unit.empty() ? "it is a number without unit" : "its unit is " + parameter->unit);
    if (!all.emplace(name, found.value).second)
      throw Error(option + " is given more than once", "give it once");
  }
  return all;
}

}  // namespace dalembert::app
