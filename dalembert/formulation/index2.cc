// index2: the constraints at velocity level, J v + w = 0 [GearLeimkuhlerGupta1985].
#include "dalembert/formulation/velocity_level.h"

namespace dalembert {

std::vector<FormulationEntry> formulations_in_index2() {
  return {{.name = "index2",
           .summary = "constraints at velocity level; positions held by projection",
           .cite = "GearLeimkuhlerGupta1985 BraseyHairer1993",
           .from = Kind::mechanical,
           .to = Kind::index2,
           .drifts = true,
           .options = {},
           .make = [](const Problem& problem, const Parameters&, Statistics& statistics) {
             return std::make_unique<Index2Formulation>(dynamic_cast<const Mechanical&>(problem), statistics);
           }}};
}

}  // namespace dalembert
