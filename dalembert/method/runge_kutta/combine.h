// Linear combinations of stage derivatives, the inner loop of every Runge-Kutta method.
#pragma once

#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

/// The nonzero coefficients of one row of a tableau.
class Row {
 public:
  Row() = default;
  explicit Row(const Eigen::Ref<const Vector>& coefficients) {
    terms_.reserve(static_cast<std::size_t>((coefficients.array() != 0).count()));
    for (Eigen::Index j = 0; j < coefficients.size(); ++j)
      if (coefficients[j] != 0) terms_.push_back({j, coefficients[j]});
  }

  /// to = from + h sum_j a_j K_j, where K_j are the columns of K
  void combine(In from, double h, const Matrix& K, Out to) const { sweep(from.data(), h, K, to.data()); }
  /// to += h sum_j a_j K_j
  void add(double h, const Matrix& K, Out to) const { sweep(to.data(), h, K, to.data()); }

  struct Term {
    Eigen::Index column;
    double coefficient;
  };

 private:
  void sweep(const double* from, double h, const Matrix& K, double* to) const;

  std::vector<Term> terms_;
};

}  // namespace dalembert
