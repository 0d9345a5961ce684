// Linear spring with damper, along a length or an angle.
//
//   F = k (c - L) + d c',   U = k (c - L)^2 / 2
#pragma once

#include "dalembert/multibody/forces/force_element.h"

namespace dalembert {

/// Pulls its ends together where c is larger than its length without load.
class Spring final : public ForceElement {
 public:
  /// What it is made of.
  struct Constants {
    double stiffness = 0, damping = 0, length = 0;  ///< N/m, N s/m, m; of an angle N m/rad, N m s/rad, rad
  };
  explicit Spring(Constants constants) : is_(constants) {}

  void respond(const Input& in, Response& out) const override {
    out.F = is_.stiffness * (in.c - is_.length) + is_.damping * in.rate;
    out.F_c = is_.stiffness;
    out.F_rate = is_.damping;
  }
  Energy energy(const Input& in) const override {
    const double stretch = in.c - is_.length;
    return {.value = is_.stiffness * stretch * stretch / 2, .gradient_c = is_.stiffness * stretch};
  }
  bool conservative() const override { return is_.damping == 0; }
  bool needs_value() const override { return is_.stiffness != 0; }

 private:
  Constants is_;
};

}  // namespace dalembert
