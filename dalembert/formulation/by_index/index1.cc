// index1: the constraints differentiated twice, multipliers eliminated; kept on its constraints by projection.
//
//   M a + J'l = f,  J a + bias = 0
#include "dalembert/formulation/by_index/acceleration_level.h"

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
           .make = [](const Problem& problem, const Parameters&, Statistics& statistics) {
             return std::make_unique<AccelerationLevel>(as<Mechanical>(problem), Stabilisation{}, statistics);
           }}};
}

}  // namespace dalembert
