// z of an index-2 problem from the constraint differentiated once, by Newton's method:
//
//   0 = g_y(t,y) f(t,y,z) + g_t(t,y)                                        [BraseyHairer1993, (1.3), (3.6)]
#pragma once

#include "dalembert/core/outcome.h"
#include "dalembert/core/statistics.h"
#include "dalembert/problem/index2.h"

namespace dalembert {

class HiddenConstraint {
 public:
  HiddenConstraint(const Index2&, Statistics&);  ///< allocates
  /// Improves z until it solves the equation to rounding; dy receives f(t,y,z).
  Outcome solve(double t, In y, Out z, Out dy);

 private:
  const Index2& problem_;
  Statistics& statistics_;
  Entries f_z_, g_y_;
  Matrix product_, g_y_dense_, f_z_dense_;
  Eigen::PartialPivLU<Matrix> lu_;
  Vector residual_, rate_, delta_;
};

/// product = g_y f_z, formed in dense work space from entries, without allocation.
void form_product(const Entries& g_y, const Entries& f_z, Matrix& g_y_dense, Matrix& f_z_dense,
                  Matrix& product);

}  // namespace dalembert
