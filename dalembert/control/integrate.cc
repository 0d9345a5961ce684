#include "dalembert/control/integrate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dalembert/control/failure.h"
#include "dalembert/control/integration.h"
#include "dalembert/control/singular/gap.h"
#include "dalembert/core/text.h"
#include "dalembert/formulation/shared_plan.h"
#include "dalembert/problem/lasting_rank.h"

namespace dalembert {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

}  // namespace

Integration::Integration(const Assembly& assembly, const State& given)
    : a_(assembly),
      main_(a_.formulation, a_.method),
      begun_(given),
      pace_(given.t, a_.statistics),
      audience_(a_.formulation.original(), a_.observers, a_.outputs, a_.reporting, given.t) {
  const Problem& problem = a_.formulation.original();
  original_.y = Vector::Zero(given.y.size());
  if (a_.resume != nullptr)
    remember_motion(*a_.resume);
  else
    a_.formulation.enter(given, main_.from);
  before_ = main_.from;
  Breaks breaks = find_breaks(problem, begun_.t, a_.end);
  breaks_ = std::move(breaks.ahead);
  std::reverse(breaks_.begin(), breaks_.end());
  last_moment_ = breaks.last_moment;
  if (problem.switches() && !fixed()) switching_.emplace(problem, begun_, a_.end);
  if (const Events* events = problem.events()) {
    if (a_.watching != nullptr) {
      finder_.emplace(*a_.watching);
    } else {
      finder_.emplace(*events, problem, fixed() ? nullptr : &a_.tolerance);
      finder_->arm(begun_, EventFinder::After::nothing);
    }
  }
  const auto* mechanical = as<Mechanical>(&problem);
  const auto* shared = dynamic_cast<const SharedPlan*>(&a_.formulation);
  const SaddlePoint* plan = shared != nullptr ? &shared->plan() : nullptr;
  if (a_.singular != Singular::ignore && mechanical != nullptr && mechanical->sizes().rows() > 0 &&
      mechanical->sizes().rows() <= most_gap_rows &&  // of more rows, what is seen could not be decided
      rows_may_become_dependent(problem)) {
    const RankCheckAccount account(a_.statistics);
    crossing_.emplace(*mechanical, a_.tolerance, a_.controller.control(), a_.statistics, begun_, plan);
    if (crossing_->first_crossing()) current_ = &crossing_->track();
  }
  witness_.emplace(problem, a_.tolerance, fixed() ? Witness::Steps::fixed : Witness::Steps::controlled,
                   a_.approximate ? Witness::Equations::approximate : Witness::Equations::exact,
                   a_.weak_dense ? Witness::Dense::weak : Witness::Dense::own, a_.end - begun_.t,
                   a_.statistics, plan);
  audience_.begin(a_.resume != nullptr ? here(Depth::multipliers) : begun_,
                  a_.show_start ? Audience::Start::new_one : Audience::Start::shown);
  if (a_.resume == nullptr) return;
  remember_watch(*a_.resume);
  if (!a_.resume->empty()) Memory::refuse();
}

/// What makes steps.
bool Integration::remember_motion(Memory& memory) {
  memory(begun_, main_.from);
  return a_.formulation.remember(memory) && a_.method.remember(memory);
}

/// Who looks at them. Formulation and method come once more: who begins may ask them for states.
void Integration::remember_watch(Memory& memory) {
  a_.formulation.remember(memory);
  a_.method.remember(memory);
  std::size_t ahead = breaks_.size();
  bool crossed = current_ != &main_;
  memory(step_, a_.controller, a_.statistics, before_, ahead, pace_, stiffness_, finder_, switching_,
         crossing_, crossed, events_, last_failure_, events_in_place_, restarted_, guessed_);
  witness_->remember(memory, main_);
  while (breaks_.size() > ahead) breaks_.pop_back();
  current_ = crossed && crossing_ ? &crossing_->track() : &main_;
}

/// Nothing of the run changes by it.
void Integration::offer_checkpoint() {
  if (cannot_remember_ || !audience_.wants_checkpoint()) return;
  Memory memory;
  cannot_remember_ = !a_.remember_above(memory) || !remember_motion(memory);
  if (cannot_remember_) return;
  remember_watch(memory);
  audience_.checkpoint({main_.from.t, memory.bytes()});
}

Ending Integration::run() {
  double& h = step_;
  if (a_.resume == nullptr) h = first_step();
  constexpr double crumb = 64 * rounding;  // an event may lie next to the end: no step leads over so little
  while (main_.from.t < a_.end - crumb * std::abs(a_.end)) {
    if (auto stop = stop_before(h)) return *stop;
    double step = limited(h);
    Track* const track = choose_track(h, step);
    if (track == nullptr) {
      if (crossing_->outcome() != Outcome::ok) return refused_crossing();
      continue;  // with another proposal
    }
    const double tried = step;
    Attempt attempt = this->attempt(*track, step);
    const Judgement judgement = judge(*track, h, step, attempt);
    if (judgement.stop) return *judgement.stop;
    if (judgement.again) {
      h = *judgement.again;
      continue;
    }
    h = accept(*track, h, tried, attempt);
    if (auto stop = ended_by_observer()) return *stop;
    if (auto stop = pass_end(*track, judgement.event, h)) return *stop;
    if (handed() != Handed::no) return ending(Outcome::ok, {});
    offer_checkpoint();
  }
  Ending done = ending(Outcome::ok, {});
  if (main_.from.t < a_.end) {
    done.state.t = a_.end;
    if (std::string moved = pass_to_end(main_.from.t, a_.formulation.original(), done.state);
        !moved.empty()) {
      done.events.push_back({a_.end, std::move(moved)});
      audience_.event(done.events.back(), done.state);
    }
    audience_.leave(done.state);
  }
  return done;
}

/// An attempt becomes a step, perhaps made once more so that it ends on a switch or an event, or another one is tried.
Integration::Judgement Integration::judge(Track& track, double h, double& step, Attempt& attempt) {
  if (attempt.outcome != Outcome::ok || (!fixed() && attempt.error > 1)) {
    if (final(attempt)) return {.stop = failed(step, attempt)};
    return {.again = shrink(step, attempt)};
  }
  if (const auto other = doubted(track, attempt)) return {.again = other};
  if (const auto seen = unseen_crossing(track); seen != SingularityCrossing::Seen::nothing) {
    reject(step, attempt);
    if (crossing_->outcome() != Outcome::ok) return {.stop = refused_crossing()};
    return {.again = seen == SingularityCrossing::Seen::jump ? step / 2 : h};
  }
  const double whole = step;
  if (switching_ && &track == &main_) {
    const auto landed = switching_->land(track, step);
    if (landed && (landed->outcome != Outcome::ok || landed->error > 1))
      return {.again = shrink(step, *landed)};
    if (switching_->at_start()) {
      restart(*switching_->pass(), main_);
      return {.again = h};
    }
  }
  const bool searched = &track == &main_ && a_.scrutiny != Scrutiny::method;
  const std::span<const double> narrow = searched ? std::span(witness_->hidden()) : std::span<const double>();
  auto event = finder_ ? finder_->search(track, step, narrow) : std::nullopt;
  if (event && switching_) switching_->forget();
  if (event && event->unclear) {
    reject(step, attempt);
    return look_nearer(*event->unclear, step);
  }
  if (event && event->at_start) return {.stop = respond(event->events, 0), .again = h};
  if (event && event->attempt.outcome != Outcome::ok) return {.again = shrink(step, event->attempt)};
  if (step < whole)  // it is another one than that which was believed
    if (const auto other = doubted(track, attempt)) return {.again = other};
  if (!event && track.to.t >= a_.end - 2 * rounding * std::abs(a_.end)) track.to.t = a_.end;  // not 0.999...
  return {.event = std::move(event)};
}

/// What an event does within the step cannot be made out.
Integration::Judgement Integration::look_nearer(const EventFinder::Unclear& unclear, double step) {
  const double t = main_.from.t;
  constexpr double shortest = 1e-9;  // of the time that is left
  if (!fixed() && step > shortest * std::max(std::abs(t), a_.end - t)) return {.again = step / 8};
  // However near one looks: the mode is not the right one.
  if (unclear.why == EventFinder::Unclear::Why::turned)
    return {.stop = respond({unclear.event}, 0), .again = step};
  const std::string name = "t = " + short_number(t) + ": event '" +
                           a_.formulation.original().events()->list()[unclear.event].name + "' ";
  if (unclear.why == EventFinder::Unclear::Why::undefined)
    return {.stop = ending(Outcome::not_finite, name + "is not a number in the next step")};
  return {.stop = ending(Outcome::step_too_small, name + "oscillates within a step of " + short_number(step) +
                                                      ": its crossings cannot be told apart" +
                                                      (fixed() ? "; take a shorter step" : ""))};
}

/// The witness does not believe the last attempt: the step to try instead.
std::optional<double> Integration::doubted(Track& track, Attempt& attempt) {
  if (&track != &main_ || a_.scrutiny == Scrutiny::method) return {};
  const auto length = witness_->doubts(track, attempt);
  if (!length) return {};
  const double step = track.to.t - track.from.t, shorter = shrink(step, attempt);
  a_.controller.forget_rejection();
  return *length < step ? std::min(shorter, *length) : *length;
}

Handed Integration::handed() const {
  const HandOver& when = a_.hand_over;
  if (fixed() || main_.from.t >= a_.end) return Handed::no;
  if (when.unless_longer && pace_.steps() == Pace::few && pace_.mean_step() < *when.unless_longer)
    return Handed::not_worth;
  if (when.unless_cheaper && pace_.steps() == Pace::many && pace_.effort() > *when.unless_cheaper)
    return Handed::not_worth;
  const bool over =
      (when.when_stiff && stiffness_.since()) || (when.after_steps && pace_.steps() >= *when.after_steps);
  if (over) return Handed::over;
  return when.when_suspected && stiffness_.suspected() ? Handed::suspected : Handed::no;
}

std::optional<Ending> Integration::stop_before(double h) {
  if (a_.interrupt != nullptr && a_.interrupt->load())
    return ending(Outcome::interrupted, "t = " + short_number(main_.from.t) + ": interrupted from outside");
  if (a_.statistics.steps >= a_.most_steps) return ending(Outcome::too_many_steps, {});
  const double t = main_.from.t;
  if (switching_ && switching_->crawls(t, a_.most_steps - a_.statistics.steps))
    return ending(Outcome::too_many_steps, {});
  if (!(h >= 4 * rounding * std::max(std::abs(t), std::abs(a_.end - t) * 1e-6)))
    return failed(h, last_failure_);
  return {};
}

/// Who makes the next step, and how long it is. None: a crossing was tried and did not succeed.
Track* Integration::choose_track(double h, double& step) {
  if (!crossing_) return &main_;
  const auto proposal = [&] {
    const RankCheckAccount account(a_.statistics);
    return crossing_->propose(here(Depth::positions), h, step);
  }();
  const double usual = step;
  step = proposal.h;
  if (proposal.way == SingularityCrossing::Proposal::Way::step) return &main_;
  // The equations change at a break, so no step leads over it: it comes first, or the singular step ends there.
  if (!breaks_.empty() && breaks_.back().before < main_.from.t + step) {
    step = breaks_.back().before - main_.from.t;
    if (crossing_->position() > breaks_.back().before) {
      step = std::min(step, usual);
      return &main_;
    }
  }
  switch (crossing_->cross(here(Depth::coordinates), step)) {
    case SingularityCrossing::Verdict::again:
      reject(step, {});
      return nullptr;
    case SingularityCrossing::Verdict::refused:
      return nullptr;
    case SingularityCrossing::Verdict::crossed:
      if (a_.singular == Singular::stop && crossing_->stop_before_it()) return nullptr;
      break;
  }
  step = std::min(crossing_->length(), a_.end - main_.from.t);
  return &crossing_->track();
}

/// A step of the method may have gone through a singular position without noticing.
SingularityCrossing::Seen Integration::unseen_crossing(const Track& track) {
  if (!crossing_ || &track != &main_) return SingularityCrossing::Seen::nothing;
  const RankCheckAccount account(a_.statistics);
  return crossing_->check_step(track.from.t, track.to.t, [&](double t) -> const State& {
    track.recover_at(t, original_, Depth::positions);
    return original_;
  });
}

/// Would a shorter step fail likewise?
bool Integration::final(const Attempt& attempt) const {
  return fixed() || attempt.outcome == Outcome::unstable || attempt.outcome == Outcome::coupling_diverged;
}

void Integration::tell(double h, const Attempt& attempt, TriedStep::Fate fate) {
  const double order = attempt.exponent > 0 ? 1 / attempt.exponent : 0;
  audience_.tried({main_.from.t, h, attempt.error, order, fate});
}

void Integration::reject(double h, const Attempt& attempt) {
  ++a_.statistics.rejected;
  tell(h, attempt, TriedStep::Fate::rejected);
}

double Integration::shrink(double h, const Attempt& attempt) {
  reject(h, attempt);
  last_failure_ = attempt;
  if (attempt.outcome == Outcome::ok) {
    ++a_.statistics.error_test_failures;
    last_failure_.outcome = Outcome::step_too_small;
    return a_.controller.after_rejection(h, attempt);
  }
  ++a_.statistics.convergence_failures;
  if (crossing_) crossing_->method_failed();
  return a_.controller.after_failure(h);
}

/// The end of the step is where the next one begins. Returns the step to try next.
double Integration::accept(Track& track, double h, double tried, const Attempt& attempt) {
  const bool crossed = &track != &main_;
  if (crossed) crossing_->complete(track.to);
  ++a_.statistics.steps;
  tell(track.to.t - track.from.t, attempt, crossed ? TriedStep::Fate::crossing : TriedStep::Fate::accepted);
  current_ = &track;
  audience_.step(*this, a_.statistics);
  std::swap(before_, main_.from);
  if (crossed) {
    std::swap(track.from, track.to);
    restart(track.from, track);
    crossing_->land(track.from);
    if (guessed_) h = starting_step();
    guessed_ = false;
    return h;
  }
  std::swap(main_.from, main_.to);
  a_.method.accept();
  witness_->accept();
  stiffness_.step(before_.t, a_.method.stability_used());
  pace_.step(main_.from.t, a_.statistics);
  last_failure_ = {.outcome = Outcome::step_too_small};
  if (crossing_) arrive(here(Depth::positions));
  if (a_.formulation.renew(main_.from)) a_.method.restart();
  // A step that was cut to land somewhere says little about the best next one.
  const double proposed = a_.controller.after_acceptance(tried, attempt);
  return fixed() ? h : tried < h ? std::max(h, proposed) : proposed;
}

/// The chosen pair goes on from a state that is not the end of a step of its own: behind a crossing, or after an event.
void Integration::restart(const State& original, Track& position) {
  a_.formulation.enter(original, main_.from);
  main_.from.t = original.t;
  a_.method.restart();
  a_.controller.restart();
  current_ = &position;
  // A time that was stepped over belongs to what follows.
  if (const auto output = audience_.next_output(); output && *output <= main_.from.t)
    audience_.leave(here(Depth::multipliers));
}

void Integration::arrive(const State& original) {
  const RankCheckAccount account(a_.statistics);
  crossing_->arrive(original);
}

/// h, cut so as to meet the end (without leaving a crumb) or the next output time.
double Integration::limited(double h) const {
  const bool longest = a_.max_step && h >= *a_.max_step;
  if (longest) h = *a_.max_step;
  double stop = last_moment_;
  if (!breaks_.empty()) stop = breaks_.back().before;
  if (const auto output = audience_.next_output();
      output && (a_.land_on_outputs || witness_->trusts_ends_only()))
    stop = std::min(stop, *output);
  const double left = stop - main_.from.t;
  if (fixed()) return h * (1 + 1e-6) >= left ? left : h;
  return (longest ? 1 : 1.01) * h >= left ? left : 2 * h > left ? left / 2 : h;
}

double Integration::first_step() {
  if (a_.first_step) return *a_.first_step;
  guessed_ = crossing_ && crossing_->first_crossing();
  if (guessed_) return *crossing_->first_crossing();
  StartingStep found = dalembert::starting_step(main_, a_.end);
  made_ = std::move(found.made);
  return found.h;
}

/// The first one may have been made before.
Attempt Integration::attempt(Track& track, double step) {
  const auto made = std::exchange(made_, {});
  if (made && &track == &main_ && track.to.t == track.from.t + step) return *made;
  return track.method.attempt(track.from, step, track.to);
}

const State& Integration::here(Depth depth) {
  current_->recover_from(original_, depth);
  return original_;
}

Ending Integration::ending(Outcome outcome, std::string message) {
  Ending done{outcome, std::move(message), here(Depth::multipliers), events_, nullptr};
  if (crossing_) done.crossings = crossing_->records();
  if (outcome == Outcome::ok)  // a step over a singular position may end before it
    std::erase_if(done.crossings, [&](const auto& crossing) { return crossing.t > main_.from.t; });
  done.testimony = witness_->testimony();
  done.stiff_since = stiffness_.since();
  if (switching_) done.chatters_since = switching_->chatters_since();
  done.mean_step = pace_.mean_step();
  done.effort = pace_.effort();
  if (outcome == Outcome::ok) done.handed = handed();
  if (finder_) done.watching = std::make_shared<const EventFinder>(*finder_);
  return done;
}

Ending Integration::failed(double h, const Attempt& seen) {
  const Failure failure = explain_failure(a_.formulation, before_, main_.from, h, seen);
  std::string remark = crossing_ ? crossing_->remark(main_.from.t) : "";
  if (!remark.empty()) remark += jump_beside_crossing();
  return ending(failure.outcome, failure.message + remark);
}

Ending Integration::refused_crossing() {
  return ending(crossing_->outcome(), crossing_->message() + jump_beside_crossing());
}

/// Where the equations jump next to a singular position, no step leads over either: that is the reason, whatever else is said.
std::string Integration::jump_beside_crossing() const {
  const double near = 1e-3 * (a_.end - begun_.t);
  std::optional<double> jump = passed_break_;
  if (!breaks_.empty() && (!jump || breaks_.back().t - main_.from.t < main_.from.t - *jump))
    jump = breaks_.back().t;
  if (!jump || std::abs(*jump - crossing_->position()) > near) return "";
  return "; the equations jump next to it, at t = " + short_number(*jump) +
         ", where no step leads over them: let them jump earlier or later, or smoothly";
}

std::optional<Ending> Integration::ended_by_observer() {
  if (const Observer* o = audience_.in_trouble()) return ending(o->status(), o->trouble());
  return {};
}

Ending integrate(const Assembly& assembly, const State& start) {
  return Integration(assembly, start).run();
}

}  // namespace dalembert
