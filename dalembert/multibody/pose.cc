#include "dalembert/multibody/pose.h"

#include <algorithm>

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

Eigen::AlignedBox3d bounding_box(const Mechanism& m, const Placement& at) {
  Eigen::AlignedBox3d box;
  for (std::size_t b = 0; b < m.bodies().size(); ++b) box.extend(pose_of(m, at, static_cast<int>(b)).r);
  for (const JointRecord& joint : m.joints()) {
    if (joint.a == joint.b) continue;  // a drive without geometry
    box.extend(pose_of(m, at, joint.a).place(joint.on_a));
    box.extend(pose_of(m, at, joint.b).place(joint.on_b));
  }
  return box;
}

std::vector<Mechanism::Joint> turned_over(const Mechanism& m, const Placement& at) {
  // A pair that should be one direction is apart by more than 60 degrees: nothing that an assembly leaves open.
  const auto apart = [&](const JointRecord& joint, const std::array<Vector3d, 2>& pair) {
    return (pose_of(m, at, joint.a).R * pair[0]).dot(pose_of(m, at, joint.b).R * pair[1]) < .5;
  };
  std::vector<Mechanism::Joint> over;
  for (std::size_t j = 0; j < m.joints().size(); ++j) {
    const JointRecord& joint = m.joints()[j];
    if (std::any_of(joint.facing.begin(), joint.facing.end(),
                    [&](const auto& pair) { return apart(joint, pair); }))
      over.push_back(static_cast<Mechanism::Joint>(j));
  }
  return over;
}

Eigen::Vector3d fixed_in(const Mechanism& m, int body, const Eigen::Vector3d& drawn) {
  const State start = m.start();
  const auto at = m.placed_at(start);
  const Pose pose = pose_of(m, *at, body);
  return pose.R.transpose() * (drawn - pose.r);
}

}  // namespace dalembert
