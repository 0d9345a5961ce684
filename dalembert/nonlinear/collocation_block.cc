#include "dalembert/nonlinear/collocation_block.h"

#include <cmath>
#include <limits>

#include "dalembert/core/rounding.h"

namespace dalembert {

namespace {

constexpr int most_rounds = 25;

/// Derivatives of the Lagrange polynomials of the points 0..k at these points.
Matrix differentiation(int k) {
  const auto weight = [&](int i) {  // barycentric: (-1)^i binomial(k,i), up to a common factor
    double w = i % 2 == 0 ? 1 : -1;
    for (int m = 1; m <= i; ++m) w *= static_cast<double>(k - m + 1) / m;
    return w;
  };
  Matrix D = Matrix::Zero(k + 1, k + 1);
  for (int j = 0; j <= k; ++j)
    for (int i = 0; i <= k; ++i)
      if (i != j) {
        D(j, i) = weight(i) / weight(j) / (j - i);
        D(j, j) -= D(j, i);
      }
  return D;
}

}  // namespace

void CollocationBlock::bind(const Implicit& problem, int k, Statistics& statistics) {
  problem_ = &problem;
  statistics_ = &statistics;
  k_ = k;
  n_ = problem.layout().size();
  D_ = differentiation(k);
  y_ = dy_ = Vector::Zero(n_);
  r_ = Vector::Zero(k * n_);
  F_y_ = F_dy_ = Entries{};
  matrix_.emplace(k * n_);
  norm_.bind(problem, {}, Precision::rounding);
  reset();
}

void CollocationBlock::reset() {
  const State start = problem_->start();
  Y_.assign(static_cast<std::size_t>(k_) + 1, start.y);
  matrix_->reset();
  norm_.reset();
  t0_ = start.t;
  h_ = 1;
  Statistics unseen;  // one pass to fix patterns: nothing allocates later
  std::swap(unseen, *statistics_);
  linearise();
  std::swap(unseen, *statistics_);
  forget();
}

void CollocationBlock::derivative(int j, Out dy) const {
  dy.setZero();
  for (int i = 0; i <= k_; ++i) dy += (D_(j, i) / h_) * Y_[static_cast<std::size_t>(i)];
}

/// Residuals into r_, and their matrix, factored. What a formulation freezes, it freezes at the point at hand.
Outcome CollocationBlock::linearise() {
  matrix_->begin();
  for (int j = 1; j <= k_; ++j) {
    const double t = t0_ + j * h_;
    const Eigen::Index row = (j - 1) * n_;
    derivative(j, dy_);
    y_ = value(j);
    problem_->prepare(t, y_, dy_);  // may move predictions; this is none
    derivative(j, dy_);
    y_ = value(j);
    problem_->jacobians(t, y_, dy_, F_y_, F_dy_);
    problem_->F(t, y_, dy_, r_.segment(row, n_));
    ++statistics_->jacobians;
    ++statistics_->force_evaluations;
    matrix_->add(F_y_, row, row, 1);
    for (int i = 1; i <= k_; ++i) matrix_->add(F_dy_, row, (i - 1) * n_, D_(j, i) / h_);
  }
  if (!r_.allFinite()) return blame(Outcome::not_finite);
  const Outcome outcome = matrix_->factor(*statistics_);
  if (outcome != Outcome::ok) {
    culprit_ = matrix_->culprit().value_or(0) % n_;
    residual_ = 0;
  }
  return outcome;
}

Outcome CollocationBlock::solve(double t0, double h, In y0, In dy0) {
  forget();
  t0_ = t0;
  h_ = h;
  for (int j = 0; j <= k_; ++j) value(j) = y0 + (j * h) * dy0;
  norm_.aim(h, y0, y0);
  double last = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most_rounds; ++round) {
    if (const Outcome outcome = linearise(); outcome != Outcome::ok) return outcome;
    matrix_->solve(r_, *statistics_);
    ++statistics_->newton_iterations;
    double now = 0;
    for (int j = 1; j <= k_; ++j) {
      const auto delta = r_.segment((j - 1) * n_, n_);
      value(j) -= delta;
      for (Eigen::Index i = 0; i < n_; ++i) now = std::max(now, std::abs(delta[i]) * norm_.weight()[i]);
    }
    if (!r_.allFinite()) return blame(Outcome::not_finite);
    // Below rounding, or no longer shrinking because of it.
    if (now <= newton_floor || (now > 0.5 * last && now <= 1e-11)) {
      solved_ = true;
      return Outcome::ok;
    }
    last = now;
  }
  return blame(Outcome::newton_diverged);
}

Outcome CollocationBlock::blame(Outcome outcome) {
  culprit_ = 0;
  residual_ = -1;
  for (int j = 1; j <= k_; ++j) {
    derivative(j, dy_);
    problem_->F(t0_ + j * h_, value(j), dy_, y_);
    for (Eigen::Index i = 0; i < n_; ++i)
      if (!(std::abs(y_[i]) <= residual_) && std::isfinite(residual_))
        culprit_ = i, residual_ = std::abs(y_[i]);
  }
  return outcome;
}

bool CollocationBlock::covers(double a, double b) const {
  const double slack = 1e-9 * h_;
  return solved_ && a >= t0_ - slack && b <= t0_ + k_ * h_ + slack;
}

bool CollocationBlock::ends_at(double t) const {
  return solved_ && std::abs(t - t0_ - k_ * h_) <= 1e-9 * h_;
}

void CollocationBlock::interpolate(double t, Out y) const {
  const double x = (t - t0_) / h_, nearest = std::round(x);
  if (std::abs(x - nearest) <= 1e-9 && nearest >= 0 && nearest <= k_) {
    y = Y_[static_cast<std::size_t>(nearest)];
    return;
  }
  y.setZero();
  for (int i = 0; i <= k_; ++i) {
    double L = 1;
    for (int m = 0; m <= k_; ++m)
      if (m != i) L *= (x - m) / (i - m);
    y += L * Y_[static_cast<std::size_t>(i)];
  }
}

}  // namespace dalembert
