#include "dalembert/problem/differences.h"

#include <cmath>
#include <limits>
#include <random>

#include "dalembert/core/rounding.h"

namespace dalembert {

namespace {

// F is linear in y' nearly always: a longer step loses nothing there and drowns the rounding of F.
constexpr double step_of_dy = 1e-4;

/// [F_y F_y'] as one matrix of 2n columns.
std::vector<Entries::Place> joined(Eigen::Index n, const Pattern& pattern) {
  std::vector<Entries::Place> both = pattern.F_y;
  for (const auto& [row, column] : pattern.F_dy) both.push_back({row, column + static_cast<int>(n)});
  return both;
}

bool differ(double a, double b) {
  return std::isnan(a) != std::isnan(b) || (!std::isnan(a) && a != b);
}

/// What changes, compared with r at (t, yy), when one entry at a time of yy = (y,y') is replaced by moved(j).
template <class Moved>
void note_changes(const Implicit& problem, double t, Vector yy, const Moved& moved, Pattern& pattern) {
  const Eigen::Index n = yy.size() / 2;
  Vector r(n), there(n);
  problem.F(t, yy.head(n), yy.tail(n), r);
  for (Eigen::Index j = 0; j < 2 * n; ++j) {
    const double kept = yy[j];
    yy[j] = moved(kept);
    problem.F(t, yy.head(n), yy.tail(n), there);
    yy[j] = kept;
    for (Eigen::Index i = 0; i < n; ++i)
      if (differ(r[i], there[i]))
        (j < n ? pattern.F_y : pattern.F_dy).push_back({static_cast<int>(i), static_cast<int>(j % n)});
  }
}

}  // namespace

Pattern probed_pattern(const Implicit& problem) {
  const State start = problem.start();
  const Eigen::Index n = start.y.size();
  Pattern pattern;
  Vector yy = Vector::Zero(2 * n);
  yy.head(n) = start.y;
  // NaN goes wherever its unknown goes, also where the derivative vanishes; but not through a comparison.
  note_changes(
      problem, start.t, yy, [](double) { return not_a_number; }, pattern);
  std::mt19937 random(1974);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int sample = 0; sample < 2; ++sample) {
    for (double& x : yy) x += .01 * uniform(random) * (1 + std::abs(x));
    note_changes(
        problem, start.t + uniform(random) * .01 * (problem.end() - start.t), yy,
        [](double x) { return x + 1e-3 * (1 + std::abs(x)); }, pattern);
  }
  return pattern;
}

Differences::Differences(Eigen::Index size, const Pattern& pattern, Vector typical_sizes)
    : n_(size),
      colouring_(static_cast<int>(size), static_cast<int>(2 * size), joined(size, pattern)),
      typical_(typical_sizes.size() > 0 ? std::move(typical_sizes) : Vector::Ones(size)) {}

void Differences::jacobians(const Implicit& problem, double t, In y, In dy, Entries& F_y,
                            Entries& F_dy) const {
  static thread_local Vector work;  // grows to the largest problem of the thread, then stays
  if (work.size() < 6 * n_) work.resize(6 * n_);
  auto here = work.head(2 * n_), steps = work.segment(2 * n_, 2 * n_);
  auto middle = work.segment(4 * n_, n_), moved = work.segment(5 * n_, n_);
  here.head(n_) = y;
  here.tail(n_) = dy;
  for (Eigen::Index j = 0; j < 2 * n_; ++j) {
    const double goal =
        here[j] + (j < n_ ? forward_difference : step_of_dy) * std::max(std::abs(here[j]), typical_[j % n_]);
    steps[j] = goal - here[j];  // what is really added
  }
  const auto differences_along = [&](int colour, double sign) {
    for (const int j : colouring_.columns(colour)) here[j] += sign * steps[j];
    problem.F(t, here.head(n_), here.tail(n_), moved);
    for (const int j : colouring_.columns(colour)) here[j] = j < n_ ? y[j] : dy[j - n_];
    moved = sign * (moved - middle);
    return moved.allFinite();
  };

  problem.F(t, y, dy, middle);
  F_y.begin();
  F_dy.begin();
  for (int colour = 0; colour < colouring_.colours(); ++colour) {
    // At the rim of the domain of F one side may not exist.
    if (!differences_along(colour, 1) && middle.allFinite()) differences_along(colour, -1);
    for (const auto& [row, column] : colouring_.places(colour)) {
      const double slope = moved[row] / steps[column];
      if (column < n_)
        F_y.add(row, column, slope);
      else
        F_dy.add(row, column - n_, slope);
    }
  }
  F_y.end();
  F_dy.end();
}

}  // namespace dalembert
