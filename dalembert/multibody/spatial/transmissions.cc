// Joints of SpatialMechanism that pass on turning or roll.
#include <cmath>
#include <cstdlib>

#include "dalembert/core/error.h"
#include "dalembert/multibody/gear_mesh.h"
#include "dalembert/multibody/spatial/angles.h"
#include "dalembert/multibody/spatial/contact.h"
#include "dalembert/multibody/spatial/making.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"

namespace dalembert {

using namespace spatial;

namespace {

/// atan2(v_a . u_b, u_a . u_b)
Angle angle_between(const Vector3d& u_a, const Vector3d& v_a, const Vector3d& u_b) {
  return {{Perpendicular{v_a, u_b}}, {Perpendicular{u_a, u_b}}};
}

}  // namespace

MeasurePtr SpatialMechanism::angle(Body a, Body b, const Point& axis) const {
  must_turn("angle", {a, b});
  const Across across(axis, "angle");
  return measure("angle", "rad",
                 angle_between(turned_into(a, across.u), turned_into(a, across.v), turned_into(b, across.u)),
                 a, b);
}

/// The cross turns about axis_a against a, and b turns about axis_b against the cross.
Mechanism::Joint SpatialMechanism::universal(const std::string& name, Body a, Body b, const Point& at,
                                             const Point& axis_a, const Point& axis_b) {
  const Point first = Across(axis_a, name).along, second = Across(axis_b, name).along;
  const Point normal = Across(first.cross(second), name).along;
  const Joint joint = begin_joint(name, "universal", a, b, at, first);
  record(joint).axis_b = turned_into(b, second);
  record(joint).across_a = turned_into(a, normal.cross(first));
  hold_point(name, a, b, at);
  hold_angle(name + ".moment", a, b, -first, second);
  const Point u_b = turned_into(b, second.cross(normal)), v_b = turned_into(b, normal),
              e_a = turned_into(a, first), e_b = turned_into(b, second);
  record(joint).coordinates = {
      measure("angle", "rad", angle_between(turned_into(a, normal.cross(first)), turned_into(a, normal), e_b),
              a, b),
      measure("second angle", "rad", Angle{{Perpendicular{e_a, v_b}}, {Perpendicular{e_a, u_b}}}, a, b)};
  return joint;
}

Mechanism::Joint SpatialMechanism::screw(const std::string& name, Body a, Body b, const Point& at,
                                         const Point& axis, double pitch) {
  if (!(std::abs(pitch) > 0) || !std::isfinite(pitch))
    throw Error("joint '" + name + "' is a screw without pitch", "use a revolute joint");
  const Across across(axis, name);
  const Joint joint = begin_joint(name, "screw", a, b, at, across.along);
  hold_line(name, a, b, at, axis);
  hold_axis(name, a, b, axis);
  const Point direction = turned_into(a, across.along);
  add_rows(Thread{InPlane{direction, in_body(b, at), direction.dot(in_body(a, at))},
                  angle_between(turned_into(a, across.u), turned_into(a, across.v), turned_into(b, across.u)),
                  pitch / (2 * std::numbers::pi)},
           a, b, {{name + ".axial", "N"}});
  record(joint).coordinates = {displacement(a, b, at, axis), angle(a, b, axis)};
  return joint;
}

/// The directions across the shafts of b are those of a, turned the shortest way from one axis to the other.
Mechanism::Joint SpatialMechanism::constant_velocity(const std::string& name, Body a, Body b, const Point& at,
                                                     const Point& axis_a, const Point& axis_b) {
  const Across on_a(axis_a, name), on_b(axis_b, name);
  if (on_a.along.dot(on_b.along) <= 0)
    throw Error("joint '" + name + "' joins two shafts bent by 90 degrees or more",
                "let both axes point the way the motion goes; in line they are one direction");
  must_turn(name, {a, b});
  const Joint joint = begin_joint(name, "constant-velocity", a, b, at, on_a.along);
  record(joint).axis_b = turned_into(b, on_b.along);
  const auto swing = Eigen::Quaterniond::FromTwoVectors(on_a.along, on_b.along);
  const Point u_a = turned_into(a, on_a.u), v_a = turned_into(a, on_a.v),
              u_b = turned_into(b, swing * on_a.u), v_b = turned_into(b, swing * on_a.v);
  hold_point(name, a, b, at);
  add_rows(Twist{{Perpendicular{v_a, u_b}, Perpendicular{-u_a, v_b}},
                 {Perpendicular{u_a, u_b}, Perpendicular{v_a, v_b}}},
           a, b, {{name + ".torque", "N m"}});
  return joint;
}

Mechanism::Joint SpatialMechanism::gear(const std::string& name, Joint first, Joint second, int z_1,
                                        int z_2) {
  constexpr int most = 1000;
  if (z_1 == 0 || z_2 == 0 || std::abs(z_1) > most || std::abs(z_2) > most)
    throw Error("gear '" + name + "' has wheels without teeth, or with more than 1000",
                "give two whole numbers, for example 20 and 40");
  const auto angle_of = [&](Joint joint) {
    for (const MeasurePtr& each : joints()[static_cast<std::size_t>(joint)].coordinates)
      if (each->cyclic) return each;
    throw Error("gear '" + name + "' is on joint '" + joints()[static_cast<std::size_t>(joint)].name +
                    "', which has no angle",
                "put its wheels on revolute, cylindrical or screw joints");
  };
  const MeasurePtr c_1 = angle_of(first), c_2 = angle_of(second);
  const JointRecord one = record(first), two = record(second);
  const Joint joint = add_joint({.name = name,
                                 .kind = "gear",
                                 .a = one.b,
                                 .b = two.b,
                                 .on_a = one.on_b,
                                 .on_b = two.on_b,
                                 .axis_a = one.axis_b,
                                 .axis_b = two.axis_b});
  const Eigen::Index row = name_rows(Rows::Level::position, {{name + ".moment", "N m"}});
  rows<GearMeshRows>().meshes.emplace_back(c_1, c_2, z_1, z_2, row);
  return joint;
}

SpatialMechanism::Point SpatialMechanism::centre_of(Body b, const SpatialRolling& is) const {
  if (b == ground) throw Error("the ground does not roll", "name the rolling body second");
  return is.centre.value_or(given_[static_cast<std::size_t>(b)].position);
}

template <class Shape>
Mechanism::Joint SpatialMechanism::add_rolling(const std::string& name, const char* kind, const Shape& shape,
                                               Body a, Body b, const SpatialRolling& is) {
  if (!(is.radius > 0)) throw Error("joint '" + name + "' rolls without a radius", "give a positive radius");
  must_turn(name, {a, b});
  const Across across(is.normal, name);
  const Joint joint = begin_joint(name, kind, a, b, centre_of(b, is), across.along);
  record(joint).axis_b = turned_into(b, is.axle);
  add_rows(Contact<Shape>{shape, shape.normal.dot(in_body(a, is.at))}, a, b, {{name + ".normal", "N"}});
  add_rows(Grip<Shape>{shape, {turned_into(a, across.u), turned_into(a, across.v)}}, a, b,
           {{name + ".u", "N"}, {name + ".v", "N"}});
  return joint;
}

Mechanism::Joint SpatialMechanism::rolling_disc(const std::string& name, Body a, Body b,
                                                const SpatialRolling& is) {
  const Point normal = Across(is.normal, name).along, axle = Across(is.axle, name).along;
  if (normal.cross(axle).norm() < 1e-6)
    throw Error("joint '" + name + "' has a disc that lies flat", "its axle must not be along the normal");
  return add_rolling(
      name, "rolling-disc",
      Disc{turned_into(a, normal), in_body(b, centre_of(b, is)), turned_into(b, axle), is.radius}, a, b, is);
}

Mechanism::Joint SpatialMechanism::rolling_ball(const std::string& name, Body a, Body b,
                                                const SpatialRolling& is) {
  return add_rolling(
      name, "rolling-ball",
      Sphere{turned_into(a, Across(is.normal, name).along), in_body(b, centre_of(b, is)), is.radius}, a, b,
      is);
}

}  // namespace dalembert
