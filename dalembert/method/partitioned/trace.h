// What a field did in one window: its values at the nodes of its grid, and a polynomial between them.
#pragma once

#include "dalembert/core/equidistant.h"

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
    interpolate_equidistant(values_, degree_, (t - begin_) / length_ * substeps(), value);
  }

 private:
  Matrix values_;
  int degree_ = 1;
  double begin_ = 0, length_ = 1;
};

}  // namespace dalembert
