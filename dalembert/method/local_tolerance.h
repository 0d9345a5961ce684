// What a method may do wrong in one step, so that a run is wrong by about what was asked for.
//
//   local = factor tol^power tol_given,   tol = max(rtol, atol)
//
// Estimates differ by two orders of magnitude in how far they are above or below the true local error. The factors are chosen
// so that the sum of the true local errors over a run is about tol/2 for every method (docs/decisions/0040-tolerance.md).
#pragma once

#include <algorithm>
#include <cmath>

#include "dalembert/core/tolerance.h"

namespace dalembert {

struct Strictness {
  double factor = 1, power = 0;
  /// Of the tolerance that was asked for. No estimate sees less than rounding.
  double share(const Tolerance& asked) const {
    constexpr double rounding = 1e-13;
    const double tol = std::max(asked.relative, asked.absolute);
    return std::max(factor * std::pow(tol, power), std::min(1.0, rounding / tol));
  }
  Tolerance local(const Tolerance& asked) const {
    return {share(asked) * asked.relative, share(asked) * asked.absolute};
  }
};

}  // namespace dalembert
