#include "dalembert/control/track.h"

#include <algorithm>

#include "dalembert/control/hermite.h"
#include "dalembert/formulation/without_algebraic.h"
#include "dalembert/method/dense_rate.h"

namespace dalembert {

namespace {

DenseRate* rates_of(const Formulation& formulation, Method& method) {
  const auto* entries = dynamic_cast<const SameEntries*>(&formulation);
  return entries != nullptr && entries->kept() ? dynamic_cast<DenseRate*>(&method) : nullptr;
}

}  // namespace

Track::Track(const Formulation& f, Method& m) : formulation(f), method(m), rates_(rates_of(f, m)) {
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
  const Eigen::Index common = std::min(rate.size(), rate_inside_.size());
  copy(rate_inside_.head(common), rate.head(common));
  return true;
}

}  // namespace dalembert
