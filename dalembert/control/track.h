// One way to make steps: a method on a formulation of the problem, and the step at hand.
#pragma once

#include "dalembert/formulation/formulation.h"
#include "dalembert/method/method.h"

namespace dalembert {

class DenseRate;
class HermiteMotion;

struct Track {
  Track(const Formulation&, Method&);

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
  /// The same with the rates of its differential entries, if method and formulation know them; false, and nothing done: they do not.
  bool recover_inside(double theta, State& original, Vector& rate, Depth depth) const;

 private:
  DenseRate* rates_;  // nullptr: not known
  mutable State inside_;
  mutable Vector rate_inside_;
};

}  // namespace dalembert
