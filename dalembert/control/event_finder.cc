#include "dalembert/control/event_finder.h"

#include <algorithm>
#include <cmath>

namespace dalembert {

namespace {

constexpr double noise_of_rest = 1e-9;  // of what fixed steps leave where something comes to rest
constexpr double together = 1e-11;      // roots closer than this (relative to t and h) are one instant

bool crosses(Direction direction, double before, double after) {
  const bool falls = before > 0 && after <= 0, rises = before < 0 && after >= 0;
  return direction == Direction::falling ? falls : direction == Direction::rising ? rises : falls || rises;
}

}  // namespace

EventFinder::EventFinder(const Events& events, const Problem& original, const Tolerance* tolerance)
    : events_(events), depth_(events.need_multipliers() ? Depth::multipliers : Depth::coordinates) {
  fixed_ = tolerance == nullptr;
  scale_ = (fixed_ ? Tolerance{noise_of_rest, noise_of_rest} : *tolerance).on(original.layout());
  const auto count = static_cast<Eigen::Index>(events.list().size());
  original_.y = Vector::Zero(original.layout().size());
  now_ = e_ = left_ = end_ = most_ = sway_ = blur_ = until_ = side_ = Vector::Zero(count);
  at_zero_.assign(events.list().size(), false);
  passed_ = at_zero_;
}

void EventFinder::arm(const State& original, After after, const Happened& happened) {
  events_.values(original, now_);
  after_ = after;
  fresh_ = true;
  const auto mark = [](const std::vector<std::size_t>& those, std::vector<bool>& all) {
    all.assign(all.size(), false);
    for (const std::size_t i : those) all[i] = true;
  };
  mark(happened.events, at_zero_);
  mark(happened.passed, passed_);
  for (std::size_t i = 0; i < at_zero_.size(); ++i) {
    const double value = now_[static_cast<Eigen::Index>(i)];
    const Event& event = events_.list()[i];
    const bool begins = after == After::nothing && (event.guard || event.departs);
    // Others may be as near to zero there, on their way in the other direction.
    const bool beside = after != After::nothing && std::abs(value) <= blur_[static_cast<Eigen::Index>(i)];
    at_zero_[i] = at_zero_[i] || beside || value == 0 || (begins && value < 0) ||
                  (begins && event.departs && value <= allowed(i, original));
  }
  measure_rounding(original);
}

/// A value that has always been zero (balls that touch) is a difference of numbers all the same: entries are moved by what rounding may
/// move them, neighbours in opposite directions and in the same one.
void EventFinder::measure_rounding(const State& original) {
  sway_.setZero();
  if (std::find(at_zero_.begin(), at_zero_.end(), true) == at_zero_.end()) return;
  constexpr double moved = 1e-15;
  for (const Eigen::Index period : {1, 2}) {
    original_ = original;
    original_.t *= 1 + moved;
    for (Eigen::Index i = 0; i < original_.y.size(); ++i)
      original_.y[i] *= 1 + (i / period % 2 == 0 ? moved : -moved);
    events_.values(original_, e_);
    for (Eigen::Index i = 0; i < e_.size(); ++i)
      if (const double change = std::abs(e_[i] - now_[i]); std::isfinite(change))
        sway_[i] = std::max(sway_[i], change);
  }
}

double EventFinder::at(const State& rewritten, std::size_t event) {
  if (track_->formulation.recover(rewritten, original_, depth_) != Outcome::ok) return not_a_number;
  events_.values(original_, e_);
  return e_[static_cast<Eigen::Index>(event)];
}

const Vector& EventFinder::values(double theta) {
  track_->recover_at(track_->from.t + theta * (track_->to.t - track_->from.t), original_, depth_);
  events_.values(original_, e_);
  return e_;
}

std::optional<double> EventFinder::first_root(std::size_t event) {
  const auto i = static_cast<Eigen::Index>(event);
  const Direction direction = events_.list()[event].direction;
  for (std::size_t k = 0; k + 1 < samples_.size(); ++k)
    if (const double e0 = samples_[k].e[i], e1 = samples_[k + 1].e[i]; crosses(direction, e0, e1)) {
      const double theta = locate(event, samples_[k].theta, e0, samples_[k + 1].theta, e1);
      const double there = std::abs(values(theta)[i]);
      if (there <= 10 * std::max(std::abs(e0), std::abs(e1)))
        return theta;  // else the sign changes at a pole
    }
  return {};
}

// Regula falsi with the Illinois rule: superlinear, never leaves the bracket. What is still not there after a dozen rounds is steep:
// every other round halves the bracket then.
double EventFinder::locate(std::size_t event, double a, double ea, double b, double eb) {
  for (int round = 0; round < 140 && eb != 0 && std::abs(b - a) > 1e-15; ++round) {
    double c = b - eb * (b - a) / (eb - ea);
    const bool outside = !(c >= std::min(a, b) && c <= std::max(a, b));  // next to a pole
    if (outside || (round >= 12 && round % 2 == 0)) c = (a + b) / 2;
    const double ec = values(c)[static_cast<Eigen::Index>(event)];
    if (ec * eb < 0) {
      a = b;
      ea = eb;
    } else {
      ea /= 2;
    }
    b = c;
    eb = ec;
  }
  return b;
}

// The dense output is less accurate than the step. Steps of their own, shortened by Newton's method with the slope of
// the dense output, end on the crossing with the full accuracy of the method.
Attempt EventFinder::land(std::size_t event, double theta, double slope, double size, double& h) {
  const State& from = track_->from;
  State& to = track_->to;
  const double longest = h;
  Attempt attempt;
  jumped_ = false;
  h *= theta;
  double before = 0, e_before = 0;  // the length before this one
  double low = 0, high = 0;         // lengths on either side, the last ones that were met
  for (int round = 0; round < 12; ++round) {
    attempt = track_->method.attempt(from, h, to);
    if (attempt.outcome != Outcome::ok) return attempt;
    double e = at(to, event);
    ((e > 0) == (slope > 0) ? high : low) = h;
    // Where the method iterates, values near zero are noise; a jump leaves them as large as beside it.
    if (round > 3 && low > 0 && high > low && std::abs(e) > 0.5 * size)
      return land_on_jump(event, slope > 0 ? 1 : -1, low, high, h);
    // Farther away than before: it is steeper here than the dense output says. Back, with the slope that was met.
    const bool astray = round > 0 && !(std::abs(e) <= 2 * std::abs(e_before));
    if (astray) {
      slope = (e - e_before) / (h - before);
      h = before;
      e = e_before;
    }
    const double change = -e / slope;
    const bool there = !(std::abs(change) > 2e-15 * (h + std::abs(from.t)));
    if (there || !(h + change > 0 && h + change <= longest)) {
      if (astray) attempt = track_->method.attempt(from, h, to);
      break;  // at rounding, or a slope that misleads: this end is good
    }
    before = h;
    e_before = e;
    h += change;
  }
  return attempt;
}

/// Values that jump have no slope to go by: the bracket is halved, and the step ends behind the jump.
Attempt EventFinder::land_on_jump(std::size_t event, int direction, double low, double high, double& h) {
  const State& from = track_->from;
  State& to = track_->to;
  Attempt attempt;
  jumped_ = true;
  while (high - low > 2e-15 * (high + std::abs(from.t))) {
    h = (low + high) / 2;
    attempt = track_->method.attempt(from, h, to);
    if (attempt.outcome != Outcome::ok) return attempt;
    (direction * at(to, event) > 0 ? high : low) = h;
  }
  h = high;
  return track_->method.attempt(from, h, to);
}

std::optional<EventFinder::Found> EventFinder::search(Track& track, double& h,
                                                      std::span<const double> narrow) {
  track_ = &track;
  const State& from = track.from;
  if (auto again = sample(narrow); !again.empty()) return Found{std::move(again), {}, true};
  if (const auto lost = astray()) {
    if (lost->again) return Found{{lost->event}, {}, true};
    return Found{.events = {}, .attempt = {}, .unclear = Unclear{lost->event, Unclear::Why::turned}};
  }
  if (const auto unclear = refine()) return Found{.events = {}, .attempt = {}, .unclear = unclear};
  look_closer();
  std::vector<Root> roots;
  for (std::size_t event = 0; event < at_zero_.size(); ++event)
    if (const auto theta = first_root(event)) roots.push_back({event, *theta});
  if (roots.empty()) return {};
  std::sort(roots.begin(), roots.end(), [](const Root& a, const Root& b) {
    return a.theta != b.theta ? a.theta < b.theta : a.event < b.event;
  });
  const Root first = roots.front();
  Found found;
  for (const Root& root : roots)
    if ((root.theta - first.theta) * h <= together * (h + std::abs(from.t)))
      found.events.push_back(root.event);
  std::sort(found.events.begin(), found.events.end());

  const auto i = static_cast<Eigen::Index>(first.event);
  double slope = 0, size = 0;
  for (double apart = 1e-4; apart > 1e-14; apart /= 10) {  // nearer, where it is back on its side
    const double before = std::max(0.0, first.theta - apart), after = std::min(1.0, first.theta + apart);
    const double e0 = values(before)[i], e1 = values(after)[i];
    slope = (e1 - e0) / ((after - before) * h);
    size = std::abs(e1 - e0) / 2;
    if (e0 * e1 <= 0) break;
  }
  found.attempt = land(first.event, first.theta, slope, size, h);
  if (found.attempt.outcome == Outcome::ok) {
    at(track.to, first.event);
    left_ = e_.cwiseAbs();
    if (jumped_) left_[i] = 0;  // behind a jump it is on its other side, and not near zero
  }
  return found;
}

void EventFinder::advance() {
  now_ = end_;
  fresh_ = false;
  bool any = false;
  for (std::size_t i = 0; i < at_zero_.size(); ++i) {  // in a step so short that it has not left zero yet
    const auto k = static_cast<Eigen::Index>(i);
    const bool behind = events_.list()[i].departs && now_[k] < 0;
    const double unclear = std::max({2 * left_[k], rounding * most_[k], sway_[k], blur_[k]});
    at_zero_[i] = at_zero_[i] && (behind || std::abs(now_[k]) <= unclear);
    any = any || at_zero_[i];
  }
  if (!any) after_ = After::nothing;
}

}  // namespace dalembert
