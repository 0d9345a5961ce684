// IDA of SUNDIALS on any implicit problem of ours: the same residual, the same exact Jacobian.
#pragma once

#include "bench/ida_runner.h"
#include "dalembert/problem/implicit.h"

namespace dalembert::bench {

struct IdaState {
  bool ok = false;
  Vector y;
  long steps = 0, residuals = 0, jacobians = 0;
};

/// From `start` to `end` with relative = absolute = tolerance. Algebraic entries are left out of the error test.
IdaState ida_solve(const Implicit&, const State& start, double end, double tolerance,
                   IdaWork = IdaWork::whole);

}  // namespace dalembert::bench
