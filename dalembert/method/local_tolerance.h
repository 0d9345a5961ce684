// What a method may do wrong in one step, so that a run is wrong by about what was asked for.
//
//   local = factor tol^power tol_given,   tol = max(rtol, atol)
//
// Estimates differ by two orders of magnitude in how far they are above or below the true local error. The factors are chosen
// so that the sum of the true local errors over a run is about tol/2 for every method (docs/decisions/0040-tolerance.md).
#pragma once

#include <algorithm>
#include <cmath>

#include "dalembert/method/method.h"

namespace dalembert {

struct Strictness {
  double factor = 1, power = 0;
  double rounding = 1e-13;  ///< no estimate sees less
  /// Of the tolerance that was asked for.
  double share(const Tolerance& asked) const {
    return std::max(wanted(asked), std::min(1.0, rounding / std::max(asked.relative, asked.absolute)));
  }
  /// What rounding does not allow is written down in the setting.
  Tolerance local(const Setting& setting) const {
    const double allowed = share(setting.tolerance);
    if (setting.shortfall != nullptr) *setting.shortfall = allowed / wanted(setting.tolerance);
    return setting.tolerance.times(allowed);
  }

 private:
  double wanted(const Tolerance& asked) const {
    return factor * std::pow(std::max(asked.relative, asked.absolute), power);
  }
};

}  // namespace dalembert
