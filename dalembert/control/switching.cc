#include "dalembert/control/switching.h"

#include <algorithm>
#include <cmath>

namespace dalembert {

namespace {

constexpr int samples = 8;  // of a step: what switches forth and back between two of them is not seen
constexpr double sharpness = 1e-12;  // of the step, with which a switch is located
// What switches again and again in no time has no motion between the switches (it slides along one): steps cannot end on them.
constexpr int most_in_place = 50;

}  // namespace

Switching::Switching(const Problem& problem, const State& start, double end)
    : problem_(problem), end_(end), original_(start), piece_(problem.piece(start)) {}

std::uint64_t Switching::piece(const Track& track, double theta, double step) {
  track.recover_at(theta < 1 ? track.from.t + theta * step : track.to.t, original_, Depth::positions);
  return problem_.piece(original_);
}

std::optional<Attempt> Switching::land(Track& track, double& step) {
  next_.reset();
  if (in_place_ > most_in_place) return {};
  double same = 0, other = 0;
  std::uint64_t there = piece_;
  for (int k = 1; k <= samples && there == piece_; ++k) {
    same = other;
    other = static_cast<double>(k) / samples;
    there = piece(track, other, step);
  }
  if (there == piece_) {
    in_place_ = 0;
    return {};
  }
  while (other - same > sharpness) {
    const double middle = (same + other) / 2;
    const std::uint64_t here = piece(track, middle, step);
    if (here == piece_)
      same = middle;
    else
      other = middle, there = here;
  }
  const double t = track.from.t;
  if (other * step <= 1e-11 * std::max(std::abs(t), end_ - t)) {
    ++in_place_;
    piece_ = there;
    return {};
  }
  step *= other;
  next_ = there;
  return track.method.attempt(track.from, step, track.to);
}

bool Switching::pass() {
  if (!next_) return false;
  piece_ = *next_;
  next_.reset();
  return true;
}

void Switching::arrive(const State& original) {
  next_.reset();
  piece_ = problem_.piece(original);
}

}  // namespace dalembert
