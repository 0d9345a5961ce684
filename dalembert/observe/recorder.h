// Keeps what a run put out, for whoever wants to look at it afterwards: by block name, and between the output
// times.
#pragma once

#include <string_view>
#include <vector>

#include "dalembert/control/observer.h"

namespace dalembert {

/// The recorded states, all laid out as Problem::report(). A jump at an event leaves no mark of its own: what
/// is recorded are output times.
class Recorder final : public Observer {
 public:
  explicit Recorder(Layout report) : layout_(std::move(report)) {}
  void output(const State& state) override { states_.push_back(state); }

  const Layout& layout() const { return layout_; }
  const std::vector<State>& states() const { return states_; }
  std::vector<double> times() const;
  /// One column per recorded state; throws Error if there is no such block.
  Matrix block(std::string_view name) const;

  /// On the straight line between the two recorded states around t; throws Error outside the recorded times.
  /// Steps of the run are not kept: a finer curve needs finer output times, which cost no steps.
  State at(double t) const;

 private:
  Layout layout_;
  std::vector<State> states_;
};

}  // namespace dalembert
