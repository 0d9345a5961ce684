// The defect of F(t,y,y') = 0: its residual inside a step, row by row, against what the tolerances of y allow.
//
//   |F_i| / sum_j (|F_y| w_j + |F_y'| w_j/h)_ij
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "dalembert/control/witness/defect.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

class ImplicitDefect final : public DefectMeasure {
 public:
  explicit ImplicitDefect(const Implicit& problem) : problem_(problem) {
    const Layout layout = problem.layout();
    for (const Block& block : layout.blocks()) {
      index_ = std::max(index_, block.index);
      indices_.insert(indices_.end(), static_cast<std::size_t>(block.size), block.index);
    }
  }
  /// A backward error is small whatever the method allows inside a step; but at index 3 velocities are known to fewer digits.
  double allowance(double) const override { return index_ >= 3 ? 10 : 1; }
  bool kinematic() const override { return true; }
  Depth depth() const override { return Depth::coordinates; }  // as the method has them

  void remember(Memory& memory) override {
    memory(taken_, constant_);
    if (!memory.reading() || taken_ == 0) return;
    const State start = problem_.start();
    problem_.jacobians(start.t, start.y, Vector::Zero(start.y.size()), F_y_, F_dy_);
  }

  Peak inside(double t, double h, In y, In dy, In weights, Look, double limit) override {
    const Eigen::Index n = y.size();
    F_.resize(n);
    problem_.F(t, y, dy, F_);
    // Methods test h^(index-1) times an entry.
    weights_ = weights;
    if (index_ > 1)
      for (Eigen::Index j = 0; j < n; ++j)
        if (const int index = indices_[static_cast<std::size_t>(j)]; index > 1)
          weights_[j] /= std::pow(std::min(h, 1.0), index - 1);
    // Where F_y' has not changed so far, what it says alone is enough if that is far below the limit: with F_y it would be less.
    constexpr double far_below = 0.3;
    if (constant_ && taken_ > 1) {
      sizes_.setZero(n);
      add_sizes(F_dy_, 1 / h);
      bool known = true;
      for (Eigen::Index i = 0; i < n; ++i) known = known && (F_[i] == 0 || sizes_[i] > 0);
      if (known)
        if (const Peak bound = peak(); bound.size <= far_below * limit) return bound;
    }
    rates_.assign(F_dy_.values(), F_dy_.values() + (taken_ > 0 ? F_dy_.size() : 0));
    problem_.jacobians(t, y, dy, F_y_, F_dy_);
    if (taken_++ > 0) constant_ = constant_ && std::equal(rates_.begin(), rates_.end(), F_dy_.values());
    sizes_.setZero(n);
    add_sizes(F_y_, 1);
    add_sizes(F_dy_, 1 / h);
    return peak();
  }

 private:
  void add_sizes(const Entries& entries, double scale) {
    for (std::size_t k = 0; k < entries.size(); ++k)
      sizes_[entries.row(k)] += scale * std::abs(entries.value(k)) * weights_[entries.column(k)];
  }
  Peak peak() const {
    Peak all;
    for (Eigen::Index i = 0; i < F_.size(); ++i)
      if (sizes_[i] > 0) all.meet(F_[i] / sizes_[i], i);
    return all;
  }

  const Implicit& problem_;
  int index_ = 1;
  std::vector<int> indices_;
  Entries F_y_, F_dy_;
  std::vector<double> rates_;
  int taken_ = 0;
  bool constant_ = true;  // F_y', at all places so far
  Vector F_, sizes_, weights_;
};

}  // namespace dalembert
