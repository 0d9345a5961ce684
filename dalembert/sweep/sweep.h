// Many runs of one problem with other parameters, on all cores: prepared once in each thread, told in order.
//
// The numbers of a run do not depend on which thread makes it, or on what that thread made before: each thread prepares its solver
// on the problem as it is, and cases of another structure get a solver of their own.
#pragma once

#include <functional>
#include <map>

#include "dalembert/sweep/crew.h"
#include "dalembert/sweep/design.h"
#include "dalembert/sweep/quantity.h"
#include "dalembert/sweep/worker.h"

namespace dalembert {

/// What became of one case.
struct SweepRow {
  std::size_t number = 0;
  std::vector<double> values;           ///< NaN where the run ended early
  std::string outcome;                  ///< that of the run, or "refused" where there is no such problem
  std::string message;                  ///< why it ended early; "" otherwise
  std::vector<std::string> warnings{};  ///< of the run, and which reactions are not unique
  std::int64_t steps = 0;
  bool good() const { return message.empty(); }
  template <class Memory>
  void remember(Memory& memory) {
    memory(number, values, outcome, message, warnings, steps);
  }
};

struct SweepTask {
  ProblemMakers makers;
  RunOptions options;                ///< of all runs
  std::vector<Quantity> quantities;  ///< kept of each
  Design design;          ///< names are parameters, or entries of the state ("q.x"): initial values
  std::size_t first = 0;  ///< those before were made already, and told
  std::map<std::size_t, SweepRow> made{};  ///< those were made already, and are told when their turn comes
  /// Called at once with each row that has to wait for others, never at the same time as `told`; none: nobody wants to know.
  std::function<void(const SweepRow&)> ahead{};
  int threads = 0;       ///< 0: as many as there are cores
  Crew* crew = nullptr;  ///< other processes, called alike, that follow this one
};

/// Calls `told` with each row, in the order of the design and never at the same time, until all are made or the interrupt of
/// the options is set; what it throws ends the sweep and is thrown from here. Throws Error for mistakes of the caller.
/// Threads that are far ahead of a slow case wait for it, so that memory does not grow.
void sweep(const SweepTask&, const std::function<void(const SweepRow&)>& told);

/// Makes the runs that the process hands out that leads the crew, until there are no more. The task is the same there.
void follow(const SweepTask&);

/// The units of the quantities.
std::vector<std::string> units(const SweepTask&);

}  // namespace dalembert
