// Angles between bodies in space, as measures and as rows; see row_set.h. With u, v at right angles to an axis, u of both
// bodies alike at the start,
//
//   angle  = atan2(v_a . u_b, u_a . u_b)                            of b against a about an axis that both keep
//   twist  = atan2(v_a . u_b - u_a . v_b, u_a . u_b + v_a . v_b)    the same if the axes n_a, n_b are bent
//   screw  = displacement - pitch angle/(2 pi)
//
// Where the axes make an angle, R_a' R_b is a turn about a direction across n after a turn by the twist about n
// [Shuster1993]: without twist two shafts turn equally fast, whatever their bend.
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
  static constexpr std::array slopes = Perpendicular::slopes;
  static constexpr std::array bends = Perpendicular::bends;
  std::array<Perpendicular, n> sine, cosine;

  void value(const Frame& a, const Frame& b, double, double* g) const {
    *g = std::atan2(sum(sine, a, b), sum(cosine, a, b));
  }
  /// (C S_i - S C_i)/(S^2 + C^2)
  void slope(const Frame& a, const Frame& b, double* s) const {
    const Parts S(sine, a, b), C(cosine, a, b);
    const double square = S.value * S.value + C.value * C.value;
    for (std::size_t i = 0; i < slopes.size(); ++i)
      s[i] = (C.value * S.slope[i] - S.value * C.slope[i]) / square;
  }
  void bend(const Frame& a, const Frame& b, double* h) const {
    const Parts S(sine, a, b), C(cosine, a, b);
    const double square = S.value * S.value + C.value * C.value;
    double S_ij[bends.size()], C_ij[bends.size()];
    add_bends(sine, a, b, S_ij);
    add_bends(cosine, a, b, C_ij);
    for (std::size_t k = 0; k < bends.size(); ++k) {
      const std::size_t i = place(bends[k].i), j = place(bends[k].j);
      const double slope = C.value * S.slope[i] - S.value * C.slope[i];
      h[k] = (C.value * S_ij[k] - S.value * C_ij[k] + C.slope[j] * S.slope[i] - S.slope[j] * C.slope[i] -
              2 * slope * (S.value * S.slope[j] + C.value * C.slope[j]) / square) /
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
      double one[slopes.size()];
      for (const Perpendicular& each : of) {
        each.slope(a, b, one);
        for (std::size_t i = 0; i < slopes.size(); ++i) slope[i] += one[i];
      }
    }
    double value, slope[slopes.size()] = {};
  };
  static void add_bends(const Products& of, const Frame& a, const Frame& b, double* all) {
    std::fill_n(all, bends.size(), 0.);
    double one[bends.size()];
    for (const Perpendicular& each : of) {
      each.bend(a, b, one);
      for (std::size_t k = 0; k < bends.size(); ++k) all[k] += one[k];
    }
  }
  /// Of a displacement among the slopes.
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
  static constexpr std::array slopes = all_slopes;
  static constexpr std::array bends = [] {
    std::array<Bend, InPlane::bends.size() + Angle::bends.size()> all{};
    std::copy(InPlane::bends.begin(), InPlane::bends.end(), all.begin());
    std::copy(Angle::bends.begin(), Angle::bends.end(), all.begin() + InPlane::bends.size());
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
  void slope(const Frame& a, const Frame& b, double* s) const {
    double turn[Angle::slopes.size()];
    along.slope(a, b, s);
    about.slope(a, b, turn);
    for (std::size_t i = 0; i < Angle::slopes.size(); ++i) s[Angle::slopes[i].column] -= lead * turn[i];
  }
  void bend(const Frame& a, const Frame& b, double* h) const {
    along.bend(a, b, h);
    h += InPlane::bends.size();
    about.bend(a, b, h);
    for (std::size_t k = 0; k < Angle::bends.size(); ++k) h[k] *= -lead;
  }
};

}  // namespace dalembert::spatial
