// Runs of one thread with other parameters, prepared once: the same numbers in whichever thread, and whatever was run before.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "dalembert/control/solver.h"
#include "dalembert/observe/watch.h"

namespace dalembert {

/// What is solved in one case.
struct SweepProblem {
  std::shared_ptr<const Problem> problem;
  std::vector<Watch> watches{};
  std::optional<RunOptions> options{};  ///< where these parameters ask for others than the task does
};
/// The problem with these parameters. Throws Error where there is none.
using ProblemMaker = std::function<SweepProblem(const Values&)>;
/// Called once by each thread: a maker belongs to it.
using ProblemMakers = std::function<ProblemMaker()>;

/// One thread's solver.
class Worker {
 public:
  Worker(const ProblemMakers& makers, RunOptions options) : options_(std::move(options)), make_(makers()) {}

  /// Of what is varied, names with a point are entries of the state, the others parameters. Throws Error where there is no such problem.
  SweepProblem problem(const Values& varied);
  /// What was made of the same values, run.
  Summary run(const SweepProblem&, const Values& varied, Observer&);

 private:
  void prepare();

  RunOptions options_;
  ProblemMaker make_;
  std::shared_ptr<const Mechanical> first_;
  std::optional<Solver> prepared_;
};

/// Of what is varied, the initial values, over those of the options.
Values varied_start(const Values& varied, const RunOptions&);

}  // namespace dalembert
