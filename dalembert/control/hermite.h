// A mechanical motion between the ends of a step, from its states and rates there:
//
//   y(theta) = (1 - theta)^2 ((1 + 2 theta) y0 + theta h y0') + theta^2 ((3 - 2 theta) y1 - (1 - theta) h y1'),
//   y' = (N v, a, k)
//
// Of order 4 whatever the method: where its own dense output does not satisfy the equations (stages of low order, motions that
// are driven), this takes its place, for the price of one acceleration per step.
#pragma once

#include <optional>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/control/track.h"

namespace dalembert {

class HermiteMotion {
 public:
  explicit HermiteMotion(Mechanics&);
  /// The original state at a point inside the step of a track; false where rows are dependent and there is no acceleration.
  bool at(const Track&, double theta, State& original, Depth);

 private:
  struct End {
    State state;  // of the original problem
    Vector rate;
    bool known = false;
  };
  bool look(const State& state, End&);

  Mechanics& mechanics_;
  const Mechanical& problem_;
  const MechanicalState part_;
  State seen_;
  Vector multipliers_, a_;
  End begin_, end_;
};

}  // namespace dalembert
