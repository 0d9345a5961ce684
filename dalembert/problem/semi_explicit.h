// An ordinary differential equation before its algebraic unknowns are eliminated, and its linearisation.
//
//   y' = f(t,y,z),   0 = g(t,y,z)       g_z is regular: z is known where y is
//
// Methods that are implicit in a linear way [HairerWanner1996, IV.7 and VI.3] need no solution of g = 0 at their stages, but solve,
// with one matrix per step,
//
//   u = eta (a + f_y u + f_z w),   0 = b + g_y u + g_z w
//
// Whoever made the equations knows best how.
#pragma once

#include "dalembert/core/outcome.h"
#include "dalembert/core/vector.h"

namespace dalembert {

/// Something that an Ode may be besides. It holds the work space of one run.
class SemiExplicit {
 public:
  virtual ~SemiExplicit() = default;
  virtual Eigen::Index algebraic() const = 0;  ///< how many z there are
  /// z that belongs to y.
  virtual Outcome complete(double t, In y, Out z) const = 0;
  /// y' and g. What cannot be evaluated is NaN.
  virtual void evaluate(double t, In y, In z, Out dy, Out g) const = 0;
  /// May they depend on t itself?
  virtual bool depends_on_time() const { return true; }
  /// Takes all derivatives here; those with respect to t are left out.
  virtual void linearize(double t, In y, In z) const = 0;
  /// The eta of the solutions that follow.
  virtual void scale(double eta) const = 0;
  /// (u, w) as above, where linearize() was called last: ok, singular or not_finite.
  virtual Outcome solve(In a, In b, Out u, Out w) const = 0;
  /// How far y is off the constraints that every solution stays on, at most; 0 without any.
  virtual double gap(double /*t*/, In /*y*/) const { return 0; }
  /// Back onto them.
  virtual Outcome close(double /*t*/, Out /*y*/) const { return Outcome::ok; }
};

}  // namespace dalembert
