// What every force must keep: its derivatives are those of differences, and energy changes by its power.
#pragma once

#include "tests/support/catalogue_points.h"

namespace dalembert {

/// K, D, S and the derivatives of first-order states.
inline void expect_derivatives(const Mechanical& m) {
  Derivatives ours, differences;
  for (const State& state : states_near_start(m)) {
    const Point here = point(m, state);
    const auto n = here.n;
    const Vector a = Vector::Constant(n.v, .3), l = Vector::LinSpaced(n.rows(), -1, 2);
    m.derivatives(*here.at, here.v, here.s, a, l, ours);
    m.Mechanical::derivatives(*here.at, here.v, here.s, a, l, differences);
    const auto compare = [&](const Entries& x, const Entries& y, Eigen::Index rows, Eigen::Index columns,
                             const char* what) {
      const double rounding = 1e-9 * (1 + largest(here.f) + largest(here.ds));
      expect_near(x.dense(rows, columns).reshaped(), y.dense(rows, columns).reshaped(), 1e-7, what, rounding);
    };
    compare(ours.K, differences.K, n.v, n.v, "K");
    compare(ours.D, differences.D, n.v, n.v, "D");
    compare(ours.B, differences.B, n.rows(), n.v, "B");
    compare(ours.S, differences.S, n.v, n.s, "S");
    compare(ours.k_q, differences.k_q, n.s, n.v, "k_q");
    compare(ours.k_v, differences.k_v, n.s, n.v, "k_v");
    compare(ours.k_s, differences.k_s, n.s, n.s, "k_s");
  }
}

/// dE/dt = power along M v' = f, s' = k: rows are left out, they add power of their own.
inline void expect_power(const Mechanical& m) {
  for (const State& state : states_near_start(m)) {
    const Point here = point(m, state);
    const Vector a = here.M.ldlt().solve(here.f);
    const double change = derivative(
        [&](double e) {
          return Vector::Constant(
              1, Point(m, here.t, here.at->q + e * here.dq, here.v + e * a, here.s + e * here.ds).energy());
        },
        1e-3)[0];
    EXPECT_NEAR(change, m.power(*here.at, here.v, here.s), 1e-7 * (1 + std::abs(change)));
  }
}

}  // namespace dalembert
