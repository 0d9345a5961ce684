// Rotations in space: unit quaternions e = (e0, e1, e2, e3) and rotation vectors psi, R = exp(psi~).
//
//   R = I + 2 e0 e~ + 2 e~ e~,       e' = e o (0,omega)/2                        omega: body components
//   omega = T(psi) psi',             T = I - (1-cos p)/p^2 psi~ + (p - sin p)/p^3 psi~^2,   p = |psi|
//   psi' = T^-1 omega,               T^-1 = I + psi~/2 + c(p) psi~^2,   c = (1 - (p/2) cot(p/2))/p^2
//
// T^-1 has a pole at p = 2 pi. [Shuster1993]
#pragma once

#include <Eigen/Dense>
#include <cmath>

namespace dalembert {

inline Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}

/// e o f
inline Eigen::Vector4d compose(const Eigen::Vector4d& e, const Eigen::Vector4d& f) {
  const Eigen::Vector3d a = e.tail<3>(), b = f.tail<3>();
  Eigen::Vector4d product;
  product << e[0] * f[0] - a.dot(b), e[0] * b + f[0] * a + a.cross(b);
  return product;
}

inline Eigen::Vector4d conjugate(const Eigen::Vector4d& e) {
  return {e[0], -e[1], -e[2], -e[3]};
}

inline Eigen::Matrix3d rotation_matrix(const Eigen::Vector4d& unit) {
  const Eigen::Matrix3d a = skew(unit.tail<3>());
  return Eigen::Matrix3d::Identity() + 2 * unit[0] * a + 2 * a * a;
}

/// The unit quaternion of exp(psi~).
inline Eigen::Vector4d quaternion_of(const Eigen::Vector3d& psi) {
  const double half = psi.norm() / 2;
  const double ratio = half < 1e-4 ? .5 - half * half / 12 : std::sin(half) / (2 * half);
  Eigen::Vector4d e;
  e << std::cos(half), ratio * psi;
  return e;
}

/// The rotation vector of a quaternion of any length, with |psi| <= pi: e and -e are one rotation.
inline Eigen::Vector3d rotation_vector_of(const Eigen::Vector4d& e) {
  const Eigen::Vector3d a = e[0] < 0 ? Eigen::Vector3d(-e.tail<3>()) : Eigen::Vector3d(e.tail<3>());
  const double length = a.norm(), scalar = std::abs(e[0]);
  if (length < 1e-8 * scalar) return 2 / scalar * a;
  return 2 * std::atan2(length, scalar) / length * a;
}

/// c(p) of T^-1 and c'(p)/p.
struct InverseTangentFactors {
  double c, slope;
};
inline InverseTangentFactors inverse_tangent_factors(double p2) {
  if (p2 < .25)  // Taylor: the closed form cancels
    return {
        1. / 12 +
            p2 * (1. / 720 + p2 * (1. / 30240 +
                                   p2 * (1. / 1209600 + p2 * (1. / 47900160 + p2 * 691. / 1307674368000.)))),
        2 * (1. / 720 + p2 * (2. / 30240 +
                              p2 * (3. / 1209600 + p2 * (4. / 47900160 + p2 * 5. * 691. / 1307674368000.))))};
  const double p = std::sqrt(p2), sine = std::sin(p / 2), cotangent = std::cos(p / 2) / sine;
  return {(1 - p / 2 * cotangent) / p2,
          -2 / (p2 * p2) + cotangent / (2 * p2 * p) + 1 / (4 * p2 * sine * sine)};
}

/// T(psi)
inline Eigen::Matrix3d tangent_operator(const Eigen::Vector3d& psi) {
  const double p2 = psi.squaredNorm();
  double first = .5 - p2 / 24, second = 1. / 6 - p2 / 120;
  if (p2 > 1e-6) {
    const double p = std::sqrt(p2), sine = std::sin(p / 2);
    first = 2 * sine * sine / p2;
    second = (p - std::sin(p)) / (p2 * p);
  }
  const Eigen::Matrix3d a = skew(psi);
  return Eigen::Matrix3d::Identity() - first * a + second * a * a;
}

/// T^-1(psi)
inline Eigen::Matrix3d inverse_tangent_operator(const Eigen::Vector3d& psi) {
  const Eigen::Matrix3d a = skew(psi);
  return Eigen::Matrix3d::Identity() + a / 2 + inverse_tangent_factors(psi.squaredNorm()).c * a * a;
}

/// d(T^-1(psi) omega)/dpsi
inline Eigen::Matrix3d inverse_tangent_derivative(const Eigen::Vector3d& psi, const Eigen::Vector3d& omega) {
  const auto [c, slope] = inverse_tangent_factors(psi.squaredNorm());
  return -skew(omega) / 2 +
         c * (psi.dot(omega) * Eigen::Matrix3d::Identity() + psi * omega.transpose() -
              2 * omega * psi.transpose()) +
         slope * psi.cross(psi.cross(omega)) * psi.transpose();
}

}  // namespace dalembert
