// critical-feedback: constraint errors fed back so that they decay as fast as they can at one rate [Baumgarte1972].
//
//   J a + bias + 2 rate (J v + w) + rate^2 g = 0
#include "dalembert/formulation/by_index/acceleration_level.h"

namespace dalembert {

std::vector<FormulationEntry> formulations_in_critical_feedback() {
  return {{.name = "critical-feedback",
           .summary = "index1 with critically damped feedback of the constraint errors",
           .cite = "Baumgarte1972",
           .from = Kind::mechanical,
           .to = Kind::ode,
           .preference = -5,
           .drifts = false,
           .options = {{"rate", 10, "1/s", "rate at which errors decay"}},
           .make = [](const Problem& problem, const Parameters& options, Statistics& statistics) {
             const Stabilisation feedback{options["rate"], options["rate"]};
             return std::make_unique<AccelerationLevel>(as<Mechanical>(problem), feedback, statistics);
           }}};
}

}  // namespace dalembert
