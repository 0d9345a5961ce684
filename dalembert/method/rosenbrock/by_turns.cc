#include "dalembert/method/rosenbrock/by_turns.h"

#include <algorithm>
#include <cmath>

#include "dalembert/problem/semi_explicit.h"

namespace dalembert {

namespace {

constexpr int first_interval = 20, longest_interval = 320;  // steps
constexpr int trial_steps = 4;
constexpr double gain = 1.1;  // below, a change is not worth it

}  // namespace

ByTurns::ByTurns(std::unique_ptr<Method> implicit, std::unique_ptr<Method> explicitly, double dearer)
    : parts_{std::move(implicit), std::move(explicitly)}, dearer_(dearer) {
  for (std::size_t k = 0; k < parts_.size(); ++k) rates_[k] = &dynamic_cast<DenseRate&>(*parts_[k]);
}

void ByTurns::bind(const Problem& problem, const Setting& setting) {
  const bool both = as<SemiExplicit>(&problem) != nullptr;
  if (both) parts_[0]->bind(problem, setting);
  parts_[1]->bind(problem, setting);
  changes_ = both && setting.precision == Precision::tolerance;
  turn_ = maker_ = both ? 0 : 1;
  restart();
  interval_ = first_interval;
}

bool ByTurns::reset() {
  const bool both = changes_ || turn_ == 0;
  if (both) turn_ = maker_ = 0;
  interval_ = first_interval;
  trial_ = Trial::none;
  since_ = 0;
  return (!both || parts_[0]->reset()) && parts_[1]->reset();
}

void ByTurns::restart() {
  for (const auto& part : parts_) part->restart();
  trial_ = Trial::none;
  since_ = 0;
}

bool ByTurns::remember(Memory& memory) {
  memory(turn_, maker_, trial_, asked_, usual_, h_, passed_, attempts_, since_, interval_);
  return ((!changes_ && turn_ == 1) || parts_[0]->remember(memory)) && parts_[1]->remember(memory);
}

/// The step that a controller without a memory would take next.
double ByTurns::proposed(double h, const Attempt& attempt) {
  return h * std::clamp(.9 * std::pow(std::max(attempt.error, 1e-10), -attempt.exponent), .2, 5.);
}

/// The length of a step of the other one that takes as much work per time as h of the one whose turn it is.
double ByTurns::worth(double h) const {
  return turn_ == 0 ? h / dearer_ : h * dearer_;
}

void ByTurns::give_up() {
  turn_ = 1 - turn_;
  trial_ = Trial::none;
  since_ = 0;
  interval_ = std::min(longest_interval, 2 * interval_);
}

Attempt ByTurns::attempt(const State& from, double h, State& to) {
  if (trial_ == Trial::planned) trial_ = Trial::none;  // the last attempt did not become a step
  if (trial_ == Trial::lost) trial_ = Trial::more;
  if (trial_ == Trial::first && h < .9 * asked_) {  // cut short to land somewhere: it would prove nothing
    turn_ = 1 - turn_;
    trial_ = Trial::none;
  }
  maker_ = turn_;
  h_ = h;
  Attempt attempt = now().attempt(from, h, to);
  if (!changes_) return attempt;
  const bool good = attempt.outcome == Outcome::ok && attempt.error <= 1;
  if (trial_ == Trial::first && !good) {
    give_up();
    return {
        .error = std::max(2., attempt.error), .exponent = .25, .next = usual_, .trouble = attempt.trouble};
  }
  ++attempts_;
  if (good && trial_ == Trial::none && since_ + 1 >= interval_) {
    usual_ = proposed(h, attempt);
    asked_ = gain * worth(usual_);
    attempt.next = asked_;
    trial_ = Trial::planned;
  } else if (good && trial_ == Trial::more && since_ + 1 >= trial_steps &&
             gain * (passed_ + h) < attempts_ * asked_) {
    attempt.next = usual_;
    trial_ = Trial::lost;
  }
  return attempt;
}

void ByTurns::accept() {
  now().accept();
  ++since_;
  passed_ += h_;
  switch (trial_) {
    case Trial::none:
      break;
    case Trial::planned:
      turn_ = 1 - turn_;
      now().restart();
      trial_ = Trial::first;
      break;
    case Trial::first:
      trial_ = Trial::more;
      passed_ = attempts_ = since_ = 0;
      break;
    case Trial::more:
      if (since_ < trial_steps) break;
      trial_ = Trial::none;  // it has won
      since_ = 0;
      interval_ = first_interval;
      break;
    case Trial::lost:
      give_up();
      now().restart();
      break;
  }
}

}  // namespace dalembert
