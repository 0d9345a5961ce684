#include "dalembert/constraints/consistent_start.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "dalembert/constraints/hidden_constraint.h"
#include "dalembert/constraints/mechanics.h"
#include "dalembert/constraints/redundancy.h"
#include "dalembert/constraints/start_correction.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/nonlinear/hidden_start.h"
#include "dalembert/nonlinear/implicit_start.h"
#include "dalembert/nonlinear/nearest_point.h"
#include "dalembert/problem/partitioned.h"

namespace dalembert {

namespace {

constexpr double on_a_branch = 1e-6;       // of what |v|^2 is multiplied with
constexpr Eigen::Index most_dense = 1500;  // velocities; beyond, finding a rank would take minutes
constexpr Eigen::Index most_rough =
    300;  // beyond, it would take longer than people wait to be told that nothing is wrong

/// The weights of a state, entry by entry.
Vector weights_of(const StartOptions& options, const Layout& layout) {
  Vector weights = Vector::Zero(layout.size());
  if (options.weights.empty()) return weights;
  std::vector<std::string> labels;
  for (Eigen::Index i = 0; i < layout.size(); ++i) labels.push_back(layout.label(i));
  for (const auto& [label, weight] : options.weights) {
    const auto found = std::find(labels.begin(), labels.end(), label);
    if (found == labels.end()) throw unknown("initial value", label, labels);
    if (!(weight >= 0)) throw Error("the weight of " + label + " is negative or not a number");
    weights[found - labels.begin()] = weight;
  }
  return weights;
}

/// "positions by up to 0.1 (q.x)"
std::string change_of(const std::string& what, const Vector& change, Eigen::Index offset,
                      const Layout& layout) {
  Eigen::Index where = 0;
  const double most = change.cwiseAbs().maxCoeff(&where);
  return what + " by up to " + short_number(most) + " (" + layout.label(offset + where) + ")";
}

std::string corrected(const std::vector<std::string>& changes) {
  std::string text = "the start did not satisfy the constraints and was corrected:";
  for (std::size_t i = 0; i < changes.size(); ++i) text += (i > 0 ? ", " : " ") + changes[i];
  return text;
}

/// "position residual 0.5 in lambda.rod, 0.1 in lambda.bar"
std::string residuals_by_name(const std::string& what, In residual, Eigen::Index offset,
                              const Layout& layout) {
  constexpr int most_named = 6;
  const double worst = largest(residual);
  std::string text;
  int named = 0, left = 0;
  for (Eigen::Index i = 0; i < residual.size(); ++i) {
    if (std::abs(residual[i]) <= std::max(consistent, 1e-3 * worst)) continue;
    if (++named > most_named)
      ++left;
    else
      text += (text.empty() ? what + " " : ", ") + short_number(std::abs(residual[i])) + " in " +
              layout.label(offset + i);
  }
  if (left > 0) text += " and " + std::to_string(left) + " more";
  return text;
}

StartReport refusal(const Problem& problem, const State& given, Outcome outcome, const std::string& residuals,
                    const StartOptions& options = {}) {
  std::string kept;
  for (const auto& [label, weight] : options.weights)
    if (std::isinf(weight)) kept += (kept.empty() ? " with " : ", ") + label;
  if (!kept.empty()) kept += " kept";
  const Fault fault = problem.diagnose(given.t, given.y);
  return {outcome == Outcome::ok ? Outcome::inconsistent_start : outcome,
          "the initial values cannot be made consistent" + kept +
              (residuals.empty() ? "" : " (" + residuals + ")") + (fault ? ": " + fault.what : "")};
}

/// How large a change of v does a change of the rows by their own length ask for, and how large are the changes that its forces would
/// make one by one? Rows that follow from others, where rounding has left a pivot, push against each other: nothing of it is seen in v.
struct Answer {
  double change = 0, pushes = 0;
};

/// Asked of the factors at hand.
Answer answer_to_rows(const Mechanical& problem, Mechanics& mechanics) {
  const Mechanical::Sizes n = problem.sizes();
  if (n.rows() == 0) return {};
  Entries J, M;
  problem.jacobian(mechanics.here(), J);
  problem.mass(mechanics.here(), M);
  Vector length2 = Vector::Zero(n.rows()), x = Vector::Zero(n.v + n.rows());
  for (std::size_t k = 0; k < J.size(); ++k) length2[J.row(k)] += J.value(k) * J.value(k);
  for (Eigen::Index i = 0; i < n.rows(); ++i)  // in no direction that a problem would have of its own
    x[n.v + i] = std::sqrt(length2[i]) * std::cos(1 + 1.7 * static_cast<double>(i));
  const Outcome outcome = mechanics.saddle().solve_again(x, mechanics.statistics());
  if (outcome != Outcome::ok) return {not_a_number, not_a_number};
  Vector push = Vector::Zero(n.v), inertia = Vector::Zero(n.v);
  for (std::size_t k = 0; k < J.size(); ++k) push[J.column(k)] += std::abs(J.value(k) * x[n.v + J.row(k)]);
  for (std::size_t k = 0; k < M.size(); ++k)
    if (M.row(k) == M.column(k)) inertia[M.row(k)] += M.value(k);
  for (Eigen::Index j = 0; j < n.v; ++j) push[j] = inertia[j] > 0 ? push[j] / inertia[j] : 0;
  return {largest(x.head(n.v)), largest(push)};
}

StartReport start_mechanical(const Mechanical& problem, State& state, const StartOptions& options,
                             Manifold::Rows rows, Answer& answer) {
  const Mechanical::Sizes n = problem.sizes();
  const MechanicalState part(n);
  const Layout layout = problem.layout();
  const State given = state;
  part.multipliers(state.y).setZero();  // their given values are not used
  if (!part.q(state.y).allFinite() || !part.v(state.y).allFinite())
    return refusal(problem, given, Outcome::not_finite, {});
  Statistics statistics;
  // A plan for one solution would cost more than the solution, unless many loops fill the factors.
  constexpr Eigen::Index many = 2000;
  Mechanics mechanics(problem, Symmetry::symmetric, statistics,
                      n.v + n.rows() > many ? Elimination::multifrontal
                      : n.v + n.rows() > 60 ? Elimination::sparse
                                            : Elimination::dense);
  auto q = part.q(state.y);
  auto v = part.v(state.y);

  StartReport report;
  std::vector<std::string> changes;
  const double rough = rows == Manifold::Rows::dependent ? options.dependent.value_or(0) : 0;
  StartCorrection start(problem, given, weights_of(options, layout), options.metric, rows, rough);
  const auto refuse = [&](const std::string& what, In residual) {
    return refusal(problem, given, Outcome::inconsistent_start,
                   residuals_by_name(what, residual, part.differential(), layout), options);
  };
  if (!start.positions_hold(state.t, q)) {
    const NearestPoint found = start.move_positions(q);
    if (found.outcome != Outcome::ok) return refuse("position residual", found.residual.head(n.holonomic));
    const Vector change = q - part.q(given.y);
    report.position_change = largest(change);
    changes.push_back(change_of("positions", change, 0, layout));
  }
  if (!start.velocities_hold(state.t, q, v)) {
    const NearestPoint found = start.move_velocities(state.t, q, v);
    if (found.outcome != Outcome::ok) return refuse("velocity residual", found.residual.head(n.rows()));
    const Vector change = v - part.v(given.y);
    report.velocity_change = largest(change);
    changes.push_back(change_of("velocities", change, n.q, layout));
  }
  if (!changes.empty()) report.message = corrected(changes);
  Outcome outcome = Outcome::ok;
  Vector a = Vector::Zero(n.v), left = Vector::Zero(n.rows());
  if (rows == Manifold::Rows::independent) {
    outcome = mechanics.accelerate(state.t, q, v, part.s(state.y), {}, a, part.multipliers(state.y));
    if (outcome == Outcome::ok) answer = answer_to_rows(problem, mechanics);
  } else {
    outcome = start.dependent_multipliers(state.t, q, v, part.s(state.y), part.multipliers(state.y), left);
    if (outcome == Outcome::ok &&
        !(largest(left) <= std::max(on_a_branch, rough) * (1 + largest(v) * largest(v))))
      return refuse("the velocities lie on no branch of a singular position: acceleration residual", left);
  }
  if (outcome != Outcome::ok || !a.allFinite())
    return refusal(problem, given, outcome == Outcome::ok ? Outcome::not_finite : outcome, {});
  return report;
}

StartReport start_mechanical(const Mechanical& problem, State& state, const StartOptions& options) {
  const State given = state;
  Answer answer;
  StartReport report = start_mechanical(problem, state, options, Manifold::Rows::independent, answer);
  const Outcome seen = report.outcome;
  constexpr double large = 1e8, noticed = 100;
  const bool suspect = !(answer.change <= large) || !(answer.pushes <= large) || seen == Outcome::singular ||
                       seen == Outcome::inconsistent_start;
  const bool rough = problem.sizes().v <= most_rough &&
                     (seen != Outcome::ok || !(answer.change <= noticed) || options.dependent);
  const auto count_roughly = [&] {
    if (!options.dependent && clearly_independent(problem, state)) return Eigen::Index{0};
    return static_cast<Eigen::Index>(find_redundancy(problem, state, options.dependent).dependent.size());
  };
  if (!suspect && rough) report.dependent = count_roughly();
  if (!suspect || problem.sizes().v > most_dense) return report;
  const State moved = std::exchange(state, given);
  StartReport second = start_mechanical(problem, state, options, Manifold::Rows::dependent, answer);
  const Eigen::Index dependent = problem.sizes().rows() - rank_at(problem, state);
  if (second.outcome == Outcome::ok) second.dependent = dependent == 0 && rough ? count_roughly() : dependent;
  if (second.outcome == Outcome::inconsistent_start && dependent > 0 && !options.dependent)
    second.message += "; if they are redundant but for rounding of lengths, say so with dependent=1e-3";
  if (dependent > 0 || second.dependent > 0 || (second.outcome == Outcome::ok && seen != Outcome::ok))
    return second;
  state = moved;  // full rank after all
  return report;
}

StartReport start_index2(const Hessenberg& problem, State& state, const StartOptions& options) {
  const Layout layout = problem.layout();
  const Eigen::Index n = differential_size(layout), m = layout.size() - n;
  const State given = state;
  const Vector weights = weights_of(options, layout).head(n);
  Vector y = state.y.head(n), z = state.y.tail(m), residual(m), dy(n);
  for (Eigen::Index i = 0; i < m; ++i)
    if (!std::isfinite(z[i])) z[i] = 0;
  problem.g(state.t, y, residual);
  StartReport report;
  if (!(largest(residual) <= consistent)) {
    const KeptEntries kept(weights);
    const Vector from = y;
    Entries g_y, K;
    const Manifold manifold{n, m + kept.size(),
                            [&](In u, Out c) {
                              problem.g(state.t, from + u, c.head(m));
                              kept.value(u, c.tail(kept.size()));
                            },
                            [&](In u, Entries& C) {
                              problem.g_y(state.t, from + u, g_y);
                              C.begin();
                              for (std::size_t k = 0; k < g_y.size(); ++k)
                                C.add(g_y.row(k), g_y.column(k), g_y.value(k));
                              kept.gradient(m, C);
                              C.end();
                            }};
    K.begin();
    for (Eigen::Index i = 0; i < n; ++i) K.add(i, i, 1 + finite_weight(weights[i]));
    K.end();
    const NearestPoint found = nearest_point(manifold, K, 1 + largest(from), consistent);
    if (found.outcome != Outcome::ok)
      return refusal(problem, given, Outcome::inconsistent_start,
                     residuals_by_name("constraint residual", found.residual.head(m), n, layout), options);
    y += found.u;
    report.position_change = largest(found.u);
    report.message = corrected({change_of("values", found.u, 0, layout)});
  }
  Statistics statistics;
  HiddenConstraint hidden(problem, statistics);
  if (const Outcome o = hidden.solve(state.t, y, z, dy); o != Outcome::ok)
    return refusal(problem, given, o, residuals_by_name("constraint residual", residual, n, layout));
  state.y << y, z;
  return report;
}

/// Of index 2 and 3: with constraints that are hidden in F.
StartReport start_hidden(const Implicit& problem, State& state, const Vector& weights,
                         const StartOptions& options) {
  const HiddenStart start =
      meet_hidden(problem, state.t, state.y, problem.end() - state.t, KeptEntries(weights));
  switch (start.verdict) {
    case HiddenStart::Verdict::holds:
      return {};
    case HiddenStart::Verdict::unmet:
      return refusal(problem, state, Outcome::inconsistent_start, {}, options);
    case HiddenStart::Verdict::undecided:
      return {Outcome::ok,
              "whether the start satisfies the constraints that are hidden in the equations could not be "
              "decided; it is taken as given"};
    case HiddenStart::Verdict::moved:
      break;
  }
  const Vector change = start.y - state.y;
  state.y = start.y;
  return {Outcome::ok, corrected({change_of("values", change, 0, problem.layout())}), largest(change), 0};
}

StartReport start_implicit(const Implicit& problem, State& state, const Vector& weights,
                           const StartOptions& options) {
  const Layout layout = problem.layout();
  for (const auto& block : layout.blocks())
    if (block.index > 1) return start_hidden(problem, state, weights, options);
  const State given = state;
  const ImplicitStart start = meet(problem, state.t, state.y, KeptEntries(weights));
  if (start.outcome != Outcome::ok) {
    std::string unmet;
    for (const Eigen::Index i : start.unmet)
      unmet += (unmet.empty() ? "" : ", ") + problem.equation(i) + ": residual " +
               short_number(std::abs(start.residual[i]));
    return refusal(problem, given, Outcome::inconsistent_start, unmet, options);
  }
  if (start.change == ImplicitStart::Change::none) return {};
  const Vector change = start.y - given.y;
  state.y = start.y;
  return {Outcome::ok, corrected({change_of("values", change, 0, layout)}), largest(change), 0};
}

}  // namespace

StartReport make_consistent(const Problem& problem, State& state, const StartOptions& options) {
  if (const auto* mechanical = as_mechanical(problem)) return start_mechanical(*mechanical, state, options);
  if (const auto* index2 = as<Hessenberg>(&problem)) return start_index2(*index2, state, options);
  const Vector weights = weights_of(options, problem.layout());
  if (const Fault fault = problem.diagnose(state.t, state.y))
    return {fault.outcome, "the problem cannot be evaluated at its start: " + fault.what};
  if (const auto* implicit = as<Implicit>(&problem))
    return start_implicit(*implicit, state, weights, options);
  return {};
}

}  // namespace dalembert
