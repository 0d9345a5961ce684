// Positions where the constraint Jacobian loses rank, seen coming and passed on the branch the motion is on.
//
// Steps look for them: the smallest singular value and its slope, from factors of [M J'; J 0]. Where a step would meet
// one, it is cut short before it and a singular step (gauss_step.h) follows; a step that went through unseen is thrown away.
// Whether there is a crossing at all is measured at the position itself (gap.h): rows that meet to rounding
// cross, rows that clearly do not make the motion turn, and nothing is decided in between.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/control/controller.h"
#include "dalembert/control/observer.h"
#include "dalembert/control/singular/gap.h"
#include "dalembert/control/singular/gauss_step.h"
#include "dalembert/control/track.h"
#include "dalembert/core/tolerance.h"

namespace dalembert {

/// What is done meanwhile is no effort of the method: factorisations are counted as rank checks, the rest not at all.
class RankCheckAccount {
 public:
  explicit RankCheckAccount(Statistics& statistics) : statistics_(statistics), before_(statistics) {}
  ~RankCheckAccount() {
    const std::int64_t checks = statistics_.factorizations - before_.factorizations;
    statistics_ = before_;
    statistics_.rank_checks += checks;
  }
  RankCheckAccount(const RankCheckAccount&) = delete;
  RankCheckAccount& operator=(const RankCheckAccount&) = delete;

 private:
  Statistics& statistics_;
  const Statistics before_;
};

class SingularityCrossing {
 public:
  SingularityCrossing(const Mechanical&, const Tolerance&, Control, Statistics&, const State& start,
                      const SaddlePoint* planned = nullptr);
  SingularityCrossing(const SingularityCrossing&) = delete;
  SingularityCrossing& operator=(const SingularityCrossing&) = delete;

  /// Does the run begin on a singular position? Then a singular step comes first, over about this time.
  std::optional<double> first_crossing() const { return first_crossing_; }

  /// What to do from this state (of the original problem): a step, perhaps shorter than the one wanted, or a singular step.
  struct Proposal {
    enum class Way { step, cross } way = Way::step;
    double h = 0;
  };
  Proposal propose(const State& from, double wanted, double step);

  /// Judges an attempt by the states inside it.
  enum class Seen { nothing, crossing, jump };
  using Inside = std::function<const State&(double t)>;
  Seen check_step(double begin, double end, const Inside&);
  /// An evaluation or iteration of the method failed: it may be for the position ahead.
  void method_failed() { ++failures_; }
  /// A step was accepted, or the state changed: this is where the next one begins.
  void arrive(const State&);
  /// The same after a singular step, or a part of it.
  void land(const State&);

  /// Tries a singular step from this state. `again`: make another proposal; `refused`: the run ends, with outcome() and
  /// message(); `crossed`: the step, or a shorter part of it, is there to be attempted on track().
  enum class Verdict { crossed, again, refused };
  Verdict cross(const State& from, double H);
  /// Was a position found inside the step that was crossed? Then it is refused, with that position in words.
  bool stop_before_it();
  double length() const { return step_.length(); }
  /// Where the next one is expected.
  double position() const { return position_; }
  /// Singular steps: the original problem, not rewritten, by Gauss collocation.
  Track& track() { return track_; }
  /// Multipliers of least size for a state inside the step, where they are not known.
  void complete(State&);
  void remember(Memory&);
  Outcome outcome() const { return outcome_; }
  const std::string& message() const { return message_; }
  /// "; the rows ... become dependent at t = ..." for a failure at t that is near such a position, "; ... are nearly dependent here", or "".
  std::string remark(double t) const;
  const std::vector<SingularityRecord>& records() const { return records_; }

 private:
  void start(const State&);
  void check(const State&, RankCheck&);
  void settle(const State&);           ///< now_ at this state
  void predict();                      ///< position_ from now_ and the check before
  double noise_distance() const;       ///< nearer to the position than this, rounding exceeds the tolerance
  double window(double wanted) const;  ///< the length of a singular step
  double choose(double window, double ahead, double wanted) const;
  double clearance(double H, double ahead) const { return gauss_.clearance(H, ahead); }
  bool meet(const RankCheck& a, const RankCheck& b, double& t) const;
  Verdict judge(const State& from, double H, const Attempt&);
  Verdict miss(const State& from, double H, const Gap&);
  void forget_tries();
  Verdict shorter(double H, const std::string& why);
  bool can_wait() const;
  Verdict refuse(Outcome, const std::string& why);
  bool lost(double blur);
  std::optional<double> locate(double begin, double H, double D);
  std::optional<Gap> gap_inside(double t, double H, const std::optional<double>& found);
  void record(double t, const Gap&, const std::string& how);
  std::vector<std::string> names(const Gap&) const;
  std::string named_rows() const;
  std::string rows_in_words() const;

  const Mechanical& problem_;
  MechanicalState part_;
  double tolerance_;
  bool fixed_;
  Branch branch_;
  const GaussFormula& gauss_;
  double ease_;  // the length of a singular step that succeeds easily, times the pace
  GaussStep step_;
  class NotRewritten;
  std::unique_ptr<Formulation> formulation_;
  Track track_;
  RankCheck now_, ahead_;         // at the last check, and at the end of the attempt just judged
  RankCheck last_, next_;         // inside a long step
  double position_;               // when the rows become dependent, as far as is known
  double previous_t_, previous_;  // the check before: for a better prediction
  double here_ = 0;               // the time arrived at
  double cap_;                    // singular steps longer than this failed here
  double reach_;                  // how long singular steps succeed, times the pace: learned along the run
  double blocked_until_;          // no singular step before: the motion turns
  double wait_until_,
      wait_ = 0;  // no singular step before: from farther away none succeeds; how long that was
  double last_gap_ = -1;
  int same_gap_ = 0, gaps_ = 0, proposals_ = 0;
  int failures_ = 0;   // of the method, from one place
  bool idle_ = false;  // dependent rows everywhere: nothing to watch
  bool starts_on_it_ = false;
  bool met_ = false;  // by the last singular step: rows became dependent inside
  std::optional<double> first_crossing_;
  Outcome outcome_ = Outcome::ok;
  std::string message_;
  std::vector<SingularityRecord> records_;
};

}  // namespace dalembert
