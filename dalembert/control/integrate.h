// The loop that joins problem, formulation, method, controller, events and observers, for one mode.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "dalembert/control/controller.h"
#include "dalembert/control/observer.h"
#include "dalembert/control/witness/testimony.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/method/method.h"

namespace dalembert {

class EventFinder;

/// When a run is handed over to another pair.
struct HandOver {
  bool when_stiff = false;                    ///< as soon as steps are short for stability only
  bool when_suspected = false;                ///< that it may be so is enough
  std::optional<std::int64_t> after_steps{};  ///< so many: another pair may do better, and is tried
  std::optional<double> unless_longer{};      ///< soon, unless steps are longer than this in the mean
  std::optional<double> unless_cheaper{};     ///< in a while, unless it takes less work per time than this
};

/// Why it was.
enum class Handed {
  no,         ///< it was not
  over,       ///< the motion is stiff, or the run a long one
  suspected,  ///< the motion may be stiff
  not_worth,  ///< this pair is not better than the one it was to replace
};

/// What integrate() works with. The method is bound to formulation.rewritten(), whose state `state` enters.
struct Assembly {
  Formulation& formulation;
  Method& method;
  Controller& controller;
  const Tolerance& tolerance;
  Statistics& statistics;
  const std::vector<Observer*>& observers;
  const std::vector<double>& outputs;  ///< ascending; those before the start are taken as done
  Reporting reporting;
  bool show_start;  ///< an output at the start is shown: nobody did before
  Singular singular;
  Scrutiny scrutiny;
  bool approximate;      ///< the formulation changes the equations: they cannot be held against the motion
  bool weak_dense;       ///< steps of the method are no longer than cubics can follow: orders up to 4
  bool land_on_outputs;  ///< step exactly onto output times instead of interpolating
  double end;
  std::optional<double> first_step, max_step;
  std::int64_t most_steps;
  HandOver hand_over;
  const std::atomic<bool>* interrupt;
  /// Writes down what those above remember; false if they cannot.
  std::function<bool(Memory&)> remember_above;
  const EventFinder*
      watching;    ///< of the pair before, in the same mode: what has just happened does not happen again
  Memory* resume;  ///< goes on with what is remembered there; nullptr: begins
};

/// How a mode ended, and where.
struct Ending {
  Outcome outcome = Outcome::ok;
  std::string message;
  State state;                          ///< complete, of the original problem
  std::vector<EventRecord> events;      ///< of this part of the run, as all that follows
  std::shared_ptr<const Problem> next;  ///< an event handed over to another mode
  std::vector<SingularityRecord> crossings{};
  Testimony testimony{};
  std::optional<double> stiff_since{};            ///< steps are short for stability only
  std::optional<double> chatters_since{};         ///< laws switch back and forth without time passing
  Handed handed = Handed::no;                     ///< the end is not reached: another pair is to go on
  std::shared_ptr<const EventFinder> watching{};  ///< for that one
  double mean_step = 0;                           ///< of the last few
  double effort = 0;                              ///< work per time, over more of them
};

/// From a complete consistent state of the original problem to the end, a stop, a change of mode, or a failure. A run that is
/// resumed takes no more from `start` than its size.
Ending integrate(const Assembly&, const State& start);

}  // namespace dalembert
