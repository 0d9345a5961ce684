// Joints of SpatialMechanism that hold points and directions.
#include "dalembert/core/error.h"
#include "dalembert/multibody/spatial/making.h"
#include "dalembert/multibody/spatial/rows.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"

namespace dalembert {

using namespace spatial;

Mechanism::Joint SpatialMechanism::begin_joint(const std::string& name, const char* kind, Body a, Body b,
                                               const Point& at, const Point& axis) {
  if (a == b) throw Error("joint '" + name + "' joins a body to itself", "name two bodies");
  const Joint joint = add_joint({.name = name,
                                 .kind = kind,
                                 .a = a,
                                 .b = b,
                                 .on_a = in_body(a, at),
                                 .on_b = in_body(b, at),
                                 .axis_a = turned_into(a, axis),
                                 .axis_b = turned_into(b, axis)});
  if (!axis.isZero()) record(joint).across_a = turned_into(a, Across(axis, name).u);
  return joint;
}

// Multipliers are forces and moments on a: rows are made so that J_a'lambda is minus that.

void SpatialMechanism::hold_point(const std::string& name, Body a, Body b, const Point& at) {
  add_rows(Ball{in_body(a, at), in_body(b, at)}, a, b,
           {{name + ".x", "N"}, {name + ".y", "N"}, {name + ".z", "N"}});
}

/// along_a . along_b = 0: a moment about along_b x along_a.
void SpatialMechanism::hold_angle(const std::string& row, Body a, Body b, const Point& along_a,
                                  const Point& along_b) {
  must_turn(record(static_cast<Joint>(joints().size()) - 1).name, {a, b});
  add_rows(Perpendicular{turned_into(a, along_a), turned_into(b, along_b)}, a, b, {{row, "N m"}});
}

void SpatialMechanism::hold_plane(const std::string& row, Body a, Body b, const Point& at,
                                  const Point& normal) {
  must_turn(record(static_cast<Joint>(joints().size()) - 1).name, {a});
  const Point n = turned_into(a, normal);
  add_rows(InPlane{n, in_body(b, at), n.dot(in_body(a, at))}, a, b, {{row, "N"}});
}

void SpatialMechanism::hold_line(const std::string& name, Body a, Body b, const Point& at,
                                 const Point& axis) {
  const Across across(axis, name);
  hold_plane(name + ".u", a, b, at, across.u);
  hold_plane(name + ".v", a, b, at, across.v);
}

void SpatialMechanism::hold_axis(const std::string& name, Body a, Body b, const Point& axis) {
  const Across across(axis, name);
  hold_angle(name + ".moment_u", a, b, -across.v, across.along);
  hold_angle(name + ".moment_v", a, b, across.u, across.along);
  faces(a, b, across.along);
}

void SpatialMechanism::faces(Body a, Body b, const Point& along) {
  record(static_cast<Joint>(joints().size()) - 1)
      .facing.push_back({turned_into(a, along), turned_into(b, along)});
}

Mechanism::Joint SpatialMechanism::spherical(const std::string& name, Body a, Body b, const Point& at) {
  const Joint joint = begin_joint(name, "spherical", a, b, at);
  hold_point(name, a, b, at);
  return joint;
}

Mechanism::Joint SpatialMechanism::revolute(const std::string& name, Body a, Body b, const Point& at,
                                            const Point& axis) {
  const Joint joint = begin_joint(name, "revolute", a, b, at, Across(axis, name).along);
  hold_point(name, a, b, at);
  hold_axis(name, a, b, axis);
  record(joint).coordinates = {angle(a, b, axis)};
  return joint;
}

Mechanism::Joint SpatialMechanism::cylindrical(const std::string& name, Body a, Body b, const Point& at,
                                               const Point& axis) {
  const Joint joint = begin_joint(name, "cylindrical", a, b, at, Across(axis, name).along);
  hold_line(name, a, b, at, axis);
  hold_axis(name, a, b, axis);
  record(joint).coordinates = {displacement(a, b, at, axis), angle(a, b, axis)};
  return joint;
}

Mechanism::Joint SpatialMechanism::prismatic(const std::string& name, Body a, Body b, const Point& at,
                                             const Point& axis) {
  const Across across(axis, name);
  const Joint joint = begin_joint(name, "prismatic", a, b, at, across.along);
  hold_line(name, a, b, at, axis);
  hold_axis(name, a, b, axis);
  hold_angle(name + ".moment_axis", a, b, across.v, across.u);
  faces(a, b, across.u);
  record(joint).coordinates = {displacement(a, b, at, axis)};
  return joint;
}

Mechanism::Joint SpatialMechanism::planar(const std::string& name, Body a, Body b, const Point& at,
                                          const Point& normal) {
  const Across across(normal, name);
  const Joint joint = begin_joint(name, "planar", a, b, at, across.along);
  hold_plane(name + ".normal", a, b, at, across.along);
  hold_axis(name, a, b, normal);
  record(joint).coordinates = {displacement(a, b, at, across.u), displacement(a, b, at, across.v),
                               angle(a, b, normal)};
  return joint;
}

Mechanism::Joint SpatialMechanism::fixed(const std::string& name, Body a, Body b, const Point& at) {
  const Joint joint = begin_joint(name, "fixed", a, b, at);
  const Point x = Point::UnitX(), y = Point::UnitY(), z = Point::UnitZ();
  hold_point(name, a, b, at);
  hold_angle(name + ".moment_x", a, b, z, y);
  hold_angle(name + ".moment_y", a, b, x, z);
  hold_angle(name + ".moment_z", a, b, y, x);
  for (const Point& along : {x, y, z}) faces(a, b, along);
  return joint;
}

Mechanism::Joint SpatialMechanism::distance(const std::string& name, Body a, const Point& at_a, Body b,
                                            const Point& at_b, double length) {
  if (length == 0) length = (at_b - at_a).norm();
  if (!(length > 0)) throw Error("joint '" + name + "' has length 0", "use a spherical joint");
  const Joint joint = begin_joint(name, "distance", a, b, at_b);
  record(joint).on_a = in_body(a, at_a);
  add_rows(Rod{in_body(a, at_a), in_body(b, at_b), length}, a, b, {{name + ".rod", "N"}});
  return joint;
}

Mechanism::Joint SpatialMechanism::point_on_line(const std::string& name, Body a, Body b, const Point& at,
                                                 const Point& axis) {
  const Joint joint = begin_joint(name, "point-on-line", a, b, at, Across(axis, name).along);
  hold_line(name, a, b, at, axis);
  record(joint).coordinates = {displacement(a, b, at, axis)};
  return joint;
}

Mechanism::Joint SpatialMechanism::point_on_plane(const std::string& name, Body a, Body b, const Point& at,
                                                  const Point& normal) {
  const Across across(normal, name);
  const Joint joint = begin_joint(name, "point-on-plane", a, b, at, across.along);
  hold_plane(name + ".normal", a, b, at, across.along);
  record(joint).coordinates = {displacement(a, b, at, across.u), displacement(a, b, at, across.v)};
  return joint;
}

MeasurePtr SpatialMechanism::length(Body a, const Point& at_a, Body b, const Point& at_b) const {
  return measure("length", "m", Length{in_body(a, at_a), in_body(b, at_b)}, a, b);
}

MeasurePtr SpatialMechanism::displacement(Body a, Body b, const Point& at, const Point& along) const {
  const Point direction = turned_into(a, Across(along, "displacement").along);
  return measure("displacement", "m", InPlane{direction, in_body(b, at), direction.dot(in_body(a, at))}, a,
                 b);
}

}  // namespace dalembert
