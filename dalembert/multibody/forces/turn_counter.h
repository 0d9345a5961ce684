// A force element on an angle that is known up to full turns only, as if it were known completely.
//
//   s' = c',   c_counted = c + 2 pi round((s - c)/(2 pi))
//
// The state s only says which turn it is: its own errors do not enter, as long as they stay below half a turn.
#pragma once

#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "dalembert/multibody/forces/force_element.h"

namespace dalembert {

class TurnCounter final : public ForceElement {
 public:
  /// `start`: the angle at the start.
  TurnCounter(std::shared_ptr<const ForceElement> element, double start)
      : element_(std::move(element)), own_(element_->states().size()), start_(start) {}

  void respond(const Input& in, Response& out) const override {
    element_->respond(counted(in), out);
    out.k[own_] = in.rate;
    out.k_rate[own_] = 1;
  }
  std::vector<StateName> states() const override {
    auto all = element_->states();
    all.push_back({.label = "turned", .unit = "rad", .start = start_, .counts_turns = true});
    return all;
  }
  Energy energy(const Input& in) const override { return element_->energy(counted(in)); }
  bool conservative() const override { return element_->conservative(); }

 private:
  Input counted(Input in) const {
    constexpr double turn = 2 * std::numbers::pi;
    in.c += turn * std::round((in.s[own_] - in.c) / turn);
    return in;
  }

  std::shared_ptr<const ForceElement> element_;
  std::size_t own_;  ///< where its own state lies
  double start_;
};

}  // namespace dalembert
