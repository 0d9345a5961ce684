#include "dalembert/multibody/pose.h"

#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"

namespace dalembert {

using Eigen::Vector3d;

namespace {

const BodyRecord& record(const Mechanism& m, int body) {
  return m.bodies()[static_cast<std::size_t>(body)];
}

}  // namespace

bool is_planar(const Mechanism& m) {
  return as<PlanarMechanism>(&m) != nullptr;
}

Pose pose_of(const Mechanism&, const Placement& at, int body) {
  const auto i = static_cast<std::size_t>(body + 1);
  if (const auto* flat = dynamic_cast<const PlanarPlacement*>(&at)) {
    const PlanarFrame& frame = flat->frames[i];
    Pose pose{{frame.x, frame.y, 0}};
    pose.R.topLeftCorner<2, 2>() << frame.turn.cos, -frame.turn.sin, frame.turn.sin, frame.turn.cos;
    return pose;
  }
  const SpatialFrame& frame = static_cast<const SpatialPlacement&>(at).frames[i];
  return {frame.r, frame.R};
}

Twist twist_of(const Mechanism& m, const Placement& at, In v, int body) {
  if (body == Mechanism::ground) return {};
  const BodyRecord& of = record(m, body);
  if (is_planar(m)) return {{v[of.v], v[of.v + 1], 0}, {0, 0, of.velocities == 3 ? v[of.v + 2] : 0}};
  Twist twist{v.segment<3>(of.v)};
  if (of.velocities == 6) twist.spin = pose_of(m, at, body).R * v.segment<3>(of.v + 3);
  return twist;
}

Wrench wrench_on(const Mechanism& m, const Placement& at, In f, int body) {
  const Twist dual = twist_of(m, at, f, body);  // R is orthogonal: forces turn as velocities do
  return {dual.velocity, dual.spin};
}

}  // namespace dalembert
