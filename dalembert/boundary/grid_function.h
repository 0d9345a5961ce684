// A function of time known at the points of an equidistant grid, interpolated by the polynomial through the nearest ones.
#pragma once

#include "dalembert/core/vector.h"

namespace dalembert {

/// n + 1 equidistant points.
struct Grid {
  double begin = 0, end = 1;
  int steps = 1;
  double step() const { return (end - begin) / steps; }
  double time(int k) const { return k == steps ? end : begin + k * step(); }
};

/// Values at the points of a grid, and polynomials between them.
class GridFunction {
 public:
  /// Zero everywhere; interpolated with polynomials of that degree (lower if the grid has fewer points).
  GridFunction(const Grid&, Eigen::Index size, int degree);
  const Grid& grid() const { return grid_; }
  auto at(int k) { return values_.col(k); }
  auto at(int k) const { return values_.col(k); }
  Matrix& values() { return values_; }
  const Matrix& values() const { return values_; }
  /// At grid points the value itself.
  void operator()(double t, Out y) const;

 private:
  Grid grid_;
  int degree_;
  Matrix values_;  // a column per point
};

}  // namespace dalembert
