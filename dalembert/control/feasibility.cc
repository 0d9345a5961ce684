#include "dalembert/control/feasibility.h"

#include "dalembert/problem/force_directions.h"

namespace dalembert {

bool takes(const FormulationEntry& formulation, const Problem& problem) {
  return formulation.from == problem.kind() ||
         (formulation.from == Kind::mechanical && problem.kind() == Kind::partitioned);
}

Obstacle obstacle(const Problem& problem, const FormulationEntry& formulation, const MethodEntry& method) {
  if (!takes(formulation, problem)) return Obstacle::problem_kind;
  if (!method.accepts(formulation.to)) return Obstacle::method_kind;
  if (formulation.freezes && !method.predicts) return Obstacle::prediction;
  if (!formulation.directions && as<ForceDirections>(&problem) != nullptr) return Obstacle::directions;
  if (!method.stable(formulation.to, rewritten_index(formulation, problem))) return Obstacle::claim;
  return Obstacle::none;
}

}  // namespace dalembert
