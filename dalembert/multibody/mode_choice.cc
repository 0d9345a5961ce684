// Which mode of a mechanism with stick-slip friction holds at a state, by trial.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/constraints/mechanics.h"
#include "dalembert/multibody/measure_state.h"
#include "dalembert/multibody/mechanism.h"
#include "dalembert/multibody/mode_bonds.h"
#include "dalembert/multibody/ties.h"

namespace dalembert {

using Regime = StickSlip::Regime;

namespace {

/// What comes back so often slides no better than it sticks (F_k is above F_s): it sticks.
constexpr int most_returns = 3;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double noise = 1e-6;  // m/s, rad/s: slower is at rest, if it has just come to rest

}  // namespace

/// Accelerations and multipliers of a mode; of least norm where rows follow from others.
struct Mechanism::ModeState {
  ModeState(std::shared_ptr<const Mechanism> which, const State& from) : mode(std::move(which)) {
    const Sizes n = mode->sizes();
    state = {from.t, Vector::Zero(n.q + n.v + n.s + n.rows())};
    state.y.head(n.q + n.v + n.s) = from.y.head(n.q + n.v + n.s);
    const StartReport start = make_consistent(*mode, state);
    // Nothing strikes: where what sticks would change velocities (a slider at a dead centre), it cannot stick.
    // (Where all comes to rest at once, what is left of its velocities is noise of the method.)
    const double fastest = largest(MechanicalState(n).v(from.y));
    const double allowed = std::max({1e-4 * fastest, noise, 100 * fastest_stuck(from)});
    holds = start.outcome == Outcome::ok && start.velocity_change <= allowed;
    if (!holds) return;
    a = Vector::Zero(n.v);
    l = MechanicalState(n).multipliers(state.y);
    dependent = start.dependent > 0;
    if (dependent)
      least_norm();
    else
      fast();
  }
  /// Of those that stick the one farthest beyond its limit, or all that give way together, and how they would slip.
  std::vector<Slip> loose(const std::vector<int>& returns) const {
    const auto at = mode->placed_at(state);
    const auto bonds = mode->bonds(state, l);
    std::vector<Slip> found;
    double worst = may_slip;
    Eigen::Index row = l.size() - static_cast<Eigen::Index>(mode->stuck_);
    for (std::size_t i = 0; i < mode->dry_.size(); ++i) {
      const StickSlip& each = mode->dry_[i];
      if (each.now != Regime::stick) continue;
      const double mu = l[row++], most = each.limit(state.t, each.measure->value(*at));
      const double load = mu == 0 ? 0 : most > 0 ? std::abs(mu) / most : infinity;
      if (returns[i] >= most_returns || load <= worst || (bonds && bonds->has(i))) continue;
      worst = load;
      found = {{i, slip_with(mu)}};
    }
    if (!bonds || bonds->load.part <= worst) return found;
    const auto together = bonds->loose();
    const bool come_back = std::any_of(together.begin(), together.end(),
                                       [&](const Slip& each) { return returns[each.which] >= most_returns; });
    return come_back ? found : together;
  }
  /// Of those that stick, the ones that other rows hold at rest anyhow: drives carry what there is to carry, and what friction
  /// would take of it is not determined.
  std::vector<std::size_t> held() const {
    std::vector<std::size_t> found;
    if (!dependent || mode->stuck_ == 0) return found;
    const Ties ties = mode->ties(state);
    for (std::size_t i = 0; i < mode->dry_.size(); ++i)
      if (mode->dry_[i].now == Regime::stick && ties.held(i)) found.push_back(i);
    return found;
  }
  /// Those that others that stick keep at rest, whether they were to stick or to slip: with each its own row there would be one too
  /// many, with none it would be asked for ever when it comes to rest.
  std::vector<std::size_t> tied() const {
    std::vector<std::size_t> found;
    if (mode->stuck_ == 0 || mode->dry_.size() < 2) return found;
    const Ties ties = mode->ties(state);
    const auto at = mode->placed_at(state);
    const Vector v = MechanicalState(mode->sizes()).v(state.y);
    std::vector<std::size_t> carrying;
    for (std::size_t i = 0; i < mode->dry_.size(); ++i)
      if (mode->dry_[i].now == Regime::stick) (ties.levers(i, carrying) ? found : carrying).push_back(i);
    for (std::size_t i = 0; i < mode->dry_.size(); ++i) {
      const StickSlip& each = mode->dry_[i];
      if (slips(each.now) && std::abs(MeasureState(*each.measure, *at, v).rate) <= still(v) &&
          ties.levers(i, carrying))
        found.push_back(i);
    }
    return found;
  }
  /// c'' and the size of what it is summed from
  struct Acceleration {
    double value = 0, size = 0;
  };
  Acceleration acceleration(const Measure& measure) const {
    const auto at = mode->placed_at(state);
    const Vector v = MechanicalState(mode->sizes()).v(state.y);
    const MeasureState r(measure, *at, v);
    double hessian[Measure::most * Measure::most], by_q[Measure::most];
    r.rate_gradient(*at, v, hessian, by_q);
    Acceleration sum;
    for (int i = 0; i < measure.count; ++i)
      if (const Eigen::Index k = r.column(i); k >= 0)
        for (const double part : {r.gradient[i] * a[k], by_q[i] * v[k]})
          sum.value += part, sum.size += std::abs(part);
    return sum;
  }

  std::shared_ptr<const Mechanism> mode;
  State state;
  Vector a, l;
  bool holds = false, dependent = false;

 private:
  /// What is left of the rates of those that stick here: a method leaves what its tolerance allows.
  double fastest_stuck(const State& from) const {
    const auto at = mode->placed_at(from);
    const Vector v = MechanicalState(mode->sizes()).v(from.y);
    double most = 0;
    for (const StickSlip& each : mode->dry_)
      if (each.now == Regime::stick)
        most = std::max(most, std::abs(MeasureState(*each.measure, *at, v).rate));
    return most;
  }
  void fast() {
    const MechanicalState part(mode->sizes());
    Statistics unseen;
    Mechanics mechanics(*mode, Symmetry::symmetric, unseen);
    holds = mechanics.accelerate(state.t, part.q(state.y), part.v(state.y), part.s(state.y), {}, a, l) ==
            Outcome::ok;
  }
  /// M a = f - J'l with the multipliers that the start has found
  void least_norm() {
    const Sizes n = mode->sizes();
    const MechanicalState part(n);
    const auto at = mode->placed_at(state);
    Entries M, J;
    mode->mass(*at, M);
    mode->jacobian(*at, J);
    mode->force(*at, part.v(state.y), part.s(state.y), a);
    J.multiply_transposed(l, -1, a);
    a = M.dense(n.v, n.v).ldlt().solve(a);
  }
};

/// `now` with those at rest that cannot stick slipping; `released` ones slip whatever is found.
std::shared_ptr<const Mechanism> Mechanism::decide(const State& state, std::vector<Regime> now,
                                                   std::vector<bool> at_rest,
                                                   const std::vector<bool>& released) const {
  std::vector<int> returns(dry_.size(), 0);
  for (;;) {
    const ModeState trial(mode(now), state);
    if (!trial.holds) return carried_along(state, now);
    if (const auto held = trial.held(); !held.empty()) {
      for (const std::size_t i : held) now[i] = Regime::open;
      continue;
    }
    if (const auto tied = trial.tied(); !tied.empty()) {
      for (const std::size_t i : tied) {
        now[i] = Regime::bonded;
        at_rest[i] = true;
      }
      continue;
    }
    if (const auto loose = trial.loose(returns); !loose.empty()) {
      for (const Slip& each : loose) now[each.which] = each.way;
      // Who is tied to whom is asked anew, now that others slip.
      std::replace(now.begin(), now.end(), Regime::bonded, Regime::stick);
      continue;
    }
    std::optional<std::size_t> back;  // slips against its own acceleration
    for (std::size_t i = 0; i < dry_.size() && !back; ++i) {
      if (!at_rest[i] || released[i] || !slips(now[i])) continue;
      const auto c = trial.acceleration(*dry_[i].measure);
      if (sign_of(now[i]) * c.value < -1e-12 * c.size) back = i;
    }
    if (!back) return trial.mode;
    now[*back] = Regime::stick;
    ++returns[*back];
  }
}

/// Where sticking is impossible because a drive does not stop, all go where they would without friction.
std::shared_ptr<const Mechanism> Mechanism::carried_along(const State& state, std::vector<Regime> now) const {
  std::replace(now.begin(), now.end(), Regime::bonded, Regime::stick);
  auto without = now;
  std::replace(without.begin(), without.end(), Regime::stick, Regime::open);
  const ModeState free(mode(without), state);
  if (!free.holds) return mode(now);
  for (std::size_t i = 0; i < dry_.size(); ++i)
    if (now[i] == Regime::stick) now[i] = slip_with(free.acceleration(*dry_[i].measure).value);
  return mode(now);
}

}  // namespace dalembert
