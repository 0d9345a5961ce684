// Watches what a mechanical run should keep: its constraints and its energy.
//
//   drift    max over accepted steps of |g(t,q)| and |J v + w|
//   work     integral of power(t,q,v,s) + (lambda,mu)'w, by Gauss' rule in each accepted step, halved until it is accurate;
//            E(end) - E(start) - work measures the energy error
#pragma once

#include <memory>
#include <optional>

#include "dalembert/control/observer.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

/// Nothing is measured on problems of other kinds. Modes of one problem are measured as one run.
class Monitor final : public Observer {
 public:
  /// The work is integrated to this relative accuracy: that of the run, or somewhat better.
  explicit Monitor(double accuracy = 1e-8) : accuracy_(accuracy) {}

  void begin(const Problem&, const State& start) override;
  void step(const StepView&) override;
  void event(const EventRecord&, const State& after) override;

  /// The largest residuals of the constraints.
  struct Drift {
    double position = 0, velocity = 0;
  };
  const std::optional<Drift>& drift() const { return drift_; }

  /// The balance of the energy.
  struct Energy {
    double start = 0, end = 0, work = 0;
    double error() const { return end - start - work; }
  };
  /// None if the problem does not know its energy.
  const std::optional<Energy>& energy() const { return energy_; }

 private:
  void place(const State&);
  void measure_drift(const State&);
  void measure_energy(const State&);
  void jump(const State& after);
  double power(const State&);
  double work(const StepView&, double begin, double end, int depth);

  double accuracy_, done_ = 0;
  const Mechanical* problem_ = nullptr;
  Mechanical::Sizes n_;
  std::unique_ptr<Placement> at_;
  Entries J_;
  Vector g_, rows_;
  std::optional<Drift> drift_;
  std::optional<Energy> energy_;
};

}  // namespace dalembert
