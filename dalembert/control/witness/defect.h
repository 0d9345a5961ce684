// How far a motion is from the equations at a point of it, in units of the tolerance.
//
//   weights w_i = atol + rtol max|y_i|,   h the length of the step
//   mechanical   h |q' - N(q) v| / w,   h |v' - a(t,q,v,s)| / w,   h |s' - k| / w
//                at the end of a step  |J v + w|_i / sum_j |J_ij| w_j,  over all of it  |q1 - q0 - int N(q) v dt| / w
//   implicit     |F_i| / sum_j (|F_y| w_j + |F_y'| w_j / h): the backward error of each row, no system solved
//   ode, hessenberg   h |y' - f| / w, and if that is large, once more behind the filter (I - h f_y / 4)^-1 along f_z: what a
//                stiff component forgets within the step is no defect
//   hessenberg   also |g|_i and h |g_y f + g_t|_i / 10, over sum_j |g_y|_ij w_j
#pragma once

#include <algorithm>
#include <limits>
#include <memory>

#include "dalembert/core/bounded_law.h"
#include "dalembert/core/tolerance.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

class Mechanics;
class SaddlePoint;

/// The largest of all entries.
struct Peak {
  double size = 0;         ///< 1: as large as the tolerance
  Eigen::Index entry = 0;  ///< of the state, or the multiplier of the row
  double relative = 0;     ///< to the change within the step and the value itself: how fixed steps are judged

  /// Keeps the larger one; NaN counts as infinite.
  void meet(double other, Eigen::Index at);
  void meet(const Peak& other);
};

/// How much is worth looking at.
enum class Look {
  kinematics,  ///< what costs next to nothing
  equations,   ///< all of them, for the price of an evaluation
};

/// The equations of one kind of problem, asked for their defect. Holds work space: one per run.
class DefectMeasure {
 public:
  virtual ~DefectMeasure() = default;
  /// What of the state must be recovered for it.
  virtual Depth depth() const = 0;
  /// At a point inside a step, with y and its rate. What exceeds `limit` is looked at through the filter, if there is one.
  virtual Peak inside(double t, double h, In y, In dy, In weights, Look, double limit) = 0;
  /// By how much stiffness may explain a defect away. Explicit methods have steps that are short beside it: what is far too stiff for
  /// them is something narrow that they have stepped into.
  void limit_softening(double at_most) { softening_ = at_most; }
  /// Has stiffness explained any away?
  bool softened() const { return softened_; }
  /// Is there anything to be seen inside a step for next to nothing?
  virtual bool kinematic() const { return false; }
  /// How far the change of positions over a whole step is from the mean of their rates at its ends: smooth motions have h^3 q'''/12 of
  /// it, a step to another solution all of its jump. Costs no dense output. Infinite: nothing can be said.
  virtual Peak increment(double /*h*/, const State& /*begin*/, const State& /*end*/, In /*weights*/) {
    return {.size = std::numeric_limits<double>::infinity()};
  }
  virtual bool can_leap() const { return false; }
  /// Has an entry whose rate the equations give changed by more than its rates at both ends of the step explain, beyond `limit`
  /// tolerances? Newton's method lands on another solution where its matrix is far steeper than the equations are there (a diode that is
  /// shut where the step begins), and its estimates do not see it.
  virtual bool leaps(double /*h*/, const State& /*begin*/, const State& /*end*/, In /*weights*/,
                     double /*limit*/) {
    return false;
  }
  virtual bool has_positions() const { return false; }
  /// The rates of positions, which stand first in y; false: there are none.
  virtual bool rates(double /*t*/, In /*y*/, Vector& /*dq*/) { return false; }
  /// Evaluates the laws behind the equations, so that those that can be bounded stand in the record; gives the largest force.
  virtual double note_laws(double /*t*/, In /*y*/, LawRecord&) { return 0; }
  /// Does anything move because it is told to? Estimates of errors need not see how well that is followed.
  virtual bool driven(double /*t*/, In /*y*/) { return false; }
  /// How many times more than usual is healthy, for a method whose own error test allows `slack` tolerances inside a step.
  virtual double allowance(double slack) const { return std::max(1.0, slack); }
  /// Of mechanical problems: what accelerations are computed with, for others who need some.
  virtual Mechanics* mechanics() { return nullptr; }
  /// What it knows of the steps so far.
  virtual void remember(Memory&) {}
  /// At the end of a step.
  virtual Peak at_end(double /*t*/, In /*y*/, In /*weights*/) { return {}; }

 protected:
  /// What a filter leaves of a peak.
  void soften(Peak& peak, Peak filtered) {
    filtered.size = std::max(filtered.size, peak.size / softening_);
    if (!(filtered.size < peak.size)) return;
    peak = filtered;
    softened_ = true;
  }

 private:
  bool softened_ = false;
  double softening_ = std::numeric_limits<double>::infinity();
};

/// nullptr if nothing can be said about problems of that kind. `plan`: of an elimination for the accelerations of a mechanical
/// problem, if there is one.
std::unique_ptr<DefectMeasure> make_defect_measure(const Problem&, const SaddlePoint* plan);

}  // namespace dalembert
