#include "dalembert/control/solver.h"

#include "dalembert/control/session.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/force_directions.h"

namespace dalembert {

Solver::Solver(std::shared_ptr<const Problem> problem, RunOptions options)
    : kept_(std::make_unique<SolverStore>(std::move(problem), std::move(options))) {}

Solver::Solver(ProblemFamily family, RunOptions options)
    : Solver(family ? family({})
                    : throw Error("the family of problems is empty", "give a function of parameters"),
             std::move(options)) {
  kept_->family = std::move(family);
}

Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

SolverStore& Solver::kept() const {
  if (!kept_) throw Error("this solver was moved elsewhere", "use the one that it was moved to");
  return *kept_;
}

const Pair& Solver::pair() const {
  return kept().setup.pair;
}
const std::string& Solver::why() const {
  return kept().setup.why;
}
int Solver::preparations() const {
  return kept().preparations;
}

Summary Solver::run(const std::vector<Observer*>& observers) {
  return run(kept().options.start, observers);
}

Summary Solver::run(const Values& start, const std::vector<Observer*>& observers) {
  checked_end(kept().setup.end, *kept().setup.problem, start);
  return Session(kept(), start, observers).run();
}

Summary Solver::run(const Values& start, const Values& parameters, const std::vector<Observer*>& observers) {
  if (!kept().family)
    throw Error("this solver has one problem, not a family of them", "make it from a function of parameters");
  exchange(kept().family(parameters));
  return run(start, observers);
}

void Solver::exchange(std::shared_ptr<const Problem> problem) {
  problem = checked(std::move(problem));
  RunSetup& setup = kept().setup;
  const auto mechanical = std::dynamic_pointer_cast<const Mechanical>(problem);
  const auto* mine = as<Mechanical>(setup.problem.get());
  // Directions of constraint forces are asked for by another interface, which a substitute does not have.
  const bool can = mechanical && mine != nullptr && dynamic_cast<const ForceDirections*>(mine) == nullptr;
  const Mechanical* now = kept_->substitute ? &kept_->substitute->problem() : mine;
  if (!can || !same_structure(*now, *mechanical)) {
    kept_->options.request.answer.reset();
    setup = RunSetup(std::move(problem), kept_->options);
    kept_->substitute = nullptr;
    kept_->prepared = {};
    return;
  }
  const double end = checked_end(kept_->options.end, *mechanical, kept_->options.start);
  kept_->options.tolerance.refuse_unknown(mechanical->report());
  if (!kept_->substitute) {
    kept_->substitute = std::make_shared<Substitute>(mechanical);
    setup.problem = kept_->substitute;
    kept_->prepared = {};
  }
  kept_->substitute->exchange(mechanical);
  setup.end = end;
}

Summary run(std::shared_ptr<const Problem> problem, const RunOptions& options,
            const std::vector<Observer*>& observers) {
  return Solver(std::move(problem), options).run(observers);
}

}  // namespace dalembert
