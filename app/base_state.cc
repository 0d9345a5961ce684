#include "app/base_state.h"

#include "app/text.h"
#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/reporter.h"
#include "dalembert/control/run_settings.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/partitioned.h"

namespace dalembert::app {

namespace {

/// A partitioned problem in one piece.
std::shared_ptr<const Problem> whole(const std::shared_ptr<const Problem>& problem) {
  const auto* fields = as<Partitioned>(problem.get());
  return fields != nullptr ? std::shared_ptr<const Problem>(fields->whole()) : problem;
}

void make_consistent(BaseState& base) {
  if (const StartReport report = dalembert::make_consistent(*base.problem, base.state);
      report.outcome != Outcome::ok)
    throw Error("there is no consistent state " + base.where + ": " + report.message);
}

void enter_mode(BaseState& base) {
  const Events* events = base.problem->events();
  auto mode = events != nullptr ? events->mode_at(base.state) : nullptr;
  if (!mode) return;
  base.state = reported(base.state, base.problem->layout(), mode->layout());
  base.problem = std::move(mode);
  make_consistent(base);
}

State after_run(const BaseCall& call, const Subject& subject, double t) {
  RunSettings mine;
  mine.end = t;
  mine.start = to_assignments("--start", call.start);
  RunSettings all = merge(mine, subject.settings());
  all.output.reset();
  const Summary summary = run(subject.problem, resolve(all, *subject.problem).options);
  if (!good(summary.outcome))
    throw Error("the run did not come to t = " + full_number(t) + ": " + summary.message);
  return summary.state;
}

}  // namespace

BaseState guess_at_rest(const BaseCall& call, const Subject& subject) {
  BaseState base{whole(subject.problem), subject.problem->start(), "at its start"};
  change_start(to_assignments("--start", call.start), base.problem->layout(), base.state);
  const auto* problem = as<Mechanical>(base.problem.get());
  if (problem == nullptr || base.problem->events() == nullptr) return base;
  MechanicalState(problem->sizes()).v(base.state.y).setZero();
  make_consistent(base);
  enter_mode(base);
  return base;
}

BaseState base_state(const BaseCall& call, const Subject& subject) {
  if (call.at == "equilibrium") {
    BaseState base = guess_at_rest(call, subject);
    const Equilibrium rest = find_equilibrium(mechanical(*base.problem, call.what), base.state);
    if (!rest.found)
      throw Error("no equilibrium is found: " + rest.why_not,
                  "give a guess with --start, or take --at start");
    base.state = rest.state;
    base.where = rest.driven.empty() && !rest.timed
                     ? "at an equilibrium"
                     : "at an equilibrium, with time held at t = " + short_number(rest.state.t);
    return base;
  }
  BaseState base{whole(subject.problem), subject.problem->start(), "at its start"};
  // No run comes to where it begins.
  if (const auto t = number_in(call.at); call.at == "start" || (t && *t == base.state.t)) {
    change_start(to_assignments("--start", call.start), base.problem->layout(), base.state);
  } else if (t) {
    base.where = "at t = " + short_number(*t);
    base.state = reported(after_run(call, subject, *t), subject.problem->report(), base.problem->layout());
    for (double& value : base.state.y)
      if (value != value) value = 0;  // multipliers that this mode has and that one had not
  } else {
    throw Error("--at is '" + call.at + "'", "it is start, equilibrium, or a time of the run");
  }
  make_consistent(base);
  enter_mode(base);
  return base;
}

const Mechanical& mechanical(const Problem& problem, const std::string& what) {
  const auto* found = as_mechanical(problem);
  if (found == nullptr)
    throw Error("'" + what + "' is of kind " + std::string(name(problem.kind())) + ", not mechanical",
                "take a mechanical problem (see `dalembert problems`)");
  return *found;
}

void add_start(Arguments& arguments, BaseCall& call) {
  add_subject(arguments, call.what, call.set);
  arguments.option("--start", call.start, "set an initial value, for instance q.x=1 (may be repeated)",
                   "NAME=VALUE");
}

void add_base(Arguments& arguments, BaseCall& call) {
  add_start(arguments, call);
  arguments.option(
      "--at", call.at,
      "where: start, equilibrium (sought from the start), or a time that a run comes to (default: start)",
      "start|equilibrium|T");
}

}  // namespace dalembert::app
