// A measure and what it says at one state.
#pragma once

#include "dalembert/multibody/measure.h"

namespace dalembert {

struct MeasureState {
  MeasureState(const Measure& m, const Placement& at, In v) : measure(m) {
    m.gradient(at, gradient);
    c = m.value(at);
    rate = m.rate(gradient, v);
  }
  /// H_ij v_i for each j: how the rate changes with the position
  void rate_gradient(const Placement& at, In v, double* hessian, double* by_q) const {
    measure.hessian(at, hessian);
    for (int j = 0; j < measure.count; ++j) {
      by_q[j] = 0;
      for (int i = 0; i < measure.count; ++i)
        if (const Eigen::Index k = column(i); k >= 0) by_q[j] += hessian[i * measure.count + j] * v[k];
    }
  }
  Eigen::Index column(int i) const { return measure.columns[static_cast<std::size_t>(i)]; }

  const Measure& measure;
  double c, rate, gradient[Measure::most];
};

}  // namespace dalembert
