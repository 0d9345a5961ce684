// What can happen along a run: zero crossings that are located, reported and answered.
//
// Values are looked at along every step, the more often the faster they vary: a value that oscillates is followed, one that is
// noise ends the run with a reason. A value that is zero where a run begins has not crossed: it happens when it comes back. One
// that is zero where another event has just changed the state happens at once if it leaves in its direction: balls that touch
// pass a hit on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dalembert/core/layout.h"

namespace dalembert {

class Problem;

/// Which way a value crosses zero.
enum class Direction { falling, rising, either };

/// What can happen.
struct Event {
  std::string name;
  Direction direction = Direction::either;
  /// Of a mode that holds as long as the value is not negative: a value below zero is the event, crossing or not.
  bool guard = false;
  /// Of a mode whose value leaves zero upwards (what slips picks up speed): one that is below all along a step, by more than the
  /// tolerance, has come back unseen or never left, and that is the event.
  bool departs = false;
};

/// What a problem answers to an event.
struct EventResponse {
  enum class Action {
    note,     ///< go on as if nothing had happened
    restart,  ///< the state (or the equations' own switch) was changed: forget history
    stop,     ///< end the run, whatever `next` is
  };
  Action action = Action::note;
  std::shared_ptr<const Problem>
      next;  ///< the equations that hold from here on (a mode); none: the same ones
};

/// Event functions of the complete state (multipliers included). A problem with modes is several problems, each with
/// its own equations, whose events hand over to the next one. All modes share the names of their reported blocks.
class Events {
 public:
  virtual ~Events() = default;
  virtual const std::vector<Event>& list() const = 0;
  virtual void values(const State&, Out e) const = 0;
  /// Called at the located time; may change the state. Of several events at one time each is given what the one before left.
  virtual EventResponse respond(std::size_t event, State& state) const = 0;
  /// Do the values look at multipliers? If not, locating an event costs no linear solves.
  virtual bool need_multipliers() const { return false; }
  /// The mode that holds where a run begins, at a complete consistent state of this one; none: this one.
  virtual std::shared_ptr<const Problem> mode_at(const State&) const { return nullptr; }
  /// Which of the modes this one is, in numbers that mode() of another one understands; none: they have no numbers.
  virtual std::vector<int> which_mode() const { return {}; }
  virtual std::shared_ptr<const Problem> mode(const std::vector<int>&) const { return nullptr; }
};

}  // namespace dalembert
