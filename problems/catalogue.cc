#include "dalembert/problem/catalogue.h"

#include "dalembert/core/error.h"

namespace dalembert {

const ProblemEntry& find_problem(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& entry : all_problems()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw unknown("problem", name, names);
}

std::shared_ptr<const Problem> make_problem(const std::string& name,
                                            const std::map<std::string, double>& set) {
  const ProblemEntry& entry = find_problem(name);
  return entry.make(Parameters(entry.parameters, set, name));
}

}  // namespace dalembert
