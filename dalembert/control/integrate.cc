#include "dalembert/control/integrate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/control/event_finder.h"
#include "dalembert/control/failure.h"
#include "dalembert/control/singular/crossing.h"
#include "dalembert/control/singular/gap.h"
#include "dalembert/core/text.h"
#include "dalembert/formulation/shared_plan.h"
#include "dalembert/formulation/unchanged.h"

namespace dalembert {

namespace {

/// The problem as a hop over a singular position sees it: not rewritten, with multipliers of least size.
class InsideHop final : public Unchanged {
 public:
  InsideHop(const Problem& problem, SingularityCrossing& passage) : Unchanged(problem), passage_(passage) {}
  Outcome recover(const State& state, State& original, Depth depth) const override {
    original = state;
    if (depth == Depth::multipliers) passage_.complete(original);
    return Outcome::ok;
  }

 private:
  SingularityCrossing& passage_;
};

/// What is done meanwhile is no effort of the method: factorisations are counted as looks, the rest not at all.
class Aside {
 public:
  explicit Aside(Statistics& statistics) : statistics_(statistics), before_(statistics) {}
  ~Aside() {
    const std::int64_t looks = statistics_.factorizations - before_.factorizations;
    statistics_ = before_;
    statistics_.rank_checks += looks;
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  Statistics& statistics_;
  const Statistics before_;
};

/// The state of one integrate(): from, to, the dense output between them, and who looks at it.
class Walk final : private StepView {
 public:
  Walk(const Assembly& assembly, const State& start)
      : a_(assembly), layout_(a_.formulation.original().layout()) {
    report_ = a_.formulation.original().report();
    from_.y = to_.y = inside_.y = before_.y = Vector::Zero(a_.formulation.rewritten().layout().size());
    original_.y = Vector::Zero(layout_.size());
    reported_.y = Vector::Zero(report_.size());
    a_.formulation.enter(start, from_);
    before_ = from_;
    next_output_ = std::upper_bound(a_.outputs.begin(), a_.outputs.end(), start.t);
    if (const Events* events = a_.formulation.original().events()) {
      finder_.emplace(*events, a_.formulation, a_.method);
      finder_->arm(start, EventFinder::After::nothing);
    }
    watch(start);
    for (Observer* o : a_.observers) o->begin(a_.formulation.original(), start);
  }

  Ending walk();

 private:
  // StepView
  double begin() const override { return from_.t; }
  double end() const override { return to_.t; }
  const State& at(double t, Depth depth) const override;

  void watch(const State& start);
  SingularityCrossing::Plan plan_ahead(double h, double step);
  SingularityCrossing::Seen look_into_step();
  void arrive(const State&);
  const State& original_here();  ///< from_ as q, v, s of the original problem
  void recover_here();           ///< the same with multipliers, in original_
  std::optional<Ending> hop(double length);

  double starting_step();
  double limited(double h) const;
  bool too_small(double h) const {
    return h < 4 * rounding() * std::max(std::abs(from_.t), std::abs(a_.end - from_.t) * 1e-6);
  }
  static double rounding() { return std::numeric_limits<double>::epsilon(); }
  double shrink(double h, const Attempt&);
  void show_step();
  std::optional<Ending> answer(const std::vector<std::size_t>& events, double elapsed);
  Ending ending(Outcome, std::string message);
  Ending failed(double h, const Attempt& seen);
  Outcome observers_status(std::string& trouble) const;

  const Assembly& a_;
  Layout layout_, report_;
  State from_, to_, before_;
  mutable State inside_, original_;
  State reported_;
  std::optional<EventFinder> finder_, hop_finder_;
  mutable std::optional<SingularityCrossing> passage_;
  std::optional<InsideHop> inside_hop_;
  State hop_end_;         // where a hop, or the part of it that counts, ends: complete
  bool hopping_ = false;  // the step is a hop
  bool from_is_hop_end_ = false;
  std::vector<double>::const_iterator next_output_;
  std::vector<EventRecord> events_;
  Attempt last_failure_{.outcome = Outcome::step_too_small};
  int events_in_place_ = 0;
  bool restarted_ = false;  // by the last event
};

Ending Walk::walk() {
  const bool fixed = a_.controller.control() == Control::fixed;
  const std::optional<double> first_hop = passage_ ? passage_->begins_on_it() : std::nullopt;
  double h = a_.first_step ? *a_.first_step : first_hop ? *first_hop : starting_step();
  bool guessed = first_hop && !a_.first_step;
  while (from_.t < a_.end) {
    if (a_.interrupt != nullptr && a_.interrupt->load())
      return ending(Outcome::interrupted, "interrupted from outside");
    if (a_.statistics.steps >= a_.most_steps) return ending(Outcome::too_many_steps, {});
    if (too_small(h)) return failed(h, last_failure_);

    double step = limited(h);
    if (passage_) {
      const SingularityCrossing::Plan plan = plan_ahead(h, step);
      if (plan.way == SingularityCrossing::Plan::Way::hop) {
        if (auto done = hop(plan.h)) return *done;
        if (guessed && from_.t > before_.t) {
          h = starting_step();
          guessed = false;
        }
        continue;
      }
      step = plan.h;
    }
    Attempt attempt = a_.method.attempt(from_, step, to_);
    if (attempt.outcome != Outcome::ok || (!fixed && attempt.error > 1)) {
      if (fixed || attempt.outcome == Outcome::unstable || attempt.outcome == Outcome::coupling_diverged)
        return failed(step, attempt);
      h = shrink(step, attempt);
      continue;
    }
    if (passage_) {
      const SingularityCrossing::Seen seen = look_into_step();
      if (seen != SingularityCrossing::Seen::nothing) {
        ++a_.statistics.rejected;
        if (passage_->outcome() != Outcome::ok) return ending(passage_->outcome(), passage_->message());
        if (seen == SingularityCrossing::Seen::jump) h = step / 2;
        continue;
      }
    }
    std::optional<EventFinder::Found> found;
    const double tried = step;
    if (finder_) found = finder_->search(from_, step, to_);
    if (found && found->at_start) {
      if (auto done = answer(found->events, 0)) return *done;
      continue;
    }
    if (found && found->attempt.outcome != Outcome::ok) {
      h = shrink(step, found->attempt);
      continue;
    }
    if (!found && to_.t >= a_.end - 2 * rounding() * std::abs(a_.end)) to_.t = a_.end;  // not 0.999...
    ++a_.statistics.steps;
    show_step();
    a_.method.accept();
    // A step that was cut to land somewhere says little about the best next one.
    const double proposed = a_.controller.after_acceptance(tried, attempt);
    h = fixed ? h : tried < h ? std::max(h, proposed) : proposed;
    last_failure_ = {.outcome = Outcome::step_too_small};
    std::swap(before_, from_);
    std::swap(from_, to_);
    from_is_hop_end_ = false;
    if (passage_) arrive(original_here());
    if (a_.formulation.renew(from_)) a_.method.restart();
    if (std::string trouble; observers_status(trouble) != Outcome::ok)
      return ending(observers_status(trouble), trouble);
    if (found) {
      if (auto done = answer(found->events, from_.t - before_.t)) return *done;
      if (!fixed && restarted_) h = std::min(h, starting_step());
    } else if (finder_) {
      finder_->advance();
    }
  }
  return ending(Outcome::ok, {});
}

void Walk::watch(const State& start) {
  const auto* mechanical = dynamic_cast<const Mechanical*>(&a_.formulation.original());
  if (!a_.watch_rank || mechanical == nullptr || mechanical->sizes().rows() == 0 ||
      mechanical->sizes().rows() > most_gap_rows)  // what it saw could not be decided
    return;
  const Aside aside(a_.statistics);
  const auto* shared = dynamic_cast<const SharedPlan*>(&a_.formulation);
  passage_.emplace(*mechanical, a_.tolerance, a_.controller.control(), a_.statistics, start,
                   shared != nullptr ? &shared->plan() : nullptr);
  inside_hop_.emplace(*mechanical, *passage_);
  if (finder_) hop_finder_.emplace(*mechanical->events(), *inside_hop_, passage_->path());
  hop_end_ = start;
  from_is_hop_end_ = passage_->begins_on_it().has_value();
}

SingularityCrossing::Plan Walk::plan_ahead(double h, double step) {
  const Aside aside(a_.statistics);
  return passage_->plan(original_here(), h, step);
}

SingularityCrossing::Seen Walk::look_into_step() {
  const Aside aside(a_.statistics);
  return passage_->look_into(from_.t, to_.t,
                             [this](double t) -> const State& { return at(t, Depth::coordinates); });
}

void Walk::arrive(const State& state) {
  const Aside aside(a_.statistics);
  passage_->arrive(state);
}

const State& Walk::original_here() {
  if (from_is_hop_end_) return hop_end_;
  a_.formulation.recover(from_, original_, Depth::coordinates);
  original_.t = from_.t;
  return original_;
}

void Walk::recover_here() {
  if (from_is_hop_end_) {
    original_ = hop_end_;
    return;
  }
  a_.formulation.recover(from_, original_, Depth::multipliers);
  original_.t = from_.t;
}

/// A step of the original problem itself, over a position where its rows become dependent.
std::optional<Ending> Walk::hop(double length) {
  const State begin = original_here();
  switch (passage_->hop(begin, length)) {
    case SingularityCrossing::Verdict::refused:
      return ending(passage_->outcome(), passage_->message());
    case SingularityCrossing::Verdict::again:
      ++a_.statistics.rejected;
      return {};
    case SingularityCrossing::Verdict::crossed:
      break;
  }
  GaussStep& path = passage_->path();
  double h = std::min(path.length(), a_.end - from_.t);
  hop_end_ = begin;
  path.attempt(begin, h, hop_end_);
  std::optional<EventFinder::Found> found;
  if (hop_finder_) {
    hop_finder_->take_over(*finder_);
    found = hop_finder_->search(begin, h, hop_end_);
    if (found && found->at_start) return answer(found->events, 0);
  }
  if (h < path.length()) passage_->complete(hop_end_);
  if (!found && hop_end_.t >= a_.end - 2 * rounding() * std::abs(a_.end)) hop_end_.t = a_.end;
  a_.formulation.enter(hop_end_, to_);
  to_.t = hop_end_.t;
  ++a_.statistics.steps;
  hopping_ = true;
  show_step();
  hopping_ = false;
  std::swap(before_, from_);
  std::swap(from_, to_);
  from_is_hop_end_ = true;
  a_.method.restart();
  a_.controller.restart();
  passage_->land(hop_end_);
  if (std::string trouble; observers_status(trouble) != Outcome::ok)
    return ending(observers_status(trouble), trouble);
  if (found) return answer(found->events, from_.t - before_.t);
  if (hop_finder_) {
    hop_finder_->advance();
    finder_->take_over(*hop_finder_);
  }
  return {};
}

double Walk::shrink(double h, const Attempt& attempt) {
  ++a_.statistics.rejected;
  if (attempt.outcome == Outcome::ok) {
    ++a_.statistics.error_test_failures;
    last_failure_ = attempt;
    last_failure_.outcome = Outcome::step_too_small;
    return a_.controller.after_rejection(h, attempt);
  }
  ++a_.statistics.convergence_failures;
  last_failure_ = attempt;
  return a_.controller.after_failure(h);
}

/// h, cut so as to meet the end (without leaving a crumb) or the next output time.
double Walk::limited(double h) const {
  double stop = a_.end;
  if (a_.land_on_outputs && next_output_ != a_.outputs.end()) stop = std::min(stop, *next_output_);
  const double left = stop - from_.t;
  if (a_.controller.control() == Control::fixed) return h * (1 + 1e-6) >= left ? left : h;
  return 1.01 * h >= left ? left : 2 * h > left ? left / 2 : h;
}

/// A step whose error is about right, found by trying: the estimate of a short step, scaled.
double Walk::starting_step() {
  const double span = a_.end - from_.t;
  if (const auto known = a_.method.first_step(from_, a_.end)) return *known;
  double h = 1e-4 * span;
  for (int round = 0; round < 8; ++round) {
    const Attempt attempt = a_.method.attempt(from_, h, to_);
    if (attempt.outcome != Outcome::ok) {
      h /= 100;
      continue;
    }
    const double factor = std::pow(std::max(attempt.error, 1e-14) / 0.5, -attempt.exponent);
    h = std::min(h * std::clamp(factor, 1e-3, 1e3), 0.1 * span);
    if (factor > 0.2 && factor < 5) break;
  }
  return h;
}

const State& Walk::at(double t, Depth depth) const {
  const bool at_end = t >= to_.t;
  if (hopping_) {
    if (at_end) return original_ = hop_end_;
    passage_->path().interpolate((t - from_.t) / passage_->path().length(), original_);
    if (depth == Depth::multipliers) passage_->complete(original_);
    return original_;
  }
  if (!at_end) a_.method.interpolate(std::clamp((t - from_.t) / (to_.t - from_.t), 0.0, 1.0), inside_);
  a_.formulation.recover(at_end ? to_ : inside_, original_, depth);
  original_.t = at_end ? to_.t : t;
  return original_;
}

void Walk::show_step() {
  while (next_output_ != a_.outputs.end() && *next_output_ <= to_.t) {
    const State& original = at(*next_output_, Depth::multipliers);
    reported_ = reported(original, layout_, report_);
    for (Observer* o : a_.observers) o->output(reported_);
    ++next_output_;
  }
  const Statistics effort = a_.statistics;  // what observers look at is no effort of the method
  for (Observer* o : a_.observers) o->step(*this);
  a_.statistics = effort;
}

std::optional<Ending> Walk::answer(const std::vector<std::size_t>& which, double elapsed) {
  const Events& events = *a_.formulation.original().events();
  recover_here();
  State state = original_;
  EventResponse response;
  for (const std::size_t event : which) {
    events_.push_back({state.t, events.list()[event].name});
    response = events.respond(event, state);
    for (Observer* o : a_.observers) o->event(events_.back(), state);
    if (response.next || response.action == EventResponse::Action::stop) break;
  }
  events_in_place_ = elapsed <= 64 * rounding() * std::max(1.0, std::abs(from_.t)) ? events_in_place_ + 1 : 0;
  if (events_in_place_ > 100)
    return ending(Outcome::event_storm,
                  "t = " + short_number(from_.t) + ": event '" + events_.back().name +
                      "' repeats without time passing; give the problem a mode for what "
                      "comes after, or stop at the event");
  if (response.next || response.action == EventResponse::Action::stop) {
    Ending done = ending(response.next ? Outcome::ok : Outcome::stopped,
                         "stopped by event '" + events_.back().name + "'");
    done.state = state;
    done.next = response.next;
    return done;
  }
  restarted_ = response.action == EventResponse::Action::restart;
  if (restarted_) {
    a_.formulation.enter(state, from_);
    a_.method.restart();
    a_.controller.restart();
    from_is_hop_end_ = false;
    if (passage_) arrive(state);
  }
  finder_->arm(state, restarted_ ? EventFinder::After::change : EventFinder::After::note, which);
  return {};
}

Ending Walk::ending(Outcome outcome, std::string message) {
  recover_here();
  Ending done{outcome, std::move(message), original_, events_, nullptr};
  if (passage_) done.crossings = passage_->records();
  return done;
}

Ending Walk::failed(double h, const Attempt& seen) {
  const Failure failure = explain_failure(a_.formulation, before_, from_, h, seen);
  return ending(failure.outcome, failure.message + (passage_ ? passage_->remark(from_.t) : ""));
}

Outcome Walk::observers_status(std::string& trouble) const {
  for (const Observer* o : a_.observers)
    if (o->status() != Outcome::ok) {
      trouble = o->trouble();
      return o->status();
    }
  return Outcome::ok;
}

}  // namespace

Ending integrate(const Assembly& assembly, const State& start) {
  return Walk(assembly, start).walk();
}

}  // namespace dalembert
