#include "python/src/progress.h"

#include <optional>
#include <thread>

namespace dalembert::python {

namespace {

std::atomic<bool> ends{false};
std::atomic<int> runs{0};
constexpr auto patience = std::chrono::milliseconds(50);

}  // namespace

const std::atomic<bool>& python_ends() {
  return ends;
}

void end_all_runs() {
  const py::gil_scoped_release release;  // those that need it shall have it
  ends = true;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (runs > 0 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

void forget_runs() {
  runs = 0;
}

RunInProgress::RunInProgress() {
  ++runs;
}
RunInProgress::~RunInProgress() {
  --runs;
}

SignalWatch::SignalWatch()
    : next_(std::chrono::steady_clock::now() + patience),
      in_main_thread_(py::module_::import("threading")
                          .attr("current_thread")()
                          .is(py::module_::import("threading").attr("main_thread")())) {}

void SignalWatch::tried(const TriedStep&) {
  if (!in_main_thread_ || std::chrono::steady_clock::now() < next_) return;
  const py::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  next_ = std::chrono::steady_clock::now() + patience;
}

Summary guarded_run(const std::shared_ptr<const Problem>& problem, RunOptions options,
                    std::vector<Observer*> observers, Interpreter interpreter) {
  if (options.interrupt == nullptr) options.interrupt = &python_ends();
  const RunInProgress here;  // until the lock is held again
  if (interpreter == Interpreter::needed) return run(problem, options, observers);
  SignalWatch signals;
  observers.push_back(&signals);
  const py::gil_scoped_release release;
  return run(problem, options, observers);
}

}  // namespace dalembert::python
