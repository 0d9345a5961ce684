#include "dalembert/control/singular/crossing.h"

#include <algorithm>
#include <cmath>

#include "dalembert/control/singular/constants.h"
#include "dalembert/core/text.h"
#include "dalembert/formulation/unchanged.h"

namespace dalembert {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

double share_of_tolerance(const Tolerance& tolerance) {
  return std::max({tolerance.relative, tolerance.least(), 1e-13});
}

/// Made once for all runs.
const GaussFormula& formula_for(double tolerance) {
  if (tolerance < singular::tight) {
    static const GaussFormula fine(singular::nodes_if_tight);
    return fine;
  }
  static const GaussFormula usual(singular::nodes);
  return usual;
}

}  // namespace

/// The problem as a singular step sees it: its state is its own, with multipliers of least size inside.
class SingularityCrossing::NotRewritten final : public Unchanged {
 public:
  NotRewritten(const Problem& problem, SingularityCrossing& crossing)
      : Unchanged(problem), crossing_(crossing) {}
  Outcome recover(const State& state, State& original, Depth depth) const override {
    original = state;
    if (depth == Depth::multipliers) crossing_.complete(original);
    return Outcome::ok;
  }

 private:
  SingularityCrossing& crossing_;
};

SingularityCrossing::SingularityCrossing(const Mechanical& problem, const Tolerance& tolerance,
                                         Control control, Statistics& statistics, const State& start_state,
                                         const SaddlePoint* planned)
    : problem_(problem),
      part_(problem.sizes()),
      tolerance_(share_of_tolerance(tolerance)),
      fixed_(control == Control::fixed),
      branch_(problem, statistics, start_state, planned),
      gauss_(formula_for(tolerance_)),
      ease_(singular::easy_share * std::pow(tolerance_, 1. / (2 * gauss_.nodes() + 1))),
      step_(branch_, gauss_, tolerance_),
      formulation_(std::make_unique<NotRewritten>(problem, *this)),
      track_(*formulation_, step_),
      position_(never),
      previous_t_(-never),
      previous_(never),
      cap_(never),
      reach_(never),
      blocked_until_(-never),
      wait_until_(-never) {
  for (RankCheck* check : {&now_, &ahead_, &last_, &next_}) {
    check->u.setZero(problem.sizes().rows());
    check->w.setZero(problem.sizes().v);
  }
  track_.from = start_state;
  start(start_state);
}

void SingularityCrossing::start(const State& state) {
  here_ = state.t;
  settle(state);
  if (now_.sigma > singular::on_it) return;
  // Too near to see a slope: look a little further on.
  const double speed = largest(part_.v(state.y));
  if (speed == 0) {
    idle_ = true;
    return;
  }
  const double off = 1e-2 / speed;
  State there = state;
  there.t += off;
  auto q = part_.q(there.y);
  auto v = part_.v(there.y);
  const auto at = problem_.placement();
  at->t = state.t;
  at->q = part_.q(state.y);
  problem_.place(*at);
  Vector moved(q.size());
  problem_.advance(*at, off * v, moved);
  q = moved;
  if (branch_.project_position(there.t, q) != Outcome::ok || branch_.project_velocity(v) != Outcome::ok)
    return;
  RankCheck further;
  branch_.check(v, further);
  if (further.sigma < singular::dependent) {
    idle_ = true;
    return;
  }
  now_.rate = further.rate;
  now_.pace = further.pace;
  now_.w = further.w;
  now_.spread = further.spread;
  position_ = there.t + further.ahead();
  if (std::abs(position_ - state.t) < std::max(1e-3 * off, noise_distance())) {
    position_ = state.t;
    starts_on_it_ = true;
    // A time in which J changes by a good part of itself.
    first_crossing_ = .2 * std::pow(tolerance_, .1) / further.pace;
  }
}

void SingularityCrossing::check(const State& state, RankCheck& seen) {
  branch_.check(state.t, part_.q(state.y), part_.v(state.y), seen);
}

void SingularityCrossing::settle(const State& state) {
  const double rate = now_.rate, pace = now_.pace;
  check(state, now_);
  branch_.remember(state.t, part_.q(state.y));
  predict();
  if (now_.sigma > 0) return;
  // On the position itself, where an event cut a singular step: nothing is seen, but what was seen before still holds.
  now_.rate = -std::abs(rate);
  now_.pace = pace;
  position_ = state.t;
}

/// Two checks on the way: the prediction t + D of each misses by c D^2.
void SingularityCrossing::predict() {
  const double t = now_.t, D = now_.ahead(), before = previous_;
  position_ = t + D;
  if (D > 0 && before > D && before < 4 * D && t > previous_t_) {
    const double c = ((previous_t_ + before) - (t + D)) / (before * before - D * D);
    const double better = D - c * D * D;
    if (better > .5 * D && better < 2 * D) position_ = t + better;
  }
  previous_t_ = t;
  previous_ = D;
}

double SingularityCrossing::noise_distance() const {
  const double slope = std::max(std::abs(now_.rate), 1e-12);
  return std::sqrt(branch_.noise() * std::max(now_.spread, 1e-3) / (slope * tolerance_));
}

// Not shorter than the formula can do easily, whatever the method needs: its own equations are the worse conditioned
// the nearer it comes. 1/pace is the time in which J changes by its own size.
double SingularityCrossing::window(double wanted) const {
  const double gap = starts_on_it_ ? gauss_.c[0] : gauss_.central_gap();
  const double easy = ease_ / std::max(now_.pace, 1e-12);
  const double easily =
      std::min(std::max(singular::longer_than_method * wanted, easy), reach_ / std::max(now_.pace, 1e-12));
  return std::min(std::max(easily, noise_distance() / gap), cap_);
}

/// Twice the distance puts the position between the middle nodes. Where that cannot be, the length whose nodes keep
/// farthest away.
double SingularityCrossing::choose(double window, double ahead, double wanted) const {
  double best = -1, chosen = window;
  const auto try_length = [&](double H) {
    const double distance = clearance(H, ahead);
    if (distance > best) {
      best = distance;
      chosen = H;
    }
  };
  if (fixed_) {  // whole steps, so that the grid goes on
    const double longest = std::max(2 * ahead + wanted, window);
    for (int m = 1; m * wanted <= longest * (1 + 1e-9) + wanted && m < 10000; ++m)
      if (m * wanted >= .5 * window && m * wanted <= cap_ && ahead <= .9 * m * wanted) try_length(m * wanted);
    return chosen;
  }
  if (ahead > singular::centrable * window && proposals_ == 0) return 2 * ahead;
  for (int k = 0; k <= singular::lengths; ++k)
    try_length(window * (singular::lengths_from + k * singular::lengths_step));
  return chosen;
}

SingularityCrossing::Proposal SingularityCrossing::propose(const State& from, double wanted, double step) {
  if (idle_) return {Proposal::Way::step, step};
  if (const double left = wait_until_ - from.t; left > singular::crumb * wait_)
    return {Proposal::Way::step, std::min(step, left)};
  const bool blocked = from.t < blocked_until_;
  double H = window(wanted);
  if (now_.t != from.t &&
      (proposals_ > 0 || blocked || position_ - from.t < singular::watch_ahead * (H / 2 + step))) {
    const double known = position_;
    settle(from);
    H = window(wanted);
    if (proposals_ > 0) position_ = known;  // seen from nearer than from here
  }
  const double D = position_ - from.t;
  if (blocked)
    return {Proposal::Way::step,
            fixed_ ? step : std::min(step, std::max(singular::turning_step * std::abs(D), 1e-13))};
  if (proposals_ == 0 && std::abs(D) * now_.pace > singular::in_sight) return {Proposal::Way::step, step};
  if (!fixed_ && failures_ > singular::most_failures && std::abs(D) * now_.pace < singular::in_the_way)
    return {Proposal::Way::cross, std::min(std::max(2 * D, H), cap_)};
  if (fixed_) {
    if (D >= 0 && D < .5 * H + wanted) return {Proposal::Way::cross, choose(H, D, wanted)};
  } else if (D >= 0 && D <= singular::centred * H) {
    return {Proposal::Way::cross, choose(H, D, wanted)};
  } else if (D > 0 && D < .5 * H + step) {
    return {Proposal::Way::step, D - .5 * H};
  }
  if (D < 0 && -D < singular::just_behind * H && !fixed_) return {Proposal::Way::cross, H};
  return {Proposal::Way::step, step};
}

/// Did sigma pass zero between two checks?
bool SingularityCrossing::meet(const RankCheck& a, const RankCheck& b, double& t) const {
  const double span = singular::meeting_margin * (b.t - a.t), Da = a.ahead(), Db = b.ahead();
  if (Da >= 0 && Db <= 0 && Da < span && -Db < span) {
    t = Da < -Db ? a.t + Da : b.t + Db;
    return true;
  }
  return false;
}

SingularityCrossing::Seen SingularityCrossing::check_step(double begin, double end, const Inside& inside) {
  if (idle_) return Seen::nothing;
  ahead_.t = begin;
  const State& to = inside(end);
  if (!to.y.head(part_.differential()).allFinite()) return Seen::nothing;
  // How far q may be off, in units of time: `to` itself is overwritten by checks inside.
  const double blur =
      singular::not_told_apart * tolerance_ * (1 + largest(part_.q(to.y))) / largest(part_.v(to.y));
  if (begin < blocked_until_) {
    check(to, ahead_);
    if (lost(blur)) return Seen::crossing;
    return branch_.orientation(now_, ahead_) < 0 ? Seen::jump : Seen::nothing;
  }
  const double change = branch_.change(end, part_.q(to.y));
  // Singular values move by no more than A does.
  if (change < singular::moved_little * now_.sigma) return Seen::nothing;
  if (change < singular::moved_nearly * now_.sigma &&
      end - now_.t < singular::foreseen * std::abs(now_.ahead()))
    return Seen::nothing;
  check(to, ahead_);
  const double sigmas = now_.sigma + ahead_.sigma, span = end - now_.t;
  if (change < .5 * sigmas) return Seen::nothing;
  const bool far = std::abs(now_.ahead()) > 2 * span && std::abs(ahead_.ahead()) > 2 * span;
  const double wanted = far ? change / singular::turned : 2 * change / std::max(sigmas, 1e-300);
  const int pieces = std::clamp(static_cast<int>(std::ceil(wanted)), far ? 1 : 2, singular::most_pieces);
  if (pieces == 1) return Seen::nothing;
  if (now_.t < begin)
    check(inside(begin), last_);
  else
    last_ = now_;
  double t = 0;
  for (int k = 1; k <= pieces; ++k) {
    if (k == pieces) {
      next_ = ahead_;
    } else {
      const State& state = inside(begin + (end - begin) * k / pieces);
      if (!state.y.head(part_.differential()).allFinite()) continue;
      check(state, next_);
    }
    const bool met = meet(last_, next_, t);
    if (met || (!far && branch_.orientation(last_, next_) < 0)) {
      if (!met) t = (last_.t + next_.t) / 2;
      position_ = std::clamp(t, begin, end);
      if (++proposals_ > singular::most_proposals)
        refuse(Outcome::undecided, "no step before it ends short of it");
      return Seen::crossing;
    }
    last_ = next_;
  }
  return lost(blur) ? Seen::crossing : Seen::nothing;
}

/// So near to dependent rows, without passing them, that errors of the size of the tolerance decide where the motion goes
/// from here? Then nobody knows, and the run ends.
bool SingularityCrossing::lost(double blur) {
  if (!(ahead_.sigma < ahead_.pace * blur)) return false;
  position_ = ahead_.t;
  refuse(Outcome::undecided,
         "the motion stays nearer to them than the tolerance, and which way it leaves is chance; tighten the "
         "tolerance");
  return true;
}

void SingularityCrossing::arrive(const State& state) {
  if (idle_) return;
  here_ = state.t;
  proposals_ = failures_ = 0;
  if (ahead_.t == state.t) {
    std::swap(now_, ahead_);
    branch_.remember(state.t, part_.q(state.y));
    predict();
  }
  ahead_.t = -never;
}

void SingularityCrossing::land(const State& state) {
  if (state.t == step_.end().t) ahead_ = step_.quality().end;
  arrive(state);
}

void SingularityCrossing::remember(Memory& memory) {
  memory(branch_, track_.from, now_, ahead_, position_, previous_t_, previous_, here_, cap_, reach_,
         blocked_until_, wait_until_, wait_, last_gap_, same_gap_, gaps_, proposals_, failures_, idle_,
         starts_on_it_, met_, first_crossing_, outcome_, message_, records_);
}

}  // namespace dalembert
