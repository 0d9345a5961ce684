// Formulations that lead to ordinary differential equations, for implicit methods too: y' - f(t,y) = 0.
//
// With feedback of constraint errors (baumgarte) or stiff forces, steps of explicit methods are bounded by stability.
#include "dalembert/formulation/ode_as_implicit.h"

namespace dalembert {

std::vector<FormulationEntry> formulations_in_index1();
std::vector<FormulationEntry> formulations_in_baumgarte();
std::vector<FormulationEntry> formulations_in_maggi();

std::vector<FormulationEntry> formulations_in_through_ode() {
  std::vector<FormulationEntry> all;
  for (const auto& entries : {formulations_in_index1(), formulations_in_baumgarte(), formulations_in_maggi()})
    for (const auto& entry : entries)
      // The bases of Maggi's equations give one motion: the cheapest stands for all.
      if (!entry.name.starts_with("maggi") || entry.name == "maggi-qr") all.push_back(as_implicit(entry));
  return all;
}

}  // namespace dalembert
