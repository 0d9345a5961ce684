#include "dalembert/control/witness/witness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace dalembert {

namespace {

constexpr std::array<double, 2> places = {0.43, 0.68};  // of the step; two fixed points beat a random one
constexpr double usual_gap = 0.004;                     // of the step, between the points of a difference
constexpr double share = 1.0 / 16;                      // of the evaluations may be spent on looking
// In evaluations: of looking at the equations (two accelerations, ten interpolations); at the start, so that short runs are
// looked at too; and of a dense output that is worth its price only now and then.
constexpr double price = 5, allowance = 12, dear = 20;
constexpr double looks_if_wary = 10;  // beyond the share
constexpr int unasked_most =
    3;  // steps in a row whose ends are not asked for velocities off their constraints
constexpr double much_longer = 1.5;
constexpr double softening = 10;  // of defects by stiffness, at the limit of stability of explicit methods
constexpr int attention = 10;     // steps looked at after one that was hardly good enough
// Halvings without a smaller defect after which none is expected. Where the run would not be trusted it is worth trying long:
// in a step of many periods the first halvings say nothing. The same where something hides.
constexpr int patience = 2, patience_before_distrust = 10;
// A step over more of the run than this, with next to no error, is looked at in many places: nothing has met the method there. The
// same if its error is so many times what the last step lets expect: the method has met the foot of something.
constexpr double long_step = 0.05, idle_error = 0.1, surprise = 1e4;
constexpr int looks_per_run = 600;           // if all steps are like that
constexpr double near = 0.3;                 // of the limit: attention from there on
constexpr double alarm = 0.1, hopeless = 1;  // of the relative defect of fixed steps

/// Off the ends of the step by so much that there is room for a difference.
double inner(double place) {
  constexpr double least = 1e-5;
  return std::clamp(place, least, 1 - least);
}

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
                 Dense dense, double span, const Statistics& effort, const SaddlePoint* plan)
    : layout_(original.layout()),
      tolerance_(tolerance.on(layout_)),
      steps_(steps),
      equations_(equations),
      dense_(dense),
      span_(span),
      effort_(effort),
      measure_(make_defect_measure(original, plan)),
      hidden_(layout_.size()) {
  const Eigen::Index n = layout_.size();
  testimony_.steps = steps;
  begin_.y = state_.y = middle_ = rate_ = weights_ = Vector::Zero(n);
}

/// Methods with Newton's iteration can go to another solution in a single step, which kinematics show, mostly the increment alone;
/// other faults are there in many steps. A step that is much longer than all before is new, though: where positions are
/// prescribed, an estimate sees nothing, and what lies inside of the step is right only if it is short.
Look Witness::due(double h) const {
  if (equations_ == Equations::approximate) return Look::kinematics;
  const double cost = price + dense_price_;
  const bool newton = effort_.newton_iterations > 0, wary = wary_ > 0;
  // One that is made of further steps is paid for in advance, and takes more than the evaluations that it counts.
  const double granted = dense_price_ > dear
                             ? share / 2 * static_cast<double>(effort_.force_evaluations)
                             : allowance + share * static_cast<double>(effort_.force_evaluations);
  const double allowed = granted + (wary ? looks_if_wary * cost : 0);
  const bool worth_it =
      must_look() || (wary && newton) || (h > much_longer * longest_ && dense_price_ <= dear);
  return worth_it || spent_ + cost <= allowed ? Look::equations : Look::kinematics;
}

/// The method makes its dense output. Others may ask for it too, but what is looked at shall not depend on them.
void Witness::make_dense(const Track& track, Depth depth) {
  const std::int64_t before = effort_.force_evaluations;
  track.recover_inside(places[0], state_, depth);
  dense_price_ = static_cast<double>(effort_.force_evaluations - before);
  if (!must_look()) spent_ += dense_price_;
}

bool Witness::suspects(const Track& track) const {
  return track.from.t < suspect_ && suspect_ < track.to.t;
}

Peak Witness::look_at(const Track& track, double place, Look what, double limit) {
  const double t0 = track.from.t, h = track.to.t - t0,
               gap = std::min({usual_gap, place / 2, (1 - place) / 2});
  const Depth depth = what == Look::kinematics ? Depth::positions : measure_->depth();
  if (track.recover_inside(place, state_, rate_, depth))
    return measure_->inside(t0 + place * h, h, state_.y, rate_, weights_, what, limit);
  const Depth moving = std::min(depth, Depth::coordinates);  // a rate of algebraic entries is not asked for
  const auto at = [&](double theta) -> const Vector& {
    track.recover_inside(theta, state_, moving);
    return state_.y;
  };
  rate_ = (8 / (12 * gap * h)) * at(place + gap);
  rate_ -= (8 / (12 * gap * h)) * at(place - gap);
  rate_ -= (1 / (12 * gap * h)) * at(place + 2 * gap);
  rate_ += (1 / (12 * gap * h)) * at(place - 2 * gap);
  track.recover_inside(place, state_, depth);
  middle_ = state_.y;
  return measure_->inside(t0 + place * h, h, middle_, rate_, weights_, what, limit);
}

/// Positions over the whole step against the integral of their rates: a solution on another branch (a nut that lost a turn of its
/// screw) may move them where nobody looks. What the quadrature cannot resolve is no evidence: Gauss' five nodes, and the rule
/// on three of them.
Peak Witness::gained(const Track& track, Depth depth) {
  constexpr std::array<double, 5> nodes = {0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155,
                                           0.95308992296933200};
  constexpr std::array<double, 5> five = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                          0.23931433524968324, 0.11846344252809454};
  constexpr double outer = 1 / (6 * (1 - 2 * nodes[0]) * (1 - 2 * nodes[0]));
  constexpr std::array<double, 5> three = {outer, 0, 1 - 2 * outer, 0, outer};
  const double t0 = track.from.t, h = track.to.t - t0;
  Peak peak;
  if (!measure_->has_positions()) return peak;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    track.recover_inside(nodes[k], state_, depth);
    measure_->rates(t0 + nodes[k] * h, state_.y, dq_);
    if (k == 0) five_ = three_ = Vector::Zero(dq_.size());
    five_ += five[k] * dq_;
    three_ += three[k] * dq_;
  }
  for (Eigen::Index i = 0; i < dq_.size(); ++i) {
    const double missing =
        std::abs(end_[i] - begin_.y[i] - h * five_[i]) - h * std::abs(five_[i] - three_[i]);
    peak.meet(std::max(missing, 0.0) / weights_[i], i);
  }
  return peak;
}

/// begin_ and state_ at the ends of the step, and the weights of both.
void Witness::recover_ends(const Track& track, Depth begin, Depth end) {
  track.recover_from(begin_, begin);
  track.recover_at(track.to.t, state_, end);
  weights_ = begin_.y.cwiseAbs().cwiseMax(state_.y.cwiseAbs());
  for (Eigen::Index i = 0; i < weights_.size(); ++i)
    weights_[i] = tolerance_.of(i, std::isfinite(weights_[i]) ? weights_[i] : 0.0);
}

bool Witness::leaps(const Track& track, double limit) {
  if (!measure_->can_leap()) return false;
  recover_ends(track, Depth::coordinates, Depth::coordinates);
  state_.t = track.to.t;
  return measure_->leaps(track.to.t - track.from.t, begin_, state_, weights_, limit);
}

Peak Witness::look(const Track& track, Look what, double limit) {
  const double t0 = track.from.t, h = track.to.t - t0;
  const Depth depth = measure_->depth(), inside = what == Look::kinematics ? Depth::positions : depth;
  recover_ends(track, inside, depth);
  end_ = state_.y;
  // Velocities that have left their constraints stay off them: where they were on them, the next few steps need not be asked.
  Peak peak;
  if (equations_ == Equations::exact &&
      (what == Look::equations || wary_ > 0 || search_.length > 0 || unasked_ >= unasked_most)) {
    peak = measure_->at_end(track.to.t, state_.y, weights_);
    unasked_ = peak.size > near * near * limit ? unasked_most : 0;
  } else {
    ++unasked_;
  }
  seen_at_ = track.to.t;
  if (what == Look::kinematics && equations_ == Equations::exact &&
      measure_->increment(h, begin_, state_, weights_).size <= near * limit)
    return peak;
  make_dense(track, inside);
  const std::int64_t before = effort_.jacobians;
  const auto meet = [&](double place) {
    const Peak here = look_at(track, place, what, limit);
    if (here.size > peak.size) seen_at_ = t0 + place * h;
    peak.meet(here);
  };
  for (const double place : places) meet(place);
  if (what == Look::equations && suspects(track)) meet(inner((suspect_ - t0) / h));
  if (!hidden().empty())
    measure_->limit_softening(1);  // what no evaluation has met is not what makes the problem stiff
  for (const double t : hidden()) meet(inner((t - t0) / h));
  if (effort_.newton_iterations > 0 && equations_ == Equations::exact) peak.meet(gained(track, inside));
  spent_ += static_cast<double>(effort_.jacobians -
                                before);  // a formulation may evaluate constraints for what it delivers
  // What a step was thrown away for may be shorter than the two places of the next one are apart.
  const bool near_something = calm_ && wary_ > 0 && measure_->kinematic();
  if (what == Look::equations && (idle_ || near_something)) {
    const int more = static_cast<int>(looks_per_run * std::min(h / span_, 1.0));
    double last = 0;  // the edge of something says little about its size, by which steps are compared
    for (int k = 0; k < more && (peak.size <= limit || peak.size > last); ++k) {
      last = peak.size;
      meet(2 * usual_gap + (1 - 4 * usual_gap) * (k + 0.5) / more);
    }
  }
  return peak;
}

/// Errors go with the order of the method from step to step, give or take a few powers of ten.
bool Witness::surprised(const Attempt& attempt) const {
  if (steps_ == Steps::fixed || !(last_.h > 0) || !(attempt.exponent > 0)) return false;
  return attempt.error > surprise * last_.error * std::pow(tried_.h / last_.h, 1 / attempt.exponent);
}

std::optional<double> Witness::doubts(Track& track, Attempt& attempt) {
  seen_ = {};
  const double h = track.to.t - track.from.t;
  if (!measure_ || !(h > 0)) return {};
  const double limit =
      std::min(30.0, 0.03 / std::max(tolerance_.relative, 1e-16)) * measure_->allowance(track.method.slack());
  testimony_.limit = steps_ == Steps::fixed ? alarm : limit;
  tried_ = {h, attempt.error};
  calm_ = steps_ == Steps::controlled && attempt.error < idle_error;
  idle_ = (calm_ || surprised(attempt)) && h > long_step * span_;
  led_ = calm_ && equations_ == Equations::exact;
  if (led_) {
    track.recover_at(track.to.t, state_, Depth::coordinates);
    led_ = measure_->driven(track.to.t, state_.y);
  }
  const bool hides = equations_ == Equations::exact && !hidden_.find(track, *measure_).empty();
  const bool newton = effort_.newton_iterations > 0;
  Look what = hides || (equations_ == Equations::exact && suspects(track)) ? Look::equations : due(h);
  if (what == Look::kinematics && newton && equations_ == Equations::exact && leaps(track, near * limit))
    what = Look::equations;
  measure_->limit_softening(newton ? std::numeric_limits<double>::infinity() : softening);
  if (what == Look::kinematics && equations_ == Equations::exact && !(newton && measure_->kinematic()))
    return {};
  if (wary_ > 0) --wary_;
  seen_ = look(track, what, steps_ == Steps::fixed ? std::numeric_limits<double>::infinity() : limit);
  if (what == Look::equations) {
    if (!must_look()) spent_ += price;
    longest_ = std::max(longest_, h);
    ends_only_ = ends_only_ || (!newton && measure_->softened());
  }
  ++testimony_.looks;
  if (steps_ == Steps::fixed) return {};
  const double bearable = std::max(limit, 1.5 * floor_);
  if (seen_.size > bearable && dense_ == Dense::weak && track.hermite == nullptr &&
      measure_->mechanics() != nullptr) {
    hermite_.emplace(*measure_->mechanics());
    track.hermite = &*hermite_;
    seen_ = look(track, what, limit);
  }
  const double excess = seen_.size / bearable;
  if (excess > 1) {
    wary_ = attention;
    if (settled(h, hides || search_.smallest > 10 * limit ? patience_before_distrust : patience)) {
      floor_ = seen_.size;
      return {};
    }
    ++testimony_.rejected;
    if (what == Look::equations) suspect_ = seen_at_;
    attempt.error = std::max(attempt.error, std::min(excess, 1e6));
    attempt.next.reset();
    if (!(attempt.exponent > 0)) attempt.exponent = 1. / 3;
    attempt.trouble.reset();
    return search_.over ? search_.length : h / 2;
  }
  // A shorter step has half the defect at most; if not, rounding is near the limit, and that it was below is chance.
  if (search_.length > 0 && seen_.size > 0.5 * search_.smallest) floor_ = std::max(floor_, seen_.size);
  if (1.5 * floor_ > limit)
    return {};  // what is left is no error of the step, which need not stay short for it
  if (excess > near) {
    wary_ = std::max(wary_, attention / 2);
    if (attempt.next) attempt.next = std::min(*attempt.next, h);
  }
  attempt.error = std::max(attempt.error, std::min(excess, 1.0));
  return {};
}

void Witness::remember(Memory& memory, Track& track) {
  memory(seen_.size, seen_.entry, seen_.relative, seen_at_, suspect_, floor_, search_.smallest,
         search_.length, search_.barren, search_.over, calm_, idle_, led_, longest_, ends_only_, last_, wary_,
         spent_, dense_price_, unasked_, testimony_);
  if (measure_) measure_->remember(memory);
  bool own = track.hermite == nullptr;
  memory(own);
  if (own || track.hermite != nullptr || measure_->mechanics() == nullptr) return;
  hermite_.emplace(*measure_->mechanics());
  track.hermite = &*hermite_;
}

/// Is this step the best that can be had from here?
bool Witness::settled(double h, int patient) {
  if (search_.over) return true;
  if (search_.length == 0 || seen_.size < 0.7 * search_.smallest)
    search_ = {seen_.size, h};
  else
    ++search_.barren;
  search_.over = search_.barren >= patient;
  return search_.over && search_.length == h;
}

void Witness::accept() {
  search_ = {};
  last_ = tried_;
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
