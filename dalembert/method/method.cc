#include "dalembert/method/method.h"

#include <algorithm>
#include <limits>

#include "dalembert/core/error.h"

namespace dalembert {

bool MethodEntry::accepts(Kind kind) const {
  return std::any_of(claims.begin(), claims.end(), [&](const Claim& c) { return c.kind == kind; });
}

bool MethodEntry::stable(Kind kind, int index) const {
  return std::any_of(claims.begin(), claims.end(), [&](const Claim& c) {
    return c.kind == kind && (c.index == 0 || index == 0 || c.index == index);
  });
}

bool MethodEntry::adapts(Kind kind, int index) const {
  return adaptive && std::none_of(claims.begin(), claims.end(), [&](const Claim& c) {
           return c.kind == kind && c.index == index && c.needs == constant_steps;
         });
}

std::vector<Claim> implicit_claims(const std::vector<std::vector<double>>& orders, const std::string& needs) {
  std::vector<Claim> claims;
  for (std::size_t problem = 0; problem < orders.size(); ++problem)
    for (std::size_t block = 0; block < orders[problem].size(); ++block)
      claims.push_back({Kind::implicit, "index-" + std::to_string(block + 1), orders[problem][block], needs,
                        static_cast<int>(problem) + 1});
  return claims;
}

double MethodEntry::order(Kind kind) const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& claim : claims)
    if (claim.kind == kind && (claim.block == "y" || claim.block == "index-1"))
      least = std::min(least, claim.order);
  return least;
}

int MethodEntry::preference(Kind kind, const Tolerance& tolerance, const Problem* original) const {
  int highest = 0;
  for (const auto& each : preferences)
    if (each.kind == kind && std::max(tolerance.relative, tolerance.absolute) <= each.loosest &&
        (!each.suits || (original != nullptr && each.suits(*original))))
      highest = std::max(highest, each.weight);
  return highest;
}

const MethodEntry& find_method(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& entry : all_methods()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw unknown("method", name, names);
}

void refuse_kind(const Problem& problem, const std::string& method) {
  throw Error("method '" + method + "' cannot solve a problem of kind " + std::string(name(problem.kind())),
              "take a formulation that leads to a kind it accepts");
}

}  // namespace dalembert
