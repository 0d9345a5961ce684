#include "dalembert/observe/certify/families.h"

#include <algorithm>

namespace dalembert {

namespace {

struct Candidate {
  const char* family;
  int pieces;
  std::vector<std::pair<const char*, const char*>>
      pairs;  // formulation and method; the first that is feasible
};

// Radau comes first: its steps tell which of the others are held back by stiffness. Dense outputs, elimination of
// multipliers, projection and history differ from row to row.
const std::vector<Candidate>& candidates() {
  static const std::vector<Candidate> all = {
      {"implicit Runge-Kutta", 100, {{"ggl", "radau"}, {"direct", "radau"}, {"index2", "radau"}}},
      {"explicit", 500, {{"index1", "dop853"}, {"direct", "dop853"}, {"baumgarte", "dop853"}}},
      {"half-explicit", 100, {{"index2", "hem5"}, {"direct", "hem5"}}},
      {"null space", 100, {{"maggi-qr", "dopri5"}, {"direct", "dopri5"}}},
      {"multistep", 100, {{"index1", "bdf"}, {"direct", "bdf"}}},
      {"damped collocation", 100, {{"maggi-qr", "collocation"}, {"direct", "collocation"}}},
  };
  return all;
}

}  // namespace

std::vector<Family> families(const Problem& problem) {
  std::vector<Pair> able;
  for (const Pair& pair : feasible_pairs(problem))
    if (adapts(pair, problem)) able.push_back(pair);
  std::vector<Family> all;
  for (const auto& [family, pieces, pairs] : candidates())
    for (const auto& [formulation, method] : pairs) {
      const auto found = std::find_if(able.begin(), able.end(), [&](const Pair& pair) {
        return pair.formulation->name == formulation && pair.method->name == method;
      });
      if (found == able.end()) continue;
      all.push_back({family, *found, pieces});
      break;
    }
  return all;
}

}  // namespace dalembert
