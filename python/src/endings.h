// Those who end a run of functions early: what was given turns out to be wrong, or steps would be shorter than they may be.
#pragma once

#include <functional>
#include <string>

#include "dalembert/control/observer.h"
#include "dalembert/core/text.h"

namespace dalembert::python {

/// What is wrong with the functions at a state that a run with this relative tolerance came to; "" if nothing is.
using Doubt = std::function<std::string(const State&, double tolerance)>;

/// Looks at steps 1, 2, 4, 8, ..., at the last one, and at one in each twentieth of the run: what was true at the start need not be so later.
class DoubtWatch final : public Observer {
 public:
  DoubtWatch(Doubt doubt, double begin, double end, double tolerance)
      : doubt_(std::move(doubt)),
        end_(end),
        every_((end - begin) / 20),
        next_(begin),
        tolerance_(tolerance) {}

  void step(const StepView& step) override {
    ++steps_;
    const double t = step.end();
    if ((steps_ & (steps_ - 1)) != 0 && t < next_ && t < end_) return;
    next_ = t + every_;
    if (std::string found = doubt_(step.at(t, Depth::multipliers), tolerance_); !found.empty())
      trouble_ = "t = " + short_number(t) + ": " + found;
  }
  Outcome status() const override { return trouble_.empty() ? Outcome::ok : Outcome::untrusted; }
  std::string trouble() const override { return trouble_; }

 private:
  Doubt doubt_;
  double end_, every_, next_, tolerance_;
  std::int64_t steps_ = 0;
  std::string trouble_;
};

/// A step of the least length that is rejected would have to be shorter.
class LeastStep final : public Observer {
 public:
  explicit LeastStep(double least) : least_(least) {}

  void tried(const TriedStep& step) override {
    if (step.fate == TriedStep::Fate::rejected && step.h <= least_) short_ = true;
    if (short_ && trouble_.empty())
      trouble_ = "t = " + short_number(step.t) + ": a step of " + short_number(step.h) +
                 " does not meet the tolerance, and min_step allows none that is shorter than " +
                 short_number(least_);
  }
  Outcome status() const override { return short_ ? Outcome::step_too_small : Outcome::ok; }
  std::string trouble() const override { return trouble_; }

 private:
  double least_;
  bool short_ = false;
  std::string trouble_;
};

}  // namespace dalembert::python
