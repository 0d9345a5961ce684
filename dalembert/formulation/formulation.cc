#include "dalembert/formulation/formulation.h"

#include "dalembert/core/error.h"

namespace dalembert {

const FormulationEntry& find_formulation(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& entry : all_formulations()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw unknown("formulation", name, names);
}

}  // namespace dalembert
