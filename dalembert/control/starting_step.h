// A step whose error is about right, found by trying: the estimate of a short step, scaled.
#pragma once

#include "dalembert/control/track.h"

namespace dalembert {

/// From where the track is, towards `end`; what was tried is left in `to`.
double starting_step(Track&, double end);

}  // namespace dalembert
