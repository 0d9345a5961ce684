#include "dalembert/core/parameters.h"

#include <algorithm>
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

double choice(const Parameter& parameter, const std::string& name) {
  const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), name);
  if (found == parameter.choices.end())
    throw unknown("value of '" + parameter.name + "'", name, parameter.choices);
  return static_cast<double>(found - parameter.choices.begin());
}

Parameters::Parameters(const std::vector<Parameter>& known, const std::map<std::string, double>& set,
                       const std::string& owner) {
  std::vector<std::string> names;
  for (const auto& p : known) {
    values_[p.name] = p.value;
    names.push_back(p.name);
  }
  for (const auto& [name, value] : set) {
    if (!values_.contains(name)) {
      if (names.empty()) throw Error("'" + owner + "' has nothing to set");
      throw unknown("parameter of '" + owner + "'", name, names);
    }
    if (!std::isfinite(value)) throw Error("parameter '" + name + "' is not a finite number");
    values_[name] = value;
  }
}

double Parameters::operator[](const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw Error("the problem declares no parameter '" + name + "'");
  return found->second;
}

int Parameters::count(const std::string& name, int least, int most) const {
  const double value = (*this)[name];
  if (value != std::floor(value) || value < least || value > most)
    throw Error("parameter '" + name + "' is " + short_number(value),
                "it must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return static_cast<int>(value);
}

double Parameters::positive(const std::string& name) const {
  const double value = (*this)[name];
  if (!(value > 0)) throw Error("parameter '" + name + "' is " + short_number(value), "it must be positive");
  return value;
}

}  // namespace dalembert
