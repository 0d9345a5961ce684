// Forces and torques on one body in the plane, by laws of time and of the motion of the point they act on.
//
//   f = (F, d x F + T),   F and T functions of (t, x, y, vx, vy, angle, spin)
//
// x, y and vx, vy are those of the point, in the ground frame; d is its arm from the centre of mass. Where F is given in
// the frame of the body it is turned with it.
#pragma once

#include "dalembert/multibody/law.h"
#include "dalembert/multibody/planar/rows.h"

namespace dalembert::planar {

class Loads final : public Forces {
 public:
  struct Load {
    End end;
    Point2 on;
    PlanarLoad::Frame frame;
    std::array<Law, 2> force;
    Law torque;
  };
  std::vector<Load> loads;

  void force(const Placement&, In v, In s, Out f) const override;
  void derivatives(const Placement&, In v, In s, Derivatives&) const override;
  double power(const Placement&, In v, In s) const override;
  bool conservative() const override { return loads.empty(); }
};

}  // namespace dalembert::planar
