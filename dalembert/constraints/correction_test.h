// When an iteration of corrections back onto the constraints is over.
#pragma once

#include <limits>

#include "dalembert/core/outcome.h"

namespace dalembert {

/// Corrections contract until rounding makes them grow again; sizes are compared with a scale of what is corrected.
class CorrectionTest {
 public:
  /// Corrections below `rounding`, relative to the scale, need not be made.
  explicit CorrectionTest(double rounding) : rounding_(rounding) {}

  /// Is this one no smaller than the last? Then the last point was as good as it gets, and end() says whether that is good.
  bool stalled(double size) const { return size >= last_; }
  Outcome end(double scale) const {
    return last_ > settled * scale ? Outcome::projection_failed : Outcome::ok;
  }
  /// Is this one rounding already, or will the next one be, which is about size^2/last?
  bool enough(double size, double scale) const {
    return size <= rounding_ * scale || (last_ < unknown && size * size <= rounding_ * scale * last_);
  }
  /// Would the next one be rounding, if it is this part of the last? Far below, since parts of rows are not quite those of corrections.
  bool enough_if(double part, double scale) const { return part * last_ <= 0.01 * rounding_ * scale; }
  void made(double size) { last_ = size; }

  /// What a quadratically convergent iteration leaves after a correction of this size is rounding.
  static constexpr double settled = 1e-9;

 private:
  static constexpr double unknown = std::numeric_limits<double>::infinity();
  double rounding_, last_ = unknown;
};

}  // namespace dalembert
