// z of an index-2 problem from the constraint differentiated once, by Newton's method:
//
//   0 = g_y(t,y) f(t,y,z) + g_t(t,y) + feedback g(t,y)                      [BraseyHairer1993, (1.3), (3.6)]
//
// where the feedback, zero unless a formulation asks for it, lets errors of g decay [Baumgarte1972].
#pragma once

#include <vector>

#include "dalembert/core/outcome.h"
#include "dalembert/core/statistics.h"
#include "dalembert/problem/hessenberg.h"

namespace dalembert {

/// g_y f_z, the matrix of every Newton iteration in z, with g_y and f_z at points of their own.
class ConstraintProduct {
 public:
  ConstraintProduct(const Hessenberg&, Statistics&);  ///< allocates
  void reset();                                       ///< as if just made
  void place_g_y(double t, In y);
  void factor(double t, In y, In z);  ///< f_z there, and the product factored
  void solve(In right, Out z);
  /// Along a motion, z is not determined where it passes zero.
  double determinant() const { return product_.size() == 0 ? 1 : lu_.determinant(); }
  const Entries& g_y() const { return g_y_; }
  const Entries& f_z() const { return f_z_; }

 private:
  bool same_entries();

  const Hessenberg& problem_;
  Statistics& statistics_;
  Entries f_z_, g_y_;
  Matrix f_z_dense_, g_y_dense_, product_;
  Eigen::PartialPivLU<Matrix> lu_;
  std::vector<double> factored_;  // entries of f_z and g_y that lu_ is made of
};

class HiddenConstraint {
 public:
  HiddenConstraint(const Hessenberg&, Statistics&);  ///< allocates
  /// Improves z until it solves the equation to rounding; dy receives f(t,y,z).
  Outcome solve(double t, In y, Out z, Out dy, double feedback = 0);
  double determinant() const { return product_.determinant(); }  ///< of g_y f_z, at the last solution

 private:
  const Hessenberg& problem_;
  Statistics& statistics_;
  ConstraintProduct product_;
  Vector residual_, rate_, delta_;
};

}  // namespace dalembert
