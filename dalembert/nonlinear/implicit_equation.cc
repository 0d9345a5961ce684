#include "dalembert/nonlinear/implicit_equation.h"

#include <cmath>
#include <limits>

namespace dalembert {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();
constexpr double least_ratio = 0.6, most_ratio = 1 / 0.6;  // of c to the c of the matrix
constexpr double enough = 0.33;                            // of the tolerance, for the error of the iteration

}  // namespace

void ImplicitEquation::bind(const Implicit& problem, const Tolerance& tolerance, Precision precision,
                            Statistics& statistics, Backend backend) {
  problem_ = &problem;
  precision_ = precision;
  statistics_ = &statistics;
  // Down to rounding, what counts is the size of the entries, whatever the tolerance is.
  norm_.bind(problem, precision == Precision::rounding ? Tolerance{1, 1} : tolerance);
  const State start = problem.start();
  const Eigen::Index n = start.y.size();
  y0_ = dy0_ = r_ = delta_ = correction_ = Vector::Zero(n);
  matrix_.emplace(n, backend);
  F_y_ = F_dy_ = Entries{};
  forget();
  Statistics unseen;  // one pass to fix patterns: nothing allocates later
  std::swap(unseen, *statistics_);
  norm_.aim(1, start.y, start.y);
  renew(start.t, 1, start.y, dy0_);
  std::swap(unseen, *statistics_);
  forget();
}

Outcome ImplicitEquation::renew(double t, double c, In y, In dy) {
  problem_->jacobians(t, y, dy, F_y_, F_dy_);
  ++statistics_->jacobians;
  norm_.choose_tests();
  matrix_->begin();
  matrix_->add(F_y_, 0, 0, 1);
  matrix_->add(F_dy_, 0, 0, c);
  slowness_ = 100;
  const Outcome outcome = matrix_->factor(*statistics_);
  if (outcome == Outcome::ok)
    made_for_ = c;
  else
    forget();
  return outcome;
}

Outcome ImplicitEquation::solve(double t, double h, double c, In from, Out y, Out dy) {
  norm_.aim(h, from, from);
  problem_->prepare(t, y, dy);
  y0_ = y;
  dy0_ = dy;
  if (made_for_ && (c / *made_for_ < least_ratio || c / *made_for_ > most_ratio)) forget();
  if (c != last_c_) slowness_ = 100;
  last_c_ = c;
  for (;;) {
    fresh_ = !made_for_;
    if (fresh_) {
      if (const Outcome outcome = renew(t, c, y0_, dy0_); outcome != Outcome::ok) {
        culprit_ = matrix_->culprit().value_or(0);
        residual_ = 0;
        return outcome;
      }
    }
    y = y0_;
    dy = dy0_;
    const Outcome outcome = iterate(t, c, y, dy);
    if (outcome == Outcome::ok || fresh_) return outcome;
    forget();  // once more, with a matrix of here
  }
}

void ImplicitEquation::filter(Out d) {
  if (!made_for_) return;
  delta_.setZero();
  F_dy_.multiply(d, *made_for_, delta_);
  matrix_->solve(delta_, *statistics_);
  d = delta_;
}

/// DASSL's test: with rate rho of convergence, rho/(1-rho) |delta| estimates what is left.
Outcome ImplicitEquation::iterate(double t, double c, Out y, Out dy) {
  const bool to_rounding = precision_ == Precision::rounding;
  const int most = to_rounding ? 40 : 4;
  const double scale = 2 / (1 + c / *made_for_), size = norm_.newton(y);
  correction_.setZero();
  double first = 0, last = 0;
  int still = 0;
  for (int round = 0; round < most; ++round) {
    problem_->F(t, y, dy, r_);
    ++statistics_->force_evaluations;
    ++statistics_->newton_iterations;
    if (!r_.allFinite()) return blame(Outcome::not_finite);
    delta_ = -scale * r_;
    matrix_->solve(delta_, *statistics_);
    y += delta_;
    dy += c * delta_;
    correction_ += delta_;
    const double now = norm_.newton(delta_);
    if (!std::isfinite(now)) return blame(Outcome::not_finite);
    if (to_rounding) {
      // Corrections that no longer shrink are the rounding of the residual, seen through the matrix: small ones at
      // once, larger ones if they stand still twice. Slow progress with an old matrix calls for a new one.
      if (now <= 4 * rounding * size) return Outcome::ok;
      if (round > 0 && now > 0.5 * last && now <= 1e-13 * (1 + size)) return Outcome::ok;
      if (round > 0 && !fresh_ && now > 0.3 * last) break;
      still = round > 0 && now > 0.95 * last ? still + 1 : 0;
      if (still > 1 && now <= 1e-9 * (1 + size)) return Outcome::ok;
      if (round > 1 && now > 2 * last) break;
    } else {
      if (now <= 100 * rounding * size) return Outcome::ok;
      if (round == 0) {
        first = now;
      } else {
        const double rate = std::pow(now / first, 1.0 / round);
        if (rate > 0.9) break;
        slowness_ = rate / (1 - rate);
      }
      if (slowness_ * now <= enough) return Outcome::ok;
    }
    last = now;
  }
  return blame(Outcome::newton_diverged);
}

Outcome ImplicitEquation::blame(Outcome outcome) {
  culprit_ = 0;
  residual_ = -1;
  for (Eigen::Index i = 0; i < r_.size(); ++i)
    if (!(std::abs(r_[i]) <= residual_)) {
      culprit_ = i, residual_ = std::abs(r_[i]);
      if (!std::isfinite(residual_)) break;
    }
  return outcome;
}

}  // namespace dalembert
