#include "dalembert/control/switching.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dalembert {

namespace {

// Of a step. Those next to its ends show where a condition is heading.
constexpr std::array<double, 11> places = {0, .02, .125, .25, .375, .5, .625, .75, .875, .98, 1};
constexpr double sharpness = 1e-12;  // of the step, with which a switch is located
constexpr int most_rounds = 20;
// What switches again and again in no time has no motion between the switches (it slides along one): steps cannot end on them.
constexpr int most_in_place = 50;

}  // namespace

Switching::Switching(const Problem& problem, const State& start, double end)
    : problem_(problem), end_(end), original_(start), piece_(problem.piece(start)) {}

const Piece& Switching::piece(const Track& track, double theta, double step) {
  track.recover_at(theta < 1 ? track.from.t + theta * step : track.to.t, original_, Depth::positions);
  return seen_ = problem_.piece(original_);
}

/// The first theta at which the motion is on another piece; none if it stays on its own.
std::optional<double> Switching::first(const Track& track, double step) {
  std::array<std::vector<double>, places.size()> margins;
  margins[0] = piece(track, 0, step).margins;
  double same = 0;
  std::optional<double> other;
  for (std::size_t k = 1; k < places.size() && !other; ++k) {
    if (!(piece(track, places[k], step) == piece_)) {
      other = places[k];
      break;
    }
    margins[k] = seen_.margins;
    // What dips between three places may have gone the other way and come back.
    for (std::size_t i = 0; k > 1 && i < margins[k].size() && !other; ++i) {
      if (margins[k - 1].size() != margins[k].size() || margins[k - 2].size() != margins[k].size()) break;
      const double before = std::abs(margins[k - 2][i]), here = std::abs(margins[k - 1][i]),
                   after = std::abs(margins[k][i]);
      if (here < before && here <= after && here < 1.5 * std::max(before, after) - 1.5 * here)
        other = dip(track, step, places[k - 2], places[k], i);
    }
    if (!other) same = places[k - 1];  // a dip that is not over yet may still be there
  }
  if (!other) return {};
  if (*other <= same) same = 0;
  Piece there = piece(track, *other, step);
  while (*other - same > sharpness) {
    const double middle = (same + *other) / 2;
    if (piece(track, middle, step) == piece_)
      same = middle;
    else
      other = middle, there = seen_;
  }
  next_ = there;
  return other;
}

std::optional<double> Switching::dip(const Track& track, double step, double a, double b,
                                     std::size_t condition) {
  constexpr double golden = 0.618033988749895;
  const auto at = [&](double theta) {
    piece(track, theta, step);
    return condition < seen_.margins.size() ? std::abs(seen_.margins[condition]) : 0.0;
  };
  double left = b - golden * (b - a), right = a + golden * (b - a);
  double left_size = at(left);
  if (!(seen_ == piece_)) return left;
  double right_size = at(right);
  if (!(seen_ == piece_)) return right;
  for (int round = 0; round < 40 && b - a > sharpness; ++round) {
    const bool go_left = left_size < right_size;
    if (go_left) {
      b = right;
      right = left;
      right_size = left_size;
      left = b - golden * (b - a);
      left_size = at(left);
    } else {
      a = left;
      left = right;
      left_size = right_size;
      right = a + golden * (b - a);
      right_size = at(right);
    }
    if (!(seen_ == piece_)) return go_left ? left : right;
  }
  return {};
}

std::optional<Attempt> Switching::land(Track& track, double& step) {
  next_.reset();
  if (in_place_ > most_in_place) return {};
  const double t = track.from.t, shortest = 1e-11 * std::max(std::abs(t), end_ - t);
  std::optional<Attempt> made;
  // Stages behind a switch spoil the dense output in front of it: a step that was made once more may show it elsewhere.
  for (int round = 0; round < most_rounds; ++round) {
    const auto theta = first(track, step);
    if (!theta) {
      if (!made) in_place_ = 0;
      return made;
    }
    if (*theta * step <= shortest) {
      ++in_place_;
      piece_ = *next_;
      next_.reset();
      return made;
    }
    if (made && *theta > 1 - 1e-9) return made;
    step *= *theta;
    made = track.method.attempt(track.from, step, track.to);
    if (made->outcome != Outcome::ok || made->error > 1) return made;
  }
  made->error = std::max(made->error, 2.0);  // no end of switches in sight: a shorter step will see them
  return made;
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
