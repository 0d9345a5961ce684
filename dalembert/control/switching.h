// Where the equations go over to another smooth piece inside a step (a bumper, `if` in a law), the step is made once more so
// that it ends in front of the switch, and the next one begins behind: no stage of either sees the equations of the other.
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
  /// that ends in front of it, which may fail or have too large an error; if there is none, nothing is returned.
  std::optional<Attempt> land(Track&, double& step);
  /// The step will end elsewhere.
  void forget() { found_ = Found::nothing; }
  /// There is no step: the motion goes over to another piece right where it would begin.
  bool at_start() const { return found_ == Found::at_start; }
  /// Behind the switch that was found, if there was one: there the equations are others.
  const State* pass();
  /// From where on switches followed each other without time passing.
  std::optional<double> chatters_since() const { return chatters_since_; }
  /// At this pace, would so many steps from t on not lead to the end?
  bool crawls(double t, std::int64_t steps) const;
  /// The motion goes on from a state that is not the end of such a step.
  void arrive(const State& original);
  void remember(Memory& memory) {
    memory(original_, piece_.signature, piece_.margins, beyond_, landed_, found_, in_place_, chatters_since_,
           chattering_steps_);
  }

 private:
  const Piece& piece(const Track&, double theta, double step);
  std::optional<double> last(const Track&, double step, std::size_t first = 0);
  std::optional<double> last_beyond_edges(const Track&, double step);
  std::vector<double> undecided_margins(const Track&);
  bool reaches(const Track&, double theta, double step, double farthest);
  double missing(const Track&, double step);
  double near_of(double t) const;
  /// Between two places of the same piece, with one in the middle where a condition is closest to going the other way.
  std::optional<double> dip(const Track&, double step, double a, double b, std::size_t condition);

  const Problem& problem_;
  const double end_;
  State original_;
  Piece piece_;          // on which the next step begins
  Piece seen_;           // at the last place that was looked at
  State beyond_;         // behind the switch that was found
  bool landed_ = false;  // on one, in this run
  enum class Found { nothing, at_start, at_end } found_ = Found::nothing;
  int in_place_ = 0;  // switches without time passing
  std::optional<double> chatters_since_;
  std::int64_t chattering_steps_ = 0;
};

}  // namespace dalembert
