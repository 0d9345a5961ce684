// Bodies of planar and spatial mechanisms alike: where they are, how they move, what pushes them. Planar ones lie in the
// plane z = 0 and turn about z.
//
//   p = r + R s                       a point of a body, s in its frame
//   p' = v + omega x (p - r)
//   f'u = F'v + M'omega               what a generalised force is: F and the moment M about the centre of mass
//
// Everything in the ground frame.
#pragma once

#include "dalembert/multibody/mechanism.h"

namespace dalembert {

/// Where a body is, and how it is turned.
struct Pose {
  Eigen::Vector3d r = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d place(const Eigen::Vector3d& s) const { return r + R * s; }
};

/// How a body moves.
struct Twist {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), spin = Eigen::Vector3d::Zero();
};

/// A force and a moment.
struct Wrench {
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();
  /// The same about another point: `arm` leads from there to where it is given now.
  Wrench moved(const Eigen::Vector3d& arm) const { return {force, moment + arm.cross(force)}; }
  Wrench turned(const Eigen::Matrix3d& R) const { return {R * force, R * moment}; }
  Wrench operator-() const { return {-force, -moment}; }
};

/// Of a body, or of the ground.
Pose pose_of(const Mechanism&, const Placement&, int body);
/// Of a body, at velocities v.
Twist twist_of(const Mechanism&, const Placement&, In v, int body);
/// Of a generalised force on all velocities, the part that acts on one body; about its centre of mass.
Wrench wrench_on(const Mechanism&, const Placement&, In f, int body);

/// Does it move in the plane?
bool is_planar(const Mechanism&);

/// Around all centres of mass and joints.
Eigen::AlignedBox3d bounding_box(const Mechanism&, const Placement&);

/// Joints in a false solution of their rows, turned over against the way they were put together: rows that hold right
/// angles do not see it.
std::vector<Mechanism::Joint> turned_over(const Mechanism&, const Placement&);

/// A point of the drawing, that is of the ground frame at the start, as the body sees it.
Eigen::Vector3d fixed_in(const Mechanism&, int body, const Eigen::Vector3d& drawn);

}  // namespace dalembert
