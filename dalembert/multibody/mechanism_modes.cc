// The modes of a mechanism with stick-slip friction: what each is made of, and when it ends.
#include <algorithm>
#include <cmath>
#include <optional>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/multibody/measure_state.h"
#include "dalembert/multibody/mechanism.h"
#include "dalembert/multibody/mode_bonds.h"
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
    } else {
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

Vector Mechanism::contact_rates(const State& state) const {
  const Sizes n = sizes();
  const auto at = placed_at(state);
  const Vector v = MechanicalState(n).v(state.y);
  const Ties ties = this->ties(state);
  Vector w = Vector::Zero(n.rows());
  velocity_bias(*at, w);
  const auto others = w.head(n.rows() - static_cast<Eigen::Index>(stuck_));
  Vector rates(static_cast<Eigen::Index>(dry_.size()));
  for (std::size_t i = 0; i < dry_.size(); ++i) {
    const auto held = ties.rate(i, others);
    rates[static_cast<Eigen::Index>(i)] = held ? *held : MeasureState(*dry_[i].measure, *at, v).rate;
  }
  return rates;
}

std::optional<Mechanism::Bonds> Mechanism::bonds(const State& state, In multipliers) const {
  std::vector<std::size_t> sticking, bonded;
  for (std::size_t i = 0; i < dry_.size(); ++i) {
    if (dry_[i].now == Regime::stick) sticking.push_back(i);
    if (dry_[i].now == Regime::bonded) bonded.push_back(i);
  }
  if (bonded.empty()) return {};
  const Ties ties = this->ties(state);
  Bonds bonds;
  Matrix levers = Matrix::Zero(static_cast<Eigen::Index>(bonded.size()), static_cast<Eigen::Index>(stuck_));
  for (std::size_t b = 0; b < bonded.size(); ++b)
    if (const auto found = ties.levers(bonded[b], sticking))
      levers.row(static_cast<Eigen::Index>(b)) = found->transpose();
    else
      bonds.broken.push_back(bonded[b]);
  std::vector<Eigen::Index> rows;  // of those that share
  for (std::size_t i = 0; i < sticking.size(); ++i)
    if (const auto row = static_cast<Eigen::Index>(i); (levers.col(row).array() != 0).any()) {
      rows.push_back(row);
      bonds.members.push_back(sticking[i]);
    }
  bonds.members.insert(bonds.members.end(), bonded.begin(), bonded.end());
  const auto at = placed_at(state);
  Vector limits(static_cast<Eigen::Index>(bonds.members.size()));
  for (std::size_t k = 0; k < bonds.members.size(); ++k) {
    const StickSlip& each = dry_[bonds.members[k]];
    limits[static_cast<Eigen::Index>(k)] = each.limit(state.t, each.measure->value(*at));
  }
  bonds.load =
      limit_load(multipliers.tail(static_cast<Eigen::Index>(stuck_))(rows), levers(Eigen::all, rows), limits);
  return bonds;
}

std::shared_ptr<const Mechanism> Mechanism::all_stuck() const {
  if (dry_.empty()) return nullptr;
  return mode(std::vector<Regime>(dry_.size(), Regime::stick));
}

Layout Mechanism::report() const {
  const auto stuck = all_stuck();
  return stuck ? stuck->layout() : layout();
}

/// As in stick_slip.h: mu where it sticks, sigma F_k where it slips, shares that are possible for those that hold together. One that
/// drives hold at rest takes nothing of what they carry.
void Mechanism::complete(State& report) const {
  if (dry_.empty() || dry_events_.empty()) return;
  const auto at = placed_at(report);
  const Vector v = MechanicalState(sizes()).v(report.y);
  auto friction = report.y.tail(static_cast<Eigen::Index>(dry_.size()));
  Vector carried = Vector::Zero(static_cast<Eigen::Index>(stuck_));
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < dry_.size(); ++i) {
    const StickSlip& each = dry_[i];
    const auto entry = static_cast<Eigen::Index>(i);
    if (each.now == Regime::stick) {
      carried[row++] = friction[entry];
    } else {
      const MeasureState r(*each.measure, *at, v);
      friction[entry] = each.slip_force(report.t, r.c, r.rate);
    }
  }
  if (const auto bonds = this->bonds(report, carried))
    for (std::size_t k = 0; k < bonds->members.size(); ++k)
      friction[static_cast<Eigen::Index>(bonds->members[k])] =
          bonds->load.shares[static_cast<Eigen::Index>(k)];
}

/// While sticking F_s - mu and F_s + mu (those that share a load: what is left of it, once), while slipping |c'|, while held by others
/// how little it moves, while bonded whether it still is: positive as long as it goes on.
void Mechanism::values(const State& state, Out e) const {
  const auto at = placed_at(state);
  const auto bonds = this->bonds(state, state.y);
  const Sizes n = sizes();
  Vector rates;
  Eigen::Index k = 0, row = state.y.size() - static_cast<Eigen::Index>(stuck_);
  for (std::size_t i = 0; i < dry_.size(); ++i) {
    const StickSlip& each = dry_[i];
    if (each.now == Regime::stick) {
      const double most = each.limit(state.t, each.measure->value(*at)), mu = state.y[row++];
      const bool shares = bonds && bonds->has(i);
      e[k++] = !shares ? until_slip * most - mu : bonds->speaks(i) ? bonds->left() : 1;
      e[k++] = !shares ? until_slip * most + mu : 1;
    } else if (slips(each.now)) {
      double gradient[Measure::most];
      each.measure->gradient(*at, gradient);
      e[k++] = each.sign() * each.measure->rate(gradient, state.y.segment(n.q, n.v));
    } else if (each.now == Regime::bonded) {
      e[k++] = bonds->breaks(i) ? -1 : 1;
    } else if (!dry_events_.empty()) {
      if (rates.size() == 0) rates = contact_rates(state);
      e[k++] = still(state.y.segment(n.q, n.v)) - std::abs(rates[static_cast<Eigen::Index>(i)]);
    }
  }
}

bool Mechanism::need_multipliers() const {
  return stuck_ > 0;
}

EventResponse Mechanism::respond(std::size_t event, State& state) const {
  const auto at = placed_at(state);
  const auto bonds = this->bonds(state, state.y);
  const Vector v = MechanicalState(sizes()).v(state.y), rates = contact_rates(state);
  std::vector<Regime> now(dry_.size(), Regime::stick);
  std::vector<bool> at_rest(dry_.size(), true), released(dry_.size(), false);
  bool bonds_give = false;
  std::size_t k = 0;
  Eigen::Index row = state.y.size() - static_cast<Eigen::Index>(stuck_);
  for (std::size_t i = 0; i < dry_.size(); ++i) {
    const StickSlip& each = dry_[i];
    const double rate = rates[static_cast<Eigen::Index>(i)];
    if (each.now == Regime::bonded) {  // what it does is said by all that bear the load
      ++k;
      continue;
    }
    if (each.now == Regime::stick) {
      const double mu = state.y[row++], most = each.limit(state.t, each.measure->value(*at));
      const bool happens = event == k || event == k + 1;
      // Others that are at their limit let go together with this one.
      const bool at_limit = std::abs(mu) >= most * (1 - 1e-9) && most > 0;
      if (bonds && bonds->has(i)) {
        bonds_give = bonds_give || happens;
      } else if (happens || at_limit) {
        released[i] = true;
        now[i] = slip_with(!happens ? mu : event == k ? 1 : -1);
      }
      k += 2;
    } else if (each.now == Regime::open) {
      released[i] = event == k++;
      if (released[i]) now[i] = slip_with(rate);
    } else {
      at_rest[i] = event == k++ || each.sign() * rate <= 1e-12 * largest(v);
      if (!at_rest[i]) now[i] = each.now;
    }
  }
  if (bonds && (bonds_give || bonds->load.part >= 1 - 1e-9))
    for (const auto& [which, way] : bonds->loose()) {
      released[which] = true;
      now[which] = way;
    }
  return {EventResponse::Action::restart, decide(state, now, at_rest, released)};
}

std::shared_ptr<const Problem> Mechanism::mode_at(const State& state) const {
  if (dry_.empty()) return nullptr;
  const Vector v = MechanicalState(sizes()).v(state.y);
  std::vector<Regime> now;
  std::vector<bool> at_rest;
  for (const double rate : contact_rates(state)) {
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
