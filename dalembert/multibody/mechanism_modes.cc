// The modes of a mechanism with stick-slip friction: which one holds, and when it ends.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/constraints/mechanics.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/multibody/measure_state.h"
#include "dalembert/multibody/mechanism.h"

namespace dalembert {

using Regime = StickSlip::Regime;

namespace {

/// What comes back so often slides no better than it sticks (F_k is above F_s): it sticks.
constexpr int most_returns = 3;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double noise = 1e-6;  // m/s, rad/s: slower is at rest, if it has just come to rest

double still(In v) {
  return 1e-9 * (1 + largest(v));
}

Regime slip_with(double sign) {
  return sign > 0 ? Regime::slip_up : Regime::slip_down;
}

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
  /// Of those that stick the one farthest beyond its limit, and how it would slip.
  struct Loose {
    std::size_t which;
    Regime way;
  };
  std::optional<Loose> loose(const std::vector<int>& returns) const {
    const auto at = mode->placed_at(state);
    std::optional<Loose> found;
    double worst = 1 + 1e-12;
    Eigen::Index row = l.size() - static_cast<Eigen::Index>(mode->stuck_);
    for (std::size_t i = 0; i < mode->dry_.size(); ++i) {
      const StickSlip& each = mode->dry_[i];
      if (each.now != Regime::stick) continue;
      const double mu = l[row++], most = each.limit(state.t, each.measure->value(*at));
      const double load = mu == 0 ? 0 : most > 0 ? std::abs(mu) / most : infinity;
      if (returns[i] >= most_returns || load <= worst) continue;
      worst = load;
      found = {i, slip_with(mu)};
    }
    return found;
  }
  /// Of those that stick, the ones that other rows hold at rest anyhow: drives carry what there is to carry, and what friction
  /// would take of it is not determined.
  std::vector<std::size_t> held() const {
    std::vector<std::size_t> found;
    if (!dependent || mode->stuck_ == 0) return found;
    const Sizes n = mode->sizes();
    Entries J;
    mode->jacobian(*mode->placed_at(state), J);
    const Matrix rows = J.dense(n.rows(), n.v);
    const Eigen::Index others = n.rows() - static_cast<Eigen::Index>(mode->stuck_);
    const auto basis = rows.topRows(others).transpose().colPivHouseholderQr();
    Eigen::Index row = others;
    for (std::size_t i = 0; i < mode->dry_.size(); ++i) {
      if (mode->dry_[i].now != Regime::stick) continue;
      const Vector own = rows.row(row++).transpose();
      const Vector left = own - rows.topRows(others).transpose() * basis.solve(own);
      if (left.norm() <= 1e-9 * own.norm()) found.push_back(i);
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

void Mechanism::stick_slip(const std::string& name, MeasurePtr measure, Law most, Law sliding) {
  if (!most || !sliding)
    throw Error("stick-slip '" + name + "' has no force", "give the most it holds and that of sliding");
  const State begin = start();
  const double x[] = {begin.t, measure->value(*placed_at(begin)), 0};
  const double holds = most(x), slides = sliding(x);
  if (slides > holds * (1 + 1e-9) || holds < 0)
    throw Error("stick-slip '" + name + "' slides with " + short_number(slides) + " where it holds " +
                    short_number(holds) + " at most",
                "what it holds at rest is at least what it takes to slide, and not negative");
  dry_.push_back({name, std::move(measure), std::move(most), std::move(sliding)});
}

std::shared_ptr<const Mechanism> Mechanism::mode(const std::vector<Regime>& now) const {
  const std::shared_ptr<Mechanism> next = copy();
  const auto drop = [](auto& sets, auto is) {
    sets.erase(std::remove_if(sets.begin(), sets.end(), is), sets.end());
  };
  drop(next->rows_, [](const auto& set) { return dynamic_cast<StuckRows*>(set.get()) != nullptr; });
  drop(next->forces_, [](const auto& set) { return dynamic_cast<SlipForces*>(set.get()) != nullptr; });
  next->nonholonomic_.resize(nonholonomic_.size() - stuck_);
  next->stuck_ = 0;
  next->dry_events_.clear();

  auto stuck = std::make_shared<StuckRows>();
  auto slipping = std::make_shared<SlipForces>();
  stuck->before = static_cast<Eigen::Index>(holonomic_.size());
  for (std::size_t i = 0; i < dry_.size(); ++i) {
    StickSlip& each = next->dry_[i];
    each.now = now[i];
    if (each.now == Regime::stick) {
      stuck->stuck.push_back({each.measure, static_cast<Eigen::Index>(next->nonholonomic_.size())});
      next->nonholonomic_.push_back({each.name + ".friction", each.measure->unit == "rad" ? "N m" : "N"});
      ++next->stuck_;
      for (int side = 0; side < 2; ++side)
        next->dry_events_.push_back({each.name + ".slip", Direction::falling, true});
    } else if (each.now != Regime::open) {
      slipping->slipping.push_back(each);
      next->dry_events_.push_back(
          {.name = each.name + ".stick", .direction = Direction::falling, .departs = true});
    } else {
      next->dry_events_.push_back({each.name + ".slip", Direction::falling});
    }
  }
  next->rows_.push_back(std::move(stuck));
  next->forces_.push_back(std::move(slipping));
  return next;
}

std::shared_ptr<const Mechanism> Mechanism::all_stuck() const {
  if (dry_.empty()) return nullptr;
  return mode(std::vector<Regime>(dry_.size(), Regime::stick));
}

Layout Mechanism::report() const {
  const auto stuck = all_stuck();
  return stuck ? stuck->layout() : layout();
}

/// As in stick_slip.h: mu where it sticks, sigma F_k where it slips. One that drives hold at rest takes nothing of what they carry.
void Mechanism::complete(State& report) const {
  if (dry_.empty() || dry_events_.empty()) return;
  const auto at = placed_at(report);
  const Vector v = MechanicalState(sizes()).v(report.y);
  Eigen::Index entry = report.y.size() - static_cast<Eigen::Index>(dry_.size());
  for (const StickSlip& each : dry_) {
    if (each.now != Regime::stick) {
      const MeasureState r(*each.measure, *at, v);
      report.y[entry] = each.slip_force(report.t, r.c, r.rate);
    }
    ++entry;
  }
}

/// While sticking F_s - mu and F_s + mu, while slipping |c'|, while held by others how little it moves: positive as long as it
/// goes on.
void Mechanism::values(const State& state, Out e) const {
  const auto at = placed_at(state);
  const Sizes n = sizes();
  Eigen::Index k = 0, row = state.y.size() - static_cast<Eigen::Index>(stuck_);
  for (const StickSlip& each : dry_) {
    if (each.now == Regime::stick) {
      const double most = each.limit(state.t, each.measure->value(*at)), mu = state.y[row++];
      e[k++] = most - mu;
      e[k++] = most + mu;
    } else if (each.now != Regime::open) {
      double gradient[Measure::most];
      each.measure->gradient(*at, gradient);
      e[k++] = each.sign() * each.measure->rate(gradient, state.y.segment(n.q, n.v));
    } else if (!dry_events_.empty()) {
      const Vector v = state.y.segment(n.q, n.v);
      e[k++] = still(v) - std::abs(MeasureState(*each.measure, *at, v).rate);
    }
  }
}

bool Mechanism::need_multipliers() const {
  return stuck_ > 0;
}

EventResponse Mechanism::respond(std::size_t event, State& state) const {
  const auto at = placed_at(state);
  const Vector v = MechanicalState(sizes()).v(state.y);
  std::vector<Regime> now;
  std::vector<bool> at_rest, released;
  std::size_t k = 0;
  Eigen::Index row = state.y.size() - static_cast<Eigen::Index>(stuck_);
  for (const StickSlip& each : dry_) {
    const bool sticks = each.now == Regime::stick;
    const double rate = MeasureState(*each.measure, *at, v).rate;
    const bool happens = event >= k && event < k + (sticks ? 2 : 1);
    if (each.now == Regime::open) {
      released.push_back(happens);
      at_rest.push_back(true);
      now.push_back(happens ? slip_with(rate) : Regime::stick);
      ++k;
      continue;
    }
    if (sticks && !happens) {  // others that are at their limit let go together with this one
      const double mu = state.y[row++], most = each.limit(state.t, each.measure->value(*at));
      if (std::abs(mu) >= most * (1 - 1e-9) && most > 0) {
        released.push_back(true);
        at_rest.push_back(true);
        now.push_back(slip_with(mu));
        k += 2;
        continue;
      }
    } else if (sticks) {
      ++row;
    }
    released.push_back(sticks && happens);
    at_rest.push_back(sticks || happens || each.sign() * rate <= 1e-12 * largest(v));
    now.push_back(released.back()  ? slip_with(event == k ? 1 : -1)
                  : at_rest.back() ? Regime::stick
                                   : each.now);
    k += sticks ? 2 : 1;
  }
  return {EventResponse::Action::restart, decide(state, now, at_rest, released)};
}

std::shared_ptr<const Problem> Mechanism::mode_at(const State& state) const {
  if (dry_.empty()) return nullptr;
  const auto at = placed_at(state);
  const Vector v = MechanicalState(sizes()).v(state.y);
  std::vector<Regime> now;
  std::vector<bool> at_rest;
  for (const StickSlip& each : dry_) {
    const double rate = MeasureState(*each.measure, *at, v).rate;
    at_rest.push_back(std::abs(rate) <= still(v));
    now.push_back(at_rest.back() ? Regime::stick : slip_with(rate));
  }
  return decide(state, now, at_rest, std::vector<bool>(dry_.size(), false));
}

std::vector<int> Mechanism::which_mode() const {
  std::vector<int> all;
  for (const StickSlip& each : dry_) all.push_back(static_cast<int>(each.now));
  return all;
}

std::shared_ptr<const Problem> Mechanism::mode(const std::vector<int>& which) const {
  if (which.size() != dry_.size()) return nullptr;
  std::vector<Regime> now;
  for (const int each : which) now.push_back(static_cast<Regime>(each));
  return mode(now);
}

/// `now` with those at rest that cannot stick slipping; `released` ones slip whatever is found.
std::shared_ptr<const Mechanism> Mechanism::decide(const State& state, std::vector<Regime> now,
                                                   const std::vector<bool>& at_rest,
                                                   const std::vector<bool>& released) const {
  std::vector<int> returns(dry_.size(), 0);
  for (;;) {
    const ModeState trial(mode(now), state);
    if (!trial.holds) return carried_along(state, now);
    if (const auto held = trial.held(); !held.empty()) {
      for (const std::size_t i : held) now[i] = Regime::open;
      continue;
    }
    if (const auto loose = trial.loose(returns)) {
      now[loose->which] = loose->way;
      continue;
    }
    std::optional<std::size_t> back;  // slips against its own acceleration
    for (std::size_t i = 0; i < dry_.size() && !back; ++i) {
      if (!at_rest[i] || released[i] || now[i] == Regime::stick || now[i] == Regime::open) continue;
      const auto c = trial.acceleration(*dry_[i].measure);
      if ((now[i] == Regime::slip_up ? c.value : -c.value) < -1e-12 * c.size) back = i;
    }
    if (!back) return trial.mode;
    now[*back] = Regime::stick;
    ++returns[*back];
  }
}

/// Where sticking is impossible because a drive does not stop, all go where they would without friction.
std::shared_ptr<const Mechanism> Mechanism::carried_along(const State& state, std::vector<Regime> now) const {
  auto without = now;
  std::replace(without.begin(), without.end(), Regime::stick, Regime::open);
  const ModeState free(mode(without), state);
  if (!free.holds) return mode(now);
  for (std::size_t i = 0; i < dry_.size(); ++i)
    if (now[i] == Regime::stick) now[i] = slip_with(free.acceleration(*dry_[i].measure).value);
  return mode(now);
}

}  // namespace dalembert
