// Where the energy of a mechanical motion is, comes from and goes to.
//
//   T = v'M v/2,   V = E - T,   E(t) - E(0) = put in - dissipated + error
//
// V is all that a problem knows of its energy besides T: of weights, springs, and states that store some. Integrated, by Gauss' rule, are
//
//   lambda'w                        of driven rows
//   -v'(f(v) - f(-v))/2             of that part of the forces which changes its sign with v, as dampers and friction do: dissipated
//   power + v'(f(v) - f(-v))/2      of other forces outside of the potential: put in, or taken out where it is negative
//
// A problem that knows better what becomes heat (problem/dissipation.h), as one with resistors does, is asked instead.
// An impact takes or gives at once.
#pragma once

#include <memory>
#include <vector>

#include "dalembert/control/observer.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

/// At one time.
struct EnergyPoint {
  double t = 0;
  double kinetic = 0, potential = 0;
  double drives = 0;      ///< work of driven rows so far
  double dissipated = 0;  ///< by forces that change their sign with v, by resistors and valves, so far
  double input = 0;       ///< work of other forces outside of the potential, and of sources, so far
  double total() const { return kinetic + potential; }
  double work() const { return drives + input - dissipated; }
};

/// Keeps the account at given times, ascending. Nothing is kept of problems that do not know their energy.
class EnergyAccount final : public Observer {
 public:
  explicit EnergyAccount(std::vector<double> times) : times_(std::move(times)) {}
  const std::vector<EnergyPoint>& points() const { return points_; }
  /// E(t) - E(start) - work: what the method added or lost.
  double error(const EnergyPoint& p) const { return p.total() - start_ - p.work(); }
  /// The largest |error| after any step.
  double worst() const { return worst_; }

  void begin(const Problem&, const State& start) override;
  void step(const StepView&) override;
  void event(const EventRecord&, const State& after) override;

 private:
  void place(const State&);
  void measure(const State&);  ///< kinetic and potential
  double heat(In v, In s);
  void integrate(const StepView&, double from, double to);
  void jump(const State& after);
  void record();

  std::vector<double> times_;
  std::size_t next_ = 0;
  const Mechanical* problem_ = nullptr;
  Mechanical::Sizes n_;
  std::unique_ptr<Placement> at_;
  Entries M_;
  Vector momentum_, rows_, back_, f_, f_back_;  // back_: -v
  EnergyPoint now_;
  double start_ = not_a_number, worst_ = 0;
  std::vector<EnergyPoint> points_;
};

}  // namespace dalembert
