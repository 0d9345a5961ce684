// The deformations of bushings and beams in the plane, in the local coordinates of rows.h; see elastic.h.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "dalembert/multibody/forces/elastic.h"
#include "dalembert/multibody/planar/rows.h"

namespace dalembert::planar {

/// z = (e_x, e_y, theta): where a point of b is along two axes fixed to a, and how far b is turned. In the axes of a the
/// stiffness is constant, so seen from the ground it turns with a: K_ground = R K R' [YenPetzold1998, sec. 5.2].
struct Bush {
  static constexpr int rows = 3;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places = [] {
    std::array<JacobianPlace, 14> all{};
    for (int i = 0; i < 6; ++i)
      all[static_cast<std::size_t>(i)] = {0, i}, all[static_cast<std::size_t>(6 + i)] = {1, i};
    all[12] = {2, 2}, all[13] = {2, 5};
    return all;
  }();
  static constexpr std::array hessian_places = [] {
    constexpr std::size_t n = Slot::hessian_places.size();
    std::array<HessianPlace, 2 * n> all{};
    for (std::size_t k = 0; k < n; ++k) {
      all[k] = Slot::hessian_places[k];
      all[n + k] = {1, Slot::hessian_places[k].i, Slot::hessian_places[k].j};
    }
    return all;
  }();
  Slot x, y;
  Turning angle;

  void value(const Frame& a, const Frame& b, double t, double* z) const {
    x.value(a, b, t, z), y.value(a, b, t, z + 1), angle.value(a, b, t, z + 2);
  }
  void jacobian(const Frame& a, const Frame& b, double* s) const {
    x.jacobian(a, b, s), y.jacobian(a, b, s + 6), angle.jacobian(a, b, s + 12);
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    x.hessian(a, b, h), y.hessian(a, b, h + Slot::hessian_places.size());
  }
};

/// z = (l - L, theta_a, theta_b): how much the chord of length l is stretched, and how far each end is turned against it.
/// The chord turns with the bodies, so large motions need small deformations only [Crisfield1990].
///
///   theta_a = phi_a - phi_a0 - (beta - beta_0),   theta_b alike,   beta = atan2(D_y, D_x),   D = p_b - p_a
///   beta_ij = D x D_ij / l^2 - ((D . D_i)(D x D_j) + (D . D_j)(D x D_i)) / l^4
struct Chord {
  static constexpr int rows = 3;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places = [] {
    std::array<JacobianPlace, 18> all{};
    for (int k = 0; k < 18; ++k) all[static_cast<std::size_t>(k)] = {k / 6, k % 6};
    return all;
  }();
  static constexpr std::array hessian_places = [] {
    std::array<HessianPlace, 108> all{};
    for (int k = 0; k < 108; ++k) all[static_cast<std::size_t>(k)] = {k / 36, k / 6 % 6, k % 6};
    return all;
  }();
  Point2 on_a, on_b;
  double length;
  double mean, difference;  ///< (phi_a + phi_b)/2 - beta and phi_b - phi_a where the beam is straight
  std::string name{};
  double most_turn = 170 * std::numbers::pi / 180;  ///< infinite: nothing resists it

  void value(const Frame& a, const Frame& b, double, double* z) const {
    const Arrow D = separation(a, b);
    // The chord is known up to full turns only, the turn of one end against the other is not.
    const double turned =
                     std::remainder((a.phi + b.phi) / 2 - std::atan2(D.y, D.x) - mean, 2 * std::numbers::pi),
                 half = (b.phi - a.phi - difference) / 2;
    z[0] = std::hypot(D.x, D.y) - length, z[1] = turned - half, z[2] = turned + half;
    if (overturned(z)) z[1] = z[2] = not_a_number;
  }
  void jacobian(const Frame& a, const Frame& b, double* s) const {
    Length{on_a, on_b}.jacobian(a, b, s);
    const Arrow D = separation(a, b);
    const auto along = spread(a, b);
    for (int i = 0; i < 6; ++i)
      s[6 + i] = s[12 + i] = -cross(D, along[static_cast<std::size_t>(i)]) / D.dot(D);
    s[6 + 2] += 1, s[12 + 5] += 1;
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    Length{on_a, on_b}.hessian(a, b, h);
    const Arrow D = separation(a, b);
    const auto along = spread(a, b);
    const double l2 = D.dot(D);
    double beta[36];
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j)
        beta[6 * i + j] =
            -(D.dot(along[i]) * cross(D, along[j]) + D.dot(along[j]) * cross(D, along[i])) / (l2 * l2);
    beta[6 * 2 + 2] += cross(D, turned(a, on_a)) / l2;
    beta[6 * 5 + 5] -= cross(D, turned(b, on_b)) / l2;
    for (int k = 0; k < 36; ++k) h[36 + k] = h[72 + k] = -beta[k];
  }

  /// At half a turn the moment of an end would jump to its opposite, and the energy with it.
  bool overturned(const double* z) const {
    return !(std::abs(z[1]) <= most_turn && std::abs(z[2]) <= most_turn);
  }
  std::string refusal(const double* z) const {
    if (!overturned(z)) return {};
    return "an end of '" + name +
           "' has turned by 170 degrees against its chord, where its stiffness means nothing any more";
  }

 private:
  static double cross(const Arrow& p, const Arrow& q) { return p.x * q.y - p.y * q.x; }
  Arrow separation(const Frame& a, const Frame& b) const { return place(b, on_b) - place(a, on_a); }
  /// D_i
  std::array<Arrow, 6> spread(const Frame& a, const Frame& b) const {
    const Arrow ea = turned(a, on_a).normal(), eb = turned(b, on_b).normal();
    return {Arrow{-1, 0}, Arrow{0, -1}, Arrow{-ea.x, -ea.y}, Arrow{1, 0}, Arrow{0, 1}, eb};
  }
};

}  // namespace dalembert::planar
