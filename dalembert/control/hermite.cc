#include "dalembert/control/hermite.h"

namespace dalembert {

HermiteMotion::HermiteMotion(Mechanics& mechanics)
    : mechanics_(mechanics),
      problem_(mechanics.problem()),
      part_(problem_.sizes()),
      multipliers_(problem_.sizes().rows()),
      a_(problem_.sizes().v) {
  seen_.y = Vector::Zero(part_.size());
  for (End* end : {&begin_, &end_}) {
    end->state.y = Vector::Zero(part_.size());
    end->rate = Vector::Zero(part_.differential());
  }
}

bool HermiteMotion::look(const State& state, End& end) {
  const Eigen::Index n = part_.differential();
  if (end.known && end.state.t == state.t && end.state.y.head(n) == state.y.head(n)) return true;
  end.state = state;
  const auto q = part_.q(end.state.y), v = part_.v(end.state.y), s = part_.s(end.state.y);
  end.known = mechanics_.accelerate(state.t, q, v, s, {}, part_.v(end.rate), multipliers_) == Outcome::ok;
  if (!end.known) return false;
  problem_.tangent(mechanics_.here(), v, part_.q(end.rate));
  if (s.size() > 0) problem_.auxiliary(mechanics_.here(), v, s, part_.s(end.rate));
  return true;
}

bool HermiteMotion::at(const Track& track, double theta, State& original, Depth depth) {
  track.recover_from(seen_, Depth::coordinates);
  if (!(begin_.known && begin_.state.t == seen_.t) && end_.known && end_.state.t == seen_.t)
    std::swap(begin_, end_);
  if (!look(seen_, begin_)) return false;
  track.formulation.recover(track.to, seen_, Depth::coordinates);
  seen_.t = track.to.t;
  if (!look(seen_, end_)) return false;
  const Eigen::Index n = part_.differential();
  const double h = track.to.t - track.from.t, rest = 1 - theta;
  original.t = track.from.t + theta * h;
  original.y.head(n) = rest * rest * ((1 + 2 * theta) * begin_.state.y.head(n) + theta * h * begin_.rate) +
                       theta * theta * ((3 - 2 * theta) * end_.state.y.head(n) - rest * h * end_.rate);
  if (depth != Depth::multipliers) return true;
  const Outcome outcome = mechanics_.accelerate(original.t, part_.q(original.y), part_.v(original.y),
                                                part_.s(original.y), {}, a_, multipliers_);
  part_.multipliers(original.y) = multipliers_;
  return outcome == Outcome::ok;
}

}  // namespace dalembert
