// Bodies that touch: rolling without slip, blades; see row_set.h. Where K is the point of contact and D a direction,
// both vectors of the ground frame that change with the positions, the row
//
//   D . (velocity of b at K - velocity of a at K)  =  D . (r_b' - r_a') + omega_b . s_b x R_b'D - omega_a . s_a x R_a'D
//
// with s = R'(K - r) is the normal one (D = n, the rate of the gap) or one against slip (D along the plane of a).
//
//   ball   K = C - radius n                                  C the centre, fixed to b; n the normal of the plane, fixed to a
//   disc   K = C - radius m/|m|,   m = n - (n . e) e         e its axle, fixed to b
//   blade  K = C,   D = n x e/|n x e|                        e along the blade, fixed to b
#pragma once

#include <array>

#include "dalembert/multibody/spatial/rows.h"

namespace dalembert::spatial {

/// How a vector of the ground frame changes with the twelve displacements.
using Change = Eigen::Matrix<double, 3, 12>;
struct Moving {
  Vector3d at;
  Change by = Change::Zero();
};
/// A direction, or a point, fixed to a body whose displacements begin at `first`.
inline Moving direction_of(const Frame& body, int first, const Vector3d& along) {
  Moving d{body.R * along};
  d.by.middleCols<3>(first + 3) = -body.R * skew(along);
  return d;
}
inline Moving point_of(const Frame& body, int first, const Vector3d& at) {
  Moving p = direction_of(body, first, at);
  p.at += body.r;
  p.by.middleCols<3>(first).setIdentity();
  return p;
}
inline Moving normalised(const Moving& d) {
  const double length = d.at.norm();
  const Vector3d unit = d.at / length;
  return {unit, (d.by - unit * (unit.transpose() * d.by)) / length};
}

inline void slip_gradient(const Frame& a, const Frame& b, const Vector3d& K, const Vector3d& D, double*& s) {
  put(Vector3d(-D), s);
  put(Vector3d(a.R.transpose() * D.cross(K - a.r)), s);
  put(D, s);
  put(Vector3d(b.R.transpose() * (K - b.r).cross(D)), s);
}

/// With x = R'D: d(s x x) = s x dx - x x ds, and a vector R'y seen from the body turns by (R'y) x dtheta.
inline void slip_hessian(const Frame& a, const Frame& b, const Moving& K, const Moving& D, double*& h) {
  const auto turned = [&](const Frame& body, int first) {
    const Vector3d s = body.R.transpose() * (K.at - body.r), x = body.R.transpose() * D.at;
    Change ds = body.R.transpose() * K.by, dx = body.R.transpose() * D.by;
    ds.middleCols<3>(first) -= body.R.transpose();
    ds.middleCols<3>(first + 3) += skew(s);
    dx.middleCols<3>(first + 3) += skew(x);
    return Change(skew(s) * dx - skew(x) * ds);
  };
  Eigen::Map<Eigen::Matrix<double, 12, 12, Eigen::RowMajor>> H(h);
  H.middleRows<3>(ra) = -D.by;
  H.middleRows<3>(ta) = -turned(a, ra);
  H.middleRows<3>(rb) = D.by;
  H.middleRows<3>(tb) = turned(b, rb);
  h += 144;
}

struct Sphere {
  Vector3d normal, centre;  ///< in a, in b
  double radius;
  Moving contact(const Frame& a, const Frame& b) const {
    const Moving C = point_of(b, rb, centre), n = direction_of(a, ra, normal);
    return {C.at - radius * n.at, C.by - radius * n.by};
  }
};

struct Disc {
  Vector3d normal, centre, axle;  ///< in a, in b, in b
  double radius;
  Moving contact(const Frame& a, const Frame& b) const {
    const Moving C = point_of(b, rb, centre), n = direction_of(a, ra, normal), e = direction_of(b, rb, axle);
    const double lean = n.at.dot(e.at);
    const Eigen::Matrix<double, 1, 12> leans = n.at.transpose() * e.by + e.at.transpose() * n.by;
    const Moving up = normalised({n.at - lean * e.at, n.by - lean * e.by - e.at * leans});
    return {C.at - radius * up.at, C.by - radius * up.by};
  }
};

template <int n>
constexpr std::array<JacobianPlace, 12 * n> jacobian_places_of_all() {
  std::array<JacobianPlace, 12 * n> all{};
  for (int k = 0; k < 12 * n; ++k) all[static_cast<std::size_t>(k)] = {k / 12, k % 12};
  return all;
}
template <int n>
constexpr std::array<HessianPlace, 144 * n> hessian_places_of_all() {
  std::array<HessianPlace, 144 * n> all{};
  for (int k = 0; k < 144 * n; ++k) all[static_cast<std::size_t>(k)] = {k / 144, k % 144 / 12, k % 12};
  return all;
}

/// n . (K - r_a) - offset = 0: the lowest point of b lies in the plane. Its rate is the relative velocity along n.
template <class Shape>
struct Contact {
  static constexpr int rows = 1;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places = all_jacobian_places;
  static constexpr std::array hessian_places = hessian_places_of_all<1>();
  Shape shape;
  double offset;

  void value(const Frame& a, const Frame& b, double, double* g) const {
    *g = (a.R * shape.normal).dot(shape.contact(a, b).at - a.r) - offset;
  }
  void jacobian(const Frame& a, const Frame& b, double* s) const {
    slip_gradient(a, b, shape.contact(a, b).at, a.R * shape.normal, s);
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    slip_hessian(a, b, shape.contact(a, b), direction_of(a, ra, shape.normal), h);
  }
};

/// No slip along two directions of the plane, at velocity level.
template <class Shape>
struct Grip {
  static constexpr int rows = 2;
  static constexpr bool holonomic = false;
  static constexpr std::array jacobian_places = jacobian_places_of_all<2>();
  static constexpr std::array hessian_places = hessian_places_of_all<2>();
  Shape shape;
  std::array<Vector3d, 2> along;  ///< in a

  void jacobian(const Frame& a, const Frame& b, double* s) const {
    const Vector3d K = shape.contact(a, b).at;
    for (const Vector3d& t : along) slip_gradient(a, b, K, a.R * t, s);
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    const Moving K = shape.contact(a, b);
    for (const Vector3d& t : along) slip_hessian(a, b, K, direction_of(a, ra, t), h);
  }
};

}  // namespace dalembert::spatial
