// Runs that the interpreter waits for: Ctrl-C reaches them, and none is left when Python ends.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>

#include "dalembert/control/observer.h"
#include "dalembert/control/run.h"

namespace dalembert::python {

namespace py = pybind11;

/// Set once Python ends; every run looks at it.
const std::atomic<bool>& python_ends();
/// Asks all runs to end after their current step, and waits for them a while.
void end_all_runs();
/// After a fork: the runs of other threads are not in this process.
void forget_runs();

/// One run is on its way.
class RunInProgress {
 public:
  RunInProgress();
  ~RunInProgress();
  RunInProgress(const RunInProgress&) = delete;
  RunInProgress& operator=(const RunInProgress&) = delete;
};

/// Asks Python now and then whether a signal has come, for runs that do not hold the interpreter's lock. Only the main thread is
/// given signals; others never take the lock while they run.
class SignalWatch final : public Observer {
 public:
  SignalWatch();
  void tried(const TriedStep&) override;

 private:
  std::chrono::steady_clock::time_point next_;
  bool in_main_thread_;
};

/// A run with these observers; the lock is released unless evaluations need the interpreter.
enum class Interpreter { needed, not_needed };
Summary guarded_run(const std::shared_ptr<const Problem>&, RunOptions, std::vector<Observer*>, Interpreter);

}  // namespace dalembert::python
