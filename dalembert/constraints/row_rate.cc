#include "dalembert/constraints/row_rate.h"

#include <cmath>

namespace dalembert {

namespace {

/// Of f'(0) from f(k d) - f(-k d), k = 1 .. 4.
constexpr double weights[] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
/// Share of positions (or of a second) passed per difference: its eighth power and rounding divided by it are both small.
constexpr double share = 5e-3;

}  // namespace

RowRate::RowRate(const Mechanical& problem)
    : problem_(problem),
      n_(problem.sizes()),
      moved_(problem.placement()),
      rate_(Matrix::Zero(n_.rows(), n_.v)),
      u_(Vector::Zero(n_.v)),
      plus_(Vector::Zero(n_.rows())),
      minus_(plus_) {
  moved_->q = Vector::Zero(n_.q);
  const State start = problem.start();
  problem.place_at(*moved_, start.t, start.y.head(n_.q));
  problem.jacobian(*moved_, J_);  // its pattern
}

const Matrix& RowRate::operator()(const Placement& at, In v) {
  if (problem_.plain() && n_.nonholonomic == 0)
    by_symmetry(at, v);
  else
    by_differences(at, v);
  return rate_;
}

void RowRate::by_symmetry(const Placement& at, In v) {
  const double size = 1 + largest(v);
  for (Eigen::Index j = 0; j < n_.v; ++j) {
    u_ = v;
    u_[j] = v[j] + size;
    problem_.bias(at, u_, plus_);
    u_[j] = v[j] - size;
    problem_.bias(at, u_, minus_);
    rate_.col(j) = (plus_ - minus_) / (4 * size);
  }
}

void RowRate::by_differences(const Placement& at, In v) {
  const double step = share / (1 + largest(v) / (1 + largest(at.q)));
  rate_.setZero();
  for (int k = 1; k <= 4; ++k)
    for (const double side : {1., -1.}) {
      const double ahead = side * k * step;
      moved_->t = at.t + ahead;
      u_ = ahead * v;
      problem_.advance(at, u_, moved_->q);
      problem_.place(*moved_);
      problem_.jacobian(*moved_, J_);
      const double weight = side * weights[k - 1] / step;
      for (std::size_t i = 0; i < J_.size(); ++i) rate_(J_.row(i), J_.column(i)) += weight * J_.value(i);
    }
}

}  // namespace dalembert
