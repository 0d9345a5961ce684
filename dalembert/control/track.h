// One way to make steps: a method on a formulation of the problem, and the step at hand.
#pragma once

#include "dalembert/formulation/formulation.h"
#include "dalembert/method/method.h"

namespace dalembert {

class HermiteMotion;

struct Track {
  Track(const Formulation& f, Method& m) : formulation(f), method(m) {
    from.y = to.y = inside_.y = Vector::Zero(f.rewritten().layout().size());
  }

  const Formulation& formulation;
  Method& method;
  HermiteMotion* hermite = nullptr;  ///< takes the place of a dense output that is not good enough
  State from, to;  ///< of the rewritten problem; between them the dense output of the last attempt

  /// The state of the original problem where the step begins.
  void recover_from(State& original, Depth depth) const {
    formulation.recover(from, original, depth);
    original.t = from.t;
  }
  /// The same anywhere inside the step, or at its end.
  void recover_at(double t, State& original, Depth depth) const;
  /// The same at a part of the step, 0 <= theta < 1: times next to each other may not be told apart.
  void recover_inside(double theta, State& original, Depth depth) const;

 private:
  mutable State inside_;
};

}  // namespace dalembert
