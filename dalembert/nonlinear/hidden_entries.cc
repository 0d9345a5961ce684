#include "dalembert/nonlinear/hidden_entries.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dalembert/core/index.h"
#include "dalembert/nonlinear/hidden_start.h"

namespace dalembert {

namespace {

constexpr Eigen::Index most_entries = 60;  // the matrices are dense, and factored for every output
constexpr Eigen::Index most_entries_of_index_3 = 24;
constexpr int most_rounds = 8;
constexpr double rank_floor = 1e-10;
constexpr double settled = 1e-13;     // of a correction
constexpr double good_enough = 1e-9;  // where corrections no longer become smaller
constexpr double alike = 1e-9;        // two differences with steps of different length

}  // namespace

HiddenEntries::HiddenEntries(const Implicit& problem)
    : problem_(problem),
      n_(problem.layout().size()),
      span_(std::abs(problem.end() - problem.start().t)),
      middle_((problem.start().t + problem.end()) / 2) {
  const Layout layout = problem.layout();
  for (const Block& block : layout.blocks()) {
    index_ = std::max(index_, block.index);
    for (Eigen::Index i = 0; i < block.size && block.index >= 2; ++i) hidden_.push_back(block.offset + i);
  }
  if (n_ > (index_ == 3 ? most_entries_of_index_3 : most_entries)) hidden_.clear();
  dy_ = r_ = F_ = rates_ = finer_ = bends_ = finer_bends_ = trial_ = Vector::Zero(n_);
}

/// Along (t, y) + (1, y') tau, by the formula of order 6 around tau = 0; F there is r_. `bends`: by how much the slope changes
/// over a step.
void HiddenEntries::difference(double t, In y, double step, Vector& rates, Vector& bends) {
  constexpr std::array<double, 3> weights = {3. / 4, -3. / 20, 1. / 60};
  rates.setZero(n_);
  bends = -2 / step * r_;
  for (std::size_t k = 0; k < weights.size(); ++k)
    for (const double side : {1.0, -1.0}) {
      const double tau = side * static_cast<double>(k + 1) * step;
      trial_ = y + tau * dy_;
      problem_.F(t + tau, trial_, dy_, F_);
      rates += side * weights[k] / step * F_;
      if (k == 0) bends += F_ / step;
    }
}

/// With steps that become shorter, until two of them agree; at a kink they never do.
bool HiddenEntries::rates_of_constraints(double t, In y) {
  step_ = span_ / 1024;
  const double speed = largest(dy_) / (1 + largest(y));
  if (std::isfinite(speed) && speed * step_ > 0.01) step_ = 0.01 / speed;
  difference(t, y, step_, rates_, bends_);
  for (int round = 0; round < 6; ++round) {
    const double shorter = step_ / 6;
    difference(t, y, shorter, finer_, finer_bends_);
    double apart = 0;
    for (const Eigen::Index i : constraints_) {
      const double size = F_y_dense_.row(i).cwiseAbs() * dy_.cwiseAbs();
      const double scale = 1e-3 + size + std::abs(finer_[i]);
      // Halfway between two slopes central differences agree as well.
      const double kink = std::abs(finer_bends_[i]) - std::abs(bends_[i]) / 2;
      apart = std::max({apart, std::abs(finer_[i] - rates_[i]) / scale, 1e-3 * kink / scale});
    }
    if (apart <= alike) return true;  // of the two, the longer step has less rounding
    if (!std::isfinite(apart)) return false;
    step_ = shorter;
    std::swap(rates_, finer_);
    std::swap(bends_, finer_bends_);
  }
  return false;
}

/// The matrix of F and of g_t + g_y y' in columns of y' and of z, rows of length 1, and the right side.
bool HiddenEntries::place(double t, In y) {
  problem_.jacobians(t, y, dy_, F_y_, F_dy_);
  F_y_dense_ = F_y_.dense(n_, n_);
  F_dy_dense_ = F_dy_.dense(n_, n_);
  constraints_.clear();
  for (Eigen::Index i = 0; i < n_; ++i)
    if (F_dy_dense_.row(i).isZero(0)) constraints_.push_back(i);
  problem_.F(t, y, dy_, r_);
  if (constraints_.empty() || !rates_of_constraints(t, y)) return false;
  const auto m = static_cast<Eigen::Index>(constraints_.size()),
             nz = static_cast<Eigen::Index>(hidden_.size());
  A_.setZero(n_ + m, n_ + nz);
  A_.topLeftCorner(n_, n_) = F_dy_dense_;
  right_.resize(n_ + m);
  right_ << r_, rates_(constraints_);
  A_.bottomLeftCorner(m, n_) = F_y_dense_(constraints_, Eigen::all);
  for (Eigen::Index k = 0; k < nz; ++k) {
    const Eigen::Index j = hidden_[at(k)];
    A_.col(n_ + k).head(n_) = F_y_dense_.col(j);
    if (Vector(F_y_dense_(constraints_, j)).isZero(0)) continue;  // and so is its rate of change
    Vector beside = y;
    const double change = 1e-4 * (1 + std::abs(beside[j]));
    beside[j] += change;
    const Vector there = r_;
    problem_.F(t, beside, dy_, r_);
    difference(t, beside, step_, finer_, finer_bends_);
    r_ = there;
    A_.col(n_ + k).tail(m) = (finer_ - rates_)(constraints_) / change;
  }
  for (Eigen::Index i = 0; i < A_.rows(); ++i) {
    const double length = A_.row(i).norm();
    if (!(length > 0)) continue;
    A_.row(i) /= length;
    right_[i] /= length;
  }
  if (!A_.allFinite() || !right_.allFinite()) return false;
  factors_.setThreshold(rank_floor);
  factors_.compute(A_);
  return true;
}

/// Does every x with A x = 0 leave z alone?
bool HiddenEntries::determined() const {
  const auto nz = static_cast<Eigen::Index>(hidden_.size());
  for (Eigen::Index k = 0; k < nz; ++k) {
    const Vector unit = Vector::Unit(A_.cols(), n_ + k);
    if (std::abs(factors_.solve(A_ * unit)[n_ + k] - 1) > 1e-6) return false;
  }
  return true;
}

bool HiddenEntries::improve(double t, Out y) {
  if (hidden_.empty()) return false;
  if (index_ == 3) {
    const auto found = refine_hidden(problem_, t, y, t > middle_ ? -span_ : span_);
    if (found) y = *found;
    return found.has_value();
  }
  mine_ = y;
  dy_.setZero();
  double last = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most_rounds; ++round) {
    if (!place(t, mine_)) return false;
    if (round == 0 && !determined()) return false;
    const Vector delta = factors_.solve(right_);
    if (!delta.allFinite()) return false;
    dy_ -= delta.head(n_);
    double size = 0;
    for (std::size_t k = 0; k < hidden_.size(); ++k) {
      double& value = mine_[hidden_[k]];
      const double change = delta[n_ + static_cast<Eigen::Index>(k)];
      value -= change;
      size = std::max(size, std::abs(change) / (1 + std::abs(value)));
    }
    if (round > 1 && size >= last / 2) break;
    last = size;
    if (round > 0 && size <= settled) break;
  }
  if (last > good_enough) return false;
  y = mine_;
  return true;
}

}  // namespace dalembert
