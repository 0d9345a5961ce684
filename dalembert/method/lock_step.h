// A method for the iterates of a Sequence: per step, one step of an inner method on each iterate in turn.
//
// Iterate s sees what iterate s-1 carries as a function of time: at both ends of the step from its accepted values there,
// inside from its dense output. Nothing is stored beyond the step, and the result is the one of storing whole
// trajectories. Stages never see stages: their errors, divided by eps, would add up from iterate to iterate.
//
// Where the sequence leaves their number open, an iterate sleeps until the correction of the one before it exceeds the
// tolerance; it then starts at that one's state, from which it differs by less than that.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "dalembert/method/method.h"
#include "dalembert/problem/sequence.h"

namespace dalembert {

class LockStep final : public Method {
 public:
  explicit LockStep(const MethodEntry& inner) : entry_(inner) {}

  void bind(const Problem&, const Setting&) override;
  std::optional<double> first_step(const State& from, double end) override;
  Attempt attempt(const State& from, double h, State& to) override;
  void accept() override;
  void restart() override;
  bool reset() override;
  void interpolate(double theta, State&) override;
  std::vector<std::string> warnings() const override;

  /// What the last iterate changed, at its largest over the accepted steps since bind().
  struct Correction {
    Eigen::Index iterates = 0;  ///< that are at work
    double norm = 0;         ///< in the norm of the tolerance; NaN with one iterate, which corrects nothing
    double size = 0, t = 0;  ///< the largest entry at that time
    Eigen::Index entry = 0;
  };
  const Correction& correction() const { return correction_; }

 private:
  /// What iterate s carries during the step at hand.
  struct Trail final : Carried {
    void at(double t, Out c) const override { whole->carried(s, t, c); }
    LockStep* whole = nullptr;
    Eigen::Index s = 0;

    std::unique_ptr<Method> method;
    State from, to, inside;
    Vector begin, end, before, before_inside;
    bool begin_known = false, end_known = false;
    // Values inside the step: stages of later iterates ask for the same times again.
    static constexpr std::size_t most = 32;
    std::array<double, most> times;
    Matrix values;
    std::size_t count = 0;
  };

  Trail& trail(Eigen::Index s) { return *trails_[static_cast<std::size_t>(s)]; }
  void carried(Eigen::Index s, double t, Out c);
  void know_begin(Eigen::Index s);
  void take_beginnings(const State& from);
  template <class Prepare>
  bool begin_run(Prepare&&);
  double difference(Eigen::Index s) const;  ///< of iterates s and s-1 at the end of the step, in the norm

  const MethodEntry& entry_;
  const Problem* problem_ = nullptr;
  const Sequence* sequence_ = nullptr;  // the same
  ErrorScale tolerance_;
  Eigen::Index n_ = 0, active_ = 0, tried_ = 0;
  double t0_ = 0, t1_ = 0;
  std::vector<std::unique_ptr<Trail>> trails_;
  mutable Vector difference_;
  Correction correction_;
};

/// The method itself, or in lock-step if the problem is a sequence.
std::unique_ptr<Method> make_for(const MethodEntry&, const Problem&);

}  // namespace dalembert
