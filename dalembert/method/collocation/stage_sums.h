// Sums over the stages of a step:  out_k = sum_i in_i T_ik,  columns of few unknowns, and few of them.
//
// On a problem of ten unknowns these sums cost more than the solves between them if every product of a column and a number is
// an expression of its own. Here the numbers of stages in use are known to the compiler, which keeps the sums in registers.
#pragma once

#include <type_traits>

#include "dalembert/core/vector.h"

namespace dalembert {

namespace stage_sums {

/// s is a number, or a constant that the compiler knows.
template <class Stages>
void combine(Stages s, const double* __restrict in, Eigen::Index n, const double* __restrict weights,
             double divisor, double* __restrict out) {
  for (Eigen::Index r = 0; r < n; ++r) {
    double sum = 0;
    for (int i = 0; i < s; ++i) sum += (weights[i] / divisor) * in[r + i * n];
    out[r] = sum;
  }
}

/// The same with weights as they are.
template <class Stages>
void combine(Stages s, const double* __restrict in, Eigen::Index n, const double* __restrict weights,
             double* __restrict out) {
  for (Eigen::Index r = 0; r < n; ++r) {
    double sum = 0;
    for (int i = 0; i < s; ++i) sum += weights[i] * in[r + i * n];
    out[r] = sum;
  }
}

template <int s>
using Constant = std::integral_constant<int, s>;

template <class Visit>
void with_constant(int s, Visit&& visit) {
  switch (s) {
    case 2:
      return visit(Constant<2>());
    case 3:
      return visit(Constant<3>());
    case 5:
      return visit(Constant<5>());
    case 7:
      return visit(Constant<7>());
    default:
      return visit(s);
  }
}

}  // namespace stage_sums

/// out becomes the sum of the first s columns, each with its weight. Weights are divided, not multiplied by 1/h:
/// at index 3 its rounding is seen in multipliers.
inline void sum_of_stages(const Matrix& columns, int s, const double* weights, double divisor, double* out) {
  stage_sums::with_constant(s, [&](auto stages) {
    stage_sums::combine(stages, columns.data(), columns.rows(), weights, divisor, out);
  });
}

/// As many sums as stages, each with a column of weights.
inline void sums_of_stages(const Matrix& columns, int s, const double* weights, Matrix& out) {
  stage_sums::with_constant(s, [&](auto stages) {
    for (Eigen::Index k = 0; k < stages; ++k)
      stage_sums::combine(stages, columns.data(), columns.rows(), weights + k * stages,
                          out.data() + k * out.rows());
  });
}

}  // namespace dalembert
