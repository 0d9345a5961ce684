// One integrate(), as a class: its loop and the judgement of steps are in integrate.cc, what happens where a step has ended in
// step_end.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/control/audience.h"
#include "dalembert/control/breaks.h"
#include "dalembert/control/event_finder.h"
#include "dalembert/control/integrate.h"
#include "dalembert/control/pace.h"
#include "dalembert/control/singular/crossing.h"
#include "dalembert/control/starting_step.h"
#include "dalembert/control/stiffness.h"
#include "dalembert/control/switching.h"
#include "dalembert/control/track.h"
#include "dalembert/control/witness/witness.h"

namespace dalembert {

/// One integrate(). Steps are made on tracks: the chosen pair's own, and that of singular steps where there is one.
class Integration final : private StepView {
 public:
  Integration(const Assembly&, const State& start);
  Ending run();

 private:
  // StepView of the step that was just accepted
  double begin() const override { return current_->from.t; }
  double end() const override { return current_->to.t; }
  const State& at(double t, Depth depth) const override {
    current_->recover_at(t, original_, depth);
    return original_;
  }

  bool fixed() const { return a_.controller.control() == Control::fixed; }
  bool remember_motion(Memory&);
  void remember_watch(Memory&);
  void offer_checkpoint();
  double first_step();
  double starting_step() { return dalembert::starting_step(main_, a_.end).h; }
  Attempt attempt(Track&, double step);
  double limited(double h) const;
  std::optional<Ending> stop_before(double h);

  Track* choose_track(double h, double& step);
  /// What becomes of an attempt.
  struct Judgement {
    std::optional<Ending> stop{};               ///< the run ends where it is
    std::optional<double> again{};              ///< the step to try next, from the same place
    std::optional<EventFinder::Found> event{};  ///< the attempt became a step; it ends on this event
  };
  Judgement judge(Track&, double h, double& step, Attempt&);
  Judgement look_nearer(const EventFinder::Unclear&, double step);
  bool final(const Attempt&) const;
  std::optional<double> doubted(Track&, Attempt&);
  double shrink(double h, const Attempt&);
  void reject(double h, const Attempt&);
  void tell(double h, const Attempt&, TriedStep::Fate);
  std::optional<Ending> pass_end(const Track&, const std::optional<EventFinder::Found>&, double& h);
  std::optional<Ending> pass_break(const std::vector<std::size_t>& just_happened);
  Handed handed() const;
  SingularityCrossing::Seen unseen_crossing(const Track&);
  double accept(Track&, double h, double tried, const Attempt&);
  void restart(const State& original, Track& position);
  void arrive(const State& original);
  std::optional<Ending> respond(const std::vector<std::size_t>& events, double elapsed);
  bool passes(std::size_t event, const State& after);

  const State& here(Depth);  ///< the state of the original problem where the next step begins
  Ending ending(Outcome, std::string message);
  Ending failed(double h, const Attempt& seen);
  Ending refused_crossing();
  std::string jump_beside_crossing() const;
  std::optional<Ending> ended_by_observer();

  const Assembly& a_;
  double step_ = 0;              // to try next
  std::optional<Attempt> made_;  // over the first step, when that was looked for
  Track main_;                   // of the chosen pair; main_.from is where the run has come to
  State begun_;  // where it began; what is planned for the whole of it is planned on this state
  std::optional<SingularityCrossing> crossing_;  // with its own track
  std::optional<Witness> witness_;
  Track* current_ = &main_;  // made the last step; knows the state where it ended
  State before_;             // where the last step began, of the rewritten problem
  mutable State original_;
  std::optional<EventFinder> finder_;
  std::optional<Switching> switching_;
  Stiffness stiffness_;
  Pace pace_;
  std::vector<Break> breaks_;  // that lie ahead, the next one last
  double last_moment_ = 0;     // the end, or this side of a break there
  std::optional<double> passed_break_;
  Audience audience_;
  std::vector<EventRecord> events_;
  Attempt last_failure_{.outcome = Outcome::step_too_small};
  int events_in_place_ = 0;
  bool restarted_ = false;  // by the last event
  bool cannot_remember_ = false;
  bool guessed_ = false;  // the step is that of a first crossing: the method has not been asked yet
};

}  // namespace dalembert
