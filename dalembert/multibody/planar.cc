#include "dalembert/multibody/planar.h"

#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/multibody/planar_forces.h"
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

PlanarMechanism::Body PlanarMechanism::body(PlanarBody body) {
  bodies_.push_back(std::move(body));
  return static_cast<Body>(bodies_.size()) - 1;
}

Point2 PlanarMechanism::in_body(Body b, Point2 p) const {
  if (b == ground) return p;
  const PlanarBody& body = bodies_[at(b)];
  return turned_into(b, {p[0] - body.position[0], p[1] - body.position[1]});
}

Point2 PlanarMechanism::turned_into(Body b, Point2 along) const {
  if (b == ground) return along;
  const SinCos turn = sin_cos(bodies_[at(b)].angle);
  return {turn.cos * along[0] + turn.sin * along[1], -turn.sin * along[0] + turn.cos * along[1]};
}

template <class Kind>
void PlanarMechanism::add_rows(const Kind& kind, Body a, Body b, const std::vector<RowName>& names) {
  auto& set = rows<PlanarRows<Kind>>();
  set.joints.push_back({kind, {a, b}, name_rows(set.level(), names)});
}

void PlanarMechanism::revolute(const std::string& name, Body a, Body b, Point2 p) {
  add_rows(Pin{in_body(a, p), in_body(b, p)}, a, b, {{name + ".x", "N"}, {name + ".y", "N"}});
}

void PlanarMechanism::slot(const std::string& name, Body a, Body b, Point2 p, Point2 along) {
  const Point2 direction = turned_into(a, unit(along, name)), normal{-direction[1], direction[0]};
  const Point2 on_a = in_body(a, p);
  add_rows(Slot{normal, in_body(b, p), normal[0] * on_a[0] + normal[1] * on_a[1]}, a, b,
           {{name + ".normal", "N"}});
}

void PlanarMechanism::prismatic(const std::string& name, Body a, Body b, Point2 p, Point2 along) {
  slot(name, a, b, p, along);
  hold_angle(name, a, b, 1, {});
}

void PlanarMechanism::fixed(const std::string& name, Body a, Body b, Point2 p) {
  revolute(name, a, b, p);
  hold_angle(name, a, b, 1, {});
}

void PlanarMechanism::gear(const std::string& name, Body a, Body b, double ratio) {
  hold_angle(name, a, b, ratio, {});
}

void PlanarMechanism::drive_angle(const std::string& name, Body a, Body b, Motion f) {
  hold_angle(name, a, b, 1, std::move(f));
}

void PlanarMechanism::hold_angle(const std::string& name, Body a, Body b, double ratio, Motion f) {
  const auto angle = [&](Body body) { return body == ground ? 0 : bodies_[at(body)].angle; };
  add_rows(Turning{ratio, angle(b) - ratio * angle(a), std::move(f)}, a, b, {{name + ".moment", "N m"}});
}

void PlanarMechanism::distance(const std::string& name, Body a, Point2 at_a, Body b, Point2 at_b,
                               double length) {
  if (length == 0) length = std::hypot(at_b[0] - at_a[0], at_b[1] - at_a[1]);
  if (!(length > 0)) throw Error("joint '" + name + "' has length 0", "use a revolute joint");
  add_rows(Rod{in_body(a, at_a), in_body(b, at_b), length}, a, b, {{name + ".rod", "N"}});
}

void PlanarMechanism::knife_edge(const std::string& name, Body b, Point2 p, Point2 along) {
  const Point2 direction = turned_into(b, unit(along, name));
  add_rows(Blade{{-direction[1], direction[0]}, in_body(b, p)}, ground, b, {{name + ".side", "N"}});
}

void PlanarMechanism::spring(Spring spring) {
  forces<PlanarSprings>().springs.push_back({{spring.a, spring.b},
                                             in_body(spring.a, spring.at_a),
                                             in_body(spring.b, spring.at_b),
                                             spring.stiffness,
                                             spring.damping,
                                             spring.length});
}

Mechanical::Sizes PlanarMechanism::sizes() const {
  Sizes n;
  n.q = n.v = static_cast<Eigen::Index>(3 * bodies_.size());
  count_rows(n);
  return n;
}

Layout PlanarMechanism::layout() const {
  Names names;
  for (const PlanarBody& body : bodies_)
    for (const char* what : {"x", "y", "angle"}) {
      const bool angle = what[0] == 'a';
      names.q.push_back(body.name + "." + what);
      names.v.push_back(body.name + "." + what + "'");
      names.q_units.emplace_back(angle ? "rad" : "m");
      names.v_units.emplace_back(angle ? "rad/s" : "m/s");
    }
  name_multipliers(names);
  return mechanical_layout(std::move(names));
}

State PlanarMechanism::start() const {
  const Sizes n = sizes();
  State state{0, Vector::Zero(n.q + n.v + n.rows())};
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const PlanarBody& b = bodies_[i];
    const auto k = static_cast<Eigen::Index>(3 * i);
    state.y.segment<3>(k) << b.position[0], b.position[1], b.angle;
    state.y.segment<3>(n.q + k) << b.velocity[0], b.velocity[1], b.spin;
  }
  return state;
}

std::unique_ptr<Placement> PlanarMechanism::placement() const {
  auto place = std::make_unique<PlanarPlacement>();
  place->turn.resize(bodies_.size());
  return place;
}

void PlanarMechanism::place(Placement& at) const {
  auto& turn = static_cast<PlanarPlacement&>(at).turn;
  for (std::size_t i = 0; i < turn.size(); ++i) turn[i] = sin_cos(at.q[static_cast<Eigen::Index>(3 * i + 2)]);
}

void PlanarMechanism::mass(const Placement&, Entries& M) const {
  M.begin();
  Eigen::Index k = 0;
  for (const PlanarBody& body : bodies_) {
    M.add(k, k, body.mass);
    M.add(k + 1, k + 1, body.mass);
    M.add(k + 2, k + 2, body.inertia);
    k += 3;
  }
  M.end();
}

void PlanarMechanism::body_force(const Placement&, In, Out f) const {
  Eigen::Index k = 0;
  for (const PlanarBody& body : bodies_) {
    f[k] = body.mass * gravity_[0];
    f[k + 1] = body.mass * gravity_[1];
    f[k + 2] = 0;
    k += 3;
  }
}

double PlanarMechanism::body_energy(const Placement& at, In v) const {
  double sum = 0;
  Eigen::Index k = 0;
  for (const PlanarBody& body : bodies_) {
    sum += body.mass *
               ((v[k] * v[k] + v[k + 1] * v[k + 1]) / 2 - gravity_[0] * at.q[k] - gravity_[1] * at.q[k + 1]) +
           body.inertia * v[k + 2] * v[k + 2] / 2;
    k += 3;
  }
  return sum;
}

}  // namespace dalembert
