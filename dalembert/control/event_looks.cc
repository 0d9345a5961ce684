// The first half of EventFinder: where values are looked at along a step, until they show how each of them goes.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "dalembert/control/event_finder.h"

namespace dalembert {

namespace {

constexpr int pieces = 12;  // samples per step, if they show enough
constexpr int most_samples = 400;
constexpr double rough =
    0.1;  // relative to its size over the step, a sample is this far from what its neighbours tell
constexpr double noise = 1e-13;   // relative to its size over the step, a value below this has not left zero
constexpr double at_once = 1e-6;  // of a step, sooner is not seen

/// A place that is not quite the one given: a function whose period is the distance of even places would look constant.
double uneven(double place, std::size_t k) {
  return place + 0.3 * (std::fmod(0.6180339887 * static_cast<double>(k), 1.0) - 0.5);
}

}  // namespace

std::vector<std::size_t> EventFinder::sample(std::span<const double> narrow) {
  samples_.clear();
  samples_.push_back({0, now_});
  until_.setZero();
  const auto add = [&](double theta) { samples_.push_back({theta, values(theta)}); };
  // After an event, a ladder of short looks: however soon the function returns to zero, one of them lies before.
  if (std::find(at_zero_.begin(), at_zero_.end(), true) != at_zero_.end())
    for (double theta = 1e-10; theta < 0.5 / pieces; theta *= 10) add(theta);
  for (int k = 1; k < pieces; ++k) add(uneven(k, static_cast<std::size_t>(k)) / pieces);
  add(1);
  for (const double t : narrow)
    if (const double theta = (t - track_->from.t) / (track_->to.t - track_->from.t); theta > 0 && theta < 1)
      add(theta);
  std::sort(samples_.begin(), samples_.end(),
            [](const Sample& a, const Sample& b) { return a.theta < b.theta; });
  end_ = samples_.back().e;
  most_ = most_.cwiseMax(end_.cwiseAbs());
  measure_blur();
  std::vector<std::size_t> again;
  for (std::size_t i = 0; i < at_zero_.size(); ++i)
    if (at_zero_[i] && settle(i)) again.push_back(i);
  return again;
}

/// Times have rounding, too: late in a run it moves values by more than their own.
void EventFinder::measure_blur() {
  constexpr double times = 4,
                   apart = 100;  // roundings of t: within a look, and those that slopes are measured over
  const double t = std::max(std::abs(track_->from.t), std::abs(track_->to.t)),
               h = track_->to.t - track_->from.t, ulp = std::numeric_limits<double>::epsilon() * t;
  blur_.setZero();
  if (h < apart * ulp)  // all of it
    for (const Sample& s : samples_) blur_ = blur_.cwiseMax((s.e - samples_.front().e).cwiseAbs());
  for (std::size_t k = 0; k + 1 < samples_.size(); ++k) {
    const double gap = (samples_[k + 1].theta - samples_[k].theta) * h;
    if (gap < apart * ulp) continue;
    for (Eigen::Index i = 0; i < blur_.size(); ++i)
      if (const double change = std::abs(samples_[k + 1].e[i] - samples_[k].e[i]); std::isfinite(change))
        blur_[i] = std::max(blur_[i], times * ulp / gap * change);
  }
}

// An event that has just happened starts from zero, but for the error with which it was located. Its side is the one towards
// which it leaves its first value; what is nearer to zero than that error is not a crossing.
bool EventFinder::settle(std::size_t event) {
  const auto i = static_cast<Eigen::Index>(event);
  double size = 0;
  for (const Sample& s : samples_) size = std::max(size, std::abs(s.e[i]));
  most_[i] = std::max(most_[i], size);
  // Values are differences of numbers as large as they ever were: in a short step only rounding may be left of them.
  const double unclear = std::max({noise * size, rounding * most_[i], sway_[i], blur_[i]});
  const double first = samples_.front().e[i];
  // What is left where the step ends on the event; if there is more now, the response has moved it away.
  const double zero = std::abs(first) <= 2 * left_[i] ? first : 0;
  std::size_t k = 0;
  while (k + 1 < samples_.size() && std::abs(samples_[k].e[i] - zero) <= unclear) ++k;
  const bool clear = std::abs(samples_[k].e[i] - zero) > unclear || events_.list()[event].guard;
  const double side = zero == 0 ? samples_[k].e[i] : samples_[k].e[i] - zero;
  until_[i] = samples_[k].theta, side_[i] = side;
  for (std::size_t j = 0; j < samples_.size(); ++j) {
    const double e = samples_[j].e[i];
    if (j >= k && !(e * side < 0 && std::abs(e) <= 2 * std::abs(zero))) break;
    samples_[j].e[i] = side;
  }
  const Direction direction = events_.list()[event].direction;
  const bool through =
      clear && (direction == Direction::falling ? side < 0 : direction == Direction::rising && side > 0);
  if (through && events_.list()[event].guard) return true;
  return through && after_ == After::change && !passed_[event];
}

/// Once it is known on which side events leave zero, what is nearer to it tells nothing.
EventFinder::Sample EventFinder::look(double theta) {
  Sample seen{theta, values(theta)};
  for (Eigen::Index i = 0; i < seen.e.size(); ++i)
    if (theta < until_[i]) seen.e[i] = side_[i];
  return seen;
}

std::optional<EventFinder::Astray> EventFinder::astray() {
  for (std::size_t i = 0; i < at_zero_.size(); ++i) {
    if (!at_zero_[i] || !events_.list()[i].departs) continue;
    const auto k = static_cast<Eigen::Index>(i);
    // What is left of it where something comes to rest has any sign, but not for long.
    auto left = samples_.begin() + 1;
    while (left->theta < at_once) ++left;
    std::for_each(samples_.begin(), left, [&](Sample& s) { s.e[k] = left->e[k]; });
    if (std::any_of(left, samples_.end(), [&](const Sample& s) { return s.e[k] >= 0; })) continue;
    const bool again = !fresh_ && now_[k] < 0;
    // Of fixed steps the first one is believed: nothing tells what it may be wrong by.
    const bool far = fixed_ ? again && end_[k] < now_[k] : end_[k] < -allowed_at_start(i);
    if (far) return Astray{i, again};
  }
  return {};
}

double EventFinder::allowed_at_start(std::size_t event) {
  State here = original_;
  track_->recover_from(here, depth_);
  return allowed(event, here);
}

double EventFinder::allowed(std::size_t event, const State& here) {
  State moved = here;
  const auto i = static_cast<Eigen::Index>(event);
  events_.values(here, e_);
  const double value = e_[i];
  double sum = 0;
  for (Eigen::Index k = 0; k < here.y.size(); ++k) {
    moved.y[k] += scale_.of(k, std::abs(here.y[k]));
    events_.values(moved, e_);
    moved.y[k] = here.y[k];
    sum += std::abs(e_[i] - value);
  }
  return sum;
}

// Values that vary slowly from sample to sample lie near the cubic polynomial through their neighbours. Where they do not, the
// function may have crossed zero and come back unseen: samples are doubled. A jump is rough however near one looks, but in
// one place only.
std::optional<EventFinder::Unclear> EventFinder::refine() {
  for (const Sample& s : samples_)
    for (Eigen::Index i = 0; i < s.e.size(); ++i)
      if (std::isnan(s.e[i])) return Unclear{static_cast<std::size_t>(i), Unclear::Why::undefined};
  auto [count, event] = roughest();
  for (double apart = 1.0 / pieces; count > 0 && samples_.size() < most_samples; apart /= 2) {
    std::vector<Sample> finer;
    for (std::size_t k = 0; k < samples_.size(); ++k) {
      const double before = k > 0 ? samples_[k - 1].theta : 0, gap = samples_[k].theta - before;
      if (gap > 0.6 * apart) {
        const double theta = before + uneven(0.5, k) * gap;
        finer.push_back(look(theta));
      }
      finer.push_back(samples_[k]);
    }
    samples_ = std::move(finer);
    std::tie(count, event) = roughest();
  }
  if (count > static_cast<int>(samples_.size()) / 8)
    return Unclear{static_cast<std::size_t>(event), Unclear::Why::oscillates};
  return {};
}

std::pair<int, Eigen::Index> EventFinder::roughest() const {
  std::pair<int, Eigen::Index> worst{0, 0};
  for (Eigen::Index i = 0; i < now_.size(); ++i) {
    double size = rounding / rough * most_[i];
    for (const Sample& s : samples_) size = std::max(size, std::abs(s.e[i]));
    int count = 0;
    for (std::size_t k = 2; k + 2 < samples_.size(); ++k)
      count += !(std::abs(samples_[k].e[i] - from_neighbours(k, i)) <= rough * size);
    worst = std::max(worst, {count, i});
  }
  return worst;
}

// Lagrange's polynomial through two samples on each side.
double EventFinder::from_neighbours(std::size_t k, Eigen::Index event) const {
  const std::array<std::size_t, 4> nodes = {k - 2, k - 1, k + 1, k + 2};
  double sum = 0;
  for (const std::size_t a : nodes) {
    double product = samples_[a].e[event];
    for (const std::size_t b : nodes)
      if (b != a)
        product *= (samples_[k].theta - samples_[b].theta) / (samples_[a].theta - samples_[b].theta);
    sum += product;
  }
  return sum;
}

// A touch that crosses and returns within one piece is seen where the function comes closest. A step may have many such places:
// all are looked at.
void EventFinder::look_closer() {
  constexpr int rounds = 6, most_looks = 300;
  for (Eigen::Index i = 0; i < now_.size(); ++i) {
    int looks = 0, round = 0;
    for (std::size_t k = 1; k + 1 < samples_.size() && looks < most_looks;) {
      const auto theta = round < rounds ? nearest_to_zero(k, i) : std::nullopt;
      if (!theta) {
        round = 0;
        ++k;
        continue;
      }
      samples_.insert(samples_.begin() + static_cast<std::ptrdiff_t>(*theta < samples_[k].theta ? k : k + 1),
                      look(*theta));
      ++looks;
      ++round;
      if (k > 1) --k;  // the middle of the three nearest to zero may be another one now
    }
  }
}

// Where the parabola through three samples of one sign comes closest to zero, if it is the middle one that is nearest. The first
// and the last piece have a neighbour on one side only: there the parabola may miss the place by as much as the piece is long, and
// shorter pieces tell.
std::optional<double> EventFinder::nearest_to_zero(std::size_t middle, Eigen::Index event) const {
  constexpr double apart = 1e-6;
  const Sample &s0 = samples_[middle - 1], &s1 = samples_[middle], &s2 = samples_[middle + 1];
  const double e0 = s0.e[event], e1 = s1.e[event], e2 = s2.e[event];
  if (!(e0 * e1 > 0 && e1 * e2 > 0)) return {};
  const double a = s1.theta - s0.theta, b = s2.theta - s1.theta;
  const double slope = (e1 - e0) / a, bend = ((e2 - e1) / b - slope) / (a + b);
  if (!(bend * e1 > 0)) return {};
  const double theta = s1.theta - (slope + bend * a) / (2 * bend);
  const bool from_first = std::abs(e0) < std::abs(e1), from_last = std::abs(e2) < std::abs(e1);
  if (from_first && middle > 1) return {};
  if (from_last && middle + 2 < samples_.size()) return {};
  if (theta > s0.theta + apart && theta < s2.theta - apart)
    return std::abs(theta - s1.theta) >= apart ? std::optional(theta) : std::nullopt;
  if (from_first && a > apart && theta > s0.theta - a) return s0.theta + a / 4;
  if (from_last && b > apart && theta < s2.theta + b) return s2.theta - b / 4;
  return {};
}

}  // namespace dalembert
