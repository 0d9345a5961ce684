#include "dalembert/control/pairs.h"

#include <algorithm>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

bool open(const std::string& name) {
  return name.empty() || name == "auto";
}

bool fits(const Problem& problem, const FormulationEntry& formulation, const MethodEntry& method) {
  return formulation.from == problem.kind() && method.accepts(formulation.to);
}

std::string reason(const Problem& problem, const FormulationEntry& formulation, const MethodEntry& method) {
  const auto kind = [](Kind k) { return std::string(name(k)); };
  if (formulation.from != problem.kind())
    return "formulation '" + formulation.name + "' rewrites " + kind(formulation.from) +
           " problems, this one is " + kind(problem.kind());
  if (!method.accepts(formulation.to)) {
    std::string accepted;
    for (Kind k : {Kind::ode, Kind::index2, Kind::mechanical, Kind::implicit, Kind::partitioned})
      if (method.accepts(k)) accepted += (accepted.empty() ? "" : ", ") + kind(k);
    return "formulation '" + formulation.name + "' leads to kind " + kind(formulation.to) + ", method '" +
           method.name + "' accepts " + accepted;
  }
  return {};
}

// Tight tolerances pay for a high order; the limits are from bench/.
std::string favourite(Kind kind, const Tolerance& tolerance) {
  const bool tight = std::max(tolerance.relative, tolerance.absolute) <= 1e-4;
  if (kind == Kind::index2) return "phem56";
  return tight ? "dop853" : "dopri5";
}

std::string describe(const Pair& pair) {
  return "--formulation " + pair.formulation->name + " --method " + pair.method->name;
}

[[noreturn]] void refuse(const Problem& problem, const Wish& wish, const std::vector<Pair>& feasible) {
  std::string why, proposal;
  for (const auto& f : all_formulations())
    for (const auto& m : all_methods())
      if (why.empty() && (open(wish.formulation) || f.name == wish.formulation) &&
          (open(wish.method) || m.name == wish.method) &&
          (f.from == problem.kind() || !open(wish.formulation)))
        why = reason(problem, f, m);
  for (const auto& pair : feasible)
    if (pair.formulation->name == wish.formulation || pair.method->name == wish.method) {
      proposal += proposal.empty() ? "try " + describe(pair) : "";
      if (pair.method->name == wish.method) {
        proposal = "try " + describe(pair);
        break;
      }
    }
  if (proposal.empty() && !feasible.empty()) proposal = "try " + describe(feasible.front());
  throw Error("impossible pair: " + why, proposal + "; `dalembert pairs` lists all");
}

}  // namespace

std::vector<Pair> feasible_pairs(const Problem& problem) {
  std::vector<Pair> pairs;
  for (const auto& f : all_formulations())
    for (const auto& m : all_methods())
      if (fits(problem, f, m)) pairs.push_back({&f, &m});
  return pairs;
}

std::vector<Impossible> impossible_pairs(const Problem& problem) {
  std::vector<Impossible> all;
  for (const auto& f : all_formulations())
    for (const auto& m : all_methods())
      if (std::string why = reason(problem, f, m); !why.empty()) all.push_back({f.name, m.name, why});
  return all;
}

Choice choose_pair(const Problem& problem, const Wish& wish, const Tolerance& tolerance) {
  if (!open(wish.formulation)) find_formulation(wish.formulation);
  if (!open(wish.method)) find_method(wish.method);
  const std::vector<Pair> feasible = feasible_pairs(problem);
  std::vector<Pair> left;
  for (const auto& pair : feasible)
    if ((open(wish.formulation) || pair.formulation->name == wish.formulation) &&
        (open(wish.method) || pair.method->name == wish.method))
      left.push_back(pair);
  if (left.empty()) refuse(problem, wish, feasible);

  // The one that does not need a choice of the user's own (index1 before baumgarte) and is quickest at this tolerance.
  const auto score = [&](const Pair& pair) {
    return (pair.formulation->options.empty() ? 2 : 0) +
           (pair.method->name == favourite(pair.formulation->to, tolerance) ? 4 : 0) +
           (pair.formulation->to == Kind::ode ? 1 : 0);
  };
  const auto best = std::max_element(left.begin(), left.end(),
                                     [&](const Pair& a, const Pair& b) { return score(a) < score(b); });
  std::string why = "as asked";
  if (open(wish.formulation) || open(wish.method)) {
    const std::string what = open(wish.formulation) && open(wish.method)
                                 ? best->formulation->name + " with " + best->method->name
                             : open(wish.method) ? best->method->name
                                                 : best->formulation->name;
    const std::string kind(name(problem.kind()));
    why = what + " chosen for a" + (std::string("aeiou").find(kind[0]) != std::string::npos ? "n " : " ") +
          kind + " problem at rtol " +
          [&] {
            char text[32];
            std::snprintf(text, sizeof text, "%.3g", tolerance.relative);
            return std::string(text);
          }() +
          ": " + best->method->summary;
  }
  return {*best, why};
}

}  // namespace dalembert
