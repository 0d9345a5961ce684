// y' = f(t,y,z), 0 = g(t,y), with g_y f_z regular: differential-algebraic equations of index 2.
#pragma once

#include "dalembert/linear/entries.h"
#include "dalembert/problem/ode.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// The layout holds all entries of y first (differential), then all of z (algebraic).
class Hessenberg : public Problem {
 public:
  Kind kind() const final { return Kind::hessenberg; }
  virtual void f(double t, In y, In z, Out dy) const = 0;
  virtual void g(double t, In y, Out residual) const = 0;
  virtual void f_y(double t, In y, In z, Entries&) const = 0;
  virtual void f_z(double t, In y, In z, Entries&) const = 0;
  virtual void g_y(double t, In y, Entries&) const = 0;
  virtual void g_t(double t, In y, Out rate) const = 0;
  /// More that is true of every solution than g: the position constraints below a velocity-level form.
  virtual const Invariant* invariant() const { return nullptr; }
  Fault diagnose(double t, In yz) const override;
};

/// How many leading entries of the state are y.
Eigen::Index differential_size(const Layout&);

}  // namespace dalembert
