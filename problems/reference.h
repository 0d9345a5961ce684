// What the reference problems share: digits known at a few times, and multipliers that fit a start.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "dalembert/core/parameters.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

/// A state known at one time, in layout order; not_a_number marks entries that are not known.
struct Digits {
  double t;
  std::vector<double> y;
};

/// The digits listed for this time (up to rounding of t), if there are any.
std::optional<State> digits_at(double t, std::initializer_list<Digits> list);

/// Digits hold for the default parameters only: is this such a set?
bool defaults(const Parameters& p, const std::vector<Parameter>& known);

/// The state (q, v, s) with the multipliers that belong to it, from J v' + bias = 0.
State with_multipliers(const Mechanical& problem, double t, In qvs);

}  // namespace dalembert
