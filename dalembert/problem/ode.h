// y' = f(t,y), possibly with a manifold that every solution stays on.
#pragma once

#include "dalembert/core/outcome.h"
#include "dalembert/linear/entries.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// 0 = h(t,y): true of every solution that starts on it, lost by rounding and truncation, restored by project().
class Invariant {
 public:
  virtual ~Invariant() = default;
  /// Moves y to a nearby point with h(t,y) = 0. Returns ok, or why it cannot be done.
  virtual Outcome project(double t, Out y) const = 0;
};

/// An ordinary differential equation.
class Ode : public Problem {
 public:
  Kind kind() const final { return Kind::ode; }
  /// NaN in dy says that f could not be evaluated; diagnose() then says why.
  virtual void f(double t, In y, Out dy) const = 0;
  /// The Jacobian of f; by differences unless the problem knows better.
  virtual void f_y(double t, In y, Entries& jacobian) const;
  virtual const Invariant* invariant() const { return nullptr; }
  Fault diagnose(double t, In y) const override;
};

}  // namespace dalembert
