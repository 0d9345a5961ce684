#include "dalembert/nonlinear/hidden_entries.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace dalembert {

namespace {

constexpr Eigen::Index most_entries = 100;  // the matrices are dense, and factored for every output
constexpr int most_rounds = 8;
constexpr double settled = 1e-13;     // of a correction
constexpr double good_enough = 1e-9;  // where corrections no longer become smaller
constexpr double alike = 1e-9;        // two differences with steps of different length
constexpr double little = 0.3;  // of z: larger corrections are of another motion, behind a kink for instance

}  // namespace

HiddenEntries::HiddenEntries(const Implicit& problem)
    : problem_(problem),
      n_(problem.layout().size()),
      span_(std::abs(problem.end() - problem.start().t)),
      hidden_(static_cast<std::size_t>(n_), false),
      constraint_(static_cast<std::size_t>(n_), false) {
  int highest = 1;
  const Layout layout = problem.layout();
  for (const Block& block : layout.blocks()) {
    highest = std::max(highest, block.index);
    if (block.role != Role::algebraic || block.index != 2) continue;
    std::fill_n(hidden_.begin() + block.offset, block.size, true);
    any_ = any_ || block.size > 0;
  }
  any_ = any_ && highest == 2 && n_ <= most_entries;
  const State start = problem.start();
  for (Eigen::Index i = 0; i < n_; ++i)
    if (hidden_[static_cast<std::size_t>(i)] && std::isfinite(start.y[i]))
      size_ = std::max(size_, std::abs(start.y[i]));
  dy_ = r_ = F_ = rates_ = finer_ = bends_ = finer_bends_ = trial_ = Vector::Zero(n_);
}

/// The matrix of d and of g_t + g_y y', in columns of y' and, for the hidden entries, of y. False: of another form.
bool HiddenEntries::place(double t, In y) {
  problem_.jacobians(t, y, dy_, F_y_, F_dy_);
  F_y_dense_ = F_y_.dense(n_, n_);
  F_dy_dense_ = F_dy_.dense(n_, n_);
  A_.resize(n_, n_);
  for (Eigen::Index i = 0; i < n_; ++i) {
    const bool constraint = F_dy_dense_.row(i).isZero(0);
    constraint_[static_cast<std::size_t>(i)] = constraint;
    for (Eigen::Index j = 0; j < n_; ++j) {
      const bool hidden = hidden_[static_cast<std::size_t>(j)];
      if (hidden && (F_dy_dense_(i, j) != 0 || (constraint && F_y_dense_(i, j) != 0))) return false;
      A_(i, j) = hidden || constraint ? F_y_dense_(i, j) : F_dy_dense_(i, j);
      if (hidden && constraint) A_(i, j) = 0;
    }
  }
  return A_.allFinite();
}

/// Along (t, y) + (1, y') tau, by the formula of order 6 around tau = 0; with r_ there. `bends`: by how much the slope changes
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
  double step = span_ / 1024;
  const double speed = largest(dy_) / (1 + largest(y));
  if (std::isfinite(speed) && speed * step > 0.01) step = 0.01 / speed;
  difference(t, y, step, rates_, bends_);
  for (int round = 0; round < 6; ++round) {
    step /= 6;
    difference(t, y, step, finer_, finer_bends_);
    double apart = 0;
    for (Eigen::Index i = 0; i < n_; ++i) {
      if (!constraint_[static_cast<std::size_t>(i)]) continue;
      const double size = F_y_dense_.row(i).cwiseAbs() * dy_.cwiseAbs();
      const double scale = 1e-3 + size + std::abs(finer_[i]);
      // Halfway between two slopes central differences agree as well.
      const double kink = std::abs(finer_bends_[i]) - std::abs(bends_[i]) / 2;
      apart = std::max({apart, std::abs(finer_[i] - rates_[i]) / scale, 1e-3 * kink / scale});
    }
    if (apart <= alike) return true;  // of the two, the longer step has less rounding
    if (!std::isfinite(apart)) return false;
    std::swap(rates_, finer_);
    std::swap(bends_, finer_bends_);
  }
  return false;
}

bool HiddenEntries::improve(double t, Out y) {
  if (!any_) return false;
  Vector mine = y;
  dy_.setZero();
  double last = std::numeric_limits<double>::infinity();
  const auto done = [&] {
    double off = 0, size = 0;
    for (Eigen::Index i = 0; i < n_; ++i)
      if (hidden_[static_cast<std::size_t>(i)]) {
        off = std::max(off, std::abs(mine[i] - y[i]));
        size = std::max(size, std::abs(mine[i]));
      }
    size_ = std::max(size_, size);
    if (!(off <= little * size_)) return false;
    y = mine;
    return true;
  };
  for (int round = 0; round < most_rounds; ++round) {
    if (!place(t, mine)) return false;
    problem_.F(t, mine, dy_, r_);
    if (!rates_of_constraints(t, mine)) return false;
    for (Eigen::Index i = 0; i < n_; ++i)
      if (constraint_[static_cast<std::size_t>(i)]) r_[i] = rates_[i];
    Eigen::PartialPivLU<Matrix> factors(A_);
    const Vector delta = factors.solve(r_);
    if (!delta.allFinite()) return false;
    double size = 0;
    for (Eigen::Index i = 0; i < n_; ++i) {
      const bool hidden = hidden_[static_cast<std::size_t>(i)];
      double& value = hidden ? mine[i] : dy_[i];
      value -= delta[i];
      if (hidden) size = std::max(size, std::abs(delta[i]) / (1 + std::abs(value)));
    }
    if (round > 0 && size <= settled) return done();
    if (round > 1 && size >= last / 2) return last <= good_enough && done();
    last = size;
  }
  return last <= good_enough && done();
}

}  // namespace dalembert
