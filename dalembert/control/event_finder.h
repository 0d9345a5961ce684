// Zero crossings inside a step: seen on the dense output, then located by steps that end on them.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dalembert/control/track.h"
#include "dalembert/core/tolerance.h"
#include "dalembert/problem/events.h"

namespace dalembert {

class EventFinder {
 public:
  /// No tolerance: steps are fixed.
  EventFinder(const Events&, const Problem& original, const Tolerance*);

  /// Those that happen where a step ends. Some have passed: their own response left them on their way through zero.
  struct Happened {
    std::vector<std::size_t> events, passed;
  };
  /// The values at a point where a mode or a step begins. Events that have just happened there are not found again. But
  /// where the state was changed, an event whose value is zero and leaves through zero happens at once, unless it has
  /// passed: once more after a response that had stopped it, or because another one has set it going (balls that touch).
  enum class After { nothing, note, change };
  void arm(const State& original, After, const Happened&);
  void arm(const State& original, After after) { arm(original, after, Happened()); }

  /// What a value does within a step cannot be made out.
  struct Unclear {
    std::size_t event;
    enum class Why { oscillates, undefined, turned } why;
  };
  /// The first crossing in the last attempt of a track, or none. On return the step of the track ends on the crossing
  /// (the attempt is repeated with shorter steps until it does), `h` is its length.
  struct Found {
    std::vector<std::size_t> events;  ///< one, or several at once
    Attempt attempt;
    bool at_start = false;             ///< before any time has passed: `to` means nothing
    std::optional<Unclear> unclear{};  ///< a shorter step is needed
  };
  /// `narrow`: times at which values may be far from what they are around.
  std::optional<Found> search(Track&, double& h, std::span<const double> narrow);

  void remember(Memory& memory) {
    memory(after_, fresh_, now_, end_, most_, left_, sway_, at_zero_, passed_);
  }

  /// After a step without crossing: its end is the beginning of the next one.
  void advance();

 private:
  /// Relative to its largest value so far, a value below this has not left zero.
  static constexpr double rounding = 1e-14;
  struct Root {
    std::size_t event;
    double theta;
  };
  struct Sample {
    double theta;
    Vector e;
  };
  const Vector& values(double theta);  ///< on the dense output
  Sample look(double theta);
  double at(const State& rewritten, std::size_t event);
  void measure_rounding(const State& original);
  void measure_blur();
  std::vector<std::size_t> sample(
      std::span<const double> narrow);  ///< returns the events that happen again at once
  /// Looks between the samples until they show how every value goes; returns one that they do not show.
  std::optional<Unclear> refine();
  std::pair<int, Eigen::Index> roughest() const;  ///< how many samples are out of line, and of which event
  double from_neighbours(std::size_t sample, Eigen::Index event) const;
  /// Decides on which side a just-happened event leaves zero; says whether it happens again at once.
  bool settle(std::size_t event);
  /// One that ought to have left zero upwards and is far below all along the step; `again`: it was below before, too.
  struct Astray {
    std::size_t event;
    bool again;
  };
  std::optional<Astray> astray();
  double allowed_at_start(std::size_t event);
  double allowed(std::size_t event,
                 const State& original);  ///< what the tolerance allows a value to be wrong by
  void look_closer();                     ///< adds the extrema between samples that might touch zero
  /// Where to look next for one, if anywhere.
  std::optional<double> nearest_to_zero(std::size_t middle, Eigen::Index event) const;
  std::optional<double> first_root(std::size_t event);
  double locate(std::size_t event, double a, double ea, double b, double eb);
  /// `size`: of values beside the crossing, by which the slope was found.
  Attempt land(std::size_t event, double theta, double slope, double size, double& h);
  Attempt land_on_jump(std::size_t event, int direction, double low, double high, double& h);

  const Events& events_;
  bool fixed_ = false;
  ErrorScale scale_;
  Track* track_ = nullptr;  // whose step is searched
  Depth depth_;
  After after_ = After::nothing;
  bool fresh_ = true;  // no step since then
  State original_;
  Vector now_, e_;
  Vector end_;   // where the last attempt ends
  Vector most_;  // |e|, the largest so far
  Vector left_;  // |e| where the last step that was made to end on an event ended
  Vector sway_;  // what rounding of the state makes of e
  Vector blur_;  // what rounding of the time makes of it within the last attempt
  Vector until_,
      side_;  // in the last attempt: until where it has not left zero, and the value by which it does
  std::vector<Sample> samples_;  // of the last attempt, in order
  std::vector<bool> at_zero_, passed_;
  bool jumped_ = false;  // the event that a step was last made to end on
};

}  // namespace dalembert
