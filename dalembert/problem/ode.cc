#include "dalembert/problem/ode.h"

#include <cmath>

#include "dalembert/core/rounding.h"

namespace dalembert {

void Ode::f_y(double t, In y, Entries& jacobian) const {
  const Eigen::Index n = y.size();
  static thread_local Vector at, plus, minus;  // grow to the largest problem of the thread, then stay
  at = y;
  plus.resize(n), minus.resize(n);
  jacobian.begin();
  for (Eigen::Index j = 0; j < n; ++j) {
    const double step = central_difference * (1 + std::abs(y[j]));
    at[j] = y[j] + step;
    f(t, at, plus);
    at[j] = y[j] - step;
    f(t, at, minus);
    at[j] = y[j];
    for (Eigen::Index i = 0; i < n; ++i) jacobian.add(i, j, (plus[i] - minus[i]) / (2 * step));
  }
  jacobian.end();
}

Fault Ode::diagnose(double t, In y) const {
  if (Fault fault = Problem::diagnose(t, y)) return fault;
  Vector dy(y.size());
  f(t, y, dy);
  for (Eigen::Index i = 0; i < dy.size(); ++i)
    if (!std::isfinite(dy[i]))
      return {Outcome::not_finite, "the right-hand side of " + layout().label(i) + "' is not finite"};
  return {};
}

}  // namespace dalembert
