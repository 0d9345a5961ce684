#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/control/integration.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

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
  if (auto stop = pass_break()) return stop;
  if (!fixed()) h = starting_step();
  return {};
}

/// The equations are not smooth here: go on behind, with an impulse if a velocity jumps.
std::optional<Ending> Integration::pass_break() {
  const Break at = breaks_.back();
  breaks_.pop_back();
  const Problem& problem = a_.formulation.original();
  State state = here(Depth::multipliers);
  BreakEffect effect = pass(at, problem, state);
  if (effect.outcome != Outcome::ok) return ending(effect.outcome, std::move(effect.message));
  restart(state, main_);
  if (!effect.impulse.empty()) {
    events_.push_back({at.t, std::move(effect.impulse)});
    audience_.event(events_.back(), state);
  }
  if (finder_) finder_->arm(State(here(Depth::multipliers)), EventFinder::After::nothing);
  if (crossing_) arrive(state);
  if (switching_) switching_->arrive(state);
  return {};
}

std::optional<Ending> Integration::respond(const std::vector<std::size_t>& which, double elapsed) {
  const Events& events = *a_.formulation.original().events();
  const State before = here(Depth::multipliers);
  State state = before;
  EventResponse response;
  restarted_ = false;
  for (const std::size_t event : which) {  // several at once: each answers to what the one before left
    events_.push_back({state.t, events.list()[event].name});
    response = events.respond(event, state);
    if (state.y.size() != before.y.size())
      throw Error("the response to event '" + events.list()[event].name +
                      "' changes the number of entries from " + std::to_string(before.y.size()) + " to " +
                      std::to_string(state.y.size()),
                  "a mode with other entries is another problem: return it as `next`");
    audience_.event(events_.back(), state);
    restarted_ = restarted_ || response.action == EventResponse::Action::restart || state.y != before.y;
    if (response.next || response.action == EventResponse::Action::stop) break;
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
    Ending done = ending(stop ? Outcome::stopped : Outcome::ok,
                         stop ? "stopped by event '" + events_.back().name + "'" : std::string());
    done.state = state;
    if (!stop) done.next = response.next;
    return done;
  }
  if (restarted_) {
    restart(state, main_);
    if (crossing_) arrive(state);
  }
  finder_->arm(state, restarted_ ? EventFinder::After::change : EventFinder::After::note, which);
  return {};
}

}  // namespace dalembert
