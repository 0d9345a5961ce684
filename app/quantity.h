// Parameters of the command line, written as in model files: "rod=500 mm".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dalembert/core/parameters.h"

namespace dalembert::app {

/// NAME=VALUE several times: each value is a number, or a formula of numbers, in SI units or with a unit. Throws Error for a
/// text of another form, or a name given twice.
std::map<std::string, double> to_parameters(const std::vector<std::string>& texts);
/// The same; where the parameters are known by their units, others are refused.
std::map<std::string, double> to_parameters(const std::vector<std::string>& texts,
                                            const std::vector<Parameter>& known);

}  // namespace dalembert::app
