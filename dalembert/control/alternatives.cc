#include "dalembert/control/alternatives.h"

#include <algorithm>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

void sort_by(std::vector<Pair>& pairs, const auto& weight) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const Pair& a, const Pair& b) { return weight(a) > weight(b); });
}

}  // namespace

std::vector<Pair> best_of_each_method(const Problem& problem, const Tolerance& tolerance) {
  std::vector<Pair> all;
  for (const Pair& pair : feasible_pairs(problem))
    if (adapts(pair, problem)) all.push_back(pair);
  sort_by(all, [&](const Pair& pair) { return recommendation(pair, problem, tolerance); });
  std::vector<Pair> best;
  for (const Pair& pair : all)
    if (std::none_of(best.begin(), best.end(), [&](const Pair& b) { return b.method == pair.method; }))
      best.push_back(pair);
  return best;
}

bool may_hand_over(const Pair& chosen, const RunOptions& options) {
  const std::string& method = options.request.method;
  // Below that tolerance rounding has a say in Newton's iteration.
  constexpr double tightest = 1e-12;
  return options.control != Control::fixed && leaves_open(method) && options.options.empty() &&
         !chosen.method->stiff && chosen.formulation->to == Kind::ode &&
         options.tolerance.relative >= tightest;
}

std::vector<Pair> pairs_when_stiff(const Problem& problem, const RunOptions& options) {
  std::vector<Pair> all;
  const auto preference = [&](const MethodEntry& method) {
    return method.preference(Kind::implicit, options.tolerance, &problem);
  };
  for (const MethodEntry& method : all_methods()) {
    if (preference(method) == 0) continue;
    try {
      all.push_back(choose_pair(problem, {options.request.formulation, method.name}, options.tolerance).pair);
    } catch (const Error&) {  // the formulation that was asked for leads elsewhere
    }
  }
  sort_by(all, [&](const Pair& pair) { return preference(*pair.method); });
  return all;
}

bool stiff_pair_keeps_equations(const Pair& chosen, const Problem& problem, const RunOptions& options) {
  const MethodEntry* first = nullptr;
  int most = 0;
  for (const MethodEntry& method : all_methods())
    if (const int weight = method.preference(Kind::implicit, options.tolerance, &problem); weight > most)
      first = &method, most = weight;
  return first != nullptr && first->accepts(chosen.formulation->to);
}

}  // namespace dalembert
