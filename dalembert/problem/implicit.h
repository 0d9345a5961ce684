// F(t,y,y') = 0: fully implicit differential equations.
#pragma once

#include "dalembert/linear/entries.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

class Implicit : public Problem {
 public:
  Kind kind() const final { return Kind::implicit; }
  virtual void F(double t, In y, In dy, Out residual) const = 0;
  /// F_y + c F_y'
  virtual void iteration_matrix(double t, In y, In dy, double c, Entries&) const = 0;
  /// Called before each Newton solve with the predicted y: a formulation may freeze here what it holds fixed during
  /// the iteration (the projector of coordinate splitting).
  virtual void prepare(double /*t*/, In /*predicted*/) const {}
};

}  // namespace dalembert
