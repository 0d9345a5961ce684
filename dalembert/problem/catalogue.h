// How a reference problem is entered into the catalogue, and how it is found there.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/core/parameters.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// What is known about a problem without making one.
struct ProblemEntry {
  std::string name;
  std::string summary;
  Kind kind;
  std::string cite;  ///< key in docs/references.bib
  std::vector<Parameter> parameters;
  std::function<std::shared_ptr<const Problem>(const Parameters&)> make;
};

/// Generated from problems/*.cc, each of which ends with `std::vector<ProblemEntry> problems_in_<file>()`.
const std::vector<ProblemEntry>& all_problems();
const ProblemEntry& find_problem(const std::string& name);  ///< throws Error with the nearest name
/// By name, with some parameters set; throws Error with the nearest name.
std::shared_ptr<const Problem> make_problem(const std::string& name,
                                            const std::map<std::string, double>& set = {});

}  // namespace dalembert
