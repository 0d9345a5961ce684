// What a method may do wrong in one step, so that a run is wrong by about what was asked for.
//
//   local = factor tol^power tol_given,   tol = max(rtol, atol)
//
// Estimates differ by two orders of magnitude in how far they are above or below the true local error. The factors are chosen
// so that the sum of the true local errors over a run is about tol/2 for every method (docs/decisions, "tolerance").
#pragma once

#include <algorithm>
#include <cmath>

#include "dalembert/core/tolerance.h"

namespace dalembert {

struct Strictness {
  double factor = 1, power = 0;
  /// Of the tolerance that was asked for.
  double share(const Tolerance& asked) const {
    return factor * std::pow(std::max(asked.relative, asked.absolute), power);
  }
  Tolerance local(const Tolerance& asked) const {
    constexpr double rounding = 3e-14;  // of a step; no estimate sees less
    return {std::max(share(asked) * asked.relative, std::min(asked.relative, rounding)), share(asked) * asked.absolute};
  }
};

}  // namespace dalembert
