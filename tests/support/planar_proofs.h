// Are the derivatives of a planar mechanism those of its own constraints, forces and energies? By differences, at its start
// and at states nearby.
#pragma once

#include "dalembert/multibody/planar/planar_mechanism.h"
#include "tests/support/catalogue_points.h"

namespace dalembert {

/// J, g_t and bias against g.
inline void prove_rows(const PlanarMechanism& m) {
  constexpr double h = 1e-3;
  for (const State& state : states_near_start(m)) {
    const Point here = point(m, state);
    const Vector q = here.at->q;
    const auto moved = [&](double t, const Vector& dq, const Vector& v) {
      return Point(m, here.t + t, q + dq, v, here.s);
    };
    const Vector still = Vector::Zero(q.size());
    Matrix G(here.n.holonomic, here.n.v);
    for (Eigen::Index j = 0; j < here.n.v; ++j)
      G.col(j) = derivative([&](double e) { return moved(0, e * Vector::Unit(here.n.v, j), here.v).g; }, h);
    expect_near(here.J.topRows(here.n.holonomic).reshaped(), G.reshaped(), 1e-9, "J");
    expect_near(here.w.head(here.n.holonomic),
                derivative([&](double e) { return moved(e, still, here.v).g; }, h), 1e-9, "g_t");
    expect_near(here.bias,
                derivative(
                    [&](double e) {
                      const Point there = moved(e, e * here.v, here.v);
                      return Vector(there.J * there.v + there.w);
                    },
                    h),
                1e-9, "bias");
  }
}

/// K, D and B against forces and rows.
inline void prove_derivatives(const PlanarMechanism& m) {
  Derivatives ours, differences;
  for (const State& state : states_near_start(m)) {
    const Point here = point(m, state);
    const auto [a, l] = here.solve();
    m.derivatives(*here.at, here.v, here.s, a, l, ours);
    m.Mechanical::derivatives(*here.at, here.v, here.s, a, l, differences);
    const auto n = here.n;
    const double rounding = 1e-15 * (largest(here.f) + largest(here.M * a)) / 6e-6;
    const auto compare = [&](const Entries& x, const Entries& y, Eigen::Index rows, const char* what) {
      expect_near(x.dense(rows, n.v).reshaped(), y.dense(rows, n.v).reshaped(), 1e-7, what, 10 * rounding);
    };
    compare(ours.K, differences.K, n.v, "K");
    compare(ours.D, differences.D, n.v, "D");
    compare(ours.B, differences.B, n.rows(), "B");
  }
}

/// Forces against energy and power, without rows: they add power of their own.
inline void prove_power(const PlanarMechanism& m) {
  for (const State& state : states_near_start(m)) {
    const Point here = point(m, state);
    const Vector a = here.M.diagonal().cwiseInverse().cwiseProduct(here.f);
    const double change = derivative(
        [&](double e) {
          return Vector::Constant(1,
                                  Point(m, here.t, here.at->q + e * here.v, here.v + e * a, here.s).energy());
        },
        1e-3)[0];
    EXPECT_NEAR(change, m.power(*here.at, here.v, here.s), 1e-8 * (1 + std::abs(change)));
  }
}

}  // namespace dalembert
