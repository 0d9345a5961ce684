// The modes of a mechanism with stick-slip friction: what each is made of, and when it ends.
#include <algorithm>
#include <cmath>
#include <optional>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/multibody/measure_state.h"
#include "dalembert/multibody/mechanism.h"
#include "dalembert/multibody/ties.h"

namespace dalembert {

using Regime = StickSlip::Regime;

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
    } else if (slips(each.now)) {
      slipping->slipping.push_back(each);
      next->dry_events_.push_back(
          {.name = each.name + ".stick", .direction = Direction::falling, .departs = true});
    } else if (each.now == Regime::open) {
      next->dry_events_.push_back({each.name + ".slip", Direction::falling});
    }
  }
  next->rows_.push_back(std::move(stuck));
  next->forces_.push_back(std::move(slipping));
  return next;
}

Ties Mechanism::ties(const State& state) const {
  const Sizes n = sizes();
  const auto at = placed_at(state);
  Entries J;
  jacobian(*at, J);
  Matrix contacts = Matrix::Zero(static_cast<Eigen::Index>(dry_.size()), n.v);
  double gradient[Measure::most];
  for (std::size_t i = 0; i < dry_.size(); ++i) {
    const Measure& measure = *dry_[i].measure;
    measure.gradient(*at, gradient);
    for (std::size_t k = 0; k < static_cast<std::size_t>(measure.count); ++k)
      if (measure.columns[k] >= 0) contacts(static_cast<Eigen::Index>(i), measure.columns[k]) += gradient[k];
  }
  return {contacts, J.dense(n.rows(), n.v).topRows(n.rows() - static_cast<Eigen::Index>(stuck_))};
}

std::optional<Ties> Mechanism::bonds(const State& state) const {
  const bool any =
      std::any_of(dry_.begin(), dry_.end(), [](const StickSlip& each) { return each.now == Regime::bonded; });
  return any ? std::optional(ties(state)) : std::nullopt;
}

double Mechanism::hold(std::size_t sticking, const Placement& at, const std::optional<Ties>& bonds) const {
  double sum = dry_[sticking].limit(at.t, dry_[sticking].measure->value(at));
  for (std::size_t i = 0; bonds && i < dry_.size(); ++i)
    if (dry_[i].now == Regime::bonded)
      if (const auto lever = bonds->lever(i, sticking))
        sum += std::abs(*lever) * dry_[i].limit(at.t, dry_[i].measure->value(at));
  return sum;
}

std::shared_ptr<const Mechanism> Mechanism::all_stuck() const {
  if (dry_.empty()) return nullptr;
  return mode(std::vector<Regime>(dry_.size(), Regime::stick));
}

Layout Mechanism::report() const {
  const auto stuck = all_stuck();
  return stuck ? stuck->layout() : layout();
}

/// As in stick_slip.h: mu where it sticks, sigma F_k where it slips, the same part of F_s for all that hold together. One that drives hold
/// at rest takes nothing of what they carry.
void Mechanism::complete(State& report) const {
  if (dry_.empty() || dry_events_.empty()) return;
  const auto at = placed_at(report);
  const auto bonds = this->bonds(report);
  const Vector v = MechanicalState(sizes()).v(report.y);
  auto friction = report.y.tail(static_cast<Eigen::Index>(dry_.size()));
  for (std::size_t i = 0; i < dry_.size(); ++i) {
    const StickSlip& each = dry_[i];
    const auto entry = static_cast<Eigen::Index>(i);
    const MeasureState r(*each.measure, *at, v);
    if (each.now == Regime::bonded) continue;  // its part is given by the one it is bonded to
    if (each.now != Regime::stick) {
      friction[entry] = each.slip_force(report.t, r.c, r.rate);
    } else if (bonds) {
      const double all = hold(i, *at, bonds), part = all > 0 ? friction[entry] / all : 0;
      friction[entry] = part * each.limit(report.t, r.c);
      for (std::size_t j = 0; j < dry_.size(); ++j)
        if (dry_[j].now == Regime::bonded)
          if (const auto lever = bonds->lever(j, i))
            friction[static_cast<Eigen::Index>(j)] =
                std::copysign(part, part * *lever) * dry_[j].limit(report.t, dry_[j].measure->value(*at));
    }
  }
}

/// While sticking F_s - mu and F_s + mu, while slipping |c'|, while held by others how little it moves: positive as long as it
/// goes on.
void Mechanism::values(const State& state, Out e) const {
  const auto at = placed_at(state);
  const auto bonds = this->bonds(state);
  const Sizes n = sizes();
  Eigen::Index k = 0, row = state.y.size() - static_cast<Eigen::Index>(stuck_);
  for (std::size_t i = 0; i < dry_.size(); ++i) {
    const StickSlip& each = dry_[i];
    if (each.now == Regime::stick) {
      const double most = hold(i, *at, bonds), mu = state.y[row++];
      e[k++] = most - mu;
      e[k++] = most + mu;
    } else if (slips(each.now)) {
      double gradient[Measure::most];
      each.measure->gradient(*at, gradient);
      e[k++] = each.sign() * each.measure->rate(gradient, state.y.segment(n.q, n.v));
    } else if (each.now == Regime::open && !dry_events_.empty()) {
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
  const auto bonds = this->bonds(state);
  const Vector v = MechanicalState(sizes()).v(state.y);
  std::vector<Regime> now;
  std::vector<bool> at_rest, released;
  std::size_t k = 0;
  Eigen::Index row = state.y.size() - static_cast<Eigen::Index>(stuck_);
  for (std::size_t i = 0; i < dry_.size(); ++i) {
    const StickSlip& each = dry_[i];
    if (each.now == Regime::bonded) {  // it goes with the one that it is tied to
      released.push_back(false);
      at_rest.push_back(true);
      now.push_back(Regime::bonded);
      continue;
    }
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
      const double mu = state.y[row++], most = hold(i, *at, bonds);
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
  for (std::size_t j = 0; j < dry_.size(); ++j) {
    if (dry_[j].now != Regime::bonded) continue;
    now[j] = Regime::stick;
    for (std::size_t i = 0; i < dry_.size(); ++i)
      if (const auto lever = bonds->lever(j, i); lever && dry_[i].now == Regime::stick && released[i]) {
        released[j] = true;
        now[j] = slip_with(sign_of(now[i]) * *lever);
      }
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

}  // namespace dalembert
