#include "dalembert/constraints/row_rate.h"

#include <algorithm>
#include <cmath>

namespace dalembert {

namespace {

/// Of f'(0) from f(k d) - f(-k d), k = 1 .. 4: of order 8 and 6.
constexpr double eighth[] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
constexpr double sixth[] = {3. / 4, -3. / 20, 1. / 60, 0};
/// Share of positions (or of a second) passed per difference: its eighth power and rounding divided by it are both small.
constexpr double share = 5e-3;

}  // namespace

RowRate::RowRate(const Mechanical& problem)
    : problem_(problem),
      n_(problem.sizes()),
      moved_(problem.placement()),
      rate_(Matrix::Zero(n_.rows(), n_.v)),
      sixth_(rate_),
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
  constexpr double enough = 1e-9;  // of the formula of order 6: its 4/3rd power is left of that of order 8
  double step = share / (1 + largest(v) / (1 + largest(at.q)));
  for (int shorter = 0; shorter < 8; ++shorter) {
    const double error = difference(at, v, step);
    const double rounding =
        1e-14 * largest(Eigen::Map<const Vector>(J_.values(), static_cast<Eigen::Index>(J_.size()))) / step;
    const double bearable = std::max(enough * rate_.cwiseAbs().maxCoeff(), rounding);
    if (!(error > bearable)) return;
    step *= std::clamp(std::pow(bearable / error, 1. / 6), 0.05, 0.5);
  }
}

double RowRate::difference(const Placement& at, In v, double step) {
  rate_.setZero();
  sixth_.setZero();
  for (int k = 1; k <= 4; ++k)
    for (const double side : {1., -1.}) {
      const double ahead = side * k * step;
      moved_->t = at.t + ahead;
      u_ = ahead * v;
      problem_.advance(at, u_, moved_->q);
      problem_.place(*moved_);
      problem_.jacobian(*moved_, J_);
      for (std::size_t i = 0; i < J_.size(); ++i) {
        const double entry = side * J_.value(i) / step;
        rate_(J_.row(i), J_.column(i)) += eighth[k - 1] * entry;
        sixth_(J_.row(i), J_.column(i)) += sixth[k - 1] * entry;
      }
    }
  return (rate_ - sixth_).cwiseAbs().maxCoeff();
}

}  // namespace dalembert
