#include "dalembert/control/pairs.h"

#include <algorithm>
#include <map>
#include <optional>

#include "dalembert/control/feasibility.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

namespace {

bool runs(const Problem& problem, const FormulationEntry& formulation, const MethodEntry& method) {
  const Obstacle found = obstacle(problem, formulation, method);
  return found == Obstacle::none || found == Obstacle::claim;
}

std::string kind(Kind k) {
  return std::string(name(k));
}

std::string reason(const Problem& problem, const FormulationEntry& formulation, const MethodEntry& method) {
  const std::string of = "formulation '" + formulation.name + "'", by = "method '" + method.name + "'";
  std::string accepted;
  switch (obstacle(problem, formulation, method)) {
    case Obstacle::none:
      break;
    case Obstacle::problem_kind:
      return of + " rewrites " + kind(formulation.from) + " problems, this one is " + kind(problem.kind());
    case Obstacle::method_kind:
      for (const Kind k : all_kinds())
        if (method.accepts(k)) accepted += (accepted.empty() ? "" : ", ") + kind(k);
      return of + " leads to kind " + kind(formulation.to) + ", " + by + " accepts " + accepted;
    case Obstacle::prediction:
      return of + " needs a predicted solution of full order, not made by " + by;
    case Obstacle::directions:
      return of + " takes constraint forces along the gradients of the constraints only";
    case Obstacle::claim:
      return by + " is not stable or not convergent at index " +
             std::to_string(rewritten_index(formulation, problem)) + ", where " + of + " leads";
  }
  return {};
}

std::string describe(const Pair& pair) {
  return "formulation=" + pair.formulation->name + " method=" + pair.method->name;
}

[[noreturn]] void refuse(const Problem& problem, const PairRequest& request,
                         const std::vector<Pair>& feasible) {
  std::string why, proposal;
  for (const auto& f : all_formulations())
    for (const auto& m : all_methods())
      if (why.empty() && (leaves_open(request.formulation) || f.name == request.formulation) &&
          (leaves_open(request.method) || m.name == request.method) &&
          (takes(f, problem) || !leaves_open(request.formulation)))
        why = reason(problem, f, m);
  for (const auto& pair : feasible)
    if (pair.formulation->name == request.formulation || pair.method->name == request.method) {
      proposal += proposal.empty() ? "try " + describe(pair) : "";
      if (pair.method->name == request.method) {
        proposal = "try " + describe(pair);
        break;
      }
    }
  if (proposal.empty() && !feasible.empty()) proposal = "try " + describe(feasible.front());
  throw Error("impossible pair: " + why, proposal);
}

bool every(const MethodEntry&) {
  return true;
}

/// Formulations and methods that are not kept are not looked at: most of a choice by name is leaving out.
template <class Kept, class KeptMethod>
std::vector<Pair> claimed_pairs(const Problem& problem, Kept kept, KeptMethod kept_method) {
  std::vector<Pair> pairs;
  for (const auto& f : all_formulations()) {
    if (!takes(f, problem) || !kept(f)) continue;
    const Feasibility feasibility(problem, f);
    for (const auto& m : all_methods())
      if (kept_method(m) && feasibility.with(m) == Obstacle::none) pairs.push_back({&f, &m});
  }
  return pairs;
}

/// An answer to another question is none.
bool answers(const PairRequest& request, const Problem& problem) {
  const auto& [formulation, method] = request.answer->pair;
  return runs(problem, *formulation, *method) &&
         (leaves_open(request.formulation) || request.formulation == formulation->name) &&
         (leaves_open(request.method) || request.method == method->name);
}

}  // namespace

bool leaves_open(const std::string& name) {
  return name.empty() || name == "auto";
}

int recommendation(const Pair& pair, const Problem& problem, const Tolerance& tolerance) {
  const Kind to = pair.formulation->to;
  return pair.formulation->preference + pair.method->preference(to, tolerance, &problem) +
         (to == Kind::ode ? 50 : 0);
}

int rewritten_index(const FormulationEntry& formulation, const Problem& problem) {
  if (formulation.to != Kind::implicit || formulation.index > 0) return formulation.index;
  int highest = 1;
  const Layout all = problem.layout();
  for (const auto& block : all.blocks()) highest = std::max(highest, block.index);
  if (problem.kind() != Kind::implicit) highest = problem.kind() == Kind::hessenberg ? 2 : 1;
  return highest;
}

bool adapts(const Pair& pair, const Problem& problem) {
  return pair.method->adapts(pair.formulation->to, rewritten_index(*pair.formulation, problem));
}

std::vector<Pair> feasible_pairs(const Problem& problem) {
  return claimed_pairs(
      problem, [](const FormulationEntry& f) { return !f.approximate; }, every);
}

std::vector<Pair> approximate_pairs(const Problem& problem) {
  return claimed_pairs(
      problem, [](const FormulationEntry& f) { return f.approximate; }, every);
}

std::vector<Impossible> impossible_pairs(const Problem& problem) {
  std::vector<Impossible> all;
  std::map<std::pair<std::string, std::string>, Obstacle> least;  // a name may stand for several formulations
  const auto& formulations = all_formulations();
  for (const auto& f : formulations)
    for (const auto& m : all_methods()) {
      const auto [at, first] = least.try_emplace({f.name, m.name}, obstacle(problem, f, m));
      if (!first) at->second = std::min(at->second, obstacle(problem, f, m));
    }
  for (const auto& f : formulations)
    for (const auto& m : all_methods()) {
      const auto at = least.find({f.name, m.name});
      if (at == least.end() || at->second != obstacle(problem, f, m)) continue;
      if (at->second != Obstacle::none) all.push_back({f.name, m.name, reason(problem, f, m)});
      least.erase(at);
    }
  return all;
}

Choice choose_pair(const Problem& problem, const PairRequest& request, const Tolerance& tolerance) {
  if (request.answer && answers(request, problem)) return *request.answer;
  const bool any_formulation = leaves_open(request.formulation), any_method = leaves_open(request.method);
  const auto asked = [&](const MethodEntry& m) { return any_method || m.name == request.method; };
  const std::vector<FormulationEntry>& formulations = all_formulations();
  const std::vector<MethodEntry>& methods = all_methods();
  // A preference may look at the problem: each is asked once.
  struct Weights {
    std::vector<int> of_method;
    int most = 0;
  };
  std::map<Kind, Weights> by_kind;
  // Whether a pair can be is asked last: of most it is known before that they are not the best.
  std::optional<Pair> best;
  int highest = 0;
  for (const FormulationEntry& f : formulations) {
    if (!takes(f, problem)) continue;
    if (any_formulation ? f.approximate : f.name != request.formulation) continue;
    const auto [found, is_new] = by_kind.try_emplace(f.to);
    Weights& weights = found->second;
    if (is_new) weights.of_method.resize(methods.size());
    for (std::size_t k = 0; is_new && k < methods.size(); ++k) {
      if (!asked(methods[k])) continue;
      weights.of_method[k] = recommendation({&f, &methods[k]}, problem, tolerance) - f.preference;
      weights.most = std::max(weights.most, weights.of_method[k]);
    }
    if (best && f.preference + weights.most <= highest) continue;
    const Feasibility feasibility(problem, f);
    for (std::size_t k = 0; k < methods.size(); ++k) {
      if (!asked(methods[k])) continue;
      const int weight = f.preference + weights.of_method[k];
      if (best && weight <= highest) continue;
      if (feasibility.with(methods[k]) != Obstacle::none) continue;
      best = Pair{&f, &methods[k]};
      highest = weight;
    }
  }
  if (!best) {  // perhaps because nobody has that name
    if (!any_formulation) find_formulation(request.formulation);
    if (!any_method) find_method(request.method);
  }
  if (!best && !any_formulation && !any_method)
    for (const auto& f : formulations)
      for (const auto& m : methods)
        if (f.name == request.formulation && m.name == request.method && runs(problem, f, m))
          return {{&f, &m}, "as asked, without a claim: " + reason(problem, f, m)};
  if (!best) {
    std::vector<Pair> feasible = feasible_pairs(problem);
    if (!any_formulation) {
      const std::vector<Pair> more = approximate_pairs(problem);
      feasible.insert(feasible.end(), more.begin(), more.end());
    }
    refuse(problem, request, feasible);
  }

  std::string why = "as asked";
  if (any_formulation || any_method) {
    const std::string what = any_formulation && any_method
                                 ? best->formulation->name + " with " + best->method->name
                             : any_method ? best->method->name
                                          : best->formulation->name;
    const std::string kind(name(problem.kind()));
    why = what + " chosen for a" + (std::string("aeiou").find(kind[0]) != std::string::npos ? "n " : " ") +
          kind + " problem at rtol " + short_number(tolerance.relative) + ": " + best->method->summary;
  }
  return {*best, why};
}

}  // namespace dalembert
