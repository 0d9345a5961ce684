// Linear spring with damper, along a length or an angle.
//
//   F = k (c - L) + d c',   U = k (c - L)^2 / 2
#pragma once

#include "dalembert/multibody/actor.h"

namespace dalembert {

class Spring final : public Actor {
 public:
  struct Constants {
    double stiffness = 0, damping = 0, length = 0;  ///< N/m, N s/m, m; of an angle N m/rad, N m s/rad, rad
  };
  explicit Spring(Constants constants) : is_(constants) {}

  void respond(const Input& in, Response& out) const override {
    out.F = is_.stiffness * (in.c - is_.length) + is_.damping * in.rate;
    out.F_c = is_.stiffness;
    out.F_rate = is_.damping;
  }
  double potential(double c, double& slope) const override {
    slope = is_.stiffness * (c - is_.length);
    return slope * (c - is_.length) / 2;
  }
  bool conservative() const override { return is_.damping == 0; }

 private:
  Constants is_;
};

}  // namespace dalembert
