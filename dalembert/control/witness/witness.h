// A witness of accepted steps: looks at what a step delivers, not at how it was made, and says whether it can be believed.
//
//   W   the largest defect (defect.h) at two points of the dense output and at the end of the step
//   L = min(30, 0.03 / rtol), times what the method's own error test allows
//
// Of 2250 healthy runs (catalogue and models, 40 pairs, six tolerances) nearly all stay below; steps that went to another
// solution, rows that are off between steps and velocities that left their constraints are orders of magnitude above. A step
// with W > L is thrown away like one that fails the error test, and shorter ones are tried. Where these have no smaller W
// any more, W is at its floor: the step with the smallest one counts, and beyond 10 L the run is not to be trusted.
//
// With fixed steps the tolerance means nothing: there h |v' - a| is compared with max(|v|, h |v'|). Useful runs stay below 0.07,
// those that have exploded are above 1.
#pragma once

#include <limits>
#include <optional>

#include "dalembert/control/hermite.h"
#include "dalembert/control/track.h"
#include "dalembert/control/witness/defect.h"
#include "dalembert/control/witness/hidden.h"
#include "dalembert/control/witness/testimony.h"

namespace dalembert {

class Witness {
 public:
  using Steps = Testimony::Steps;
  /// `approximate`: the formulation changes the equations themselves; only kinematics can be judged.
  enum class Equations { exact, approximate };
  /// `weak`: steps of the method are short enough for Hermite's interpolation, should its own not be good enough.
  enum class Dense { own, weak };
  /// `span` is the time of the run: a step that is a good part of it is looked at in many places. `plan` as in defect.h.
  Witness(const Problem& original, const Tolerance&, Steps, Equations, Dense, double span, const Statistics&,
          const SaddlePoint* plan);

  /// Judges the last attempt of a track, which has passed the error test. Nothing: it is believed. Otherwise the length of the
  /// step to try instead; the error of the attempt is then the defect. Where that is nearly too large it becomes the error as
  /// well, so that the next step does not grow back at once.
  std::optional<double> doubts(Track&, Attempt&);
  /// The last attempt became a step.
  void accept();

  /// `track`: whose attempts are judged; it may have been given another dense output.
  void remember(Memory&, Track& track);

  const Testimony& testimony() const { return testimony_; }
  /// Explicit methods at the limit of their stability are off between the ends of steps by what stiffness forgets until there, and
  /// reactions are off by that times the stiffness: outputs had better be ends.
  bool trusts_ends_only() const { return ends_only_; }
  /// Times in the last attempt at which something narrow lies, that others may have to meet as well (hidden.h).
  const std::vector<double>& hidden() const { return hidden_.times(); }

 private:
  Look due(double h) const;
  bool suspects(const Track&) const;
  bool surprised(const Attempt&) const;
  bool must_look() const { return idle_ || led_ || search_.length > 0; }
  bool settled(double h, int patient);
  void recover_ends(const Track&, Depth begin, Depth end);
  bool leaps(const Track&, double limit);
  Peak look(const Track&, Look, double limit);
  void make_dense(const Track&, Depth);
  Peak look_at(const Track&, double place, Look, double limit);
  Peak gained(const Track&, Depth);

  const Layout layout_;
  const ErrorScale tolerance_;
  const Steps steps_;
  const Equations equations_;
  const Dense dense_;
  const double span_;
  const Statistics& effort_;
  std::unique_ptr<DefectMeasure> measure_;
  HiddenSearch hidden_;
  State begin_, state_;
  Vector middle_, rate_, weights_, end_;
  Vector dq_, five_, three_;  // rates of positions, and their means by two rules
  Peak seen_;                 // of the last attempt
  double seen_at_ = 0;
  double floor_ = 0;  // W that shorter steps did not lower
  /// Where a step was last thrown away for what lies there: steps over it are looked at there, until it is behind.
  double suspect_ = -std::numeric_limits<double>::infinity();
  /// The attempts from one place that were thrown away.
  struct Search {
    double smallest = 0, length = 0;  // W, and the step that had it
    int barren = 0;                   // attempts since then
    bool over = false;                // nothing better is expected
  } search_;
  std::optional<HermiteMotion> hermite_;
  bool calm_ = false;  // the last attempt had next to no error
  bool idle_ = false;  // and that, or a surprising one, on a good part of the run
  /// A step, and the estimate of its error: of the last attempt, and of the last one that was accepted.
  struct Estimated {
    double h = 0, error = 0;
    void remember(Memory& memory) { memory(h, error); }
  } tried_, last_;
  bool led_ = false;        // or where a drive moves things, whose way the estimate does not see
  double longest_ = 0;      // of the steps that were looked at
  bool ends_only_ = false;  // a defect was explained by stiffness that the method does not damp
  int wary_ = 0;            // steps that are looked at if at all affordable
  double spent_ = 0;        // evaluations, on looking
  double dense_price_ = 0;  // evaluations for a dense output
  int unasked_ = std::numeric_limits<int>::max() / 2;  // steps since the end of one was asked
  Testimony testimony_;
};

}  // namespace dalembert
