// Multipliers eliminated at acceleration level: a mechanical problem as an Ode in (q, v, s).
//
//   q' = N v,   v' = a,   s' = k,   with a from M a + J'l = f, J a + bias + 2 alpha (J v + w) + beta^2 g = 0
//
// Positions and velocities drift off their constraints unless feedback or projection holds them.
#pragma once

#include "dalembert/formulation/formulation.h"
#include "dalembert/nonlinear/mechanics.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

class AccelerationLevel final : public Formulation {
 public:
  AccelerationLevel(const Mechanical&, Stabilisation, Statistics&);

  const Problem& original() const override { return ode_.problem(); }
  const Problem& rewritten() const override { return ode_; }
  void enter(const State& original, State& rewritten) const override;
  Outcome recover(const State& rewritten, State& original, Depth) const override;

 private:
  class Equations final : public Ode, private Invariant {
   public:
    Equations(const Mechanical&, Stabilisation, Statistics&);
    const Mechanical& problem() const { return mechanics_.problem(); }
    Layout layout() const override;
    State start() const override;
    double end() const override { return problem().end(); }
    void f(double t, In y, Out dy) const override;
    const Invariant* invariant() const override { return mechanics_.sizes().rows() > 0 ? this : nullptr; }
    Outcome project(double t, Out y) const override;
    Fault diagnose(double t, In y) const override;
    Outcome multipliers(double t, In y, Out l) const;

   private:
    Stabilisation feedback_;
    MechanicalState part_;
    mutable Mechanics mechanics_;  // the work space of this run
    mutable Vector l_, a_;
  };

  Equations ode_;
};

}  // namespace dalembert
