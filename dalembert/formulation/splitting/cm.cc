// cm: coordinate splitting with the projector held during a Newton solve (coordinate_splitting.h).
//
// P is taken at the predicted q of each solve, which is as close to q as the method's own order. The printed variant
// takes it with the Jacobian only; P(q_old) r = 0 is then another equation, as wrong as q_old is old.
#include "dalembert/formulation/splitting/coordinate_splitting.h"

namespace dalembert {

namespace {

class Cm final : public CoordinateSplitting {
 public:
  Cm(const Mechanical& problem, const Parameters& options, Statistics& statistics)
      : CoordinateSplitting(
            options.count("p-with-jacobian", 0, 1) == 0 ? Projector::at_predictor : Projector::with_jacobian,
            problem, options, statistics) {}
};

}  // namespace

std::vector<FormulationEntry> formulations_in_cm() {
  std::vector<Parameter> options = splitting_options();
  options.push_back({"p-with-jacobian", 0, "",
                     "1: P renewed with the Jacobian only, as printed; saves steps on stiff springs, but is "
                     "inconsistent: errors do not fall with the tolerance"});
  return {{.name = "cm",
           .summary = "coordinate splitting with the projector held during a Newton solve",
           .cite = "YenPetzold1998",
           .from = Kind::mechanical,
           .to = Kind::implicit,
           .index = 2,
           .freezes = true,
           .preference = 4,
           .drifts = false,
           .options = std::move(options),
           .make = make_implicit<Cm>}};
}

}  // namespace dalembert
