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
    for (Eigen::Index j = 0; j < coefficients.size(); ++j)
      if (coefficients[j] != 0) terms_.push_back({j, coefficients[j]});
  }

  /// to = from + h sum_j a_j K_j, where K_j are the columns of K
  void combine(In from, double h, const Matrix& K, Out to) const {
    to = from;
    add(h, K, to);
  }
  /// to += h sum_j a_j K_j
  void add(double h, const Matrix& K, Out to) const {
    const Eigen::Index n = to.size();
    double* __restrict y = to.data();
    for (const auto& term : terms_) {
      const double* __restrict k = K.col(term.column).data();
      const double a = h * term.coefficient;
      for (Eigen::Index i = 0; i < n; ++i) y[i] += a * k[i];
    }
  }

 private:
  struct Term {
    Eigen::Index column;
    double coefficient;
  };
  std::vector<Term> terms_;
};

}  // namespace dalembert
