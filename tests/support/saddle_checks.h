// What tests of saddle-point solvers ask: does it solve, how well, and what does it count?
#pragma once

#include <gtest/gtest.h>

#include <limits>

#include "dalembert/linear/saddle/saddle_point.h"
#include "tests/support/saddle_systems.h"

namespace dalembert::testing {

inline Vector some_solution(Eigen::Index size) {
  Vector x(size);
  for (Eigen::Index i = 0; i < size; ++i) x[i] = std::sin(1.0 + 2.3 * static_cast<double>(i));
  return x;
}

/// max_i |b - K x|_i / (|K||x| + |b|)_i
inline double backward_error(const SaddleSystem& system, In x, In b) {
  const Vector& X = x;
  const Vector& B = b;
  Vector r = B, size = B.cwiseAbs();
  const auto subtract = [&](Eigen::Index i, Eigen::Index j, double a) {
    r[i] -= a * X[j];
    size[i] += std::abs(a * X[j]);
  };
  for (std::size_t k = 0; k < system.mass.size(); ++k)
    subtract(system.mass.row(k), system.mass.column(k), system.mass.value(k));
  for (std::size_t k = 0; k < system.G1.size(); ++k) {
    subtract(system.G1.column(k), system.n + system.G1.row(k), system.G1.value(k));
    subtract(system.n + system.G2.row(k), system.G2.column(k), system.G2.value(k));
  }
  return largest((r.array() / size.array().max(std::numeric_limits<double>::min())).matrix());
}

inline Vector right_hand_side(const SaddleSystem& system, In x) {
  Vector b = Vector::Zero(system.n + system.m);
  system.mass.multiply(x.head(system.n), 1, b.head(system.n));
  system.G1.multiply_transposed(x.tail(system.m), 1, b.head(system.n));
  system.G2.multiply(x.head(system.n), 1, b.tail(system.m));
  return b;
}

/// Binds, solves, solves again; returns what was counted.
inline Statistics expect_solved(const SaddleSystem& system, Symmetry symmetry, double tolerance = 1e-10,
                                Elimination elimination = Elimination::static_order) {
  Statistics statistics;
  SaddlePoint saddle;
  saddle.bind(system.n, system.m, system.mass, system.G1, symmetry, elimination);
  const Vector b = right_hand_side(system, some_solution(system.n + system.m));
  Vector x = b;
  EXPECT_EQ(saddle.solve(system.mass, system.G1, system.G2, x, statistics), Outcome::ok);
  EXPECT_LT(backward_error(system, x, b), tolerance);
  Vector y = 2 * b;
  EXPECT_EQ(saddle.solve_again(y, statistics), Outcome::ok);
  EXPECT_LT(largest(y - 2 * x), 1e-8 * (1 + largest(x)));
  EXPECT_EQ(statistics.factorizations, 1);
  EXPECT_EQ(statistics.solves, 2);
  return statistics;
}

inline void perturb(Entries& entries, double size, unsigned seed) {
  Random random(seed);
  rewrite(entries, [&](double value) { return value * (1 + size * random.number()); });
}

inline SaddleSystem small(Eigen::Index n, Eigen::Index m, const Matrix& M, const Matrix& G) {
  SystemBuilder builder(n);
  builder.mass(0, M);
  builder.joint(m);
  builder.jacobian(0, 0, G);
  return builder.build();
}

}  // namespace dalembert::testing
