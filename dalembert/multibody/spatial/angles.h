// Angles between bodies in space, as measures and as rows; see row_set.h. With u, v at right angles to an axis, u of both
// bodies alike at the start,
//
//   angle  = atan2(v_a . u_b, u_a . u_b)                            of b against a about an axis that both keep
//   twist  = atan2(v_a . u_b - u_a . v_b, u_a . u_b + v_a . v_b)    the same if the axes n_a, n_b are bent
//   screw  = displacement - pitch angle/(2 pi)
//
// Where the axes make an angle, R_a' R_b is a turn about a direction across n after a turn by the twist about n
// [Shuster1993]: without twist two shafts turn equally fast, whatever angle they make.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "dalembert/multibody/spatial/rows.h"

namespace dalembert::spatial {

/// atan2(S, C), each a sum of n products of directions.
template <std::size_t n>
struct AngleOf {
  static constexpr int rows = 1;
  static constexpr bool holonomic = true, cyclic = true;
  static constexpr std::array jacobian_places = Perpendicular::jacobian_places;
  static constexpr std::array hessian_places = Perpendicular::hessian_places;
  std::array<Perpendicular, n> sine, cosine;

  void value(const Frame& a, const Frame& b, double, double* g) const {
    *g = std::atan2(sum(sine, a, b), sum(cosine, a, b));
  }
  /// (C S_i - S C_i)/(S^2 + C^2)
  void jacobian(const Frame& a, const Frame& b, double* s) const {
    const Parts S(sine, a, b), C(cosine, a, b);
    const double square = S.value * S.value + C.value * C.value;
    for (std::size_t i = 0; i < jacobian_places.size(); ++i)
      s[i] = (C.value * S.gradient[i] - S.value * C.gradient[i]) / square;
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    const Parts S(sine, a, b), C(cosine, a, b);
    const double square = S.value * S.value + C.value * C.value;
    double S_ij[hessian_places.size()], C_ij[hessian_places.size()];
    add_bends(sine, a, b, S_ij);
    add_bends(cosine, a, b, C_ij);
    for (std::size_t k = 0; k < hessian_places.size(); ++k) {
      const std::size_t i = place(hessian_places[k].i), j = place(hessian_places[k].j);
      const double gradient = C.value * S.gradient[i] - S.value * C.gradient[i];
      h[k] = (C.value * S_ij[k] - S.value * C_ij[k] + C.gradient[j] * S.gradient[i] -
              S.gradient[j] * C.gradient[i] -
              2 * gradient * (S.value * S.gradient[j] + C.value * C.gradient[j]) / square) /
             square;
    }
  }

 private:
  using Products = std::array<Perpendicular, n>;
  static double sum(const Products& of, const Frame& a, const Frame& b) {
    double all = 0, one = 0;
    for (const Perpendicular& each : of) each.value(a, b, 0, &one), all += one;
    return all;
  }
  struct Parts {
    Parts(const Products& of, const Frame& a, const Frame& b) : value(sum(of, a, b)) {
      double one[jacobian_places.size()];
      for (const Perpendicular& each : of) {
        each.jacobian(a, b, one);
        for (std::size_t i = 0; i < jacobian_places.size(); ++i) gradient[i] += one[i];
      }
    }
    double value, gradient[jacobian_places.size()] = {};
  };
  static void add_bends(const Products& of, const Frame& a, const Frame& b, double* all) {
    std::fill_n(all, hessian_places.size(), 0.);
    double one[hessian_places.size()];
    for (const Perpendicular& each : of) {
      each.hessian(a, b, one);
      for (std::size_t k = 0; k < hessian_places.size(); ++k) all[k] += one[k];
    }
  }
  /// Of a displacement among the places of the Jacobian.
  static constexpr std::size_t place(int column) {
    return static_cast<std::size_t>(column < rb ? column - ta : column - tb + 3);
  }
};

using Angle = AngleOf<1>;
using Twist = AngleOf<2>;

/// Wrapped by one pitch, so that full turns need not be counted.
struct Thread {
  static constexpr int rows = 1;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places = all_jacobian_places;
  static constexpr std::array hessian_places = [] {
    std::array<HessianPlace, InPlane::hessian_places.size() + Angle::hessian_places.size()> all{};
    std::copy(InPlane::hessian_places.begin(), InPlane::hessian_places.end(), all.begin());
    std::copy(Angle::hessian_places.begin(), Angle::hessian_places.end(),
              all.begin() + InPlane::hessian_places.size());
    return all;
  }();
  InPlane along;
  Angle about;
  double lead;  ///< m/rad

  void value(const Frame& a, const Frame& b, double t, double* g) const {
    double x = 0, angle = 0;
    along.value(a, b, t, &x);
    about.value(a, b, t, &angle);
    *g = std::remainder(x - lead * angle, 2 * std::numbers::pi * lead);
  }
  void jacobian(const Frame& a, const Frame& b, double* s) const {
    double turn[Angle::jacobian_places.size()];
    along.jacobian(a, b, s);
    about.jacobian(a, b, turn);
    for (std::size_t i = 0; i < Angle::jacobian_places.size(); ++i)
      s[Angle::jacobian_places[i].column] -= lead * turn[i];
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    along.hessian(a, b, h);
    h += InPlane::hessian_places.size();
    about.hessian(a, b, h);
    for (std::size_t k = 0; k < Angle::hessian_places.size(); ++k) h[k] *= -lead;
  }
};

}  // namespace dalembert::spatial
