// Are the derivatives of a spatial mechanism those of its own forces and rows? By differences, at its start and nearby.
#pragma once

#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "tests/support/catalogue_points.h"

namespace dalembert {

inline void expect_equal(const Entries& ours, const Entries& truth, Eigen::Index rows, Eigen::Index columns,
                         const char* what) {
  expect_near(ours.dense(rows, columns).reshaped(), truth.dense(rows, columns).reshaped(), 1e-7, what, 1e-8);
}

/// K, D and B.
inline void prove_derivatives(const SpatialMechanism& m) {
  Derivatives ours, differences;
  for (const State& state : states_near_start(m)) {
    const Point here = point(m, state);
    const auto n = here.n;
    const Vector a = Vector::Constant(n.v, .3), l = Vector::LinSpaced(n.rows(), -1, 2);
    m.derivatives(*here.at, here.v, here.s, a, l, ours);
    m.Mechanical::derivatives(*here.at, here.v, here.s, a, l, differences);
    expect_equal(ours.K, differences.K, n.v, n.v, "K");
    expect_equal(ours.D, differences.D, n.v, n.v, "D");
    expect_equal(ours.B, differences.B, n.rows(), n.v, "B");
  }
}

}  // namespace dalembert
