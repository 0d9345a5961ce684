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
  void combine(In from, double h, const Matrix& K, Out to) const { sweep(from.data(), h, K, to.data()); }
  /// to += h sum_j a_j K_j
  void add(double h, const Matrix& K, Out to) const { sweep(to.data(), h, K, to.data()); }

 private:
  // Eight entries at a time stay in registers while all terms pass over them: y is read and written once.
  void sweep(const double* from, double h, const Matrix& K, double* to) const {
    const Eigen::Index n = K.rows();
    const double* k = K.data();
    Eigen::Index i = 0;
    for (; i + 8 <= n; i += 8) {
      Four y = Four::Zero(), z = Four::Zero();
      for (const auto& term : terms_) {
        const double* column = k + term.column * n + i;
        y += term.coefficient * Map(column);
        z += term.coefficient * Map(column + 4);
      }
      const Four first = Map(from + i) + h * y, second = Map(from + i + 4) + h * z;
      Eigen::Map<Four>(to + i) = first;
      Eigen::Map<Four>(to + i + 4) = second;
    }
    for (; i < n; ++i) {
      double y = 0;
      for (const auto& term : terms_) y += term.coefficient * k[term.column * n + i];
      to[i] = from[i] + h * y;
    }
  }

  using Four = Eigen::Array4d;
  using Map = Eigen::Map<const Four>;
  struct Term {
    Eigen::Index column;
    double coefficient;
  };
  std::vector<Term> terms_;
};

}  // namespace dalembert
