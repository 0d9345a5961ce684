#include "dalembert/control/starting_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dalembert/method/first_guess.h"

namespace dalembert {

namespace {

/// A guess, where there is one and it is no step over next to nothing of the run; of a good part of it, that part.
std::optional<double> guessed(Track& track, double span) {
  constexpr double shortest = 1e-6, longest = .1;
  auto* guesses = dynamic_cast<FirstGuess*>(&track.method);
  const auto guess = guesses != nullptr ? guesses->guess_first_step(track.from) : std::nullopt;
  if (!guess || *guess < shortest * span) return {};
  return std::min(*guess, longest * span);
}

/// What is tried, unless the method knows better.
StartingStep tried_step(Track& track, double end) {
  Method& method = track.method;
  const double span = end - track.from.t;
  const auto guess = guessed(track, span);
  double h = guess.value_or(1e-4 * span), longest = 0.1 * span;
  for (int round = 0; round < 8; ++round) {
    const Attempt attempt = method.attempt(track.from, h, track.to);
    if (attempt.outcome != Outcome::ok) {
      longest = h / 10;  // it would fail again
      h /= 100;
      continue;
    }
    const double factor = std::pow(std::max(attempt.error, 1e-14) / 0.5, -attempt.exponent);
    const double tried = std::exchange(h, std::min(h * std::clamp(factor, 1e-3, 1e3), longest));
    // An error far above rounding, at a step that is about right: the first step itself is the next try.
    const bool believed = factor > 0.2 && (factor < 5 || (guess && attempt.error > 1e-10));
    if (h == tried) return {h, attempt};  // the longest one: trying it again says nothing new
    if (believed) break;
  }
  return {h};
}

}  // namespace

/// An event may lie so near to the end that a part of what is left is no time at all.
StartingStep starting_step(Track& track, double end) {
  const double least = 16 * std::numeric_limits<double>::epsilon() * std::abs(track.from.t);
  const auto known = track.method.first_step(track.from, end);
  StartingStep step = known ? StartingStep{*known} : tried_step(track, end);
  if (step.h < least) step = {least};
  return step;
}

}  // namespace dalembert
