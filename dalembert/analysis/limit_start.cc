#include "dalembert/analysis/limit_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/core/error.h"

namespace dalembert {

namespace {

/// y of one problem seen in the layout of the other, entries without a fellow as they are in `rest`.
State moved(const State& from, const std::vector<Eigen::Index>& places, State rest,
            const std::vector<Eigen::Index>& to) {
  rest.t = from.t;
  for (std::size_t k = 0; k < places.size(); ++k) rest.y[to[k]] = from.y[places[k]];
  return rest;
}

bool carries_history(const Layout& layout, Eigen::Index entry) {
  for (const Block& b : layout.blocks())
    if (entry >= b.offset && entry < b.offset + b.size) return b.role == Role::differential;
  return false;
}

std::size_t fast_count(const Problem& problem, const State& state, std::size_t slow) {
  std::vector<std::string> unknowns;
  const std::size_t all = kronecker_at(problem, state, unknowns).finite.size();
  if (all < slow)
    throw Error(fmt::format("{} eigenvalues are finite, of the limit {}", all, slow),
                "take a larger eps, or another limit");
  return all - slow;
}

}  // namespace

SharedEntries::SharedEntries(const Layout& a, const Layout& b) {
  for (Eigen::Index i = 0; i < a.size(); ++i)
    for (Eigen::Index j = 0; j < b.size(); ++j)
      if (a.label(i) == b.label(j)) full.push_back(i), limit.push_back(j);
}

State SharedEntries::beside(const State& of_limit, State there) const {
  return moved(of_limit, limit, std::move(there), full);
}

State SharedEntries::in_limit(const State& of_full, State there) const {
  return moved(of_full, full, std::move(there), limit);
}

State completed(const Problem& problem, State state, const char* what) {
  if (const StartReport report = make_consistent(problem, state); report.outcome != Outcome::ok)
    throw Error(fmt::format("the start of {} is not consistent: {}", what, report.message));
  return state;
}

std::optional<Led> LimitStart::led(const Problem& problem, const State& start, double eps) const {
  return led_by_layer(problem, start, limit_, shared_.in_limit(start, limit_.start()), eps);
}

bool LimitStart::beside_a_border(const Problem& problem, const State& start, double eps, const Led& led,
                                 double change) const {
  for (const Eigen::Index entry : shared_.full)
    for (const double sign : {-1., 1.}) {
      State other = start;
      other.y[entry] += sign * change * (1 + std::abs(start.y[entry]));
      const auto there = this->led(problem, other, eps);
      if (!there || there->where != led.where) return true;
      if (led.where != Led::Where::rests) continue;
      const Vector gap = there->state.y - led.state.y;
      if (largest(gap) > 1e-3 * (1 + largest(led.state.y))) return true;
    }
  return false;
}

State LimitStart::start(const Problem& problem, const State& start, const std::optional<Led>& led) const {
  if (led && led->where == Led::Where::rests)
    return keep_slow(problem, start, completed(limit_, led->state, "the limit"));
  const State own = limit_.start(), given = shared_.in_limit(start, own);
  const bool near = largest((given.y - own.y).eval()) <= 1e-2 * (1 + largest(own.y));
  return keep_slow(problem, start, completed(limit_, near ? own : given, "the limit"));
}

/// Moves a consistent start of the limit along it until what is left of y0 lies in the fast subspace.
State LimitStart::keep_slow(const Problem& problem, const State& start, State base) const {
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> unknowns;
    const KroneckerForm slow = kronecker_at(limit_, base, unknowns);
    const State here = shared_.beside(base, start);
    const FastPart fast(problem, here, fast_count(problem, here, slow.finite.size()));
    const Layout full = problem.layout(), own = limit_.layout();
    std::vector<Eigen::Index> rows, places;  // in both layouts, what carries history
    Matrix V(0, slow.solutions.cols());
    for (std::size_t k = 0; k < shared_.full.size(); ++k) {
      const std::string label = full.label(shared_.full[k]);
      const auto found = std::find(unknowns.begin(), unknowns.end(), label);
      if (found == unknowns.end() || !carries_history(full, shared_.full[k])) continue;
      rows.push_back(shared_.full[k]), places.push_back(shared_.limit[k]);
      V.conservativeResize(V.rows() + 1, Eigen::NoChange);
      V.bottomRows(1) = slow.solutions.row(found - unknowns.begin());
    }
    Matrix all(V.rows(), V.cols() + fast.basis.cols());
    all << V, fast.basis(rows, Eigen::all);
    if (all.rows() < all.cols() || all.cols() == 0) return base;
    const Vector norms = all.colwise().norm().cwiseMax(1e-300).transpose();
    const Eigen::ColPivHouseholderQR<Matrix> factors(all * norms.cwiseInverse().asDiagonal());
    if (factors.rank() < all.cols()) return base;
    const Vector difference = start.y(rows) - base.y(places);
    const Vector x = norms.cwiseInverse().asDiagonal() * factors.solve(difference);
    const Vector change = V * x.head(V.cols()), whole = slow.solutions * x.head(V.cols());
    State next = base;
    for (Eigen::Index i = 0; i < own.size(); ++i)  // with what is algebraic in the limit
      if (const auto at = std::find(unknowns.begin(), unknowns.end(), own.label(i)); at != unknowns.end())
        next.y[i] += whole[at - unknowns.begin()];
    base = completed(limit_, next, "the limit");
    if (largest(change) <= 1e-12 * (1 + largest(base.y(places)))) break;
  }
  return base;
}

}  // namespace dalembert
