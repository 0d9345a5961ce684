#include "dalembert/boundary/boundary_problem.h"
#include "dalembert/core/error.h"

namespace dalembert {

const BoundaryEntry& find_boundary_problem(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& entry : all_boundary_problems()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw unknown("boundary problem", name, names);
}

std::shared_ptr<const BoundaryProblem> make_boundary_problem(const std::string& name,
                                                             const std::map<std::string, double>& set) {
  const BoundaryEntry& entry = find_boundary_problem(name);
  return entry.make(Parameters(entry.parameters, set, name));
}

}  // namespace dalembert
