// A body in the plane on a blade at (x,y) that does not slip sideways: the row that the skate and the sleigh share.
//
//   0 = -x' sin theta + y' cos theta
#pragma once

#include <memory>
#include <string>

#include "dalembert/core/trigonometry.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

class OnBlade : public Mechanical {
 public:
  Sizes sizes() const override { return {.q = 3, .v = 3, .nonholonomic = 1}; }
  std::unique_ptr<Placement> placement() const override { return std::make_unique<Heading>(); }
  void place(Placement& at) const override {
    auto& heading = static_cast<Heading&>(at);
    const SinCos angle = sin_cos(at.q[2]);
    heading.sin = angle.sin;
    heading.cos = angle.cos;
  }
  void jacobian(const Placement& placement, Entries& A) const override {
    const auto& at = heading(placement);
    A.begin();
    A.add(0, 0, -at.sin);
    A.add(0, 1, at.cos);
    A.end();
  }
  void bias(const Placement& placement, In v, Out bias) const override {
    const auto& at = heading(placement);
    bias[0] = -v[2] * (at.cos * v[0] + at.sin * v[1]);
  }

 protected:
  struct Heading : Placement {
    double sin, cos;
  };
  static const Heading& heading(const Placement& at) { return static_cast<const Heading&>(at); }

  Layout layout_with(const std::string& angle, const std::string& row) const {
    return mechanical_layout({.q = {"x", "y", angle},
                              .v = {"x'", "y'", angle + "'"},
                              .mu = {row},
                              .q_units = {"m", "m", "rad"},
                              .v_units = {"m/s", "m/s", "rad/s"},
                              .mu_units = {"N"}});
  }
  static void differentiate_row(const Heading& at, In v, Entries& B) {
    B.begin();
    B.add(0, 2, -at.cos * v[0] - at.sin * v[1]);
    B.end();
  }
};

}  // namespace dalembert
