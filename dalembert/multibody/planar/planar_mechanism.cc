#include "dalembert/multibody/planar/planar_mechanism.h"

#include "dalembert/core/index.h"

namespace dalembert {

Mechanism::Body PlanarMechanism::body(PlanarBody body) {
  BodyRecord record{.name = body.name, .mass = body.mass, .positions = 3, .velocities = 3};
  record.inertia(2, 2) = body.inertia;
  given_.push_back(std::move(body));
  return add(std::move(record));
}

Mechanism::Body PlanarMechanism::point(PlanarPoint point) {
  BodyRecord record{.name = point.name, .mass = point.mass, .positions = 2, .velocities = 2, .turns = false};
  given_.push_back(
      {.name = point.name, .mass = point.mass, .position = point.position, .velocity = point.velocity});
  return add(std::move(record));
}

Mechanism::Body PlanarMechanism::add(BodyRecord record) {
  const Body body = add_body(std::move(record));
  const BodyRecord& is = bodies().back();
  moving_.push_back(
      {is.mass, is.inertia(2, 2), static_cast<int>(is.q), static_cast<int>(is.v), is.positions == 3});
  return body;
}

Point2 PlanarMechanism::in_body(Body b, Point2 p) const {
  if (b == ground) return p;
  if (!turns(b)) return {0, 0};  // no extent: what is fixed to a point mass is fixed there
  const PlanarBody& body = given_[at(b)];
  return turned_into(b, {p[0] - body.position[0], p[1] - body.position[1]});
}

Point2 PlanarMechanism::turned_into(Body b, Point2 along) const {
  if (b == ground) return along;
  const SinCos turn = sin_cos(given_[at(b)].angle);
  return {turn.cos * along[0] + turn.sin * along[1], -turn.sin * along[0] + turn.cos * along[1]};
}

double PlanarMechanism::angle_at_start(Body b) const {
  return b == ground ? 0 : given_[at(b)].angle;
}

Layout PlanarMechanism::layout_anew() const {
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
  std::array<PlanarFrame*, 4> waiting;  // for their sines, which are taken four at a time
  std::size_t n = 0;
  for (const Moving& body : moving_) {
    ++frame;
    const double* q = at.q.data() + body.q;
    frame->x = q[0], frame->y = q[1];
    if (!body.turns) continue;
    frame->phi = q[2];
    waiting[n++] = frame;
    if (n < waiting.size()) continue;
    const auto four = sin_cos(waiting[0]->phi, waiting[1]->phi, waiting[2]->phi, waiting[3]->phi);
    for (n = 0; n < four.size(); ++n) waiting[n]->turn = four[n];
    n = 0;
  }
  for (std::size_t i = 0; i < n; ++i) waiting[i]->turn = sin_cos(waiting[i]->phi);
}

void PlanarMechanism::mass(const Placement&, Entries& M) const {
  if (M.written(stamp())) return;  // it does not depend on the position
  M.begin();
  for (const Moving& body : moving_) {
    M.add(body.v, body.v, body.mass);
    M.add(body.v + 1, body.v + 1, body.mass);
    if (body.turns) M.add(body.v + 2, body.v + 2, body.inertia);
  }
  M.end(stamp());
}

void PlanarMechanism::body_force(const Placement&, In, Out f) const {
  for (const Moving& body : moving_) {
    double* to = f.data() + body.v;
    to[0] = body.mass * gravity_[0], to[1] = body.mass * gravity_[1];
    if (body.turns) to[2] = 0;
  }
}

void PlanarMechanism::sums(const Placement& at, In v, In s, In a, In l, Out motion, Out rows) const {
  const double sign = has_forces() ? -1 : 1;  // forces add up to f
  for (const Moving& body : moving_) {
    const double* of = a.data() + body.v;
    double* to = motion.data() + body.v;
    const double mass = sign * body.mass;
    to[0] = mass * (of[0] - gravity_[0]), to[1] = mass * (of[1] - gravity_[1]);
    if (body.turns) to[2] = sign * body.inertia * of[2];
  }
  if (has_forces()) {
    add_forces(at, v, s, motion);
    for (Eigen::Index i = 0; i < motion.size(); ++i) motion[i] = -motion[i];
  }
  add_row_sums(at, v, a, l, motion, rows);
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
