// Two methods for one equation by turns: a Rosenbrock method, whose steps nothing but accuracy limits, and an explicit one, whose
// steps are cheaper by far where it is accuracy that limits them anyway.
//
// Which of the two takes less work per time depends on the motion, and changes with it. So the other one is asked now and then, for a
// step of the length with which it would win; if that step passes the error test it goes on, unless its next steps are
// shorter. Costs are counted, not measured: a run made again is the same run.
#pragma once

#include <array>
#include <memory>

#include "dalembert/method/dense_rate.h"
#include "dalembert/method/method.h"

namespace dalembert {

class ByTurns final : public Method, public DenseRate {
 public:
  /// Steps of the first cost `dearer` times those of the second. Both know the rates of their dense outputs.
  ByTurns(std::unique_ptr<Method> implicit, std::unique_ptr<Method> explicitly, double dearer);

  /// An Ode that is not SemiExplicit is left to the explicit method.
  void bind(const Problem&, const Setting&) override;
  Attempt attempt(const State& from, double h, State& to) override;
  void accept() override;
  void restart() override;
  bool reset() override;
  bool remember(Memory&) override;
  void interpolate(double theta, State& state) override { parts_[maker_]->interpolate(theta, state); }
  void interpolate(double theta, State& state, Vector& rate) override {
    rates_[maker_]->interpolate(theta, state, rate);
  }
  double slack() const override { return parts_[maker_]->slack(); }
  /// Where there is a choice, stiffness is what it is made by.
  double stability_used() const override {
    return changes_ || maker_ == 0 ? Method::stability_used() : parts_[1]->stability_used();
  }

 private:
  Method& now() { return *parts_[turn_]; }
  static double proposed(double h, const Attempt&);
  double worth(double h) const;
  void give_up();

  std::array<std::unique_ptr<Method>, 2> parts_;
  std::array<DenseRate*, 2> rates_;
  double dearer_;
  bool changes_ = false;              // there is something to choose, and an error to choose by
  std::size_t turn_ = 0, maker_ = 0;  // whose turn it is, and who made the last attempt
  /// The other one will be asked after this step, is asked, goes on for a while, will have lost after this step.
  enum class Trial { none, planned, first, more, lost } trial_ = Trial::none;
  double asked_ = 0;   // the length of its first step
  double usual_ = 0;   // of a step of the one that it may replace
  double h_ = 0;       // of the last attempt
  double passed_ = 0;  // time since the first step, and attempts
  int attempts_ = 0;
  int since_ = 0,
      interval_ = 0;  // steps since the last trial began or was over, and how many there are to be
};

}  // namespace dalembert
