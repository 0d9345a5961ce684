// How far a run has come, while it goes on.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "dalembert/control/observer.h"

namespace dalembert {

/// A bar that is drawn again ten times a second, and wiped away at the end, if standard error is a terminal; otherwise
/// nothing, or, if lines are wanted, a line there every few seconds.
class Progress final : public Observer {
 public:
  enum class Elsewhere { nothing, lines };  ///< than on a terminal
  Progress(double begin, double end, Elsewhere = Elsewhere::nothing);
  void step(const StepView&) override;
  void end() override;

  /// "t = 4.2 of 10, 1234 steps, 5e+04/s, 3 s left", after so many seconds.
  std::string sentence(double t, double seconds) const;

 private:
  using Clock = std::chrono::steady_clock;
  void draw(double t, double seconds);

  double begin_, end_;
  enum class Form { none, bar, lines } form_;
  bool drawn_ = false;
  std::int64_t steps_ = 0;
  Clock::time_point started_, last_;
};

}  // namespace dalembert
