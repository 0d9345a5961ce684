#include "dalembert/control/witness/witness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace dalembert {

namespace {

constexpr std::array<double, 2> places = {0.43, 0.68};  // of the step; two fixed points beat a random one
constexpr double gap = 0.004;                           // of the step, between the points of a difference
constexpr double share = 1.0 / 16;                      // of the evaluations may be spent on looking
constexpr double price =
    6;  // of looking at the equations, in evaluations: two accelerations, ten interpolations
constexpr double allowance = 12;  // evaluations at the start: short runs are looked at too
constexpr int attention = 10;     // steps looked at after one that was hardly good enough
// Attempts thrown away since steps were last accepted at once, and what each of those takes away: beyond, defects are not
// those of the steps (a drift that stays), and shorter ones would lead nowhere.
constexpr double most_pressure = 20, relief = 0.2;
constexpr double alarm = 0.1, hopeless = 1;  // of the relative defect of fixed steps

}  // namespace

void Testimony::add(const Testimony& later) {
  if (later.looks > 0 && (later.largest > largest || looks == 0)) {
    largest = later.largest;
    t = later.t;
    entry = later.entry;
    limit = later.limit;
  }
  if (later.looks > 0) steps = later.steps;
  looks += later.looks;
  rejected += later.rejected;
  verdict = std::max(verdict, later.verdict);
}

Witness::Witness(const Problem& original, const Tolerance& tolerance, Steps steps, Equations equations,
                 const Statistics& effort)
    : layout_(original.layout()),
      tolerance_(tolerance.on(layout_)),
      steps_(steps),
      equations_(equations),
      effort_(effort),
      measure_(make_defect_measure(original)) {
  const Eigen::Index n = layout_.size();
  testimony_.steps = steps;
  state_.y = middle_ = rate_ = weights_ = Vector::Zero(n);
}

/// Methods with Newton's iteration can go to another solution in a single step, which kinematics show; faults of explicit ones
/// are there in many steps.
Look Witness::due() const {
  if (equations_ == Equations::approximate) return Look::kinematics;
  const bool affordable =
      wary_ > 0 || spent_ + price <= allowance + share * static_cast<double>(effort_.force_evaluations);
  return affordable ? Look::equations : Look::kinematics;
}

Peak Witness::look(const Track& track, Look what, double limit) {
  const double t0 = track.from.t, h = track.to.t - t0;
  const Depth depth = measure_->depth();
  const auto at = [&](double theta) -> const Vector& {
    track.recover_at(theta >= 1 ? track.to.t : t0 + theta * h, state_, depth);
    return state_.y;
  };
  track.recover_from(state_, depth);
  weights_ = state_.y.cwiseAbs();
  weights_ = weights_.cwiseMax(at(1).cwiseAbs());
  for (Eigen::Index i = 0; i < weights_.size(); ++i)
    weights_[i] = tolerance_.of(i, std::isfinite(weights_[i]) ? weights_[i] : 0.0);
  Peak peak = equations_ == Equations::exact ? measure_->at_end(track.to.t, state_.y, weights_) : Peak{};
  seen_at_ = track.to.t;
  for (const double place : places) {
    rate_ = (8 / (12 * gap * h)) * at(place + gap);
    rate_ -= (8 / (12 * gap * h)) * at(place - gap);
    rate_ -= (1 / (12 * gap * h)) * at(place + 2 * gap);
    rate_ += (1 / (12 * gap * h)) * at(place - 2 * gap);
    middle_ = at(place);
    const Peak here = measure_->inside(t0 + place * h, h, middle_, rate_, weights_, what, limit);
    if (here.size > peak.size) seen_at_ = t0 + place * h;
    peak.meet(here);
  }
  return peak;
}

bool Witness::believes(const Track& track, Attempt& attempt) {
  seen_ = {};
  if (!measure_ || !(track.to.t > track.from.t)) return true;
  const double limit =
      std::min(30.0, 0.03 / std::max(tolerance_.relative, 1e-16)) * measure_->allowance(track.method.slack());
  testimony_.limit = steps_ == Steps::fixed ? alarm : limit;
  const Look what = due();
  const bool newton = effort_.newton_iterations > 0;
  if (what == Look::kinematics && !newton && equations_ == Equations::exact) return true;
  if (what == Look::equations) spent_ += price;
  if (wary_ > 0) --wary_;
  seen_ = look(track, what, steps_ == Steps::fixed ? std::numeric_limits<double>::infinity() : limit);
  ++testimony_.looks;
  if (steps_ == Steps::fixed) return true;
  const double excess = seen_.size / std::max(limit, 1.5 * floor_);
  if (excess > 1) {
    stuck_ = in_a_row_ > 0 && seen_.size > 0.7 * last_ ? stuck_ + 1 : in_a_row_ > 0 ? stuck_ : 0;
    last_ = seen_.size;
    wary_ = attention;
    const int patience = excess > 100 ? 6 : 2;  // steps may be so long that the first halvings say nothing
    if (stuck_ < patience && in_a_row_ < 30 && (pressure_ < most_pressure || excess > 10)) {
      ++in_a_row_;
      ++pressure_;
      ++testimony_.rejected;
      attempt.error = std::max(attempt.error, std::min(excess, 1e6));
      attempt.next.reset();
      if (!(attempt.exponent > 0)) attempt.exponent = 1. / 3;
      attempt.trouble.reset();
      return false;
    }
    // Shorter steps do not help: what is left is no error of the step, and the step need not stay short for it.
    floor_ = seen_.size;
    return true;
  }
  if (1.5 * floor_ > limit) return true;  // nor need it here
  if (excess > 0.3) {
    wary_ = std::max(wary_, attention / 2);
    if (attempt.next) attempt.next = std::min(*attempt.next, track.to.t - track.from.t);
  }
  attempt.error = std::max(attempt.error, std::min(excess, 1.0));
  return true;
}

void Witness::accept() {
  if (in_a_row_ == 0) pressure_ = std::max(0.0, pressure_ - relief);
  in_a_row_ = stuck_ = 0;
  floor_ *= 0.999;  // it may be that of one place
  const double size = steps_ == Steps::fixed ? seen_.relative : seen_.size;
  if (size > testimony_.largest) {
    testimony_.largest = size;
    testimony_.t = seen_at_;
    testimony_.entry = layout_.label(seen_.entry);
  }
  using Verdict = Testimony::Verdict;
  const double doubtful = testimony_.limit,
               untrusted = steps_ == Steps::fixed ? hopeless : 10 * testimony_.limit;
  if (size > untrusted)
    testimony_.verdict = Verdict::untrusted;
  else if (size > doubtful)
    testimony_.verdict = std::max(testimony_.verdict, Verdict::doubtful);
}

}  // namespace dalembert
