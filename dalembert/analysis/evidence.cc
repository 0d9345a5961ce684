#include "dalembert/analysis/evidence.h"

#include <cmath>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/alternatives.h"
#include "dalembert/control/breaks.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

namespace {

/// Power iteration along differences of f, in the scale of the tolerance.
std::optional<FastestPart> fastest_part(const Ode& ode, const State& at, const Tolerance& tolerance) {
  constexpr int rounds = 6;
  const Eigen::Index n = at.y.size();
  const ErrorScale scales = tolerance.on(ode.layout());
  Vector scale(n), f(n), moved(n), y(n);
  for (Eigen::Index i = 0; i < n; ++i) scale[i] = scales.of(i, std::abs(at.y[i]));
  ode.f(at.t, at.y, f);
  // A direction in which every entry takes part, the motion's own with it.
  Vector d = (f.array() / scale.array()).matrix();
  d = d.normalized() + Vector::Ones(n) / std::sqrt(static_cast<double>(n));
  FastestPart fastest;
  for (int round = 0; round < rounds; ++round) {
    d.normalize();
    constexpr double length = 1e-2;  // of a tolerance: far above rounding, far below what bends f
    y = at.y + length * (d.array() * scale.array()).matrix();
    ode.f(at.t, y, moved);
    const Vector image = ((moved - f).array() / scale.array()).matrix() / length;
    fastest.rate = image.norm();
    if (!(std::isfinite(fastest.rate) && fastest.rate > 0)) return {};
    fastest.decay = -d.dot(image) / fastest.rate;
    d = image;
  }
  return fastest;
}

void look_at_rows(const Mechanical& mechanical, const State& start, Evidence& evidence) {
  constexpr Eigen::Index most_rows = 600;  // what is found is dense
  evidence.sizes = mechanical.sizes();
  if (evidence.sizes->rows() > most_rows) return;
  const Redundancy found = find_redundancy(mechanical, start);
  evidence.freedoms = found.degrees_of_freedom();
  if (!found.dependent.empty()) evidence.redundancy = name_rows(found, mechanical);
}

}  // namespace

bool FastestPart::damped() const {
  return decay > 0.7;
}

Evidence find_evidence(const std::shared_ptr<const Problem>& problem, const RunOptions& options) {
  const RunSetup setup(problem, options);
  Evidence evidence{.kind = problem->kind(),
                    .unknowns = problem->layout().size(),
                    .begin = problem->start().t,
                    .end = setup.end,
                    .switches = problem->switches(),
                    .tolerance = options.tolerance,
                    .choice = {setup.pair, setup.why},
                    .considered = best_of_each_method(*problem, options.tolerance)};
  evidence.breaks = find_breaks(*problem, evidence.begin, evidence.end).ahead.size();
  if (const Events* events = problem->events())
    for (const Event& event : events->list()) evidence.events.push_back(event.name);
  if (may_hand_over(setup.pair, options)) evidence.when_stiff = pairs_when_stiff(*setup.problem, options);
  for (const double rtol : {1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12})
    evidence.elsewhere.push_back(
        {rtol,
         choose_pair(*problem, {options.request.formulation, options.request.method}, {rtol, rtol}).pair});

  State start = setup.problem->start();
  change_start(options.start, setup.problem->layout(), start);
  const StartReport report = make_consistent(*setup.problem, start, options.consistent);
  if (report.outcome != Outcome::ok) {
    evidence.trouble = report.message;
    return evidence;
  }
  if (const auto* mechanical = as<Mechanical>(setup.problem.get()))
    look_at_rows(*mechanical, start, evidence);
  // Rows that follow from others are left out once a run begins; here they would leave a singular system.
  if (setup.pair.formulation->to == Kind::ode && !evidence.redundancy) {
    Statistics statistics;
    const auto formulation =
        setup.pair.formulation->make(*setup.problem, setup.formulation_options, statistics);
    State entered = formulation->rewritten().start();
    formulation->enter(start, entered);
    evidence.fastest = fastest_part(as<Ode>(formulation->rewritten()), entered, options.tolerance);
  }
  return evidence;
}

}  // namespace dalembert
