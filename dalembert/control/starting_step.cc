#include "dalembert/control/starting_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dalembert {

namespace {

/// What is tried, unless the method knows better.
double tried_step(Track& track, double end) {
  Method& method = track.method;
  const double span = end - track.from.t;
  double h = 1e-4 * span;
  for (int round = 0; round < 8; ++round) {
    const Attempt attempt = method.attempt(track.from, h, track.to);
    if (attempt.outcome != Outcome::ok) {
      h /= 100;
      continue;
    }
    const double factor = std::pow(std::max(attempt.error, 1e-14) / 0.5, -attempt.exponent);
    const double tried = std::exchange(h, std::min(h * std::clamp(factor, 1e-3, 1e3), 0.1 * span));
    if (h == tried || (factor > 0.2 && factor < 5))
      break;  // the longest one: trying it again says nothing new
  }
  return h;
}

}  // namespace

/// An event may lie so near to the end that a part of what is left is no time at all.
double starting_step(Track& track, double end) {
  constexpr double least = 16 * std::numeric_limits<double>::epsilon();
  const auto known = track.method.first_step(track.from, end);
  return std::max(known ? *known : tried_step(track, end), least * std::abs(track.from.t));
}

}  // namespace dalembert
