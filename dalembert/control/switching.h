// Where the equations go over to another smooth piece inside a step (a bumper, `if` in a law), the step is made once more so
// that it ends there.
#pragma once

#include <optional>

#include "dalembert/control/track.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

class Switching {
 public:
  Switching(const Problem&, const State& start, double end);

  /// Looks for a switch inside the last attempt of a track. If there is one, the attempt is made once more with the step
  /// that ends on it, which may fail or have too large an error; if there is none, nothing is returned.
  std::optional<Attempt> land(Track&, double& step);
  /// The step will end elsewhere.
  void forget() { next_.reset(); }
  /// The step was accepted. True if it ended on a switch: behind it the equations are others.
  bool pass();
  /// The motion goes on from a state that is not the end of such a step.
  void arrive(const State& original);

 private:
  const Piece& piece(const Track&, double theta, double step);
  std::optional<double> first(const Track&, double step);
  /// Between two places of the same piece, with one in the middle where a condition is closest to going the other way.
  std::optional<double> dip(const Track&, double step, double a, double b, std::size_t condition);

  const Problem& problem_;
  const double end_;
  State original_;
  Piece piece_;                // on which the next step begins
  Piece seen_;                 // at the last place that was looked at
  std::optional<Piece> next_;  // on which it goes on: the step at hand ends on a switch
  int in_place_ = 0;           // switches without time passing
};

}  // namespace dalembert
