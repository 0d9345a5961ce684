#include "dalembert/multibody/forces/stick_slip.h"

#include "dalembert/multibody/measure_state.h"

namespace dalembert {

namespace {

/// F = sigma F_k and its gradient.
struct Rubbing {
  Rubbing(const StickSlip& of, const MeasureState& at, double t) {
    const double sigma = of.sign(), x[] = {t, at.c, sigma * at.rate};
    double gradient[3] = {};
    F = sigma * of.sliding(x, gradient);
    F_c = sigma * gradient[1];
    F_rate = gradient[2];  // sigma^2
  }
  double F, F_c, F_rate;
};

}  // namespace

void StuckRows::jacobian(const Placement& at, Entries& J) const {
  double gradient[Measure::most];
  for (const Stuck& each : stuck) {
    each.measure->gradient(at, gradient);
    for (int i = 0; i < each.measure->count; ++i)
      if (const Eigen::Index k = each.measure->columns[static_cast<std::size_t>(i)]; k >= 0)
        J.add(before + each.row, k, gradient[i]);
  }
}

void StuckRows::velocity_bias(const Placement&, Out w) const {
  for (const Stuck& each : stuck) w[before + each.row] = 0;
}

void StuckRows::bias(const Placement& at, In v, Out bias) const {
  double hessian[Measure::most * Measure::most], by_q[Measure::most];
  for (const Stuck& each : stuck) {
    MeasureState(*each.measure, at, v).rate_gradient(at, v, hessian, by_q);
    bias[before + each.row] = each.measure->rate(by_q, v);
  }
}

void StuckRows::geometric_stiffness(const Placement& at, In l, Entries& K) const {
  double hessian[Measure::most * Measure::most];
  for (const Stuck& each : stuck) {
    const Measure& m = *each.measure;
    m.hessian(at, hessian);
    for (int i = 0; i < m.count; ++i)
      for (int j = 0; j < m.count; ++j) {
        const Eigen::Index row = m.columns[static_cast<std::size_t>(i)],
                           column = m.columns[static_cast<std::size_t>(j)];
        if (row >= 0 && column >= 0) K.add(row, column, l[before + each.row] * hessian[i * m.count + j]);
      }
  }
}

void StuckRows::velocity_jacobian(const Placement& at, In v, Entries& B) const {
  double hessian[Measure::most * Measure::most], by_q[Measure::most];
  for (const Stuck& each : stuck) {
    const MeasureState r(*each.measure, at, v);
    r.rate_gradient(at, v, hessian, by_q);
    for (int j = 0; j < each.measure->count; ++j)
      if (const Eigen::Index k = r.column(j); k >= 0) B.add(before + each.row, k, by_q[j]);
  }
}

void SlipForces::force(const Placement& at, In v, In, Out f) const {
  for (const StickSlip& each : slipping) {
    const MeasureState r(*each.measure, at, v);
    const Rubbing rubs(each, r, at.t);
    for (int i = 0; i < each.measure->count; ++i)
      if (const Eigen::Index k = r.column(i); k >= 0) f[k] -= rubs.F * r.gradient[i];
  }
}

void SlipForces::derivatives(const Placement& at, In v, In, Derivatives& d) const {
  double hessian[Measure::most * Measure::most], by_q[Measure::most];
  for (const StickSlip& each : slipping) {
    const MeasureState r(*each.measure, at, v);
    const Rubbing rubs(each, r, at.t);
    r.rate_gradient(at, v, hessian, by_q);
    const int n = each.measure->count;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const Eigen::Index row = r.column(i), column = r.column(j);
        if (row < 0 || column < 0) continue;
        d.K.add(
            row, column,
            rubs.F * hessian[i * n + j] + r.gradient[i] * (rubs.F_c * r.gradient[j] + rubs.F_rate * by_q[j]));
        d.D.add(row, column, rubs.F_rate * r.gradient[i] * r.gradient[j]);
      }
  }
}

double SlipForces::power(const Placement& at, In v, In) const {
  double sum = 0;
  for (const StickSlip& each : slipping) {
    const MeasureState r(*each.measure, at, v);
    sum -= Rubbing(each, r, at.t).F * r.rate;
  }
  return sum;
}

}  // namespace dalembert
