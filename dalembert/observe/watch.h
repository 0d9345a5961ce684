// A named output of a run: one number with a unit, computed from the reported state.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dalembert/control/observer.h"
#include "dalembert/core/layout.h"

namespace dalembert {

/// A number that is looked at along a run.
struct Watch {
  std::string name, unit;                     ///< "bearing.x", "N"
  std::function<double(const State&)> value;  ///< of a state in the layout of Problem::report()
  /// For numbers that depend on the way here (the turns of an angle): called with each step, before values inside it are
  /// asked for, so that they are the same whoever looks, and however often.
  std::function<void(const StepView&)> follow{};
  std::function<void(Memory&)> remember{};  ///< what it has followed, where a run is interrupted and resumed
  /// Its value at the time where the next run begins, as another run left it.
  std::function<void(double t, double value)> go_on{};
};

/// Lets the watches of a run follow it, for those who evaluate watches and are no observers themselves.
class WatchFollower final : public Observer {
 public:
  explicit WatchFollower(std::vector<Watch> watches);
  void step(const StepView& step) override {
    for (const Watch& watch : watches_) watch.follow(step);
  }

 private:
  std::vector<Watch> watches_;  ///< those that follow
};

}  // namespace dalembert
