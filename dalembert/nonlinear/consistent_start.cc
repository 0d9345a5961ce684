#include "dalembert/nonlinear/consistent_start.h"

#include "dalembert/core/text.h"
#include "dalembert/nonlinear/hidden_constraint.h"
#include "dalembert/nonlinear/mechanics.h"

namespace dalembert {

namespace {

constexpr double consistent =
    1e-10;  // residuals below this are rounding of the given digits: nothing is moved

std::string change_sentence(const StartReport& report) {
  std::string text = "the start did not satisfy the constraints and was corrected:";
  if (report.position_change > 0) text += " positions by up to " + short_number(report.position_change);
  if (report.velocity_change > 0)
    text += std::string(report.position_change > 0 ? "," : "") + " velocities by up to " +
            short_number(report.velocity_change);
  return text;
}

StartReport refusal(const Problem& problem, const State& given, Outcome outcome,
                    const std::string& residual) {
  const Fault fault = problem.diagnose(given.t, given.y);
  return {outcome == Outcome::ok ? Outcome::inconsistent_start : outcome,
          "the initial values cannot be made consistent" + (residual.empty() ? "" : " (" + residual + ")") +
              (fault ? ": " + fault.what : "")};
}

StartReport start_mechanical(const Mechanical& problem, State& state) {
  const Mechanical::Sizes n = problem.sizes();
  const MechanicalState part(n);
  const State given = state;
  part.multipliers(state.y).setZero();  // their given values are not used
  if (!part.q(state.y).allFinite() || !part.v(state.y).allFinite())
    return refusal(problem, given, Outcome::not_finite, {});
  Statistics statistics;
  // A plan for one solution would cost more than the solution.
  Mechanics mechanics(problem, Symmetry::symmetric, statistics,
                      n.v + n.rows() > 60 ? Elimination::sparse : Elimination::dense);
  auto q = part.q(state.y);
  auto v = part.v(state.y);

  const auto before = mechanics.residuals(state.t, q, v);
  const std::string residual = "position residual " + short_number(before.position) + ", velocity residual " +
                               short_number(before.velocity);
  const bool off = !(before.position <= consistent && before.velocity <= consistent * (1 + largest(v)));
  StartReport report;
  if (off) {
    // Newton with fresh factors each round: a rough start may be far away.
    for (int round = 0; round < 50; ++round) {
      if (const Outcome o = mechanics.factor(state.t, q); o != Outcome::ok)
        return refusal(problem, given, Outcome::inconsistent_start, residual);
      const Outcome o = mechanics.project(state.t, q, v);
      if (!state.y.allFinite()) return refusal(problem, given, Outcome::inconsistent_start, residual);
      if (o == Outcome::ok) break;
    }
    const auto after = mechanics.residuals(state.t, q, v);
    if (!(after.position <= consistent && after.velocity <= consistent * (1 + largest(v))))
      return refusal(problem, given, Outcome::inconsistent_start, residual);
    report.position_change = largest(q - part.q(given.y));
    report.velocity_change = largest(v - part.v(given.y));
    report.message = change_sentence(report);
  }
  Vector a(n.v);
  const Outcome outcome =
      mechanics.accelerate(state.t, q, v, part.s(state.y), {}, a, part.multipliers(state.y));
  if (outcome != Outcome::ok || !a.allFinite())
    return refusal(problem, given, outcome == Outcome::ok ? Outcome::not_finite : outcome, {});
  return report;
}

StartReport start_index2(const Index2& problem, State& state) {
  const Layout layout = problem.layout();
  const Eigen::Index n = differential_size(layout), m = layout.size() - n;
  const State given = state;
  Vector y = state.y.head(n), z = state.y.tail(m), residual(m), dy(n);
  for (Eigen::Index i = 0; i < m; ++i)
    if (!std::isfinite(z[i])) z[i] = 0;
  problem.g(state.t, y, residual);
  const std::string size = "constraint residual " + short_number(largest(residual));
  StartReport report;
  if (!(largest(residual) <= consistent)) {
    for (int round = 0; round < 50 && !(largest(residual) <= 1e-14); ++round) {
      Entries g_y;
      problem.g_y(state.t, y, g_y);
      y -= g_y.dense(m, n).completeOrthogonalDecomposition().solve(residual);  // smallest change
      problem.g(state.t, y, residual);
    }
    if (!(largest(residual) <= consistent)) return refusal(problem, given, Outcome::inconsistent_start, size);
    report.position_change = largest(y - given.y.head(n));
    report.message = change_sentence(report);
  }
  Statistics statistics;
  HiddenConstraint hidden(problem, statistics);
  if (const Outcome o = hidden.solve(state.t, y, z, dy); o != Outcome::ok)
    return refusal(problem, given, o, size);
  state.y << y, z;
  return report;
}

}  // namespace

StartReport make_consistent(const Problem& problem, State& state) {
  if (const auto* mechanical = dynamic_cast<const Mechanical*>(&problem))
    return start_mechanical(*mechanical, state);
  if (const auto* index2 = dynamic_cast<const Index2*>(&problem)) return start_index2(*index2, state);
  if (const Fault fault = problem.diagnose(state.t, state.y))
    return {fault.outcome, "the problem cannot be evaluated at its start: " + fault.what};
  return {};
}

}  // namespace dalembert
