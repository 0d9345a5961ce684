// Numerical endings: values with a name, never exceptions.
#pragma once

#include <string_view>

namespace dalembert {

/// How an evaluation, an attempt or a run ended. The list is kept here only; name() and meaning() read it.
#define DALEMBERT_OUTCOMES(X)                                                                    \
  X(ok, "reached the end")                                                                       \
  X(stopped, "an event asked to stop")                                                           \
  X(interrupted, "stopped from outside (Ctrl-C)")                                                \
  X(not_finite, "an evaluation gave NaN or infinity")                                            \
  X(out_of_range, "an element has left the range in which it has a law")                         \
  X(singular, "the linear system of mass and constraints is singular")                           \
  X(newton_diverged, "the nonlinear iteration did not converge")                                 \
  X(unstable, "the multipliers alternate and grow: the method is not stable for this index")     \
  X(undecided, "several motions leave from here and the equations do not decide between them")   \
  X(coupling_diverged, "the iteration between the fields does not contract")                     \
  X(projection_failed, "the state could not be brought back onto its constraints")               \
  X(inconsistent_start, "the initial values do not satisfy the constraints and cannot be moved") \
  X(discontinuous, "a constraint jumps, and no motion can follow")                               \
  X(step_too_small, "the step needed for the tolerance is below rounding")                       \
  X(too_many_steps, "the allowed number of steps is used up")                                    \
  X(event_storm, "events follow each other without time passing")                                \
  X(untrusted, "the computed motion does not satisfy the equations to the accuracy asked for")   \
  X(output_failed, "the output could not be written")                                            \
  X(inconsistent_boundary, "the boundary conditions contradict the constraints or each other")

/// The endings themselves.
enum class Outcome {
#define X(name, meaning) name,
  DALEMBERT_OUTCOMES(X)
#undef X
};

/// As it is printed: "too_many_steps".
constexpr std::string_view name(Outcome outcome) {
  switch (outcome) {
#define X(name, meaning) \
  case Outcome::name:    \
    return #name;
    DALEMBERT_OUTCOMES(X)
#undef X
  }
  return "?";
}

/// In words.
constexpr std::string_view meaning(Outcome outcome) {
  switch (outcome) {
#define X(name, meaning) \
  case Outcome::name:    \
    return meaning;
    DALEMBERT_OUTCOMES(X)
#undef X
  }
  return "?";
}

/// Did the computation do what was asked?
constexpr bool good(Outcome outcome) {
  return outcome == Outcome::ok || outcome == Outcome::stopped;
}

}  // namespace dalembert
