// y' - f(t,y) = 0: an Ode for implicit methods.
#pragma once

#include "dalembert/problem/implicit.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

class OdeAsImplicit : public Implicit {
 public:
  explicit OdeAsImplicit(const Ode& ode) : ode_(ode) {}
  Layout layout() const override {
    const Layout all = ode_.layout();
    Layout same;
    for (const auto& b : all.blocks()) same.add(b.name, b.size, b.role, 1, b.labels, b.units);
    return same;
  }
  State start() const override { return ode_.start(); }
  double end() const override { return ode_.end(); }
  void F(double t, In y, In dy, Out residual) const override {
    ode_.f(t, y, residual);
    residual = dy - residual;
  }
  void jacobians(double t, In y, In /*dy*/, Entries& F_y, Entries& F_dy) const override {
    ode_.f_y(t, y, f_y_);
    F_y.begin();
    for (std::size_t k = 0; k < f_y_.size(); ++k) F_y.add(f_y_.row(k), f_y_.column(k), -f_y_.value(k));
    F_y.end();
    F_dy.begin();
    for (Eigen::Index i = 0; i < y.size(); ++i) F_dy.add(i, i, 1);
    F_dy.end();
  }
  void rate(double t, In y, Out dy) const override { ode_.f(t, y, dy); }
  const Invariant* invariant() const override { return ode_.invariant(); }
  Fault diagnose(double t, In y) const override { return ode_.diagnose(t, y); }

 private:
  const Ode& ode_;
  mutable Entries f_y_;  // the work space of this run
};

}  // namespace dalembert
