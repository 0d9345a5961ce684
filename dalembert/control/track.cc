#include "dalembert/control/track.h"

#include <algorithm>

#include "dalembert/control/hermite.h"
#include "dalembert/formulation/without_algebraic.h"
#include "dalembert/method/dense_rate.h"

namespace dalembert {

Track::Track(const Formulation& f, Method& m)
    : formulation(f),
      method(m),
      rates_(dynamic_cast<const SameEntries*>(&f) != nullptr ? dynamic_cast<DenseRate*>(&m) : nullptr) {
  from.y = to.y = inside_.y = Vector::Zero(f.rewritten().layout().size());
}

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

bool Track::recover_inside(double theta, State& original, Vector& rate, Depth depth) const {
  if (hermite != nullptr || rates_ == nullptr) return false;
  rates_->interpolate(theta, inside_, rate_inside_);
  formulation.recover(inside_, original, depth);
  original.t = inside_.t;
  copy(rate_inside_, rate.head(rate_inside_.size()));
  return true;
}

}  // namespace dalembert
