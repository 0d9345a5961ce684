#include "dalembert/problem/differentiable.h"

#include <cmath>

namespace dalembert {

namespace {

// Central differences of order 6: f'(0) h = sum of these times f(kh) - f(-kh), and f''(0) h^2 of f(kh) - 2 f(0) + f(-kh).
constexpr double first_weights[] = {3. / 4, -3. / 20, 1. / 60},
                 second_weights[] = {3. / 2, -3. / 20, 1. / 90};
// Long enough for the rounding of f to be forgotten, short enough for h^6: see the head of the header.
constexpr double first_step = 3e-3, second_step = 5e-3;

/// Adds f'(0) h; `value(tau, r)` evaluates f.
template <class Curve>
void add_first(const Curve& value, double h, Vector& moved, Out sum) {
  for (int k = 1; k <= 3; ++k)
    for (const double side : {1., -1.}) {
      value(side * k * h, moved);
      sum += side * first_weights[k - 1] * moved;
    }
}

}  // namespace

void Differentiable::differences(const Value& value, double t, In x, Matrix& r_x) {
  Vector at = x, moved(r_x.rows());
  r_x.setZero();
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const double h = first_step * (1 + std::abs(x[j]));
    const auto along = [&](double tau, Vector& r) {
      at[j] = x[j] + tau;
      value(t, at, r);
    };
    add_first(along, h, moved, r_x.col(j));
    r_x.col(j) /= h;
    at[j] = x[j];
  }
}

void Differentiable::time_differences(const Value& value, double t, In x, Out r_t) {
  Vector moved(r_t.size());
  r_t.setZero();
  add_first([&](double tau, Vector& r) { value(t + tau, x, r); }, first_step, moved, r_t);
  r_t /= first_step;
}

void Differentiable::second_differences(const Value& value, double t, In x, In dx, Out r) {
  double speed = 1;  // the largest of (1, dx) in the units of steps
  for (Eigen::Index i = 0; i < x.size(); ++i) speed = std::max(speed, std::abs(dx[i]) / (1 + std::abs(x[i])));
  const double h = second_step / speed;
  Vector middle(r.size()), moved(r.size());
  value(t, x, middle);
  r.setZero();
  for (int k = 1; k <= 3; ++k)
    for (const double side : {1., -1.}) {
      value(t + side * k * h, x + side * k * h * dx, moved);
      r += second_weights[k - 1] * (moved - middle);
    }
  r /= h * h;
}

}  // namespace dalembert
