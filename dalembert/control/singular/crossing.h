// Positions where the constraint Jacobian loses rank, seen coming and passed on the branch the motion is on.
//
// Steps look for them: the smallest singular value and its slope, from factors of [M J'; J 0]. Where a step would meet
// one, it is cut short before it and a hop (gauss_step.h) follows; a step that went through unseen is thrown away.
// Whether there is a crossing at all is measured at the position itself (gap.h): rows that meet to rounding
// cross, rows that clearly do not make the motion turn, and nothing is decided in between.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/control/controller.h"
#include "dalembert/control/observer.h"
#include "dalembert/control/singular/gap.h"
#include "dalembert/control/singular/gauss_step.h"
#include "dalembert/core/tolerance.h"

namespace dalembert {

class SingularityCrossing {
 public:
  SingularityCrossing(const Mechanical&, const Tolerance&, Control, Statistics&, const State& start,
                      const SaddlePoint* planned = nullptr);

  /// Does the run begin on a singular position? Then a hop comes first, over about this time.
  std::optional<double> begins_on_it() const { return first_hop_; }

  /// What to do from this state (of the original problem): a step, perhaps shorter than the one wanted, or a hop.
  struct Plan {
    enum class Way { step, hop } way = Way::step;
    double h = 0;
  };
  Plan plan(const State& from, double wanted, double step);

  /// Judges an attempt by the states inside it.
  enum class Seen { nothing, crossing, jump };
  using Inside = std::function<const State&(double t)>;
  Seen look_into(double begin, double end, const Inside&);
  /// A step was accepted, or the state changed: this is where the next one begins.
  void arrive(const State&);
  /// The same after a hop, or a part of it.
  void land(const State&);

  /// Tries to hop. `again`: make another plan; `refused`: the run ends, with outcome() and message().
  enum class Verdict { crossed, again, refused };
  Verdict hop(const State& from, double H);
  GaussStep& path() { return hop_; }
  /// Multipliers of least size for a state inside the hop.
  void complete(State&);
  Outcome outcome() const { return outcome_; }
  const std::string& message() const { return message_; }
  /// "; the rows ... become dependent at t = ..." for a failure at t that is near such a position, or "".
  std::string remark(double t) const;
  const std::vector<SingularityRecord>& records() const { return records_; }

 private:
  void start(const State&);
  void look(const State&, RankCheck&);
  void settle(const State&);           ///< now_ at this state
  void predict();                      ///< position_ from now_ and the look before
  double noise_distance() const;       ///< nearer to the position than this, rounding exceeds the tolerance
  double window(double wanted) const;  ///< the length of a hop
  double choose(double window, double ahead, double wanted) const;
  double clearance(double H, double ahead) const { return gauss_.clearance(H, ahead); }
  bool meet(const RankCheck& a, const RankCheck& b, double& t) const;
  Verdict judge(const State& from, double H, const Attempt&);
  Verdict miss(const State& from, double H, const Gap&);
  void forget_tries();
  Verdict shorter(double H, const std::string& why);
  Verdict refuse(Outcome, const std::string& why);
  bool lost(double blur);
  std::optional<double> locate(double begin, double H, double D);
  std::optional<Gap> gap_inside(double t, double H, const std::optional<double>& found);
  void record(double t, const Gap&, const std::string& how);
  std::vector<std::string> names(const Gap&) const;
  std::string rows_in_words() const;

  const Mechanical& problem_;
  MechanicalState part_;
  Layout layout_;
  double tolerance_;
  bool fixed_;
  Branch branch_;
  GaussFormula gauss_;
  GaussStep hop_;
  RankCheck now_, ahead_;         // at the last look, and at the end of the attempt just judged
  RankCheck last_, next_;         // inside a long step
  double position_;               // when the rows become dependent, as far as is known
  double previous_t_, previous_;  // the look before: for a better prediction
  double here_ = 0;               // the time arrived at
  double cap_;                    // hops longer than this failed here
  double reach_;                  // how long hops succeed, times the pace: learned along the run
  double blocked_until_;          // no hop before: the motion turns
  double last_gap_ = -1;
  int same_gap_ = 0, gaps_ = 0, plans_ = 0;
  bool idle_ = false;  // dependent rows everywhere: nothing to watch
  bool starts_on_it_ = false;
  std::optional<double> first_hop_;
  Outcome outcome_ = Outcome::ok;
  std::string message_;
  std::vector<SingularityRecord> records_;
};

}  // namespace dalembert
