// Those who watch a run: recorders, writers, monitors, progress.
#pragma once

#include <string>
#include <vector>

#include "dalembert/core/outcome.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// An event that happened.
struct EventRecord {
  double t;
  std::string name;
  template <class Memory>
  void remember(Memory& memory) {
    memory(t, name);
  }
};

/// All that a run remembers between two steps: RunOptions::resume goes on from there as if nothing had happened.
struct Checkpoint {
  double t = 0;
  std::string memory;  ///< bytes, for the same version of the program only
};

/// What is done about positions where constraint rows become dependent: watch looks for them and passes them by singular steps,
/// ignore does not look, stop ends the run before the first one.
enum class Singular { watch, ignore, stop };

/// A position where the constraint Jacobian lost rank, and how the run got past it.
struct SingularityRecord {
  double t;
  std::vector<std::string> rows;  ///< labels of the multipliers whose rows depend on each other there
  std::string how;
  template <class Memory>
  void remember(Memory& memory) {
    memory(t, rows, how);
  }
};

/// When they are given an output: at the times that are listed, or at the start and where each step ends as well.
enum class Reporting { at_times, each_step };

/// An accepted step as observers see it: complete states of the original problem anywhere inside it.
class StepView {
 public:
  virtual ~StepView() = default;
  virtual double begin() const = 0;
  virtual double end() const = 0;
  /// Valid until the next call.
  virtual const State& at(double t, Depth) const = 0;
};

/// A step as it was tried, and what became of it.
struct TriedStep {
  enum class Fate { accepted, rejected, crossing };  ///< the last: accepted, over a singular position
  double t = 0, h = 0;                               ///< where it began, how long it was
  double error = 0;  ///< the estimate in units of the tolerance; 0: there is none
  double order = 0;  ///< the error of a step behaves like h^order; 0: not known
  Fate fate = Fate::accepted;
};

/// Watches a run; everything is optional. Called in this order:
/// begin, output of the start (if the start is an output time), then step, output and event as the run goes
/// on (a step was tried before it is one, and comes before the outputs inside it, an event after them), begin again for each further mode, end. A
/// run that cannot start has no begin; end comes always.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Once per mode, with the complete consistent state it starts from.
  virtual void begin(const Problem&, const State& /*start*/) {}
  virtual void tried(const TriedStep&) {}
  virtual void step(const StepView&) {}
  /// At each output time: the complete state, laid out as Problem::report() of the current mode.
  virtual void output(const State&) {}
  virtual void event(const EventRecord&, const State& /*after*/) {}
  virtual void end() {}
  /// Between two steps: is it time to write down all that is needed to go on from here?
  virtual bool wants_checkpoint() const { return false; }
  /// Comes soon after it was wanted, unless somebody cannot say what he remembers.
  virtual void checkpoint(const Checkpoint&) {}
  /// Anything but ok ends the run; trouble() says why.
  virtual Outcome status() const { return Outcome::ok; }
  virtual std::string trouble() const { return {}; }
};

}  // namespace dalembert
