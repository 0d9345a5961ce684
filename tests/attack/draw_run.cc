#include "tests/attack/draw_run.h"

#include <algorithm>
#include <cmath>

namespace dalembert::attack {

namespace {

constexpr double loosest = 3, tightest = 9;  // as powers of ten

double draw_tolerance(Dice& dice, double order) {
  const double most = std::min(tightest, loosest + order);
  const double tight = std::sqrt(dice.uniform(0, 1));  // loose tolerances allow anything
  return Dice::short_form(std::pow(10, -(loosest + tight * (most - loosest))));
}

/// The best that is claimed: methods of variable order can pay for it.
double order(const Pair& pair) {
  double best = 1;
  for (const Claim& claim : pair.method->claims)
    if (claim.kind == pair.formulation->to) best = std::max(best, claim.order);
  return best;
}

}  // namespace

std::string DrawnRun::pair() const {
  return request.method.empty() ? "default" : request.formulation + " " + request.method;
}

DrawnRun draw_run(Dice& dice, const Problem& problem) {
  if (dice.chance(.15)) return {{}, draw_tolerance(dice, 8)};
  std::vector<Pair> pairs = feasible_pairs(problem);
  std::erase_if(pairs, [&](const Pair& pair) { return !adapts(pair, problem); });
  const Pair pair = dice.one_of(pairs);
  return {{pair.formulation->name, pair.method->name}, draw_tolerance(dice, order(pair))};
}

}  // namespace dalembert::attack
