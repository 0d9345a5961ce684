#include "dalembert/method/runge_kutta/dirk.h"

#include <cmath>

#include "dalembert/method/local_tolerance.h"

namespace dalembert {

namespace {

// Of the tolerance, for Newton's iteration: weights up to 8 carry its errors from stage to stage.
constexpr double strictness = 0.02;

}  // namespace

void Dirk::bind(const Problem& problem, const Setting& setting) {
  problem_ = &require<Implicit>(problem, tableau_.name);
  const Tolerance strict = Strictness{0.02, 0.2}.local(setting).times(strictness);
  equation_.bind(*problem_, strict, setting.precision, *setting.statistics);
  const Layout layout = problem_->layout();
  c_ = tableau_.A.rowwise().sum();
  weights_ = tableau_.A.bottomRows(1).transpose() - tableau_.embedded;
  slopes_ = Matrix::Zero(layout.size(), tableau_.A.cols());
  y_ = dy_ = base_ = error_ = slope_ = smooth_ = start_.y = to_.y = Vector::Zero(layout.size());
  for (const auto& block : layout.blocks())
    if (block.index <= 1 || block.role == Role::differential)
      smooth_.segment(block.offset, block.size).setOnes();
  invariant_ = setting.projection == Projection::on ? problem_->invariant() : nullptr;
  statistics_ = setting.statistics;
  restart();
}

bool Dirk::reset() {
  equation_.reset();
  restart();
  return true;
}

void Dirk::restart() {
  slope_known_ = false;
  equation_.forget();
}

Attempt Dirk::attempt(const State& from, double h, State& to) {
  if (!slope_known_) {
    problem_->rate(from.t, from.y, slope_);
    if (!slope_.allFinite()) slope_.setZero();
    slope_known_ = true;
  }
  start_.t = from.t;
  start_.y = from.y;
  h_ = h;
  const Eigen::Index s = tableau_.A.rows();
  for (Eigen::Index i = 0; i < s; ++i) {
    const double a = h * tableau_.A(i, i);
    base_ = from.y;
    for (Eigen::Index j = 0; j < i; ++j) base_ += h * tableau_.A(i, j) * slopes_.col(j);
    if (i == 0)
      dy_.array() = smooth_.array() * slope_.array();
    else
      dy_ = slopes_.col(i - 1);
    y_ = base_ + a * dy_;
    const double t = from.t + c_[i] * h;
    if (const Outcome outcome = equation_.solve(t, h, 1 / a, from.y, y_, dy_); outcome != Outcome::ok)
      return {.outcome = outcome, .trouble = Trouble{equation_.culprit(), equation_.residual()}};
    slopes_.col(i) = dy_;
  }
  to.t = to_.t = from.t + h;
  to.y = to_.y = y_;
  error_.setZero();
  for (Eigen::Index i = 0; i < s; ++i) error_ += h * weights_[i] * slopes_.col(i);
  equation_.filter(error_);
  TestNorm& norm = equation_.norm();
  norm.aim(h, from.y, to.y);
  const Eigen::Index worst = norm.worst_error(error_);
  const Attempt attempt{.error = strictness * norm.error(error_),
                        .exponent = 1.0 / (tableau_.embedded_order + 1),
                        .trouble = Trouble{worst, std::abs(error_[worst])}};
  if (invariant_ != nullptr) {
    ++statistics_->projections;
    if (const Outcome outcome = invariant_->project(to.t, to.y); outcome != Outcome::ok)
      return {.outcome = outcome};
    to_.y = to.y;
  }
  return attempt;
}

void Dirk::accept() {
  slope_ = dy_;
}

/// Cubic Hermite where slopes mean something, linear elsewhere.
void Dirk::interpolate(double theta, State& state) {
  state.t = start_.t + theta * h_;
  const double bend = theta * (1 - theta);
  state.y = start_.y + theta * (to_.y - start_.y);
  state.y.array() += bend * smooth_.array() *
                     ((1 - theta) * (h_ * slope_ - (to_.y - start_.y)).array() -
                      theta * (h_ * dy_ - (to_.y - start_.y)).array());
}

}  // namespace dalembert
