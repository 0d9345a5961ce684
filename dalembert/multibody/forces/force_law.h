// A force along a measure by any formula of it: nonlinear springs, dampers, bump stops.
//
//   F = F(c, c', t)
//
// A potential is not known of it: what it does is all counted as power.
#pragma once

#include <utility>

#include "dalembert/multibody/forces/force_element.h"
#include "dalembert/multibody/law.h"

namespace dalembert {

/// Acts as the formula says.
class ForceLaw final : public ForceElement {
 public:
  /// Its arguments are the measure, its rate, and t.
  explicit ForceLaw(Law law) : law_(std::move(law)) {}

  void respond(const Input& in, Response& out) const override {
    const double x[] = {in.c, in.rate, in.t};
    double gradient[3] = {};
    out.F = law_(x, gradient);
    out.F_c = gradient[0];
    out.F_rate = gradient[1];
  }

 private:
  Law law_;
};

}  // namespace dalembert
