#include "dalembert/control/audience.h"

#include <algorithm>

namespace dalembert {

Audience::Audience(const Problem& mode, const std::vector<Observer*>& observers,
                   const std::vector<double>& outputs, Reporting reporting, double from)
    : mode_(mode),
      reporter_(mode),
      observers_(observers),
      outputs_(outputs),
      reporting_(reporting),
      next_(std::upper_bound(outputs.begin(), outputs.end(), from)) {}

void Audience::begin(const State& start, Start kind) {
  for (Observer* o : observers_) o->begin(mode_, start);
  const bool listed = !outputs_.empty() && outputs_.front() <= start.t;
  if (kind == Start::new_one && (listed || reporting_ == Reporting::each_step)) output(start);
}

void Audience::tried(const TriedStep& step) {
  for (Observer* o : observers_) o->tried(step);
}

void Audience::step(const StepView& step, Statistics& statistics) {
  const Statistics effort = statistics;
  for (Observer* o : observers_) o->step(step);
  statistics = effort;
  for (; next_ != outputs_.end() && *next_ <= step.end(); ++next_)
    output(step.at(*next_, Depth::multipliers));
  const bool shown = next_ != outputs_.begin() && *(next_ - 1) == step.end();
  if (reporting_ == Reporting::each_step && !shown) output(step.at(step.end(), Depth::multipliers));
}

void Audience::leave(const State& state) {
  for (; next_ != outputs_.end() && *next_ <= state.t; ++next_) output({*next_, state.y});
}

void Audience::output(const State& state) {
  const State shown = reporter_(state);
  for (Observer* o : observers_) o->output(shown);
}

void Audience::event(const EventRecord& record, const State& after) {
  for (Observer* o : observers_) o->event(record, after);
}

bool Audience::wants_checkpoint() const {
  return std::any_of(observers_.begin(), observers_.end(),
                     [](const Observer* o) { return o->wants_checkpoint(); });
}

void Audience::checkpoint(const Checkpoint& here) {
  for (Observer* o : observers_)
    if (o->wants_checkpoint()) o->checkpoint(here);
}

std::optional<double> Audience::next_output() const {
  if (next_ == outputs_.end()) return {};
  return *next_;
}

const Observer* Audience::in_trouble() const {
  for (const Observer* o : observers_)
    if (o->status() != Outcome::ok) return o;
  return nullptr;
}

}  // namespace dalembert
