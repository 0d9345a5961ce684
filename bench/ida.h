// One integration by IDA of SUNDIALS, from set-up to the end.
#pragma once

#include "dalembert/core/vector.h"

namespace dalembert::bench {

/// F(t,y,y') = 0 with its matrix, as IDA asks for them.
class IdaEquations {
 public:
  virtual ~IdaEquations() = default;
  virtual Eigen::Index size() const = 0;
  virtual void start(Out y, Out dy) const = 0;  ///< consistent
  /// Algebraic entries are left out of the error test.
  virtual bool differential(Eigen::Index i) const = 0;
  virtual void residual(double t, In y, In dy, Out r) = 0;
  /// F_y + c F_y'; J is zero on entry.
  virtual void jacobian(double t, double c, In y, In dy, Eigen::Ref<Matrix> J) = 0;
};

struct IdaEnd {
  bool ok = false;
  Vector y;
  long steps = 0, residuals = 0, jacobians = 0;
};

enum class IdaWork { whole, only_set_up };

/// From `begin` to `end` with relative = absolute = tolerance and dense matrices.
IdaEnd ida_solve(IdaEquations&, double begin, double end, double tolerance, IdaWork = IdaWork::whole);

/// How many times longer a vector sum of the SUNDIALS at hand takes than the same loop compiled here. About 1
/// if it was built with optimisation; distributions exist whose packages were not.
double sundials_slowness();

}  // namespace dalembert::bench
