// Gears in the plane, with or without a carrier c that moves.
//
//   0 = (phi_b - phi_c) - ratio (phi_a - phi_c) - constant
#pragma once

#include <array>

#include "dalembert/multibody/element.h"

namespace dalembert::planar {

class GearRows final : public Rows {
 public:
  struct Gear {
    std::array<Eigen::Index, 3> columns;  ///< of the three angles among q, v alike; -1: it does not turn
    std::array<double, 3> factors;
    double constant;
    Eigen::Index row;
  };
  std::vector<Gear> gears;

  Level level() const override { return Level::position; }
  bool conservative() const override { return true; }
  void g(const Placement& at, Out residual) const override {
    for (const Gear& gear : gears) {
      double sum = -gear.constant;
      for (std::size_t i = 0; i < 3; ++i)
        if (gear.columns[i] >= 0) sum += gear.factors[i] * at.q[gear.columns[i]];
      residual[gear.row] = sum;
    }
  }
  void jacobian(const Placement&, Entries& J) const override {
    for (const Gear& gear : gears)
      for (std::size_t i = 0; i < 3; ++i)
        if (gear.columns[i] >= 0) J.add(gear.row, gear.columns[i], gear.factors[i]);
  }
  void velocity_bias(const Placement&, Out w) const override {
    for (const Gear& gear : gears) w[gear.row] = 0;
  }
  void bias(const Placement&, In /*v*/, Out bias) const override {
    for (const Gear& gear : gears) bias[gear.row] = 0;
  }
  // The rows are linear.
  void geometric_stiffness(const Placement&, In /*l*/, Entries& /*K*/) const override {}
  void velocity_jacobian(const Placement&, In /*v*/, Entries& /*B*/) const override {}
};

}  // namespace dalembert::planar
