#include "dalembert/control/feasibility.h"

#include "dalembert/problem/force_directions.h"

namespace dalembert {

bool takes(const FormulationEntry& formulation, const Problem& problem) {
  return formulation.from == problem.kind() ||
         (formulation.from == Kind::mechanical && problem.kind() == Kind::partitioned);
}

Feasibility::Feasibility(const Problem& problem, const FormulationEntry& formulation)
    : formulation_(formulation),
      taken_(takes(formulation, problem)),
      directed_(taken_ && !formulation.directions && as<ForceDirections>(&problem) != nullptr),
      index_(taken_ ? rewritten_index(formulation, problem) : 0) {}

Obstacle Feasibility::with(const MethodEntry& method) const {
  if (!taken_) return Obstacle::problem_kind;
  if (!method.accepts(formulation_.to)) return Obstacle::method_kind;
  if (formulation_.freezes && !method.predicts) return Obstacle::prediction;
  if (directed_) return Obstacle::directions;
  if (!method.stable(formulation_.to, index_)) return Obstacle::claim;
  return Obstacle::none;
}

Obstacle obstacle(const Problem& problem, const FormulationEntry& formulation, const MethodEntry& method) {
  return Feasibility(problem, formulation).with(method);
}

}  // namespace dalembert
