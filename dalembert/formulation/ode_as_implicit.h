// y' - f(t,y) = 0: ordinary differential equations for methods that take implicit ones.
#pragma once

#include "dalembert/formulation/formulation.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

class OdeAsImplicit : public Implicit {
 public:
  enum class Jacobian {
    own,         ///< Ode::f_y
    differences  ///< of f, for equations made by a formulation; allocates nothing
  };
  OdeAsImplicit(const Ode&, Jacobian);

  Layout layout() const override;
  State start() const override { return ode_.start(); }
  double end() const override { return ode_.end(); }
  void F(double t, In y, In dy, Out residual) const override;
  void jacobians(double t, In y, In dy, Entries& F_y, Entries& F_dy) const override;
  void rate(double t, In y, Out dy) const override { ode_.f(t, y, dy); }
  const Invariant* invariant() const override { return ode_.invariant(); }
  Fault diagnose(double t, In y) const override { return ode_.diagnose(t, y); }

 private:
  void difference(double t, In y, Entries& F_y) const;

  const Ode& ode_;
  Jacobian jacobian_;
  // The work space of this run.
  mutable Entries f_y_;
  mutable Vector at_, plus_, minus_;
};

}  // namespace dalembert
