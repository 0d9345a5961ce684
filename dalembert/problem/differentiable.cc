#include "dalembert/problem/differentiable.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dalembert {

namespace {

// Central differences: f'(0) h is the sum of these times f(kh) - f(-kh), f''(0) h^2 of f(kh) - 2 f(0) + f(-kh). Of order 6, and from the
// same values of order 4.
constexpr double sixth[2][3] = {{3. / 4, -3. / 20, 1. / 60}, {3. / 2, -3. / 20, 1. / 90}},
                 fourth[2][3] = {{2. / 3, -1. / 12, 0}, {4. / 3, -1. / 12, 0}};
// Long enough for the rounding of f to be forgotten, short enough for h^6 if f changes over lengths of about 1: see the head of the header.
constexpr double first_step = 3e-3, second_step = 5e-3;
constexpr double alike = 1e-7;  // orders 4 and 6; the error of the latter is far below
constexpr double settling = 1e-3;
constexpr int most_rounds = 10;

/// The derivative of f of order 1 or 2 at 0; `value(tau, r)` evaluates f. Where the two orders differ, h is too long for f, and a shorter one is
/// taken, as long as that helps: at a kink, or where f is rough, it does not.
template <class Curve>
void differentiate(const Curve& value, int order, double h, Out result) {
  const Eigen::Index n = result.size();
  Vector middle = Vector::Zero(n), there(n), back(n), six(n), four(n), size(n);
  if (order == 2) value(0, middle);
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most_rounds; ++round, h /= 4) {
    six.setZero(), four.setZero(), size.setZero();
    for (int k = 1; k <= 3; ++k) {
      value(k * h, there);
      value(-k * h, back);
      if (order == 1)
        there -= back;
      else
        there += back - 2 * middle;
      six += sixth[order - 1][k - 1] * there;
      four += fourth[order - 1][k - 1] * there;
      size = size.cwiseMax(there.cwiseAbs() / std::pow(k, order));
    }
    const double length = std::pow(h, order);
    double apart = 0;
    for (Eigen::Index i = 0; i < n; ++i)
      if (const double off = std::abs(six[i] - four[i]); off > 0)
        apart = std::max(apart, off / (size[i] + 1e-9 * length));
    if (apart > least && least < settling) return;  // rounding
    if (apart > least) continue;                    // over many periods of f nothing is told by one step
    least = apart;
    result = six / length;
    if (apart <= alike) return;
  }
}

}  // namespace

void Differentiable::differences(const Value& value, double t, In x, Matrix& r_x) {
  Vector at = x, column(r_x.rows());
  r_x.setZero();
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const auto along = [&](double tau, Vector& r) {
      at[j] = x[j] + tau;
      value(t, at, r);
    };
    column.setConstant(not_a_number);
    differentiate(along, 1, first_step * (1 + std::abs(x[j])), column);
    r_x.col(j) = column;
    at[j] = x[j];
  }
}

void Differentiable::time_differences(const Value& value, double t, In x, Out r_t) {
  r_t.setConstant(not_a_number);
  differentiate([&](double tau, Vector& r) { value(t + tau, x, r); }, 1, first_step, r_t);
}

void Differentiable::second_differences(const Value& value, double t, In x, In dx, Out r) {
  double speed = 1;  // the largest of (1, dx) in the units of steps
  for (Eigen::Index i = 0; i < x.size(); ++i) speed = std::max(speed, std::abs(dx[i]) / (1 + std::abs(x[i])));
  r.setConstant(not_a_number);
  differentiate([&](double tau, Vector& moved) { value(t + tau, x + tau * dx, moved); }, 2,
                second_step / speed, r);
}

}  // namespace dalembert
