// Named numbers with defaults: the parameters of problems, the options of methods and formulations.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace dalembert {

/// A number that --set may change.
struct Parameter {
  std::string name;
  double value;  ///< unless set
  std::string unit;
  std::string meaning;
  std::vector<std::string> choices = {};  ///< names of the values 0, 1, 2, ... where the number is a choice
};

/// The number of a choice by its name; throws Error with the nearest name.
double choice(const Parameter&, const std::string& name);

/// The values of all parameters of one problem, method or formulation: defaults, then what was set.
class Parameters {
 public:
  Parameters() = default;
  Parameters(const std::vector<Parameter>& known, const std::map<std::string, double>& set,
             const std::string& owner);  ///< throws Error for a name that is not known, with the nearest one
  double operator[](const std::string& name) const;  ///< throws Error if there is no such parameter
  /// A parameter that counts things; throws Error unless it is a whole number in [least, most].
  int count(const std::string& name, int least, int most) const;
  /// Throws Error unless the value is positive.
  double positive(const std::string& name) const;

 private:
  std::map<std::string, double> values_;
};

}  // namespace dalembert
