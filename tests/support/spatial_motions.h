// Runs of spatial mechanisms, and where their bodies are at the end.
#pragma once

#include <numbers>

#include "dalembert/control/run.h"
#include "dalembert/core/rotations.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "tests/support/catalogue_points.h"

namespace dalembert::testing {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;
constexpr auto ground = Mechanism::ground;
constexpr double pi = std::numbers::pi;
inline const Vector3d origin = Vector3d::Zero(), X = Vector3d::UnitX(), Y = Vector3d::UnitY(),
                      Z = Vector3d::UnitZ();

inline Matrix3d principal(double a, double b, double c) {
  return Vector3d(a, b, c).asDiagonal();
}
inline Vector4d turned(double angle, const Vector3d& axis) {
  return quaternion_of(angle * axis.normalized());
}
inline Motion steady(double rate) {
  return {[rate](double t) { return Motion::Value{rate * t, rate, 0}; }};
}
inline Summary moved(const std::shared_ptr<const SpatialMechanism>& m, double end, double tolerance = 1e-10) {
  RunOptions options;
  options.tolerance = {tolerance, tolerance};
  options.end = end;
  const Summary summary = run(m, options);
  EXPECT_EQ(summary.outcome, Outcome::ok) << summary.message;
  return summary;
}
/// A mechanism at the end of a run, everything evaluated.
inline Point reached(const SpatialMechanism& m, const Summary& summary) {
  return point(m, {summary.state.t, summary.state.y});
}
inline Vector3d position(const Point& at, int body) {
  return at.at->q.segment<3>(7 * body);
}
inline Matrix3d rotation(const Point& at, int body) {
  return rotation_matrix(Vector4d(at.at->q.segment<4>(7 * body + 3)).normalized());
}

}  // namespace dalembert::testing
