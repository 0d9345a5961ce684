// Runs at points of the box, several at once on threads that are prepared once. What they give does not depend on the threads.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/fit/unknowns.h"
#include "dalembert/sweep/worker.h"

namespace dalembert {

/// Makes the run with its own observer, and says what it gives. Throws Error where it gives nothing.
using Gauge = std::function<Vector(const SweepProblem&, const std::function<const Summary&(Observer&)>& run)>;

struct TrialTask {
  ProblemMakers makers;
  RunOptions options;
  std::vector<Unknown> unknowns;
  Gauge measure;
  int threads = 0;  ///< 0: as many as there are cores
};

/// Why runs gave nothing.
struct Failure {
  std::string first;      ///< what the first of them says
  std::int64_t runs = 0;  ///< that say the same, up to numbers
};
using Failures = std::map<std::string, Failure>;  ///< by what they say, without numbers
void add(Failures&, const Failures&);

/// Counts its runs, and why some gave nothing.
class Trials {
 public:
  explicit Trials(const TrialTask&);
  ~Trials();

  /// What the runs give; nothing where one ended early, or where there is no such problem. Once interrupted, nothing.
  std::vector<std::optional<Vector>> at(const std::vector<Vector>& points);
  std::optional<Vector> at(const Vector& point) { return at(std::vector{point}).front(); }

  bool interrupted() const;
  std::int64_t runs() const { return runs_; }
  const Failures& failures() const { return failures_; }

 private:
  struct Trial {
    std::optional<Vector> given;
    std::string trouble;
  };
  Trial make(Worker&, const Vector& point) const;

  const TrialTask& task_;
  std::vector<std::unique_ptr<Worker>> workers_;  // one for each thread, made when it is needed
  std::int64_t runs_ = 0;
  Failures failures_;
};

/// What is differentiated: several points at once.
using BoxFunction = std::function<std::vector<std::optional<Vector>>(const std::vector<Vector>&)>;
/// Derivatives with respect to the points of the box, by differences with these steps: central ones; at a side of the box, where one
/// side does not run, three points to the other side; two where no third one runs. Nothing if neither side runs.
///
///   f' = (f(u+h) - f(u-h))/(2h),   f' = (-3 f(u) + 4 f(u+h) - f(u+2h))/(2h),   f' = (f(u+h) - f(u))/h
std::optional<Matrix> differences(const BoxFunction&, const Vector& u, const Vector& value,
                                  const Vector& steps);

}  // namespace dalembert
