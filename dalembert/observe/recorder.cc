#include "dalembert/observe/recorder.h"

#include <algorithm>

#include "dalembert/core/error.h"

namespace dalembert {

std::vector<double> Recorder::times() const {
  std::vector<double> all;
  for (const auto& state : states_) all.push_back(state.t);
  return all;
}

Matrix Recorder::block(std::string_view name) const {
  const Block& block = layout_[name];
  Matrix all(block.size, static_cast<Eigen::Index>(states_.size()));
  for (Eigen::Index k = 0; k < all.cols(); ++k) all.col(k) = states_[static_cast<std::size_t>(k)][block];
  return all;
}

State Recorder::at(double t) const {
  if (states_.empty()) throw Error("nothing was recorded", "give the run output times");
  if (!(t >= states_.front().t && t <= states_.back().t))
    throw Error("t = " + std::to_string(t) + " was not recorded",
                "the record goes from " + std::to_string(states_.front().t) + " to " +
                    std::to_string(states_.back().t));
  const auto after = std::lower_bound(states_.begin(), states_.end(), t,
                                      [](const State& state, double time) { return state.t < time; });
  if (after->t == t) return *after;
  const State& a = *(after - 1);
  const State& b = *after;
  const double theta = (t - a.t) / (b.t - a.t);
  return {t, (1 - theta) * a.y + theta * b.y};
}

}  // namespace dalembert
