// Eigenvalues over a parameter, each followed from value to value.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "app/base_state.h"
#include "app/json.h"
#include "dalembert/observe/plot.h"

namespace dalembert::app {

struct Locus {
  std::string what, parameter;
  std::vector<double> values;
  /// One for each eigenvalue that is not zero, by value of the parameter; NaN where there is none.
  std::vector<std::vector<std::complex<double>>> branches;
  std::vector<std::string> bases;      ///< "equilibrium", "steady motion", "instant"
  std::vector<std::string> failures;   ///< sentences, "" where there is none
  std::vector<std::string> crossings;  ///< where something begins or ceases to grow
};

/// "v=0:10:101". Throws Error.
Locus mode_locus(const BaseCall&, const std::string& vary);
std::string text(const Locus&);
Json to_json(const Locus&);
std::vector<Panel> picture(const Locus&);

}  // namespace dalembert::app
