// What a field did in one window: its values at the nodes of its mesh, and a polynomial between them.
#pragma once

#include <cmath>

#include "dalembert/core/vector.h"

namespace dalembert {

/// Columns are nodes t_k = begin + k length/substeps. Between nodes the polynomial through the nearest degree+1 of them;
/// at a node its own value, exactly.
class Trace {
 public:
  void bind(Eigen::Index size, int substeps, int degree) {
    values_ = Matrix::Zero(size, substeps + 1);
    degree_ = std::min(degree, substeps);
  }
  void span(double begin, double length) {
    begin_ = begin;
    length_ = length;
  }
  int substeps() const { return static_cast<int>(values_.cols()) - 1; }
  double time(int k) const { return begin_ + length_ * k / substeps(); }
  Matrix& values() { return values_; }
  const Matrix& values() const { return values_; }
  auto last() const { return values_.col(values_.cols() - 1); }

  void at(double t, Out value) const {
    const int m = substeps();
    const double x = (t - begin_) / length_ * m;
    if (const double near = std::round(x); std::abs(x - near) < 1e-9 && near >= 0 && near <= m) {
      value = values_.col(static_cast<Eigen::Index>(near));
      return;
    }
    const int first = std::clamp(static_cast<int>(std::floor(x - (degree_ - 1) / 2.0)), 0, m - degree_);
    value.setZero();
    for (int i = 0; i <= degree_; ++i) {
      double weight = 1;
      for (int j = 0; j <= degree_; ++j)
        if (j != i) weight *= (x - first - j) / (i - j);
      value += weight * values_.col(first + i);
    }
  }

 private:
  Matrix values_;
  int degree_ = 1;
  double begin_ = 0, length_ = 1;
};

}  // namespace dalembert
