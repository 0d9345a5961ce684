#include "dalembert/multibody/planar.h"

#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/multibody/planar_rows.h"

namespace dalembert {

using namespace planar;

namespace {

std::size_t at(Eigen::Index i) {
  return static_cast<std::size_t>(i);
}

Point2 unit(Point2 along, const std::string& name) {
  const double length = std::hypot(along[0], along[1]);
  if (!(length > 0)) throw Error("joint '" + name + "' has no direction", "give a vector that is not zero");
  return {along[0] / length, along[1] / length};
}

}  // namespace

Mechanism::Body PlanarMechanism::body(PlanarBody body) {
  BodyRecord record{.name = body.name, .mass = body.mass, .positions = 3, .velocities = 3};
  record.inertia(2, 2) = body.inertia;
  given_.push_back(std::move(body));
  return add(std::move(record));
}

Mechanism::Body PlanarMechanism::point(PlanarPoint point) {
  BodyRecord record{.name = point.name, .mass = point.mass, .positions = 2, .velocities = 2};
  given_.push_back(
      {.name = point.name, .mass = point.mass, .position = point.position, .velocity = point.velocity});
  return add(std::move(record));
}

Mechanism::Body PlanarMechanism::add(BodyRecord record) {
  const Body body = add_body(std::move(record));
  const BodyRecord& is = bodies().back();
  moving_.push_back({is.mass, is.inertia(2, 2), static_cast<int>(is.q), static_cast<int>(is.v), is.positions == 3});
  return body;
}

Point2 PlanarMechanism::in_body(Body b, Point2 p) const {
  if (b == ground) return p;
  const PlanarBody& body = given_[at(b)];
  return turned_into(b, {p[0] - body.position[0], p[1] - body.position[1]});
}

Point2 PlanarMechanism::turned_into(Body b, Point2 along) const {
  if (b == ground) return along;
  const SinCos turn = sin_cos(given_[at(b)].angle);
  return {turn.cos * along[0] + turn.sin * along[1], -turn.sin * along[0] + turn.cos * along[1]};
}

template <class Kind>
void PlanarMechanism::add_rows(const Kind& kind, Body a, Body b, const std::vector<RowName>& names) {
  auto& set = rows<PlanarRows<Kind>>();
  set.joints.push_back({kind, {end_of(a), end_of(b)}, name_rows(set.level(), names)});
}

template <class Kind>
MeasurePtr PlanarMechanism::measure(const char* name, const char* unit, const Kind& kind, Body a,
                                    Body b) const {
  return std::make_shared<MeasureOf<Space, Kind>>(name, unit, kind, Ends<3>{end_of(a), end_of(b)});
}

Mechanism::Joint PlanarMechanism::add(const std::string& name, const char* kind, Body a, Body b, Point2 p,
                                      Point2 along) {
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
  const Point2 direction = turned_into(a, unit(along, name)), normal{-direction[1], direction[0]};
  const Point2 on_a = in_body(a, p);
  add_rows(Slot{normal, in_body(b, p), normal[0] * on_a[0] + normal[1] * on_a[1]}, a, b,
           {{name + ".normal", "N"}});
}

void PlanarMechanism::hold_angle(const std::string& name, Body a, Body b, double ratio) {
  const auto angle = [&](Body body) { return body == ground ? 0 : given_[at(body)].angle; };
  add_rows(Turning{ratio, angle(b) - ratio * angle(a)}, a, b, {{name + ".moment", "N m"}});
}

Mechanism::Joint PlanarMechanism::revolute(const std::string& name, Body a, Body b, Point2 p) {
  const Joint joint = add(name, "revolute", a, b, p);
  record(joint).axis_a = record(joint).axis_b = Eigen::Vector3d::UnitZ();
  record(joint).coordinates = {angle(a, b)};
  hold_point(name, a, b, p);
  return joint;
}

Mechanism::Joint PlanarMechanism::slot(const std::string& name, Body a, Body b, Point2 p, Point2 along) {
  const Joint joint = add(name, "slot", a, b, p, unit(along, name));
  record(joint).coordinates = {displacement(a, b, p, along)};
  hold_line(name, a, b, p, along);
  return joint;
}

Mechanism::Joint PlanarMechanism::prismatic(const std::string& name, Body a, Body b, Point2 p, Point2 along) {
  const Joint joint = add(name, "prismatic", a, b, p, unit(along, name));
  record(joint).coordinates = {displacement(a, b, p, along)};
  hold_line(name, a, b, p, along);
  hold_angle(name, a, b, 1);
  return joint;
}

Mechanism::Joint PlanarMechanism::fixed(const std::string& name, Body a, Body b, Point2 p) {
  const Joint joint = add(name, "fixed", a, b, p);
  hold_point(name, a, b, p);
  hold_angle(name, a, b, 1);
  return joint;
}

Mechanism::Joint PlanarMechanism::gear(const std::string& name, Body a, Body b, double ratio) {
  const Joint joint = add(name, "gear", a, b, {});
  hold_angle(name, a, b, ratio);
  return joint;
}

Mechanism::Joint PlanarMechanism::distance(const std::string& name, Body a, Point2 at_a, Body b, Point2 at_b,
                                           double length) {
  if (length == 0) length = std::hypot(at_b[0] - at_a[0], at_b[1] - at_a[1]);
  if (!(length > 0)) throw Error("joint '" + name + "' has length 0", "use a revolute joint");
  const Joint joint = add(name, "distance", a, b, at_b);
  const Point2 on_a = in_body(a, at_a);
  record(joint).on_a = {on_a[0], on_a[1], 0};
  add_rows(Rod{on_a, in_body(b, at_b), length}, a, b, {{name + ".rod", "N"}});
  return joint;
}

Mechanism::Joint PlanarMechanism::knife_edge(const std::string& name, Body b, Point2 p, Point2 along) {
  const Joint joint = add(name, "knife-edge", ground, b, p, unit(along, name));
  const Point2 direction = turned_into(b, unit(along, name));
  add_rows(Blade{{-direction[1], direction[0]}, in_body(b, p)}, ground, b, {{name + ".side", "N"}});
  return joint;
}

MeasurePtr PlanarMechanism::length(Body a, Point2 at_a, Body b, Point2 at_b) const {
  return measure("length", "m", Length{in_body(a, at_a), in_body(b, at_b)}, a, b);
}

MeasurePtr PlanarMechanism::angle(Body a, Body b) const {
  const auto start = [&](Body body) { return body == ground ? 0 : given_[at(body)].angle; };
  return measure("angle", "rad", Turning{1, start(b) - start(a)}, a, b);
}

MeasurePtr PlanarMechanism::displacement(Body a, Body b, Point2 p, Point2 along) const {
  const Point2 direction = turned_into(a, unit(along, "displacement")), on_a = in_body(a, p);
  return measure("displacement", "m",
                 Slot{direction, in_body(b, p), direction[0] * on_a[0] + direction[1] * on_a[1]}, a, b);
}

Layout PlanarMechanism::layout() const {
  Names names;
  for (const BodyRecord& body : bodies())
    for (int i = 0; i < body.positions; ++i) {
      const std::string label = body.name + (i == 0 ? ".x" : i == 1 ? ".y" : ".angle");
      names.q.push_back(label);
      names.v.push_back(label + "'");
      names.q_units.emplace_back(i == 2 ? "rad" : "m");
      names.v_units.emplace_back(i == 2 ? "rad/s" : "m/s");
    }
  name_rest(names);
  return mechanical_layout(std::move(names));
}

State PlanarMechanism::start() const {
  const Sizes n = sizes();
  State state{0, Vector::Zero(n.q + n.v + n.s + n.rows())};
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const PlanarBody& b = given_[i];
    const BodyRecord& r = bodies()[i];
    state.y.segment(r.q, r.positions) =
        Eigen::Vector3d(b.position[0], b.position[1], b.angle).head(r.positions);
    state.y.segment(n.q + r.v, r.velocities) =
        Eigen::Vector3d(b.velocity[0], b.velocity[1], b.spin).head(r.velocities);
  }
  state.y.segment(n.q + n.v, n.s) = start_of_states();
  return state;
}

std::unique_ptr<Placement> PlanarMechanism::placement() const {
  auto place = std::make_unique<PlanarPlacement>();
  place->frames.resize(given_.size() + 1);
  return place;
}

void PlanarMechanism::place(Placement& at) const {
  PlanarFrame* frame = static_cast<PlanarPlacement&>(at).frames.data();
  for (const Moving& body : moving_) {
    ++frame;
    const double* q = at.q.data() + body.q;
    frame->x = q[0], frame->y = q[1];
    if (!body.turns) continue;
    frame->phi = q[2];
    frame->turn = sin_cos(q[2]);
  }
}

void PlanarMechanism::mass(const Placement&, Entries& M) const {
  if (M.written()) return;  // it does not depend on the position
  M.begin();
  for (const Moving& body : moving_) {
    M.add(body.v, body.v, body.mass);
    M.add(body.v + 1, body.v + 1, body.mass);
    if (body.turns) M.add(body.v + 2, body.v + 2, body.inertia);
  }
  M.end();
}

void PlanarMechanism::body_force(const Placement&, In, Out f) const {
  for (const Moving& body : moving_) {
    double* to = f.data() + body.v;
    to[0] = body.mass * gravity_[0], to[1] = body.mass * gravity_[1];
    if (body.turns) to[2] = 0;
  }
}

double PlanarMechanism::body_energy(const Placement& at, In v) const {
  double sum = 0;
  for (const BodyRecord& body : bodies()) {
    const double x = v[body.v], y = v[body.v + 1];
    sum += body.mass * ((x * x + y * y) / 2 - gravity_[0] * at.q[body.q] - gravity_[1] * at.q[body.q + 1]);
    if (body.velocities == 3) sum += body.inertia(2, 2) * v[body.v + 2] * v[body.v + 2] / 2;
  }
  return sum;
}

}  // namespace dalembert
