#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/integration.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/hessenberg.h"
#include "dalembert/problem/implicit.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

namespace {

/// y', as far as the equations give it without being solved.
void tangent(const Problem& problem, double t, In y, Out dy) {
  if (const auto* ode = as<Ode>(&problem)) {
    ode->f(t, y, dy);
  } else if (const auto* implicit = as<Implicit>(&problem)) {
    implicit->rate(t, y, dy);
  } else if (const auto* hessenberg = as<Hessenberg>(&problem)) {
    const Eigen::Index n = differential_size(problem.layout());
    hessenberg->f(t, y.head(n), y.tail(y.size() - n), dy.head(n));
  } else if (const auto* mechanical = as<Mechanical>(&problem)) {
    const auto n = mechanical->sizes();
    const auto at = mechanical->placement();
    mechanical->place_at(*at, t, y.head(n.q));
    mechanical->tangent(*at, y.segment(n.q, n.v), dy.head(n.q));
  }
}

}  // namespace

/// What happens where a step has ended: events, switches and breaks, and the step to go on with.
std::optional<Ending> Integration::pass_end(const Track& track,
                                            const std::optional<EventFinder::Found>& event, double& h) {
  const bool own = &track == &main_;
  if (event) {
    if (auto stop = respond(event->events, main_.from.t - before_.t)) return stop;
    // Where a crossing was cut short the rows may be dependent: the method cannot be asked for a step there.
    if (!fixed() && restarted_ && own) h = std::min(h, starting_step());
  } else if (finder_) {
    finder_->advance();
  }
  if (const State* beyond = switching_ && own ? switching_->pass() : nullptr) {
    restart(*beyond, main_);
    h = std::min(h, starting_step());
  } else if (switching_ && (event || !own)) {
    switching_->arrive(here(Depth::coordinates));
  }
  if (breaks_.empty() || main_.from.t < breaks_.back().before) return {};
  if (auto stop = pass_break(event ? event->events : std::vector<std::size_t>{})) return stop;
  if (!fixed()) h = starting_step();
  return {};
}

/// The equations are not smooth here: go on behind, with an impulse if a velocity jumps.
std::optional<Ending> Integration::pass_break(const std::vector<std::size_t>& just_happened) {
  const Break at = breaks_.back();
  breaks_.pop_back();
  passed_break_ = at.t;
  const Problem& problem = a_.formulation.original();
  State state = here(Depth::multipliers);
  if (state.t > at.after)
    return ending(Outcome::undecided, "t = " + short_number(state.t) + ": a step has led past t = " +
                                          short_number(at.t) + ", where the equations jump");
  BreakEffect effect = pass(at, problem, state);
  if (effect.outcome != Outcome::ok) return ending(effect.outcome, std::move(effect.message));
  restart(state, main_);
  if (!effect.impulse.empty()) {
    events_.push_back({at.t, std::move(effect.impulse)});
    audience_.event(events_.back(), state);
  }
  if (const Events* events = problem.events())
    if (auto next = events->mode_at(state)) {  // what stuck may slip behind a jump, and the other way round
      audience_.leave(state);
      Ending done = ending(Outcome::ok, {});
      done.state = state;
      done.next = std::move(next);
      return done;
    }
  if (finder_)
    finder_->arm(State(here(Depth::multipliers)), EventFinder::After::nothing, {just_happened, {}});
  if (crossing_) arrive(state);
  if (switching_) switching_->arrive(state);
  return {};
}

std::optional<Ending> Integration::respond(const std::vector<std::size_t>& which, double elapsed) {
  const Events& events = *a_.formulation.original().events();
  const State before = here(Depth::multipliers);
  State state = before;
  EventResponse response;
  EventFinder::Happened happened{which, {}};
  restarted_ = false;
  for (const std::size_t event : which) {  // several at once: each answers to what the one before left
    events_.push_back({state.t, events.list()[event].name});
    response = events.respond(event, state);
    if (state.y.size() != before.y.size())
      throw Error("the response to event '" + events.list()[event].name +
                      "' changes the number of entries from " + std::to_string(before.y.size()) + " to " +
                      std::to_string(state.y.size()),
                  "a mode with other entries is another problem: return it as `next`");
    if (state.t != before.t)
      throw Error("the response to event '" + events.list()[event].name + "' changes the time from " +
                      short_number(before.t) + " to " + short_number(state.t),
                  "a response happens at once: leave the time alone");
    audience_.event(events_.back(), state);
    restarted_ = restarted_ || response.action == EventResponse::Action::restart || state.y != before.y;
    if (response.next || response.action == EventResponse::Action::stop) break;
    // One that happens again at once, below rounding, was told a motion that it cannot see: what it leaves says nothing.
    if (elapsed > 0 && passes(event, state)) happened.passed.push_back(event);
  }
  const double t = main_.from.t;
  events_in_place_ = elapsed <= 64 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(t))
                         ? events_in_place_ + 1
                         : 0;
  if (events_in_place_ > 100)
    return ending(Outcome::event_storm,
                  "t = " + short_number(t) + ": event '" + events_.back().name +
                      "' repeats without time passing; give the problem a mode for what "
                      "comes after, or stop at the event");
  const bool stop = response.action == EventResponse::Action::stop;
  if (response.next || stop) {
    Ending done = ending(
        stop ? Outcome::stopped : Outcome::ok,
        stop ? "t = " + short_number(t) + ": stopped by event '" + events_.back().name + "'" : std::string());
    done.state = state;
    if (!stop) done.next = response.next;
    return done;
  }
  if (restarted_ &&
      state.y != before.y) {  // a response may leave the constraints, or multipliers as they were
    const StartReport met = make_consistent(a_.formulation.original(), state);
    if (met.outcome != Outcome::ok)
      return ending(met.outcome,
                    "t = " + short_number(t) + ": after event '" + events_.back().name + "': " + met.message);
  }
  if (restarted_) {
    restart(state, main_);
    if (crossing_) arrive(state);
  }
  finder_->arm(state, restarted_ ? EventFinder::After::change : EventFinder::After::note, happened);
  return {};
}

/// Does the value of an event, as its response leaves the state, go on through zero? Looked at along the tangent of the motion:
/// far enough to see slow ones.
bool Integration::passes(std::size_t event, const State& state) {
  const Events& events = *a_.formulation.original().events();
  const Direction direction = events.list()[event].direction;
  if (direction == Direction::either) return true;
  State now{state.t, main_.from.y};
  a_.formulation.enter(state, now);
  Vector rate = Vector::Zero(now.y.size());
  tangent(a_.formulation.rewritten(), state.t, now.y, rate);
  const double ahead = 1e-3 * std::max(a_.end - state.t, std::abs(state.t) * 1e-6);
  now.t = state.t + ahead;
  now.y += ahead * rate;
  State there = state;
  const Depth depth = events.need_multipliers() ? Depth::multipliers : Depth::coordinates;
  if (a_.formulation.recover(now, there, depth) != Outcome::ok) return false;
  Vector before(static_cast<Eigen::Index>(events.list().size())), after = before;
  events.values(state, before);
  events.values(there, after);
  const double change = after[static_cast<Eigen::Index>(event)] - before[static_cast<Eigen::Index>(event)];
  return direction == Direction::falling ? change < 0 : change > 0;
}

}  // namespace dalembert
