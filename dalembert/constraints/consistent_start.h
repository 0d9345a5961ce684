// Initial values that satisfy the constraints: left alone if they do, moved as little as possible if they do not
// [MantegazzaMasarati2012, (120)-(123)].
//
//   mechanical   min |q0 - q|_K with g(t,q0) = 0,  then min |v0 - v|_D with J v0 + w = 0,  then v' and multipliers
//   index2       min |y0 - y| with g(t,y0) = 0,    then z
//   implicit     of index 1: y moved where F_y' does not see it, until some y' satisfies F(t,y0,y') = 0
//
// K and D are the mass matrix (at the given q) plus the weights of single entries: the change is measured in kinetic
// energy, which mixes angles and lengths without asking for a unit, and is what projection uses during a run. A change
// of coordinates therefore does not change the answer; `entries` measures the change of the numbers instead.
//
// Constraint rows may depend on each other, always or at this position only, as long as they do not conflict: they are
// then met by least squares, and the multipliers are those of least norm. The dense factorisation this takes is made
// only where the usual one breaks down, or answers to a small change of the rows with a large one of v.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "dalembert/core/outcome.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// How initial values may be moved.
struct StartOptions {
  enum class Metric { kinetic, entries } metric = Metric::kinetic;  ///< of mechanical problems
  /// By label ("q.x"): what is added to the metric for that entry. Infinity keeps the entry as it is given.
  std::map<std::string, double> weights{};
  /// Of rows of unit length: those that stick out of the span of others by less than this follow from them. Open: rounding
  /// decides where a mechanism is drawn exactly, and the digits of its drawing where it is not (redundancy.h).
  std::optional<double> dependent{};
};

/// What was moved, or why it could not be.
struct StartReport {
  Outcome outcome = Outcome::ok;
  std::string message{};       ///< what was changed, or why it cannot be done
  double position_change = 0;  ///< largest change of a position (or of y)
  double velocity_change = 0;  ///< largest change of a velocity
  Eigen::Index dependent = 0;  ///< rows of a mechanical problem that follow from others at this position
};

/// Completes `state` (in the layout of the problem): positions, then velocities, then multipliers or z. A state that
/// satisfies its constraints to 1e-10 is not moved. Throws Error for weights of unknown entries.
StartReport make_consistent(const Problem&, State& state, const StartOptions& = {});

}  // namespace dalembert
