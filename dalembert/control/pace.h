// How fast a run advances over its last steps: time per step, and work per time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "dalembert/core/statistics.h"

namespace dalembert {

class Pace {
 public:
  Pace(double t, const Statistics& so_far) { passed_[0] = {t, work(so_far)}; }

  /// A step was accepted; the statistics are those of the run, with this step.
  void step(double end, const Statistics& so_far) { passed_[++steps_ % kept] = {end, work(so_far)}; }

  template <class Memory>
  void remember(Memory& memory) {
    memory(steps_);
    for (Place& place : passed_) memory(place.t, place.work);
  }

  std::int64_t steps() const { return steps_; }
  /// Of the last few: those before them may have been short because the run had just begun.
  double mean_step() const {
    const std::int64_t back = std::min(steps_, few / 2);
    return back == 0 ? 0 : (at(0).t - at(back).t) / static_cast<double>(back);
  }
  /// Work per time.
  double effort() const {
    const std::int64_t back = std::min(steps_, kept - 1);
    return back == 0 ? 0 : (at(0).work - at(back).work) / (at(0).t - at(back).t);
  }

  static constexpr std::int64_t few = 12;
  static constexpr std::int64_t many = 100;  // after so many a multistep method has found its order

 private:
  static constexpr std::int64_t kept = 32;
  struct Place {
    double t, work;
  };
  const Place& at(std::int64_t back) const { return passed_[(steps_ - back) % kept]; }

  /// Of implicit methods, in evaluations: a Jacobian costs several of them, and so do factors. (In the mean; what is compared
  /// are methods for the same equations.)
  static double work(const Statistics& s) {
    constexpr double matrix = 5;
    return static_cast<double>(s.force_evaluations + s.solves) +
           matrix * static_cast<double>(s.jacobians + s.factorizations);
  }

  std::array<Place, kept> passed_{};
  std::int64_t steps_ = 0;
};

}  // namespace dalembert
