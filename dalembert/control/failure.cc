#include "dalembert/control/failure.h"

#include <cmath>

#include "dalembert/core/text.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

namespace {

const char* advice(Outcome outcome) {
  switch (outcome) {
    case Outcome::not_finite:
      return "check the force and the parameters at this point";
    case Outcome::singular:
      return "the constraints lose rank here or a mass is missing; try another start, or a formulation that "
             "tolerates "
             "dependent rows";
    case Outcome::newton_diverged:
      return "try a smaller --step or a tighter tolerance";
    case Outcome::unstable:
      return "take a method with damping at infinity (radau, bdf, ms with rho_inf below 1) or a formulation "
             "of "
             "lower index (ggl)";
    case Outcome::projection_failed:
      return "try a tighter tolerance, so that steps leave the constraints less far";
    case Outcome::step_too_small:
      return "the solution may end or jump here; try another tolerance, formulation or method";
    default:
      return "";
  }
}

/// Looks at the last state and a little beyond it, along the way the solution was going.
Fault find_fault(const Formulation& formulation, const State& before, const State& from, double h) {
  const Problem& problem = formulation.rewritten();
  const double span = from.t - before.t;
  for (const double ahead : {0.0, std::abs(h), 1e-12, 1e-9, 1e-6, 1e-3}) {
    const double dt = ahead * (ahead == std::abs(h) ? 1 : 1 + std::abs(from.t));
    Vector y = from.y;
    if (span > 0) y += (from.y - before.y) * (dt / span);
    if (!y.allFinite()) y = from.y;
    if (Fault fault = problem.diagnose(from.t + dt, y)) return fault;
  }
  return {};
}

/// "worst in the equation of lambda.rod, where 3.1e-4 is left"
std::string describe(const Problem& problem, const Attempt& seen) {
  const auto [entry, size] = *seen.trouble;
  const auto* implicit = dynamic_cast<const Implicit*>(&problem);
  const std::string unknown = problem.layout().label(entry);
  if (seen.outcome == Outcome::step_too_small)
    return "worst in " + unknown + ", whose estimated error is " + short_number(size);
  if (seen.outcome == Outcome::unstable)
    return "worst in " + unknown + ", which jumps by " + short_number(size) + " from step to step";
  if (seen.outcome == Outcome::singular) return "elimination breaks down at " + unknown;
  return "worst in " + (implicit ? implicit->equation(entry) : unknown) + ", where a residual of " +
         short_number(size) + " is left";
}

}  // namespace

Failure explain_failure(const Formulation& formulation, const State& before, const State& from, double h,
                        const Attempt& seen) {
  const Fault fault = find_fault(formulation, before, from, h);
  // An evaluation that failed shows as NaN wherever it is used; the fault tells what it was.
  const Outcome outcome = fault ? fault.outcome : seen.outcome;
  std::string text = "t = " + short_number(from.t) + ", step " + short_number(h) + ": ";
  text += fault ? fault.what : std::string(meaning(outcome));
  if (seen.trouble && !fault) text += "; " + describe(formulation.rewritten(), seen);
  if (const std::string what = advice(outcome); !what.empty()) text += "; " + what;
  return {outcome, text};
}

State reported(const State& original, const Layout& layout, const Layout& report) {
  State out{original.t, Vector::Constant(report.size(), not_a_number)};
  for (const auto& block : report.blocks())
    if (const Block* found = layout.find(block.name); found != nullptr && found->size == block.size)
      out[block] = original[*found];
  return out;
}

}  // namespace dalembert
