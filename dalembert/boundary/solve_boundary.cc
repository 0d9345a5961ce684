#include "dalembert/boundary/solve_boundary.h"

#include <chrono>
#include <cmath>

#include "dalembert/boundary/multiple_shooting.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/method/stability.h"

namespace dalembert {

namespace {

void validate(const BoundaryProblem& problem, const BoundaryOptions& o) {
  if (!(problem.end() > problem.begin())) throw Error("the end of the interval is not after its start");
  if (o.steps < 2) throw Error("there must be at least 2 steps");
  if (o.segments < 1 || o.segments > o.steps)
    throw Error("the number of segments must be between 1 and the number of steps");
  if (!(o.regularization.eps > 0) || !std::isfinite(o.regularization.eps))
    throw Error("eps is " + short_number(o.regularization.eps), "it must be positive and finite");
  if (!std::isfinite(o.first_multiplier))
    throw Error("the first multiplier is " + short_number(o.first_multiplier), "it must be finite");
  if (o.iterations < 1) throw Error("there must be at least one iteration");
  if (!(o.layer >= 0 && o.layer < 1)) throw Error("the layer must be a part of the interval, 0 to 1");
  if (!find_method(o.method).accepts(Kind::ode))
    throw Error("method '" + o.method + "' does not solve ordinary differential equations",
                "take an explicit one: heun, rk4, dopri5, ...");
}

/// The pull 1/eps towards the constraints against the stability interval of the method.
void check_step(const BoundaryProblem& problem, const BoundaryOptions& o, const ShootingEquations& equations,
                const Grid& grid, std::vector<std::string>& warnings) {
  const MethodEntry& method = find_method(o.method);
  const LinearStability stability(method, Parameters(method.options, {}, method.name));
  const double rate = equations.rate(grid.begin, problem.guess(grid.begin)), z = grid.step() * rate;
  const auto reach = stability.reach(-1);
  if (!reach || !(z > *reach)) return;
  const std::string what = "regularization with eps = " + short_number(o.regularization.eps) +
                           " pulls towards the constraints at rate " + short_number(rate) +
                           "; times the step " + short_number(grid.step()) + " that is " + short_number(z) +
                           ", and the stability interval of " + o.method + " ends at " + short_number(*reach);
  const std::string remedy = "take at least " +
                             std::to_string(static_cast<int>(std::ceil(o.steps * z / *reach))) +
                             " steps, or eps of at least " + short_number(o.regularization.eps * z / *reach);
  if (z > 2 * *reach) throw Error(what, remedy);
  warnings.push_back(what + "; " + remedy);
}

/// Errors against the exact solution where it is known, and drift.
BoundaryIterate measured(const BoundaryProblem& problem, const BoundaryOptions& o,
                         const ShootingEquations& equations, const GridFunction& x, const GridFunction& y) {
  BoundaryIterate result;
  const Grid& grid = x.grid();
  const double later = grid.begin + o.layer * (grid.end - grid.begin) * (1 - 1e-12);
  Vector h(equations.rows());
  bool known = true;
  double error = 0, later_error = 0, multiplier_error = 0;
  for (int k = 0; k <= grid.steps; ++k) {
    const double t = grid.time(k);
    equations.constraint(t, x.at(k), h);
    result.drift = std::max(result.drift, largest(h));
    const auto exact = known ? problem.equations().exact(t) : std::nullopt;
    known = known && exact.has_value();
    if (!known) continue;
    const double e = largest(x.at(k) - exact->y.head(x.at(k).size()));
    error = std::max(error, e);
    if (t < later) continue;
    later_error = std::max(later_error, e);
    multiplier_error = std::max(multiplier_error, largest(y.at(k) - exact->y.tail(y.at(k).size())));
  }
  if (known) {
    result.error = error;
    result.later_error = later_error;
    result.multiplier_error = multiplier_error;
  }
  return result;
}

/// What speaks against a solution whose conditions are met; "" if nothing does.
std::string doubt(const BoundarySummary& summary, const BoundaryOptions& o) {
  if (!summary.warnings.empty()) return "the steps are too long for the stability of " + o.method;
  constexpr double rounding = 1e-9;  // changes that are rounding of a nonlinear problem need not fall
  const auto count = summary.iterates.size();
  if (count < 3) return {};
  const double last = summary.iterates[count - 1].change, before = summary.iterates[count - 2].change;
  if (!(last >= before) || last <= rounding * (1 + summary.x->values().cwiseAbs().maxCoeff())) return {};
  return "the iterates move apart: the last one by " + short_number(last) + " after " + short_number(before) +
         "; take a smaller eps, or more steps";
}

}  // namespace

BoundarySummary solve_boundary(const BoundaryProblem& problem, const BoundaryOptions& o) {
  validate(problem, o);
  const auto clock = std::chrono::steady_clock::now();
  const Problem& dae = problem.equations();
  const ShootingSizes sizes = shooting_sizes(dae);
  const Grid grid{problem.begin(), problem.end(), o.steps};
  const MethodEntry& method = find_method(o.method);
  const int order = static_cast<int>(method.order(Kind::ode));
  const bool direct = o.approach == BoundaryOptions::Approach::direct;

  BoundarySummary summary;
  const auto finish = [&](Outcome outcome, const std::string& message) {
    summary.outcome = outcome;
    summary.message = message;
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
    return summary;
  };
  GridFunction x(grid, sizes.x, order), y(grid, sizes.y, order), last(grid, sizes.y, order), before = x;
  last.values().setConstant(o.first_multiplier);

  const auto on_constraints = direct_equations(dae, summary.statistics);
  MultipleShooting probe(problem, *on_constraints, method, grid, o.segments, summary.statistics);
  if (const ShootingEnd fit = probe.check_fit(); fit.outcome != Outcome::ok)
    return finish(fit.outcome, fit.message);
  const auto regularized =
      direct ? nullptr : regularized_equations(dae, o.regularization, last);  // follows `last`
  const ShootingEquations& equations = direct ? *on_constraints : *regularized;
  if (!direct) check_step(problem, o, equations, grid, summary.warnings);

  MultipleShooting shooting(problem, equations, method, grid, o.segments, summary.statistics);
  shooting.nodes() = probe.nodes();  // which left the guess only if that was a special place
  for (int s = 1; s <= (direct ? 1 : o.iterations); ++s) {
    const ShootingEnd end = shooting.solve();
    if (end.outcome != Outcome::ok)
      return finish(end.outcome, (direct ? "" : "iteration " + std::to_string(s) + ": ") + end.message);
    Outcome outcome = shooting.follow(x);
    for (int k = 0; k <= grid.steps && outcome == Outcome::ok; ++k)
      outcome = equations.multiplier(grid.time(k), x.at(k), y.at(k));
    if (outcome != Outcome::ok) return finish(outcome, "the multipliers along the motion cannot be computed");
    BoundaryIterate iterate = measured(problem, o, equations, x, y);
    iterate.newton = end.iterations;
    iterate.trajectories = shooting.trajectories();
    if (s > 1) iterate.change = (x.values() - before.values()).cwiseAbs().maxCoeff();
    summary.iterates.push_back(iterate);
    before = x;
    last.values() = y.values();
  }
  summary.x = x;
  summary.multipliers = y;
  const std::string against = doubt(summary, o);
  if (!against.empty()) return finish(Outcome::untrusted, "the boundary conditions are met, but " + against);
  return finish(Outcome::ok, "the boundary conditions are met");
}

}  // namespace dalembert
