// A reason in words for every ending that was not asked for.
#pragma once

#include <string>

#include "dalembert/core/outcome.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/method/method.h"

namespace dalembert {

/// "t = 0.5, step 1e-16: the force on v.x is not finite; ..." and the outcome that fits it.
struct Failure {
  Outcome outcome;
  std::string message;
};

/// What stopped a run between the last two accepted states `before` and `from` (of the rewritten problem) and a step h
/// that would not do, and what to try. `seen` is what the method saw last.
Failure explain_failure(const Formulation&, const State& before, const State& from, double h,
                        const Attempt& seen);

}  // namespace dalembert
