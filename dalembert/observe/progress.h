// A line on a terminal that says how far a run has come.
#pragma once

#include <chrono>
#include <cstdint>

#include "dalembert/control/observer.h"

namespace dalembert {

/// Writes to standard error, at most ten times a second, and only if that is a terminal; wiped away at the
/// end.
class Progress final : public Observer {
 public:
  Progress(double begin, double end);
  void step(const StepView&) override;
  void end() override;

 private:
  using Clock = std::chrono::steady_clock;
  double begin_, end_;
  bool visible_, drawn_ = false;
  std::int64_t steps_ = 0;
  Clock::time_point last_;
};

}  // namespace dalembert
