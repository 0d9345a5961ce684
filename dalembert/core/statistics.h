// The counters of a run: one list, read by the printer, JSON, tests and docs.
#pragma once

#include <cstdint>

namespace dalembert {

#define DALEMBERT_STATISTICS(X)                                                             \
  X(steps, "steps that advanced the solution")                                              \
  X(rejected, "attempts that were thrown away, for whatever reason")                        \
  X(force_evaluations, "evaluations of the right-hand side or of the force")                \
  X(constraint_evaluations, "evaluations of position constraints")                          \
  X(jacobians, "evaluations of a Jacobian (constraint Jacobians of explicit stages too)")   \
  X(factorizations, "matrix factorisations")                                                \
  X(solves, "solutions of a linear system")                                                 \
  X(newton_iterations, "nonlinear iterations")                                              \
  X(error_test_failures, "attempts thrown away by the error estimate")                      \
  X(convergence_failures, "attempts thrown away because an evaluation or iteration failed") \
  X(refined_solves, "static eliminations that needed a step of refinement")                 \
  X(pivoted_solves, "static eliminations that fell back to a pivoted factorisation")        \
  X(projections, "returns onto the constraints")                                            \
  X(rank_checks, "factorisations made only to see positions ahead where constraints lose rank")

/// Owned by a run; formulations and methods write into the same one.
struct Statistics {
#define X(field, meaning) std::int64_t field = 0;
  DALEMBERT_STATISTICS(X)
#undef X

  Statistics& operator+=(const Statistics& other) {
#define X(field, meaning) field += other.field;
    DALEMBERT_STATISTICS(X)
#undef X
    return *this;
  }

  Statistics& operator-=(const Statistics& other) {
#define X(field, meaning) field -= other.field;
    DALEMBERT_STATISTICS(X)
#undef X
    return *this;
  }

  template <class Memory>
  void remember(Memory& memory) {
#define X(field, meaning) memory(field);
    DALEMBERT_STATISTICS(X)
#undef X
  }

  template <class Visit>
  void each(Visit&& visit) const {
#define X(field, meaning) visit(#field, field, meaning);
    DALEMBERT_STATISTICS(X)
#undef X
  }
};

}  // namespace dalembert
