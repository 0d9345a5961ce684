// index1: the constraints differentiated twice, multipliers eliminated; kept on its constraints by projection.
//
//   M a + J'l = f,  J a + bias = 0
#include "dalembert/formulation/by_index/semi_explicit_motion.h"

namespace dalembert {

std::vector<FormulationEntry> formulations_in_index1() {
  return {{.name = "index1",
           .summary = "multipliers eliminated at acceleration level, projected after each step",
           .cite = "HairerWanner1996",
           .from = Kind::mechanical,
           .to = Kind::ode,
           .directions = true,
           .also_implicit = true,
           .drifts = true,
           .options = {},
           .make = [](const Problem& given, const Parameters&, Statistics& statistics) {
             const auto& problem = as<Mechanical>(given);
             if (SemiExplicitMotion::suits(problem))
               return std::make_unique<AccelerationLevel>(
                   std::make_unique<const SemiExplicitMotion>(problem, statistics));
             return std::make_unique<AccelerationLevel>(problem, Stabilisation{}, statistics);
           }}};
}

}  // namespace dalembert
