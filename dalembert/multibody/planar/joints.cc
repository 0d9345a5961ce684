// Joints of PlanarMechanism.
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/multibody/planar/gear.h"
#include "dalembert/multibody/planar/making.h"

namespace dalembert {

using namespace planar;

Mechanism::Joint PlanarMechanism::begin_joint(const std::string& name, const char* kind, Body a, Body b,
                                              Point2 p, Point2 along) {
  if (a == b) throw Error("joint '" + name + "' joins a body to itself", "name two bodies");
  const auto lifted = [](Point2 flat) { return Eigen::Vector3d(flat[0], flat[1], 0); };
  return add_joint({.name = name,
                    .kind = kind,
                    .a = a,
                    .b = b,
                    .on_a = lifted(in_body(a, p)),
                    .on_b = lifted(in_body(b, p)),
                    .axis_a = lifted(turned_into(a, along)),
                    .axis_b = lifted(turned_into(b, along))});
}

void PlanarMechanism::hold_point(const std::string& name, Body a, Body b, Point2 p) {
  add_rows(Pin{in_body(a, p), in_body(b, p)}, a, b, {{name + ".x", "N"}, {name + ".y", "N"}});
}

void PlanarMechanism::hold_line(const std::string& name, Body a, Body b, Point2 p, Point2 along) {
  must_turn(name, {a});
  const Point2 direction = turned_into(a, unit(along, name)), normal{-direction[1], direction[0]};
  const Point2 on_a = in_body(a, p);
  add_rows(Slot{normal, in_body(b, p), normal[0] * on_a[0] + normal[1] * on_a[1]}, a, b,
           {{name + ".normal", "N"}});
}

/// Nothing to hold where one of the two is a point mass.
void PlanarMechanism::hold_angle(const std::string& name, Body a, Body b) {
  if (turns(a) && turns(b))
    add_rows(Turning{1, angle_at_start(b) - angle_at_start(a)}, a, b, {{name + ".moment", "N m"}});
}

Mechanism::Joint PlanarMechanism::revolute(const std::string& name, Body a, Body b, Point2 p) {
  const Joint joint = begin_joint(name, "revolute", a, b, p);
  record(joint).axis_a = record(joint).axis_b = Eigen::Vector3d::UnitZ();
  if (turns(a) && turns(b)) record(joint).coordinates = {angle(a, b)};
  hold_point(name, a, b, p);
  return joint;
}

Mechanism::Joint PlanarMechanism::slot(const std::string& name, Body a, Body b, Point2 p, Point2 along) {
  const Joint joint = begin_joint(name, "slot", a, b, p, unit(along, name));
  record(joint).coordinates = {displacement(a, b, p, along)};
  if (turns(a) && turns(b)) record(joint).coordinates.push_back(angle(a, b));
  hold_line(name, a, b, p, along);
  return joint;
}

Mechanism::Joint PlanarMechanism::prismatic(const std::string& name, Body a, Body b, Point2 p, Point2 along) {
  const Joint joint = begin_joint(name, "prismatic", a, b, p, unit(along, name));
  record(joint).coordinates = {displacement(a, b, p, along)};
  hold_line(name, a, b, p, along);
  hold_angle(name, a, b);
  return joint;
}

Mechanism::Joint PlanarMechanism::fixed(const std::string& name, Body a, Body b, Point2 p) {
  const Joint joint = begin_joint(name, "fixed", a, b, p);
  hold_point(name, a, b, p);
  hold_angle(name, a, b);
  return joint;
}

Mechanism::Joint PlanarMechanism::gear(const std::string& name, Body a, Body b, double ratio, Body carrier) {
  const std::array<Body, 3> wheels{a, b, carrier};
  const std::array<double, 3> factors{-ratio, 1, ratio - 1};
  GearRows::Gear gear{{-1, -1, -1}, factors, 0, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    must_turn(name, {wheels[i]});
    if (wheels[i] != ground) gear.columns[i] = end_of(wheels[i]).first + 2;
    gear.constant += factors[i] * angle_at_start(wheels[i]);
  }
  if (carrier != ground && (carrier == a || carrier == b))
    throw Error("gear '" + name + "' has a wheel that carries itself", "let the carrier be a third body");
  const Joint joint = begin_joint(name, "gear", a, b, {});
  gear.row = name_rows(Rows::Level::position, {{name + ".moment", "N m"}});
  rows<GearRows>().gears.push_back(gear);
  return joint;
}

/// Where the wheel sits on its line; the radius counts negative to the right of it.
struct PlanarMechanism::Rim {
  Point2 centre, along;
  double radius;
};

PlanarMechanism::Rim PlanarMechanism::rim(const std::string& name, Body a, Body b, Point2 p, Point2 direction,
                                          const PlanarWheel& wheel) const {
  must_turn(name, {a, b});
  if (b == ground) throw Error("joint '" + name + "' rolls the ground", "name the wheel second");
  const Point2 along = unit(direction, name),
               centre = wheel.centre.value_or(given_[static_cast<std::size_t>(b)].position);
  const double above = along[0] * (centre[1] - p[1]) - along[1] * (centre[0] - p[0]);
  if (above == 0)
    throw Error("joint '" + name + "' has a wheel whose centre lies on its line",
                "'at' is a point of the line");
  if (wheel.radius && !(*wheel.radius > 0))
    throw Error("joint '" + name + "' has a radius that is not positive");
  return {centre, along, std::copysign(wheel.radius.value_or(std::abs(above)), above)};
}

Mechanism::Joint PlanarMechanism::add_wheel(const std::string& name, const char* kind, Body a, Body b,
                                            const Rim& rim) {
  const Joint joint = begin_joint(name, kind, a, b, rim.centre, rim.along);
  record(joint).coordinates = {displacement(a, b, rim.centre, rim.along), angle(a, b)};
  const Point2 along = turned_into(a, rim.along), on_a = in_body(a, rim.centre);
  add_rows(Roll{{along, in_body(b, rim.centre), along[0] * on_a[0] + along[1] * on_a[1]},
                rim.radius,
                angle_at_start(b) - angle_at_start(a)},
           a, b, {{name + ".along", "N"}});
  return joint;
}

Mechanism::Joint PlanarMechanism::rack(const std::string& name, Body a, Body b, Point2 p, Point2 along,
                                       PlanarWheel wheel) {
  return add_wheel(name, "rack", a, b, rim(name, a, b, p, along, wheel));
}

Mechanism::Joint PlanarMechanism::rolling(const std::string& name, Body a, Body b, Point2 p, Point2 along,
                                          PlanarWheel wheel) {
  const Rim on = rim(name, a, b, p, along, wheel);
  const Joint joint = add_wheel(name, "rolling", a, b, on);
  const Point2 direction = turned_into(a, on.along), normal{-direction[1], direction[0]},
               on_a = in_body(a, p);
  add_rows(Slot{normal, in_body(b, on.centre), normal[0] * on_a[0] + normal[1] * on_a[1] + on.radius}, a, b,
           {{name + ".normal", "N"}});
  return joint;
}

Mechanism::Joint PlanarMechanism::distance(const std::string& name, Body a, Point2 at_a, Body b, Point2 at_b,
                                           double length) {
  if (length == 0) length = std::hypot(at_b[0] - at_a[0], at_b[1] - at_a[1]);
  if (!(length > 0)) throw Error("joint '" + name + "' has length 0", "use a revolute joint");
  const Joint joint = begin_joint(name, "distance", a, b, at_b);
  const Point2 on_a = in_body(a, at_a);
  record(joint).on_a = {on_a[0], on_a[1], 0};
  add_rows(Rod{on_a, in_body(b, at_b), length}, a, b, {{name + ".rod", "N"}});
  return joint;
}

MeasurePtr PlanarMechanism::length(Body a, Point2 at_a, Body b, Point2 at_b) const {
  return measure("length", "m", Length{in_body(a, at_a), in_body(b, at_b)}, a, b);
}

MeasurePtr PlanarMechanism::angle(Body a, Body b) const {
  return measure("angle", "rad", Turning{1, angle_at_start(b) - angle_at_start(a)}, a, b);
}

MeasurePtr PlanarMechanism::displacement(Body a, Body b, Point2 p, Point2 along) const {
  const Point2 direction = turned_into(a, unit(along, "displacement")), on_a = in_body(a, p);
  return measure("displacement", "m",
                 Slot{direction, in_body(b, p), direction[0] * on_a[0] + direction[1] * on_a[1]}, a, b);
}

}  // namespace dalembert
