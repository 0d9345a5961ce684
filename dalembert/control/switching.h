// Where the equations go over to another smooth piece inside a step (a bumper, `if` in a law), the step is made once more so
// that it ends there.
#pragma once

#include <cstdint>
#include <optional>

#include "dalembert/control/track.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

class Switching {
 public:
  Switching(const Problem&, const State& start, double end);

  /// Looks for a switch inside the last attempt of a track. If there is one, the attempt is made once more with the step
  /// that ends on it, which may fail; if there is none, nothing is returned.
  std::optional<Attempt> land(Track&, double& step);
  /// The step will end elsewhere.
  void forget() { next_.reset(); }
  /// The step was accepted. True if it ended on a switch: behind it the equations are others.
  bool pass();
  /// The motion goes on from a state that is not the end of such a step.
  void arrive(const State& original);

 private:
  std::uint64_t piece(const Track&, double theta, double step);

  const Problem& problem_;
  const double end_;
  State original_;
  std::uint64_t piece_;                // on which the next step begins
  std::optional<std::uint64_t> next_;  // on which it goes on: the step at hand ends on a switch
  int in_place_ = 0;                   // switches without time passing
};

}  // namespace dalembert
