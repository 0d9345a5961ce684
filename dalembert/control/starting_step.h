// A step whose error is about right, found by trying: the estimate of a short step, scaled.
#pragma once

#include <optional>

#include "dalembert/control/track.h"

namespace dalembert {

struct StartingStep {
  double h = 0;
  std::optional<Attempt> made{};  ///< over just that step: the last one of the track
};
/// From where the track is, towards `end`; what was tried is left in `to`.
StartingStep starting_step(Track&, double end);

}  // namespace dalembert
