// Times where the equations are not smooth: steps end just before them and begin anew just behind.
//
//   v+ = v - M^-1 J' P  with  J v+ + w(t+) = 0     a constraint whose velocity jumps gives an impulse P to the mechanism;
//                                                  its energy changes by what the drive puts in
// A constraint whose position jumps would have to move bodies in no time: no motion does that. First-order states may jump with the
// equations, and say how (Mechanical::jump): the voltages of capacitors in a loop with a source whose voltage does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/core/outcome.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// A time where the equations are not smooth, with the times on both sides of it that are certainly on their own side: within
/// rounding nobody knows on which side a condition is.
struct Break {
  explicit Break(double time);
  double before, t, after;
};

/// Of a problem, between two times.
struct Breaks {
  std::vector<Break> ahead;  ///< ascending, and apart from each other and from both ends
  /// The end, or the time next to it on this side of a break that lies there: what pushes bodies there belongs to what
  /// follows, what jumps without them is there (pass_to_end).
  double last_moment;
};
Breaks find_breaks(const Problem&, double begin, double end);

/// What happens to a motion at a break.
struct BreakEffect {
  Outcome outcome = Outcome::ok;  ///< discontinuous: no motion can follow
  std::string message;            ///< why not
  std::string impulse;  ///< "impulse of 3 at lambda.drive"; "" if velocities, states and energy do not jump
};

/// Carries a complete state over a break.
BreakEffect pass(const Break&, const Problem&, State&);

/// A state that was reached just before the end, seen at the end: what jumps between them. In words, as in BreakEffect.
std::string pass_to_end(double from, const Problem&, State&);

}  // namespace dalembert
