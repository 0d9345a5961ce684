// Holds a run against the digits that its file knows, at each time where it knows some.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/control/observer.h"
#include "dalembert/control/reporter.h"
#include "dalembert/control/run.h"
#include "dalembert/model/model.h"

namespace dalembert {

/// How far a run is from the digits at one time.
struct Comparison {
  double t = 0;
  double error = 0;   ///< the largest |difference|/(1+|reference|)
  double within = 0;  ///< what the file allows; 100 rtol if it does not say
  bool right() const { return error <= within; }
};

/// Looks into the steps, so that it does not matter what outputs are asked for.
class ReferenceCheck final : public Observer {
 public:
  ReferenceCheck(const Model&, double rtol);

  void begin(const Problem&, const State& start) override;
  void step(const StepView&) override;

  /// Those that the run has reached, in order of time.
  const std::vector<Comparison>& compared() const { return compared_; }
  /// How many lie beyond the end of the run.
  std::size_t ahead() const { return references_.size() - next_; }

 private:
  void compare(const State& of_mode);

  const Mechanism& mechanism_;
  std::vector<Reference> references_;  // in order of time
  std::size_t next_ = 0;
  double rtol_;
  std::optional<Reporter> reporter_;
  Layout layout_;
  std::vector<Comparison> compared_;
};

/// Warns of digits that the run does not meet.
void weigh(const ReferenceCheck&, Summary&);

}  // namespace dalembert
