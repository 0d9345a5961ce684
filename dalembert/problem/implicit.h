// F(t,y,y') = 0: fully implicit differential equations, of any index.
#pragma once

#include "dalembert/linear/entries.h"
#include "dalembert/problem/ode.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// Each block of the layout says its index: 1 for entries that behave like those of an ordinary differential equation
/// or of an equation of index 1, 2 and 3 for those that cost one or two differentiations more.
class Implicit : public Problem {
 public:
  Kind kind() const final { return Kind::implicit; }
  /// NaN in the residual says that F could not be evaluated; diagnose() then says why.
  virtual void F(double t, In y, In dy, Out residual) const = 0;
  /// F_y and F_y'; a Newton matrix is F_y + c F_y'.
  virtual void jacobians(double t, In y, In dy, Entries& F_y, Entries& F_dy) const = 0;
  /// y' at a consistent state: what F and the derivative of its algebraic part determine; the least there is for the
  /// rest. Asked for at the start and after restarts only.
  virtual void rate(double t, In y, Out dy) const;

  /// Called before each Newton solve with the predicted (y,y'). A formulation may freeze here what it holds fixed
  /// during the iteration (the projector of CM), and may replace predictions of entries that carry no history.
  virtual void prepare(double /*t*/, Out /*y*/, Out /*dy*/) const {}
  /// Which entries the error test and the convergence test of Newton's iteration look at: 1 or 0. The usual ones
  /// (differential entries of index 1, and all) unless change_tests() says otherwise.
  void tests(Out error, Out newton) const;
  void usual_tests(Out error, Out newton) const;
  /// Comes with the usual choice and may change it. Asked after each new Jacobian.
  virtual void change_tests(Out /*error*/, Out /*newton*/) const {}
  /// What a residual is called in messages.
  virtual std::string equation(Eigen::Index i) const { return "the equation of " + layout().label(i); }
  /// More that is true of every solution than F: position constraints below a velocity-level form.
  virtual const Invariant* invariant() const { return nullptr; }
  Fault diagnose(double t, In y) const override;
};

}  // namespace dalembert
