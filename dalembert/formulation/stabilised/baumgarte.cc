// baumgarte: index1 with feedback of the constraint errors instead of projection [Baumgarte1972].
//
//   J a + bias + 2 alpha (J v + w) + beta^2 g = 0
//
// alpha = beta is critical damping at rate alpha. The errors obey g'' + 2 alpha g' + beta^2 g = 0, so its roots are added to
// the eigenvalues of the motion: large values make the equations stiff.
#include "dalembert/core/error.h"
#include "dalembert/formulation/by_index/acceleration_level.h"

namespace dalembert {

std::vector<FormulationEntry> formulations_in_baumgarte() {
  return {{.name = "baumgarte",
           .summary = "index1 with feedback of the constraint errors",
           .cite = "Baumgarte1972",
           .from = Kind::mechanical,
           .to = Kind::ode,
           .preference = -1,
           .directions = true,
           .also_implicit = true,
           .drifts = false,
           .options =
               {{"alpha", 5, "1/s",
                 "damping of g'' + 2 alpha g' + beta^2 g = 0: errors decay at this rate up to alpha = beta"},
                {"beta", 5, "1/s", "frequency of the same; alpha = beta is critical damping"}},
           .make = [](const Problem& problem, const Parameters& options, Statistics& statistics) {
             if (options["alpha"] < 0 || options["beta"] < 0)
               throw Error("alpha and beta must not be negative", "constraint errors would grow");
             return std::make_unique<AccelerationLevel>(
                 as<Mechanical>(problem), Stabilisation{options["alpha"], options["beta"]}, statistics);
           }}};
}

}  // namespace dalembert
