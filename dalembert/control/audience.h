// The observers of a run, told together: what is shown to them, and the output times that are still to come.
#pragma once

#include <optional>
#include <vector>

#include "dalembert/control/observer.h"
#include "dalembert/control/reporter.h"
#include "dalembert/core/statistics.h"

namespace dalembert {

class Audience {
 public:
  /// Of one mode that begins at `from`: outputs up to there are taken as done.
  Audience(const Problem& mode, const std::vector<Observer*>&, const std::vector<double>& outputs, Reporting,
           double from);

  /// The mode begins; its start is shown if it is an output time and nobody did before.
  enum class Start { shown, new_one };
  void begin(const State& start, Start);
  void tried(const TriedStep&);
  /// A step, then the outputs inside it. What observers evaluate is no effort of the method.
  void step(const StepView&, Statistics&);
  void event(const EventRecord&, const State& after);
  /// The run goes on elsewhere from here: outputs up to now are shown.
  void leave(const State&);

  bool wants_checkpoint() const;
  void checkpoint(const Checkpoint&);

  std::optional<double> next_output() const;
  /// The one who wants the run to end; nullptr if nobody does.
  const Observer* in_trouble() const;

 private:
  void output(const State&);

  const Problem& mode_;
  const Reporter reporter_;
  const std::vector<Observer*>& observers_;
  const std::vector<double>& outputs_;  // ascending
  const Reporting reporting_;
  std::vector<double>::const_iterator next_;
};

}  // namespace dalembert
