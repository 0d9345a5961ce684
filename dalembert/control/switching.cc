#include "dalembert/control/switching.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace dalembert {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();
// Of a step. Those next to its ends show where a condition is heading.
constexpr std::array<double, 11> places = {0, .02, .125, .25, .375, .5, .625, .75, .875, .98, 1};
constexpr double sharpness = 1e-14;  // of the step, with which a switch is located
constexpr int most_rounds = 20, patient_rounds = 4;
constexpr double haze =
    1e-7;  // of the step: where Newton's iteration leaves the end so open, it counts as a line
constexpr double near = 1e-13;     // of the time that is past or left: what is closer is the same place
constexpr double straight = 1e-4;  // of the step: the motion is a line over much less
// What switches again and again in no time has no motion between the switches (it slides along one): steps cannot end on them.
constexpr int most_in_place = 50;
constexpr std::int64_t enough = 1000;  // steps on a switch, to tell how long it will take

}  // namespace

Switching::Switching(const Problem& problem, const State& start, double end)
    : problem_(problem), end_(end), original_(start), piece_(problem.piece(start)) {}

const Piece& Switching::piece(const Track& track, double theta, double step) {
  track.recover_at(theta < 1 ? track.from.t + theta * step : track.to.t, original_, Depth::coordinates);
  return seen_ = problem_.piece(original_);
}

/// The last theta before the motion goes over to another piece; none if it stays on its own. It is on it at the first place.
std::optional<double> Switching::last(const Track& track, double step, std::size_t first) {
  std::array<std::vector<double>, places.size()> margins;
  margins[first] = piece(track, places[first], step).margins;
  double same = places[first];
  std::optional<double> other;
  for (std::size_t k = first + 1; k < places.size() && !other; ++k) {
    if (!(piece(track, places[k], step) == piece_)) {
      other = places[k];
      break;
    }
    margins[k] = seen_.margins;
    // What dips between three places may have gone the other way and come back.
    for (std::size_t i = 0; k > first + 1 && i < margins[k].size() && !other; ++i) {
      if (margins[k - 1].size() != margins[k].size() || margins[k - 2].size() != margins[k].size()) break;
      const double before = std::abs(margins[k - 2][i]), here = std::abs(margins[k - 1][i]),
                   after = std::abs(margins[k][i]);
      if (here < before && here <= after && here < 1.5 * std::max(before, after) - 1.5 * here)
        other = dip(track, step, places[k - 2], places[k], i);
    }
    if (!other) same = places[k - 1];  // a dip that is not over yet may still be there
  }
  if (!other) return {};
  if (*other <= same) same = places[first];
  const double apart = std::max(sharpness, 2 * rounding * std::abs(track.from.t) / step);
  while (*other - same > apart) {
    const double middle = (same + *other) / 2;
    (piece(track, middle, step) == piece_ ? same : *other) = middle;
  }
  return same;
}

/// How large the margins at the beginning of the step must be to say anything: moving all entries of the state by some units in
/// their last place, up or down, changes them by so much.
std::vector<double> Switching::undecided_margins(const Track& track) {
  const std::vector<double> margins = piece(track, 0, 0).margins;
  const State here = original_;
  std::vector<double> most(margins.size());
  for (unsigned pattern = 1; pattern <= 4; ++pattern) {
    for (Eigen::Index i = 0; i < here.y.size(); ++i) {
      const bool up = (static_cast<std::uint32_t>(i + 1) * 2654435761U) >> (32 - pattern) & 1U;
      original_.y[i] = here.y[i] * (1 + (up ? 8 : -8) * rounding);
    }
    const std::vector<double> moved = problem_.piece(original_).margins;
    for (std::size_t i = 0; i < std::min(most.size(), moved.size()); ++i)
      most[i] = std::max(most[i], std::abs(moved[i] - margins[i]));
  }
  return most;
}

/// A motion next to a switch may be so slow that rounding alone decides about its condition for a while, now one
/// way and now the other. There it is on the piece that it is heading for.
std::optional<double> Switching::last_beyond_edges(const Track& track, double step) {
  auto theta = last(track, step);
  if (!theta || !landed_) return theta;
  const std::vector<double> noise = undecided_margins(track), begin = piece(track, 0, step).margins;
  for (std::size_t k = 0; theta;) {
    const std::vector<double>& there = piece(track, *theta, step).margins;
    const auto undecided = [&](const std::vector<double>& margins, std::size_t i) {
      return i < margins.size() && std::abs(margins[i]) <= noise[i];
    };
    std::size_t i = 0;
    while (i < noise.size() && !(undecided(begin, i) && undecided(there, i))) ++i;
    if (i == noise.size()) break;
    do {
      if (++k == places.size()) return {};
    } while (undecided(piece(track, places[k], step).margins, i));
    piece_ = seen_;
    theta = last(track, step, k);
  }
  return theta;
}

/// Is there a switch so close behind a place of the step that the motion gets there on a straight line?
bool Switching::reaches(const Track& track, double theta, double step, double farthest) {
  const double t = theta < 1 ? track.from.t + theta * step : track.to.t;
  const double beside = std::min(step, std::max(straight * step, 64 * rounding * std::abs(t)));
  track.recover_at(theta < 1 ? t + beside : t - beside, original_, Depth::multipliers);
  beyond_ = original_;
  track.recover_at(t, original_, Depth::multipliers);
  const Vector rate = (beyond_.y - original_.y) / (beyond_.t - t);
  for (double ahead = 4 * rounding * std::max(std::abs(t), step); ahead <= farthest; ahead *= 2) {
    beyond_.t = t + ahead;
    beyond_.y = original_.y + ahead * rate;
    if (!((seen_ = problem_.piece(beyond_)) == piece_)) return true;
  }
  return false;
}

double Switching::near_of(double t) const {
  return near * std::max(std::abs(t), end_ - t);
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

/// How much longer the step would have to be to reach the switch that its end is heading for.
double Switching::missing(const Track& track, double step) {
  const std::vector<double> before = piece(track, 1 - straight, step).margins;
  const std::vector<double>& end = piece(track, 1, step).margins;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(before.size(), end.size()); ++i)
    if (const double ahead = end[i] / (before[i] - end[i]) * straight * step; ahead > 0)
      least = std::min(least, ahead);
  return least;
}

std::optional<Attempt> Switching::land(Track& track, double& step) {
  found_ = Found::nothing;
  if (chatters_since_) {
    ++chattering_steps_;
    return {};
  }
  const double whole = step, here = 4 * near_of(track.from.t);
  double change = 0;
  std::optional<Attempt> made;
  // Stages behind a switch spoil the dense output in front of it: a step that was made once more may show it elsewhere. What
  // is missing then is added: a short step of its own would be noise to formulations of high index.
  for (int round = 0; round < most_rounds; ++round) {
    const double before = step;
    const auto theta = last_beyond_edges(track, step);
    if (theta && *theta * step <= near_of(track.from.t)) {
      if (++in_place_ > most_in_place) chatters_since_ = track.from.t;
      if (reaches(track, 0, step, here)) found_ = Found::at_start;
      return made;
    }
    if (theta) {
      step *= *theta;
    } else {
      if (!made) in_place_ = 0;
      const double open = round < patient_rounds ? 0 : std::min(2 * change, haze * step);
      if (made && reaches(track, 1, step, std::max(here, open))) found_ = Found::at_end;
      if (!made || found_ == Found::at_end) return made;
      step += missing(track, step);
      if (!(step > before && step < std::min(1.1 * before, whole))) {
        step = before;
        return made;
      }
    }
    change = std::abs(step - before);
    landed_ = true;
    made = track.method.attempt(track.from, step, track.to);
    if (made->outcome != Outcome::ok && step < haze * whole) {  // too short a step for Newton's iteration
      const double distance = step;
      step = whole;
      if (track.method.attempt(track.from, step, track.to).outcome == Outcome::ok &&
          reaches(track, 0, step, 4 * distance))
        found_ = Found::at_start;
      return found_ == Found::at_start ? std::nullopt : made;
    }
    if (made->outcome != Outcome::ok || made->error > 1) return made;
  }
  made->error = std::max(made->error, 2.0);  // no end of switches in sight: a shorter step will see them
  made->next.reset();
  return made;
}

bool Switching::crawls(double t, std::int64_t steps) const {
  if (!chatters_since_ || chattering_steps_ < enough) return false;
  return (end_ - t) * static_cast<double>(chattering_steps_) >
         (t - *chatters_since_) * static_cast<double>(steps);
}

const State* Switching::pass() {
  if (found_ == Found::nothing) return nullptr;
  found_ = Found::nothing;
  piece_ = problem_.piece(beyond_);
  return &beyond_;
}

void Switching::arrive(const State& original) {
  found_ = Found::nothing;
  piece_ = problem_.piece(original);
}

}  // namespace dalembert
