// cs: coordinate splitting with the projector at q (coordinate_splitting.h).
#include "dalembert/formulation/splitting/coordinate_splitting.h"

namespace dalembert {

namespace {

class Cs final : public CoordinateSplitting {
 public:
  Cs(const Mechanical& problem, const Parameters& options, Statistics& statistics)
      : CoordinateSplitting(Projector::at_q, problem, options, statistics) {}
};

}  // namespace

std::vector<FormulationEntry> formulations_in_cs() {
  return {{.name = "cs",
           .summary = "coordinate splitting: motion projected along the constraints, no multipliers",
           .cite = "YenPetzold1998",
           .from = Kind::mechanical,
           .to = Kind::implicit,
           .index = 2,
           .preference = 5,
           .drifts = false,
           .options = splitting_options(),
           .make = make_implicit<Cs>}};
}

}  // namespace dalembert
