#include "dalembert/multibody/forces/force_element.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dalembert/multibody/measure_state.h"

namespace dalembert {

void ForceElements::force(const Placement& at, In v, In s, Out f) const {
  for (const Action& a : actions) {
    const MeasureState r(*a.measure, at, v);
    ForceElement::Response out;
    a.element->respond({at.t, r.c, r.rate, s.data() + a.state}, out);
    for (int i = 0; i < a.measure->count; ++i)
      if (const Eigen::Index k = r.column(i); k >= 0) f[k] -= out.F * r.gradient[i];
  }
}

void ForceElements::auxiliary(const Placement& at, In v, In s, Out ds) const {
  for (const Action& a : actions) {
    if (a.states == 0) continue;
    const MeasureState r(*a.measure, at, v);
    ForceElement::Response out;
    a.element->respond({at.t, r.c, r.rate, s.data() + a.state}, out);
    for (Eigen::Index i = 0; i < a.states; ++i) ds[a.state + i] = out.k[i];
  }
}

void ForceElements::derivatives(const Placement& at, In v, In s, Derivatives& d) const {
  for (const Action& a : actions) {
    const MeasureState r(*a.measure, at, v);
    double hessian[Measure::most * Measure::most], by_q[Measure::most];
    r.rate_gradient(at, v, hessian, by_q);
    ForceElement::Response out;
    a.element->respond({at.t, r.c, r.rate, s.data() + a.state}, out);
    const int n = a.measure->count;
    for (int i = 0; i < n; ++i) {
      const Eigen::Index row = r.column(i);
      if (row < 0) continue;
      for (int j = 0; j < n; ++j) {
        const Eigen::Index column = r.column(j);
        if (column < 0) continue;
        d.K.add(
            row, column,
            out.F * hessian[i * n + j] + r.gradient[i] * (out.F_c * r.gradient[j] + out.F_rate * by_q[j]));
        d.D.add(row, column, out.F_rate * r.gradient[i] * r.gradient[j]);
      }
      for (Eigen::Index k = 0; k < a.states; ++k) d.S.add(row, a.state + k, out.F_s[k] * r.gradient[i]);
    }
    for (Eigen::Index k = 0; k < a.states; ++k) {
      for (int j = 0; j < n; ++j)
        if (const Eigen::Index column = r.column(j); column >= 0) {
          d.k_q.add(a.state + k, column, out.k_c[k] * r.gradient[j] + out.k_rate[k] * by_q[j]);
          d.k_v.add(a.state + k, column, out.k_rate[k] * r.gradient[j]);
        }
      for (Eigen::Index l = 0; l < a.states; ++l) d.k_s.add(a.state + k, a.state + l, out.k_s[k][l]);
    }
  }
}

double ForceElements::energy(const Placement& at, In s) const {
  double sum = 0;
  for (const Action& a : actions)
    sum += a.element->energy({at.t, a.measure->value(at), 0, s.data() + a.state}).value;
  return sum;
}

double ForceElement::dissipation(const Input& in) const {
  Response out, back;
  respond(in, out);
  respond({in.t, in.c, -in.rate, in.s}, back);
  return in.rate * (out.F - back.F) / 2;
}

double ForceElements::dissipation(const Placement& at, In v, In s) const {
  double sum = 0;
  for (const Action& a : actions) {
    if (a.element->conservative()) continue;
    const MeasureState r(*a.measure, at, v);
    sum += a.element->dissipation({at.t, r.c, r.rate, s.data() + a.state});
  }
  return sum;
}

/// What comes from outside: -F c' + d(energy)/dt
double ForceElements::power(const Placement& at, In v, In s) const {
  double sum = 0;
  for (const Action& a : actions) {
    if (a.element->conservative()) continue;
    const MeasureState r(*a.measure, at, v);
    const ForceElement::Input in{at.t, r.c, r.rate, s.data() + a.state};
    ForceElement::Response out;
    a.element->respond(in, out);
    const ForceElement::Energy kept = a.element->energy(in);
    sum += (kept.gradient_c - out.F) * r.rate;
    for (Eigen::Index i = 0; i < a.states; ++i) sum += kept.gradient_s[i] * out.k[i];
  }
  return sum;
}

bool ForceElements::conservative() const {
  return std::all_of(actions.begin(), actions.end(),
                     [](const Action& a) { return a.element->conservative(); });
}

void DrivenRows::g(const Placement& at, Out residual) const {
  for (const Drive& d : drives) {
    const double apart = d.measure->value(at) - d.f(at.t).f;
    residual[d.row] = d.measure->cyclic ? std::remainder(apart, 2 * std::numbers::pi) : apart;
  }
}

void DrivenRows::jacobian(const Placement& at, Entries& J) const {
  double gradient[Measure::most];
  for (const Drive& d : drives) {
    d.measure->gradient(at, gradient);
    for (int i = 0; i < d.measure->count; ++i)
      if (const Eigen::Index k = d.measure->columns[static_cast<std::size_t>(i)]; k >= 0)
        J.add(d.row, k, gradient[i]);
  }
}

void DrivenRows::velocity_bias(const Placement& at, Out w) const {
  for (const Drive& d : drives) w[d.row] = -d.f(at.t).rate;
}

void DrivenRows::bias(const Placement& at, In v, Out bias) const {
  double hessian[Measure::most * Measure::most], by_q[Measure::most];
  for (const Drive& d : drives) {
    const MeasureState r(*d.measure, at, v);
    r.rate_gradient(at, v, hessian, by_q);
    bias[d.row] = d.measure->rate(by_q, v) - d.f(at.t).acceleration;
  }
}

void DrivenRows::geometric_stiffness(const Placement& at, In l, Entries& K) const {
  double hessian[Measure::most * Measure::most];
  for (const Drive& d : drives) {
    d.measure->hessian(at, hessian);
    const int n = d.measure->count;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const Eigen::Index row = d.measure->columns[static_cast<std::size_t>(i)],
                           column = d.measure->columns[static_cast<std::size_t>(j)];
        if (row >= 0 && column >= 0) K.add(row, column, l[d.row] * hessian[i * n + j]);
      }
  }
}

void DrivenRows::velocity_jacobian(const Placement& at, In v, Entries& B) const {
  double hessian[Measure::most * Measure::most], by_q[Measure::most];
  for (const Drive& d : drives) {
    const MeasureState r(*d.measure, at, v);
    r.rate_gradient(at, v, hessian, by_q);
    for (int j = 0; j < d.measure->count; ++j)
      if (const Eigen::Index k = r.column(j); k >= 0) B.add(d.row, k, by_q[j]);
  }
}

}  // namespace dalembert
