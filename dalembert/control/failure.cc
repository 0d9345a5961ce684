#include "dalembert/control/failure.h"

#include <algorithm>
#include <cmath>

#include "dalembert/core/text.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

namespace {

/// Were shorter and shorter steps tried?
bool shortest(double t, double h) {
  return h < 1e-9 * (1 + std::abs(t));
}

/// What to try.
std::string advice(Outcome outcome, const Problem& problem, double t, double h) {
  switch (outcome) {
    case Outcome::not_finite:
      return "check the equations and the parameters at this point";
    case Outcome::out_of_range:
      return "let an event end the run before, or change what drives it there";
    case Outcome::singular:
      return problem.kind() == Kind::mechanical
                 ? "the constraints lose rank here or a mass is missing; try another start, or a formulation "
                   "that "
                   "tolerates dependent rows"
                 : "give every unknown an equation of its own, or try another start";
    case Outcome::newton_diverged:
      return shortest(t, h)
                 ? "no step is short enough: the equations may have no solution beyond this point, or jump "
                   "(let an event switch them), or their Jacobian is wrong"
                 : "try a smaller step or a tighter tolerance";
    case Outcome::unstable:
      return "take a method with damping at infinity (radau, bdf, ms with rho_inf below 1) or a formulation "
             "of lower "
             "index (ggl)";
    case Outcome::projection_failed:
      return "try a tighter tolerance, so that steps leave the constraints less far";
    case Outcome::step_too_small:
      return "the solution may end or jump here; try another tolerance, formulation or method";
    default:
      return "";
  }
}

struct Found {
  Fault fault{};
  State where{};
};

/// Looks at the last state and a little beyond it, along the way the solution was going.
Found find_fault(const Problem& problem, const State& before, const State& from, double h) {
  const double span = from.t - before.t;
  // Only as far as a straight line may be trusted: the last steps before an end may have become very short.
  const double farthest = shortest(from.t, span) ? 1e4 : 10;
  for (const double ahead : {0.0, std::abs(h), 1e-12, 1e-9, 1e-6, 1e-3}) {
    const double dt = ahead * (ahead == std::abs(h) ? 1 : 1 + std::abs(from.t));
    State there{from.t + dt, from.y};
    if (span > 0) there.y += (from.y - before.y) * std::min(dt / span, farthest);  // time goes on alone
    if (!there.y.allFinite()) there.y = from.y;
    if (Fault fault = problem.diagnose(there.t, there.y)) return {fault, there};
  }
  return {{}, from};
}

/// ", with a residual of 3.1e-4 in the position constraint lambda.rod": what no y' satisfies.
std::string residual_left(const Problem& problem, const State& at) {
  const auto* implicit = dynamic_cast<const Implicit*>(&problem);
  if (implicit == nullptr) return {};
  Vector dy(at.y.size()), r(at.y.size());
  implicit->rate(at.t, at.y, dy);
  for (double& x : dy)
    if (!std::isfinite(x)) x = 0;
  implicit->F(at.t, at.y, dy, r);
  if (!r.allFinite()) return {};
  Eigen::Index worst = 0;
  const double size = r.cwiseAbs().maxCoeff(&worst);
  return ", with a residual of " + short_number(size) + " in " + implicit->equation(worst);
}

/// Does an equation jump right after this point? The change of its residual then does not vanish with time.
std::string jump_ahead(const Problem& problem, const State& from) {
  const auto* implicit = dynamic_cast<const Implicit*>(&problem);
  if (implicit == nullptr) return {};
  const Eigen::Index n = from.y.size();
  Vector dy(n), here(n), near(n), far(n);
  implicit->rate(from.t, from.y, dy);
  if (!dy.allFinite()) return {};
  const double dt = 1e-9 * (1 + std::abs(from.t));
  implicit->F(from.t, from.y, dy, here);
  implicit->F(from.t + dt, from.y, dy, near);
  implicit->F(from.t + 100 * dt, from.y, dy, far);
  near -= here;
  far -= here;
  Eigen::Index worst = 0;
  const double size = near.cwiseAbs().maxCoeff(&worst);
  if (!(size > 1e-6 * (1 + std::abs(here[worst])) && std::abs(far[worst]) < 2 * size)) return {};
  return "; " + implicit->equation(worst) + " jumps by " + short_number(size) + " right after this point";
}

/// "; fastest is y.mass, now 1e+12 after a change of 3e+11": of what carries history.
std::string fastest(const Problem& problem, const State& before, const State& from) {
  const Layout layout = problem.layout();
  Eigen::Index worst = 0;
  double most = 0;
  for (const auto& block : layout.blocks())
    for (Eigen::Index i = block.offset; i < block.offset + block.size; ++i) {
      const double rate = std::abs(from.y[i] - before.y[i]) / (1 + std::abs(from.y[i]));
      if (block.role == Role::differential && rate > most) most = rate, worst = i;
    }
  if (!(most > 0)) return {};
  return "; fastest is " + layout.label(worst) + ", now " + short_number(from.y[worst]) +
         " after a change of " + short_number(from.y[worst] - before.y[worst]);
}

/// "; worst in the equation of lambda.rod, where a residual of 3.1e-4 is left"
std::string describe(const Problem& problem, const State& from, const Attempt& seen) {
  const auto [entry, size] = *seen.trouble;
  const auto* implicit = dynamic_cast<const Implicit*>(&problem);
  const std::string unknown = problem.layout().label(entry);
  if (seen.outcome == Outcome::step_too_small)
    return "; worst in " + unknown + ", whose estimated error is " + short_number(size);
  if (seen.outcome == Outcome::unstable)
    return "; worst in " + unknown + ", which jumps by " + short_number(size) + " from step to step";
  if (seen.outcome == Outcome::singular)
    return "; elimination breaks down at " + unknown + residual_left(problem, from);
  return "; worst in " + (implicit ? implicit->equation(entry) : unknown) + ", where a residual of " +
         short_number(size) + " is left";
}

}  // namespace

Failure explain_failure(const Formulation& formulation, const State& before, const State& from, double h,
                        const Attempt& seen) {
  const Problem &problem = formulation.rewritten(), &original = formulation.original();
  if (!seen.why.empty()) return {seen.outcome, "t = " + short_number(from.t) + ": " + seen.why};
  const auto [fault, where] = find_fault(problem, before, from, h);
  std::string text = "t = " + short_number(from.t) + ", step " + short_number(h) + ": ";
  if (fault) {
    // An evaluation that failed shows as NaN wherever it is used; the fault tells what it was.
    text += fault.what;
    if (fault.outcome == Outcome::singular && original.kind() == Kind::mechanical)
      text += residual_left(problem, where);
    return {fault.outcome, text + "; " + advice(fault.outcome, original, from.t, h)};
  }
  // Equations of higher index are singular to rounding in steps as short as these, and at no fault of their own.
  const bool collapsed = seen.outcome == Outcome::singular && shortest(from.t, h);
  const Outcome outcome = collapsed ? Outcome::step_too_small : seen.outcome;
  text += meaning(outcome);
  if (seen.trouble && !collapsed) text += describe(problem, from, seen);
  if (outcome == Outcome::step_too_small) text += fastest(problem, before, from);
  if (shortest(from.t, h)) text += jump_ahead(problem, from);
  if (const std::string what = advice(outcome, original, from.t, h); !what.empty()) text += "; " + what;
  return {outcome, text};
}

}  // namespace dalembert
