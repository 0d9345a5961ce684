#include "dalembert/control/track.h"

#include <algorithm>

#include "dalembert/control/hermite.h"

namespace dalembert {

void Track::recover_at(double t, State& original, Depth depth) const {
  if (t >= to.t)
    formulation.recover(to, original, depth);
  else
    recover_inside(std::clamp((t - from.t) / (to.t - from.t), 0.0, 1.0), original, depth);
  original.t = std::min(t, to.t);
}

void Track::recover_inside(double theta, State& original, Depth depth) const {
  if (hermite != nullptr && hermite->at(*this, theta, original, depth)) return;
  method.interpolate(theta, inside_);
  formulation.recover(inside_, original, depth);
  original.t = inside_.t;
}

}  // namespace dalembert
