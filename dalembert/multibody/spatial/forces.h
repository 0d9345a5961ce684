// Forces on bodies in space that are not along a measure, in the displacements (r, theta) of a body, theta in the body
// frame (rows.h).
//
//   load      F at p = r + R s, and T:   f_r = F,  f_theta = s x R'F + R'T       or F = R F_body, R'T = T_body
//   bushing   x = (d, psi),  d = Q_a'(p_b - p_a),  exp(psi~) = Q_a'Q_b;   f = -X'(K x + D x'),  x' = X v
//
// Q_a, Q_b are frames fixed to the bodies, equal at the start. A bushing does the same in whatever frame it is looked at;
// with K symmetric it has the potential x'K x/2. K x is the force on b in the axes of a, and the moment that belongs to
// psi; both are the usual ones where psi is small. psi is at most pi long, and K psi would jump to -K psi at half a turn: shortly before
// there is no force any more, but NaN with a reason.
#pragma once

#include <array>
#include <vector>

#include "dalembert/multibody/row_set.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"

namespace dalembert::spatial {

class Loads final : public Forces {
 public:
  struct Load {
    End end;
    Eigen::Vector3d on;
    SpatialLoad::Frame frame;
    std::array<Law, 3> force, torque;
  };
  std::vector<Load> loads;

  void force(const Placement&, In v, In s, Out f) const override;
  void derivatives(const Placement&, In v, In s, Derivatives&) const override;
  double power(const Placement&, In v, In s) const override;
  bool conservative() const override { return loads.empty(); }
};

class Bushings final : public Forces {
 public:
  struct Bushing {
    std::string name;
    Ends<6> ends;
    Eigen::Vector3d on_a, on_b;
    Eigen::Matrix3d axes_a, axes_b;  ///< Q as each body sees it
    Eigen::Matrix<double, 6, 6> K, D;
  };
  std::vector<Bushing> bushings;

  void force(const Placement&, In v, In s, Out f) const override;
  void derivatives(const Placement&, In v, In s, Derivatives&) const override;
  double potential(const Placement&) const override;
  double power(const Placement&, In v, In s) const override;
  bool conservative() const override;
  std::string refusal(const Placement&, In s) const override;
};

}  // namespace dalembert::spatial
