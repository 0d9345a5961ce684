#include "dalembert/control/track.h"

#include <algorithm>

#include "dalembert/control/hermite.h"

namespace dalembert {

void Track::recover_at(double t, State& original, Depth depth) const {
  const bool at_end = t >= to.t;
  const double theta = std::clamp((t - from.t) / (to.t - from.t), 0.0, 1.0);
  if (!at_end && hermite != nullptr && hermite->at(*this, theta, original, depth)) return;
  if (!at_end) method.interpolate(theta, inside_);
  formulation.recover(at_end ? to : inside_, original, depth);
  original.t = at_end ? to.t : t;
}

}  // namespace dalembert
