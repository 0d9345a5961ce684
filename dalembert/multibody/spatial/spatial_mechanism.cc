#include "dalembert/multibody/spatial/spatial_mechanism.h"

#include "dalembert/core/error.h"
#include "dalembert/core/rotations.h"

namespace dalembert {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

void write(Entries& entries, Eigen::Index row, Eigen::Index column, const Matrix3d& block) {
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) entries.add(row + i, column + j, block(i, j));
}

/// R of e/|e|, entry by entry: products of skew matrices would cost three times as much.
Matrix3d rotation_of(const double* e) {
  const double s = 2 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
  const double x = s * e[1], y = s * e[2], z = s * e[3];
  const double wx = e[0] * x, wy = e[0] * y, wz = e[0] * z, xx = e[1] * x, xy = e[1] * y, xz = e[1] * z,
               yy = e[2] * y, yz = e[2] * z, zz = e[3] * z;
  Matrix3d R;
  R << 1 - yy - zz, xy - wz, xz + wy, xy + wz, 1 - xx - zz, yz - wx, xz - wy, yz + wx, 1 - xx - yy;
  return R;
}

}  // namespace

Mechanism::Body SpatialMechanism::body(SpatialBody body) {
  const double length = body.orientation.norm();
  if (!(length > 0)) throw Error("body '" + body.name + "' has no orientation", "give (1, 0, 0, 0)");
  body.orientation /= length;
  given_.push_back(body);
  return add(
      {.name = body.name, .mass = body.mass, .inertia = body.inertia, .positions = 7, .velocities = 6});
}

Mechanism::Body SpatialMechanism::point(SpatialPoint point) {
  given_.push_back(
      {.name = point.name, .mass = point.mass, .position = point.position, .velocity = point.velocity});
  return add({.name = point.name, .mass = point.mass, .positions = 3, .velocities = 3, .turns = false});
}

Mechanism::Body SpatialMechanism::add(BodyRecord record) {
  const Body body = add_body(std::move(record));
  const BodyRecord& is = bodies().back();
  moving_.push_back({is.mass, is.inertia, static_cast<int>(is.q), static_cast<int>(is.v), is.turns});
  return body;
}

SpatialMechanism::Point SpatialMechanism::in_body(Body b, const Point& at) const {
  if (b == ground) return at;
  if (!turns(b)) return Point::Zero();  // no extent: what is fixed to a point mass is fixed there
  return turned_into(b, at - given_[static_cast<std::size_t>(b)].position);
}

SpatialMechanism::Point SpatialMechanism::turned_into(Body b, const Point& along) const {
  if (b == ground) return along;
  return rotation_matrix(given_[static_cast<std::size_t>(b)].orientation).transpose() * along;
}

Layout SpatialMechanism::layout_anew() const {
  static const char* positions[] = {"x", "y", "z", "e0", "e1", "e2", "e3"};
  static const char* velocities[] = {"x'", "y'", "z'", "omega1", "omega2", "omega3"};
  Names names;
  for (const BodyRecord& body : bodies()) {
    for (int i = 0; i < body.positions; ++i) {
      names.q.push_back(body.name + "." + positions[i]);
      names.q_units.emplace_back(i < 3 ? "m" : "");
    }
    for (int i = 0; i < body.velocities; ++i) {
      names.v.push_back(body.name + "." + velocities[i]);
      names.v_units.emplace_back(i < 3 ? "m/s" : "rad/s");
    }
  }
  name_rest(names);
  return mechanical_layout(std::move(names));
}

State SpatialMechanism::start() const {
  const Sizes n = sizes();
  State state{0, Vector::Zero(n.q + n.v + n.s + n.rows())};
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const SpatialBody& b = given_[i];
    const BodyRecord& r = bodies()[i];
    state.y.segment<3>(r.q) = b.position;
    state.y.segment<3>(n.q + r.v) = b.velocity;
    if (r.turns) {
      state.y.segment<4>(r.q + 3) = b.orientation;
      state.y.segment<3>(n.q + r.v + 3) = b.spin;
    }
  }
  state.y.segment(n.q + n.v, n.s) = start_of_states();
  return state;
}

std::unique_ptr<Placement> SpatialMechanism::placement() const {
  auto place = std::make_unique<SpatialPlacement>();
  place->frames.resize(given_.size() + 1);
  return place;
}

/// R is that of e/|e|: a quaternion whose length drifts does no harm.
void SpatialMechanism::place(Placement& at) const {
  SpatialFrame* frame = static_cast<SpatialPlacement&>(at).frames.data();
  for (const Moving& b : moving_) {
    ++frame;
    frame->r = at.q.segment<3>(b.q);
    if (b.turns) frame->R = rotation_of(at.q.data() + b.q + 3);
  }
}

void SpatialMechanism::tangent(const Placement& at, In u, Out dq) const {
  for (const Moving& b : moving_) {
    dq.segment<3>(b.q) = u.segment<3>(b.v);
    if (!b.turns) continue;
    Eigen::Vector4d spin;
    spin << 0, u.segment<3>(b.v + 3) / 2;
    dq.segment<4>(b.q + 3) = compose(at.q.segment<4>(b.q + 3), spin);
  }
}

void SpatialMechanism::advance(const Placement& at, In u, Out q) const {
  for (const Moving& b : moving_) {
    q.segment<3>(b.q) = at.q.segment<3>(b.q) + u.segment<3>(b.v);
    if (b.turns)
      q.segment<4>(b.q + 3) =
          compose(at.q.segment<4>(b.q + 3), quaternion_of(u.segment<3>(b.v + 3))).normalized();
  }
}

void SpatialMechanism::difference(In from, In to, Out u) const {
  for (const BodyRecord& b : bodies()) {
    u.segment<3>(b.v) = to.segment<3>(b.q) - from.segment<3>(b.q);
    if (b.turns)
      u.segment<3>(b.v + 3) =
          rotation_vector_of(compose(conjugate(from.segment<4>(b.q + 3)), to.segment<4>(b.q + 3)));
  }
}

void SpatialMechanism::kinematics(const Placement& at, In v, Kinematics& k) const {
  for (Entries* block : {&k.N, &k.inverse, &k.Nv_q}) block->begin();
  for (const BodyRecord& b : bodies()) {
    const Eigen::Index q = b.q, u = b.v;
    for (Eigen::Index i = 0; i < 3; ++i) k.N.add(q + i, u + i, 1), k.inverse.add(u + i, q + i, 1);
    if (!b.turns) continue;
    const Eigen::Vector4d e = at.q.segment<4>(q + 3);
    // e' = E omega with E'E = |e|^2/4
    Eigen::Matrix<double, 4, 3> E;
    E << -e.tail<3>().transpose(), e[0] * Matrix3d::Identity() + skew(e.tail<3>());
    E /= 2;
    for (Eigen::Index i = 0; i < 4; ++i)
      for (Eigen::Index j = 0; j < 3; ++j) {
        k.N.add(q + 3 + i, u + 3 + j, E(i, j));
        k.inverse.add(u + 3 + j, q + 3 + i, 4 / e.squaredNorm() * E(i, j));
      }
    const Vector3d half = v.segment<3>(u + 3) / 2;
    for (Eigen::Index i = 0; i < 3; ++i) {
      k.Nv_q.add(q + 3, q + 4 + i, -half[i]);
      k.Nv_q.add(q + 4 + i, q + 3, half[i]);
    }
    write(k.Nv_q, q + 4, q + 4, -skew(half));
  }
  for (Entries* block : {&k.N, &k.inverse, &k.Nv_q}) block->end();
}

void SpatialMechanism::mass(const Placement&, Entries& M) const {
  if (M.written(stamp())) return;  // it does not depend on the position
  M.begin();
  for (const Moving& b : moving_) {
    for (Eigen::Index i = 0; i < 3; ++i) M.add(b.v + i, b.v + i, b.mass);
    if (!b.turns) continue;
    const bool diagonal = b.inertia.isDiagonal(0);
    for (Eigen::Index i = 0; i < 3; ++i)
      for (Eigen::Index j = 0; j < 3; ++j)
        if (i == j || !diagonal) M.add(b.v + 3 + i, b.v + 3 + j, b.inertia(i, j));
  }
  M.end(stamp());
}

void SpatialMechanism::body_force(const Placement&, In v, Out f) const {
  for (const Moving& b : moving_) {
    f.segment<3>(b.v) = b.mass * gravity_;
    if (!b.turns) continue;
    const Vector3d omega = v.segment<3>(b.v + 3);
    f.segment<3>(b.v + 3) = (b.inertia * omega).cross(omega);
  }
}

void SpatialMechanism::body_derivatives(const Placement&, In v, Derivatives& d) const {
  for (const BodyRecord& b : bodies()) {
    if (!b.turns) continue;
    const Vector3d omega = v.segment<3>(b.v + 3);
    write(d.D, b.v + 3, b.v + 3, skew(omega) * b.inertia - skew(b.inertia * omega));
  }
}

double SpatialMechanism::body_energy(const Placement& at, In v) const {
  double sum = 0;
  for (const BodyRecord& b : bodies()) {
    sum += b.mass * (v.segment<3>(b.v).squaredNorm() / 2 - gravity_.dot(at.q.segment<3>(b.q)));
    if (!b.turns) continue;
    const Vector3d omega = v.segment<3>(b.v + 3);
    sum += omega.dot(b.inertia * omega) / 2;
  }
  return sum;
}

}  // namespace dalembert
