// IDA of SUNDIALS on the forms of a constrained mechanical problem that it can solve.
#pragma once

#include <string>

#include "bench/ida.h"

namespace dalembert::bench {

/// index1_full: q' = v, v' = a, 0 = M a + G'l - f, 0 = G a + bias     unknowns q, v, a, l
/// index1:      q' = v, M v' = f - G'l, 0 = G v' + bias               unknowns q, v, l
/// index2:      q' = v, M v' = f - G'l, 0 = G v                       unknowns q, v, l
enum class IdaForm { index1_full, index1, index2 };

/// A consistent start: q, v, v' and the multipliers.
struct IdaStart {
  Vector q, v, a, l;
};

/// From 0 to `end` with relative = absolute = tolerance. The problem is "andrews" or "pendulum".
IdaEnd ida_run(const std::string& problem, IdaForm, const IdaStart&, double end, double tolerance,
               IdaWork = IdaWork::whole);

/// Largest entry of the residual at these values: checks the model against the catalogue.
double ida_residual(const std::string& problem, IdaForm, const IdaStart&);

/// Largest difference between the Jacobian and central differences, relative to its row.
double ida_jacobian_error(const std::string& problem, IdaForm, const IdaStart&);

}  // namespace dalembert::bench
