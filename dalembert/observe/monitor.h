// Watches what a mechanical run should keep: its constraints and its energy.
//
//   drift    max over accepted steps of |g(t,q)| and |J v + w|
//   work     integral of power(t,q,v,s) + (lambda,mu)'w, by Gauss' rule in each accepted step, halved until it is accurate;
//            E(end) - E(start) - work measures the energy error
//
// Both are held against what the tolerance allows: w_i = atol + rtol |y_i| of each entry,
//   of a row      |g_i| / sum_j |J_ij| w_j
//   of the energy |E(q + w, v + w) - E(q,v)| and h |P(q + w, v + w) - P(q,v)| of the power P, with signs at random, the largest seen;
//                 rtol times the work that was turned over; and of rounding, the sum of eps (h f)^2/m over all steps
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "dalembert/control/observer.h"
#include "dalembert/core/tolerance.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

/// Nothing is measured on problems of other kinds. Modes of one problem are measured as one run.
class Monitor final : public Observer {
 public:
  /// Of the run. The work is integrated somewhat better.
  explicit Monitor(Tolerance tolerance = {1e-7, 1e-7}) : tolerance_(std::move(tolerance)) {}

  void begin(const Problem&, const State& start) override;
  void step(const StepView&) override;
  void event(const EventRecord&, const State& after) override;
  const Tolerance& tolerance() const { return tolerance_; }

  /// The largest residuals of the constraints.
  struct Drift {
    double position = 0, velocity = 0;
    double excess = 0;  ///< of positions, the largest in units of what the tolerance allows
    std::string row{};  ///< there
    void remember(Memory& memory) { memory(position, velocity, excess, row); }
  };
  const std::optional<Drift>& drift() const { return drift_; }

  /// The balance of the energy.
  struct Energy {
    double start = 0, end = 0, work = 0;
    double allowed = 0;  ///< by the tolerance in one step, and by rounding
    double error() const { return end - start - work; }
    void remember(Memory& memory) { memory(start, end, work, allowed); }
  };
  /// None if the problem does not know its energy.
  const std::optional<Energy>& energy() const { return energy_; }

  /// What was measured so far, where a run is interrupted and resumed; put back after begin().
  void remember(Memory&);

  /// What was measured at the end of the last step; NaN what the problem does not have.
  struct Reading {
    double t = 0;
    double position = 0, velocity = 0;  ///< the largest residuals
    double energy = 0, work = 0;        ///< the work since the start
  };
  const Reading& reading() const { return reading_; }

 private:
  void place(const State&);
  void measure_drift(const State&);
  void measure_excess(const State&);
  void measure_energy(const State&, double h);
  void jump(const State& after);
  void measure_allowance(const State&, double now, double h);
  void measure_lost(const State&);
  double power(const StepView&, double t);
  double work(const StepView&, double begin, double end, int depth);

  Tolerance tolerance_;
  ErrorScale scale_;
  Layout layout_;
  double accuracy_ = 0, done_ = 0;
  double longest_ = 0;                  ///< step whose allowance was measured
  double lost_ = 0, lost_in_unit_ = 0;  ///< to rounding: so far, and in a step of length 1
  std::int64_t steps_ = 0;
  bool rows_move_ = false;  ///< seen to: J v = -w with w other than zero
  Vector other_;
  const Mechanical* problem_ = nullptr;
  Mechanical::Sizes n_;
  std::unique_ptr<Placement> at_;
  Entries J_, M_;
  Vector g_, rows_, force_, diagonal_;
  std::optional<Drift> drift_;
  std::optional<Energy> energy_;
  Reading reading_{0, not_a_number, not_a_number, not_a_number, not_a_number};
};

}  // namespace dalembert
