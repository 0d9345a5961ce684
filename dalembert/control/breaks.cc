#include "dalembert/control/breaks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/core/text.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();
/// Of the size of what is compared: a difference below is rounding at two neighbouring times.
constexpr double jump = 1e-9;

/// Position rows and velocity rows at (t, q), without the motion's part.
struct Rows {
  Rows(const Mechanical& problem, double t, In q) : g(problem.sizes().holonomic), w(problem.sizes().rows()) {
    const auto at = problem.placed_at(t, q);
    problem.g(*at, g);
    problem.velocity_bias(*at, w);
  }
  Vector g, w;
};

Outcome push(const Mechanical& problem, const MechanicalState& part, State& state, Vector& impulse) {
  Statistics apart;
  Mechanics mechanics(problem, Symmetry::symmetric, apart);
  const auto q = part.q(state.y);
  if (const Outcome outcome = mechanics.factor(state.t, q); outcome != Outcome::ok) return outcome;
  const Outcome outcome = mechanics.pull_velocity(state.t, q, part.v(state.y));
  impulse = mechanics.impulse();
  return outcome;
}

/// What moves between the two sides: as short as it is, a strong load would be missed in the thirteenth digit.
void move_over(const Break& at, const Mechanical& problem, const MechanicalState& part, State& state) {
  Statistics apart;
  Mechanics mechanics(problem, Symmetry::symmetric, apart);
  const Mechanical::Sizes n = problem.sizes();
  Vector before = Vector::Zero(n.v), after = before, rate = Vector::Zero(n.q), multipliers(n.rows());
  const auto q = part.q(state.y), v = part.v(state.y), s = part.s(state.y);
  if (mechanics.accelerate(at.after, q, v, s, {}, after, multipliers) != Outcome::ok ||
      mechanics.accelerate(at.before, q, v, s, {}, before, multipliers) != Outcome::ok)
    return;
  problem.tangent(mechanics.here(), v, rate);
  if (!before.allFinite() || !after.allFinite() || !rate.allFinite()) return;
  const double dt = at.after - at.before;
  part.q(state.y) += dt * rate;
  part.v(state.y) += dt / 2 * (before + after);
}

/// The largest change of a first-order state between two times, in words, or that of the energy (of a capacitor that a source holds); ""
/// if they stay.
std::string move_states(double before, double after, const Mechanical& problem, const MechanicalState& part,
                        State& state) {
  if (problem.sizes().s == 0) return {};
  const auto q = part.q(state.y), v = part.v(state.y);
  const auto earlier = problem.placed_at(before, q), later = problem.placed_at(after, q);
  const Vector kept = part.s(state.y);
  Vector s = kept;
  problem.jump(*earlier, *later, s);
  const auto changes = [](double from, double to) {
    return std::abs(to - from) > jump * (std::abs(from) + std::abs(to));
  };
  Eigen::Index most = 0;
  (s - kept).cwiseAbs().maxCoeff(&most);
  if (changes(kept[most], s[most])) {
    part.s(state.y) = s;
    return "jump of " + short_number(s[most] - kept[most]) + " at " +
           problem.layout().label(problem.sizes().q + problem.sizes().v + most);
  }
  const auto from = problem.energy(*earlier, v, kept), to = problem.energy(*later, v, kept);
  if (!from || !to || !changes(*from, *to)) return {};
  return "jump of the energy by " + short_number(*to - *from);
}

}  // namespace

Break::Break(double time) : t(time) {
  const double near = 8 * rounding * std::max(std::abs(t), std::numeric_limits<double>::min() / rounding);
  before = t - near;
  after = t + near;
}

Breaks find_breaks(const Problem& problem, double begin, double end) {
  const double at_end = 32 * rounding * std::max(std::abs(end), std::abs(end - begin));
  std::vector<double> times = problem.breaks(begin, end + at_end);
  std::sort(times.begin(), times.end());
  Breaks breaks{{}, end};
  double last = begin;
  for (const double t : times) {
    const Break next(t);
    const double least = 64 * rounding * std::max(std::abs(t), std::abs(end - begin));
    if (!(next.before > last + least)) continue;
    if (std::abs(t - end) <= at_end) breaks.last_moment = std::min(breaks.last_moment, next.before);
    if (!(next.after < end - least)) continue;
    breaks.ahead.push_back(next);
    last = next.after;
  }
  return breaks;
}

BreakEffect pass(const Break& at, const Problem& problem, State& state) {
  state.t = at.after;
  const auto* mechanical = as<Mechanical>(&problem);
  if (mechanical == nullptr) return {};
  const MechanicalState part(mechanical->sizes());
  move_over(at, *mechanical, part, state);
  std::string moved = move_states(at.before, at.after, *mechanical, part, state);
  if (mechanical->sizes().rows() == 0) return {Outcome::ok, {}, std::move(moved)};
  const Layout layout = problem.layout();
  const auto label = [&](Eigen::Index row) { return layout.label(part.differential() + row); };
  const Rows before(*mechanical, at.before, part.q(state.y)), after(*mechanical, at.after, part.q(state.y));
  const double length = 1 + largest(part.q(state.y)), speed = 1 + largest(part.v(state.y));
  for (Eigen::Index i = 0; i < after.g.size(); ++i)
    if (const double by = after.g[i] - before.g[i]; std::abs(by) > jump * length)
      return {Outcome::discontinuous,
              "t = " + short_number(at.t) + ": the constraint of " + label(i) + " jumps by " +
                  short_number(by) +
                  ", and no body can follow; let the drive go there in some time (ramp, smooth_step)",
              {}};
  const Vector change = after.w - before.w;
  if (!(largest(change) > jump * (speed + largest(after.w)))) return {Outcome::ok, {}, std::move(moved)};
  Vector impulse;
  if (const Outcome outcome = push(*mechanical, part, state, impulse); outcome != Outcome::ok)
    return {Outcome::discontinuous,
            "t = " + short_number(at.t) +
                ": the velocities of the constraints jump, and the impulse that follows from "
                "that cannot be computed; let the drive start smoothly (smooth_step)",
            {}};
  Eigen::Index most = 0;
  impulse.cwiseAbs().maxCoeff(&most);
  return {Outcome::ok,
          {},
          "impulse of " + short_number(impulse[most]) + " at " + label(most) +
              (moved.empty() ? "" : ", " + moved)};
}

std::string pass_to_end(double from, const Problem& problem, State& state) {
  const auto* mechanical = as<Mechanical>(&problem);
  if (mechanical == nullptr) return {};
  return move_states(from, state.t, *mechanical, MechanicalState(mechanical->sizes()), state);
}

}  // namespace dalembert
