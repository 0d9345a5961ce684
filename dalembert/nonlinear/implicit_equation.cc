#include "dalembert/nonlinear/implicit_equation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/core/rounding.h"

namespace dalembert {

namespace {

constexpr double dassl = ImplicitEquation::Options{}.enough;
constexpr double least_ratio = 0.6, most_ratio = 1 / 0.6;  // of c to the c of the matrix

}  // namespace

void ImplicitEquation::bind(const Implicit& problem, const Tolerance& tolerance, Precision precision,
                            Statistics& statistics, const Options& options) {
  problem_ = &problem;
  precision_ = precision;
  statistics_ = &statistics;
  norm_.bind(problem, tolerance, precision, options.weights);
  reuse_ = options.reuse;
  enough_ = options.enough;
  matrix_.emplace(problem.layout().size(), options.backend);
  F_y_ = F_dy_ = Entries{};
  reset();
}

void ImplicitEquation::reset() {
  const State start = problem_->start();
  y0_ = dy0_ = r_ = delta_ = correction_ = Vector::Zero(start.y.size());
  matrix_->reset();
  norm_.reset();
  factored_for_ = last_c_ = residual_ = 0;
  culprit_ = 0;
  fresh_ = false;
  slowness_ = 100;
  forget();
  Statistics unseen;  // one pass to fix patterns: nothing allocates later
  std::swap(unseen, *statistics_);
  norm_.aim(1, start.y, start.y);
  renew(start.t, 1, start.y, dy0_);
  std::swap(unseen, *statistics_);
  forget();
}

void ImplicitEquation::remember(Memory& memory) {
  memory(norm_, F_y_, F_dy_, *matrix_, made_for_, factored_for_, fresh_, last_c_, slowness_, correction_);
}

Outcome ImplicitEquation::renew(double t, double c, In y, In dy) {
  problem_->jacobians(t, y, dy, F_y_, F_dy_);
  ++statistics_->jacobians;
  norm_.choose_tests();
  made_for_ = c;
  return factor(c);
}

Outcome ImplicitEquation::factor(double c) {
  matrix_->begin();
  matrix_->add(F_y_, 0, 0, 1);
  matrix_->add(F_dy_, 0, 0, c);
  slowness_ = 100;
  factored_for_ = c;
  const Outcome outcome = matrix_->factor(*statistics_);
  if (outcome != Outcome::ok) forget();
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
    Outcome outcome = Outcome::ok;
    if (fresh_)
      outcome = renew(t, c, y0_, dy0_);
    else if (c != factored_for_ && reuse_ == MatrixReuse::refactor)
      outcome = factor(c);
    if (outcome != Outcome::ok) {
      if (!fresh_) continue;  // once more, with Jacobians of here
      culprit_ = matrix_->culprit().value_or(0);
      residual_ = 0;
      return outcome;
    }
    y = y0_;
    dy = dy0_;
    correction_.setZero();
    outcome = precision_ == Precision::rounding ? iterate_to_rounding(t, c, y, dy) : iterate(t, c, y, dy);
    if (outcome == Outcome::ok || fresh_) return outcome;
    forget();  // once more, with Jacobians of here
  }
}

double ImplicitEquation::correct(double t, double c, double scale, Out y, Out dy) {
  problem_->F(t, y, dy, r_);
  ++statistics_->force_evaluations;
  ++statistics_->newton_iterations;
  if (!r_.allFinite()) return not_a_number;
  delta_ = -scale * r_;
  matrix_->solve(delta_, *statistics_);
  y += delta_;
  dy += c * delta_;
  correction_ += delta_;
  return delta_.allFinite() ? norm_.newton(delta_) : not_a_number;
}

double ImplicitEquation::rounding(double t, double c, In y, In dy) {
  constexpr double unit = std::numeric_limits<double>::epsilon() / 2;
  const double scale = 2 / (1 + c / factored_for_);
  Vector plain = y, rate = dy, rounded = y;
  if (!std::isfinite(correct(t, c, scale, plain, rate))) return 0;
  for (Eigen::Index i = 0; i < rounded.size(); ++i) rounded[i] *= 1 + (i % 2 == 0 ? 2 : -2) * unit;
  rate = dy;
  if (!std::isfinite(correct(t * (1 + 2 * unit), c, scale, rounded, rate))) return 0;
  return norm_.error(rounded - plain) / 2;
}

void ImplicitEquation::filter(Out d) {
  if (!made_for_) return;
  delta_.setZero();
  F_dy_.multiply(d, factored_for_, delta_);
  matrix_->solve(delta_, *statistics_);
  d = delta_;
}

/// DASSL's test: with rate rho of convergence, rho/(1-rho) |delta| estimates what is left. Where more is asked for than
/// rounding allows, corrections stop shrinking: then DASSL's own measure is enough.
Outcome ImplicitEquation::iterate(double t, double c, Out y, Out dy) {
  const double scale = 2 / (1 + c / factored_for_), size = norm_.newton(y);
  double first = 0;
  for (int round = 0; round < 4; ++round) {
    const double now = correct(t, c, scale, y, dy);
    if (!std::isfinite(now)) return blame(Outcome::not_finite);
    if (now <= newton_noise * size) return Outcome::ok;
    if (round == 0) {
      first = now;
    } else {
      const double rate = std::pow(now / first, 1.0 / round);
      if (rate > 0.9) {
        if (enough_ < dassl && now <= dassl) return Outcome::ok;
        break;
      }
      slowness_ = rate / (1 - rate);
      if (round == 3 && slowness_ * now <= dassl) return Outcome::ok;
    }
    if (slowness_ * now <= enough_) return Outcome::ok;
  }
  slowness_ = 100;  // a rate that was too slow must not speak for the next solve
  return blame(Outcome::newton_diverged);
}

/// Until corrections no longer shrink and are small: then they are the rounding of the residual, seen through the matrix.
/// Where they shrink slowly for another reason, the matrix is renewed on the way.
Outcome ImplicitEquation::iterate_to_rounding(double t, double c, Out y, Out dy) {
  const double size = norm_.newton(y);
  double last = 0, fastest = 1;
  for (int round = 0; round < 20; ++round) {
    const double now = correct(t, c, 2 / (1 + c / factored_for_), y, dy);
    if (!std::isfinite(now)) return blame(Outcome::not_finite);
    if (now <= newton_floor * size) return Outcome::ok;
    if (round > 0) {
      const double rate = now / last;
      const bool tiny = fastest < 0.2 && now <= 1e-13 * (1 + size);
      if (rate > 0.5 && now <= 1e-9 && (rate >= 1 || tiny)) return Outcome::ok;
      if (rate > 0.2) {
        if (const Outcome outcome = renew(t, c, y, dy); outcome != Outcome::ok) return blame(outcome);
      }
      fastest = std::min(fastest, rate);
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
