// Multipliers eliminated at acceleration level: a mechanical problem as an Ode in (q, v, s).
//
//   q' = N v,   v' = a,   s' = k,   with a from M a + J'l = f, J a + bias + 2 alpha (J v + w) + beta^2 g = 0
//
// Positions and velocities drift off their constraints unless feedback or projection holds them.
#pragma once

#include "dalembert/constraints/mechanics.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/formulation/shared_plan.h"
#include "dalembert/formulation/without_algebraic.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

class AccelerationLevel final : public Formulation, public SharedPlan, public SameEntries {
 public:
  /// The equations; a relative may add terms that vanish on the constraints, or return to them in its own way.
  class Equations : public Ode, private Invariant {
   public:
    Equations(const Mechanical&, Stabilisation, Statistics&);
    const Mechanical& problem() const { return mechanics_.problem(); }
    Layout layout() const final { return layout_; }
    State start() const final;
    double end() const final { return problem().end(); }
    void f(double t, In y, Out dy) const override;
    const Invariant* invariant() const final { return mechanics_.sizes().rows() > 0 ? this : nullptr; }
    Outcome project(double t, Out y) const override;
    Fault diagnose(double t, In y) const final;
    Outcome multipliers(double t, In y, Out l) const;
    /// What rules the errors of the constraints: s^2 + 2 alpha s + beta^2 = 0 for each holonomic row, -alpha for
    /// each velocity-level one.
    virtual std::vector<std::complex<double>> added_spectrum() const;
    const SaddlePoint& plan() const { return mechanics_.saddle(); }
    void reset() const { mechanics_.reset(); }

   protected:
    MechanicalState part_;
    mutable Mechanics mechanics_;  // the work space of this run

   private:
    Stabilisation feedback_;
    Layout layout_;
    mutable Vector l_, a_;
  };

  AccelerationLevel(const Mechanical&, Stabilisation, Statistics&);
  explicit AccelerationLevel(std::unique_ptr<const Equations>);

  const Problem& original() const override { return ode_->problem(); }
  const Problem& rewritten() const override { return *ode_; }
  void enter(const State& original, State& rewritten) const override;
  Outcome recover(const State& rewritten, State& original, Depth) const override;
  std::vector<std::complex<double>> added_spectrum() const override { return ode_->added_spectrum(); }
  const SaddlePoint& plan() const override { return ode_->plan(); }
  bool reset() override {
    ode_->reset();
    return true;
  }
  bool remember(Memory&) override { return true; }

 private:
  std::unique_ptr<const Equations> ode_;
};

}  // namespace dalembert
