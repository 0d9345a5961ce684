// Friction along a measure without events: viscous, and dry friction whose jump at rest is made steep but smooth
// [ArmstrongHelouvry1994].
//
//   F = (F_c + (F_s - F_c) exp(-(c'/w)^2)) tanh(c'/u) + d c'
//
// Below the speed u the force creeps instead of sticking: a load F < F_c moves it at about u F/F_c. Take stick_slip.h
// where that matters.
#pragma once

#include <cmath>

#include "dalembert/multibody/forces/force_element.h"

namespace dalembert {

/// Rubs against the rate of a measure.
class Friction final : public ForceElement {
 public:
  /// What it is made of.
  struct Constants {
    double viscous = 0;     ///< d, N s/m; of an angle N m s/rad
    double coulomb = 0;     ///< F_c, N; N m
    double breakaway = 0;   ///< F_s, N; N m; 0: that of sliding
    double stribeck = 0;    ///< w, m/s; rad/s: how fast breakaway is forgotten
    double transition = 0;  ///< u, m/s; rad/s
  };
  explicit Friction(const Constants&);  ///< throws Error

  void respond(const Input& in, Response& out) const override {
    double fall = 0, fall_rate = 0;
    if (is_.stribeck > 0) {
      const double ratio = in.rate / is_.stribeck;
      fall = (is_.breakaway - is_.coulomb) * std::exp(-ratio * ratio);
      fall_rate = -2 * ratio / is_.stribeck * fall;
    }
    double step = 0, step_rate = 0;
    if (is_.transition > 0) {
      step = std::tanh(in.rate / is_.transition);
      step_rate = (1 - step * step) / is_.transition;
    }
    out.F = (is_.coulomb + fall) * step + is_.viscous * in.rate;
    out.F_rate = (is_.coulomb + fall) * step_rate + fall_rate * step + is_.viscous;
  }
  bool needs_value() const override { return false; }

 private:
  Constants is_;
};

}  // namespace dalembert
