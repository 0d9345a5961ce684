// A witness of accepted steps: looks at what a step delivers, not at how it was made, and says whether it can be believed.
//
//   W   the largest defect (defect.h) at two points of the dense output and at the end of the step
//   L = min(30, 0.03 / rtol), times what the method's own error test allows
//
// Of 2250 healthy runs (catalogue and models, 40 pairs, six tolerances) nearly all stay below; steps that went to another
// solution, rows that are off between steps and velocities that left their constraints are orders of magnitude above. A step
// with W > L is thrown away like one that fails the error test. Where shorter steps do not help, W is at its floor: the step
// counts, and beyond 10 L the run is not to be trusted.
//
// With fixed steps the tolerance means nothing: there h |v' - a| is compared with max(|v|, h |v'|). Useful runs stay below 0.07,
// those that have exploded are above 1.
#pragma once

#include "dalembert/control/track.h"
#include "dalembert/control/witness/defect.h"
#include "dalembert/control/witness/testimony.h"

namespace dalembert {

class Witness {
 public:
  using Steps = Testimony::Steps;
  /// `approximate`: the formulation changes the equations themselves; only kinematics can be judged.
  enum class Equations { exact, approximate };
  Witness(const Problem& original, const Tolerance&, Steps, Equations, const Statistics&);

  /// Judges the last attempt of a track, which has passed the error test. The attempt's error becomes the defect where that is
  /// larger, so that the next step does not grow back at once. False: throw it away.
  bool believes(const Track&, Attempt&);
  /// The last attempt became a step.
  void accept();

  const Testimony& testimony() const { return testimony_; }
  Mechanics* mechanics() { return measure_ ? measure_->mechanics() : nullptr; }

 private:
  Look due() const;
  Peak look(const Track&, Look, double limit);

  const Layout layout_;
  const ErrorScale tolerance_;
  const Steps steps_;
  const Equations equations_;
  const Statistics& effort_;
  std::unique_ptr<DefectMeasure> measure_;
  State state_;
  Vector middle_, rate_, weights_;
  Peak seen_;  // of the last attempt
  double seen_at_ = 0;
  double floor_ = 0;  // W that shorter steps did not lower
  double last_ = 0;   // W of the last attempt that was thrown away
  int in_a_row_ = 0, stuck_ = 0;
  double pressure_ = 0;
  int wary_ = 0;      // steps that are looked at whatever it costs
  double spent_ = 0;  // evaluations, on looking
  Testimony testimony_;
};

}  // namespace dalembert
