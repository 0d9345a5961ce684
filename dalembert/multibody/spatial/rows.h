// The rows of which spatial joints are made, in the displacements (r_a, theta_a, r_b, theta_b), theta in the body frame;
// see row_set.h. A point p = r + R s and a direction u = R e of a body move by
//
//   dp = dr - R s~ dtheta,   du = -R e~ dtheta
#pragma once

#include <array>

#include "dalembert/core/rotations.h"
#include "dalembert/multibody/length.h"
#include "dalembert/multibody/row_set.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"

namespace dalembert::spatial {

using Eigen::Matrix3d;
using Eigen::Vector3d;

using Frame = SpatialFrame;

/// Six displacements per body.
struct Space {
  static constexpr int coordinates = 6;
  static const Frame& frame(const Placement& at, int body) {
    return static_cast<const SpatialPlacement&>(at).frames[static_cast<std::size_t>(body + 1)];
  }
};

/// R s~, whose columns are those of R mixed: a third of a product of matrices.
inline Matrix3d times_skew(const Matrix3d& R, const Vector3d& s) {
  Matrix3d product;
  product.col(0) = s[2] * R.col(1) - s[1] * R.col(2);
  product.col(1) = s[0] * R.col(2) - s[2] * R.col(0);
  product.col(2) = s[1] * R.col(0) - s[0] * R.col(1);
  return product;
}

// Where displacements begin.
inline constexpr int ra = 0, ta = 3, rb = 6, tb = 9;

/// The places of 3x3 blocks of the Hessian of one row, each row by row.
template <std::size_t n>
constexpr std::array<HessianPlace, 9 * n> blocks(const std::array<std::array<int, 2>, n>& corners) {
  std::array<HessianPlace, 9 * n> all{};
  for (std::size_t b = 0; b < n; ++b)
    for (int k = 0; k < 9; ++k)
      all[9 * b + static_cast<std::size_t>(k)] = {0, corners[b][0] + k / 3, corners[b][1] + k % 3};
  return all;
}
/// Writes a block row by row and moves on.
inline void put(const Matrix3d& block, double*& h) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) *h++ = block(i, j);
}
inline void put(const Vector3d& part, double*& s) {
  for (int i = 0; i < 3; ++i) *s++ = part[i];
}
inline constexpr std::array all_jacobian_places = [] {
  std::array<JacobianPlace, 12> all{};
  for (int i = 0; i < 12; ++i) all[static_cast<std::size_t>(i)] = {0, i};
  return all;
}();

/// p_b - p_a = 0
struct Ball {
  static constexpr int rows = 3;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places = [] {
    std::array<JacobianPlace, 24> all{};
    std::size_t k = 0;
    for (int r = 0; r < 3; ++r) {
      all[k++] = {r, ra + r};
      for (int i = 0; i < 3; ++i) all[k++] = {r, ta + i};
      all[k++] = {r, rb + r};
      for (int i = 0; i < 3; ++i) all[k++] = {r, tb + i};
    }
    return all;
  }();
  static constexpr std::array hessian_places = [] {
    std::array<HessianPlace, 54> all{};
    std::size_t k = 0;
    for (const int t : {ta, tb})
      for (int j = 0; j < 3; ++j)
        for (int r = 0; r < 3; ++r)
          for (int i = 0; i < 3; ++i) all[k++] = {r, t + i, t + j};
    return all;
  }();
  Vector3d on_a, on_b;

  void value(const Frame& a, const Frame& b, double, double* g) const {
    Eigen::Map<Vector3d>{g} = b.place(on_b) - a.place(on_a);
  }
  void jacobian(const Frame& a, const Frame& b, double* s) const {
    const Matrix3d A = times_skew(a.R, on_a), B = times_skew(b.R, -on_b);
    for (int r = 0; r < 3; ++r, s += 8) {
      s[0] = -1, s[1] = A(r, 0), s[2] = A(r, 1), s[3] = A(r, 2);
      s[4] = 1, s[5] = B(r, 0), s[6] = B(r, 1), s[7] = B(r, 2);
    }
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    for (int j = 0; j < 3; ++j) put(Matrix3d(a.R * skew(Vector3d::Unit(j)) * skew(on_a)), h);
    for (int j = 0; j < 3; ++j) put(Matrix3d(-b.R * skew(Vector3d::Unit(j)) * skew(on_b)), h);
  }
  void bias(const Frame& a, const Frame& b, const double* u, double* bias) const {
    const Vector3d wa{u[ta], u[ta + 1], u[ta + 2]}, wb{u[tb], u[tb + 1], u[tb + 2]};
    Eigen::Map<Vector3d>{bias} += b.R * wb.cross(wb.cross(on_b)) - a.R * wa.cross(wa.cross(on_a));
  }
};

/// u_a . u_b = 0: two directions stay at right angles.
struct Perpendicular {
  static constexpr int rows = 1;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places{JacobianPlace{0, ta},     JacobianPlace{0, ta + 1},
                                              JacobianPlace{0, ta + 2}, JacobianPlace{0, tb},
                                              JacobianPlace{0, tb + 1}, JacobianPlace{0, tb + 2}};
  static constexpr std::array hessian_places =
      blocks(std::array<std::array<int, 2>, 4>{{{ta, ta}, {ta, tb}, {tb, tb}, {tb, ta}}});
  Vector3d along_a, along_b;

  void value(const Frame& a, const Frame& b, double, double* g) const {
    g[0] = (a.R * along_a).dot(b.R * along_b);
  }
  void jacobian(const Frame& a, const Frame& b, double* s) const {
    put(Vector3d(along_a.cross(a.R.transpose() * (b.R * along_b))), s);
    put(Vector3d(along_b.cross(b.R.transpose() * (a.R * along_a))), s);
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    const Matrix3d C = a.R.transpose() * b.R, A = skew(along_a), B = skew(along_b);
    put(Matrix3d(A * skew(C * along_b)), h);
    put(Matrix3d(-A * C * B), h);
    put(Matrix3d(B * skew(C.transpose() * along_a)), h);
    put(Matrix3d(-B * C.transpose() * A), h);
  }
  void bias(const Frame& a, const Frame& b, const double* u, double* bias) const {
    const Vector3d wa{u[ta], u[ta + 1], u[ta + 2]}, wb{u[tb], u[tb + 1], u[tb + 2]};
    // In the ground frame, where w x (w x u) = w (w.u) - u w^2 leaves products of four vectors.
    const Vector3d A = a.R * along_a, B = b.R * along_b, va = a.R * wa, vb = b.R * wb;
    const double both = A.dot(B), a_by_a = va.dot(A), a_by_b = va.dot(B), b_by_a = vb.dot(A),
                 b_by_b = vb.dot(B);
    bias[0] += a_by_a * a_by_b + b_by_a * b_by_b - 2 * a_by_b * b_by_a - (va - vb).squaredNorm() * both;
  }
};

/// u_a . (p_b - r_a) - offset = 0: a point of b stays in a plane of a.
struct InPlane {
  static constexpr int rows = 1;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places = all_jacobian_places;
  static constexpr std::array hessian_places = blocks(std::array<std::array<int, 2>, 8>{
      {{ra, ta}, {ta, ra}, {ta, ta}, {ta, rb}, {ta, tb}, {rb, ta}, {tb, ta}, {tb, tb}}});
  Vector3d normal, on_b;
  double offset;

  void value(const Frame& a, const Frame& b, double, double* g) const {
    g[0] = (a.R * normal).dot(b.place(on_b) - a.r) - offset;
  }
  void jacobian(const Frame& a, const Frame& b, double* s) const {
    const Vector3d u = a.R * normal;
    put(Vector3d(-u), s);
    put(Vector3d(normal.cross(a.R.transpose() * (b.place(on_b) - a.r))), s);
    put(u, s);
    put(Vector3d(on_b.cross(b.R.transpose() * u)), s);
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    const Matrix3d N = skew(normal), S = skew(on_b), NR = N * a.R.transpose();
    put(Matrix3d(a.R * N), h);
    put(Matrix3d(-NR), h);
    put(Matrix3d(N * skew(a.R.transpose() * (b.place(on_b) - a.r))), h);
    put(NR, h);
    put(Matrix3d(-NR * b.R * S), h);
    put(Matrix3d(-a.R * N), h);
    put(Matrix3d(-S * b.R.transpose() * a.R * N), h);
    put(Matrix3d(S * skew(b.R.transpose() * (a.R * normal))), h);
  }
};

/// (D . D - L^2)/(2 L) = 0 with D = p_b - p_a: on the constraint the multiplier is the force along the rod.
struct Rod {
  static constexpr int rows = 1;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places = all_jacobian_places;
  static constexpr std::array hessian_places = [] {
    std::array<HessianPlace, 144> all{};
    for (int k = 0; k < 144; ++k) all[static_cast<std::size_t>(k)] = {0, k / 12, k % 12};
    return all;
  }();
  Vector3d on_a, on_b;
  double length;

  static double distance(const Frame& a, const Vector3d& on_a, const Frame& b, const Vector3d& on_b) {
    return (b.place(on_b) - a.place(on_a)).norm();
  }
  void value(const Frame& a, const Frame& b, double, double* g) const {
    g[0] = ((b.place(on_b) - a.place(on_a)).squaredNorm() - length * length) / (2 * length);
  }
  void jacobian(const Frame& a, const Frame& b, double* s) const {
    Eigen::Map<Eigen::Matrix<double, 1, 12>>{s} = separation(a, b).transpose() * spread(a, b) / length;
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    const Vector3d D = separation(a, b);
    const auto P = spread(a, b);
    Eigen::Matrix<double, 12, 12, Eigen::RowMajor> H = P.transpose() * P;
    H.block<3, 3>(ta, ta) -= skew(on_a) * skew(a.R.transpose() * D);
    H.block<3, 3>(tb, tb) += skew(on_b) * skew(b.R.transpose() * D);
    Eigen::Map<Eigen::Matrix<double, 12, 12, Eigen::RowMajor>>{h} = H / length;
  }

 private:
  Vector3d separation(const Frame& a, const Frame& b) const { return b.place(on_b) - a.place(on_a); }
  /// dD
  Eigen::Matrix<double, 3, 12> spread(const Frame& a, const Frame& b) const {
    Eigen::Matrix<double, 3, 12> P;
    P << -Matrix3d::Identity(), a.R * skew(on_a), Matrix3d::Identity(), -b.R * skew(on_b);
    return P;
  }
};

using Length = LengthOf<Rod, Frame>;

template <class Kind>
using SpatialRows = RowSet<Space, Kind>;

}  // namespace dalembert::spatial
