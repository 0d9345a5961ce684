#include "dalembert/formulation/formulation.h"

#include "dalembert/core/error.h"

namespace dalembert {

std::vector<FormulationEntry> find_formulation(const std::string& name) {
  std::vector<FormulationEntry> found;
  std::vector<std::string> names;
  for (const auto& entry : all_formulations()) {
    if (entry.name == name) found.push_back(entry);
    names.push_back(entry.name);
  }
  if (found.empty()) throw unknown("formulation", name, names);
  return found;
}

}  // namespace dalembert
