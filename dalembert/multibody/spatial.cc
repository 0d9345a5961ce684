#include "dalembert/multibody/spatial.h"

#include "dalembert/core/error.h"
#include "dalembert/multibody/spatial_rows.h"

namespace dalembert {

using namespace spatial;

namespace {

/// Two directions at right angles to an axis and to each other.
struct Across {
  Across(const Vector3d& axis, const std::string& name) {
    if (!(axis.norm() > 0)) throw Error("joint '" + name + "' has no axis", "give a vector that is not zero");
    along = axis.normalized();
    u = along.unitOrthogonal();
    v = along.cross(u);
  }
  Vector3d along, u, v;
};

void write(Entries& entries, Eigen::Index row, Eigen::Index column, const Matrix3d& block) {
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) entries.add(row + i, column + j, block(i, j));
}

}  // namespace

Mechanism::Body SpatialMechanism::body(SpatialBody body) {
  const double length = body.orientation.norm();
  if (!(length > 0)) throw Error("body '" + body.name + "' has no orientation", "give (1, 0, 0, 0)");
  body.orientation /= length;
  bodies_.push_back(std::move(body));
  return static_cast<Body>(bodies_.size()) - 1;
}

SpatialMechanism::Point SpatialMechanism::in_body(Body b, const Point& at) const {
  return b == ground ? at : turned_into(b, at - bodies_[static_cast<std::size_t>(b)].position);
}

SpatialMechanism::Point SpatialMechanism::turned_into(Body b, const Point& along) const {
  if (b == ground) return along;
  return rotation_matrix(bodies_[static_cast<std::size_t>(b)].orientation).transpose() * along;
}

template <class Kind>
void SpatialMechanism::add_rows(const Kind& kind, Body a, Body b, const std::vector<RowName>& names) {
  auto& set = rows<SpatialRows<Kind>>();
  set.joints.push_back({kind, {a, b}, name_rows(set.level(), names)});
}

void SpatialMechanism::hold_point(const std::string& name, Body a, Body b, const Point& at) {
  add_rows(Ball{in_body(a, at), in_body(b, at)}, a, b,
           {{name + ".x", "N"}, {name + ".y", "N"}, {name + ".z", "N"}});
}
void SpatialMechanism::hold_angle(const std::string& row, Body a, Body b, const Point& along_a,
                                  const Point& along_b) {
  add_rows(Perpendicular{turned_into(a, along_a), turned_into(b, along_b)}, a, b, {{row, "N m"}});
}
void SpatialMechanism::hold_plane(const std::string& row, Body a, Body b, const Point& at,
                                  const Point& normal) {
  const Point n = turned_into(a, normal);
  add_rows(InPlane{n, in_body(b, at), n.dot(in_body(a, at))}, a, b, {{row, "N"}});
}

void SpatialMechanism::spherical(const std::string& name, Body a, Body b, const Point& at) {
  hold_point(name, a, b, at);
}

void SpatialMechanism::revolute(const std::string& name, Body a, Body b, const Point& at, const Point& axis) {
  const Across across(axis, name);
  hold_point(name, a, b, at);
  hold_angle(name + ".moment_u", a, b, across.u, across.along);
  hold_angle(name + ".moment_v", a, b, across.v, across.along);
}

void SpatialMechanism::universal(const std::string& name, Body a, Body b, const Point& at,
                                 const Point& axis_a, const Point& axis_b) {
  hold_point(name, a, b, at);
  hold_angle(name + ".moment", a, b, Across(axis_a, name).along, Across(axis_b, name).along);
}

void SpatialMechanism::cylindrical(const std::string& name, Body a, Body b, const Point& at,
                                   const Point& axis) {
  const Across across(axis, name);
  point_on_line(name, a, b, at, axis);
  hold_angle(name + ".moment_u", a, b, across.u, across.along);
  hold_angle(name + ".moment_v", a, b, across.v, across.along);
}

void SpatialMechanism::prismatic(const std::string& name, Body a, Body b, const Point& at,
                                 const Point& axis) {
  const Across across(axis, name);
  cylindrical(name, a, b, at, axis);
  hold_angle(name + ".moment_axis", a, b, across.u, across.v);
}

void SpatialMechanism::planar(const std::string& name, Body a, Body b, const Point& at, const Point& normal) {
  const Across across(normal, name);
  hold_plane(name + ".normal", a, b, at, across.along);
  hold_angle(name + ".moment_u", a, b, across.u, across.along);
  hold_angle(name + ".moment_v", a, b, across.v, across.along);
}

void SpatialMechanism::fixed(const std::string& name, Body a, Body b, const Point& at) {
  hold_point(name, a, b, at);
  hold_angle(name + ".moment_x", a, b, Point::UnitY(), Point::UnitZ());
  hold_angle(name + ".moment_y", a, b, Point::UnitZ(), Point::UnitX());
  hold_angle(name + ".moment_z", a, b, Point::UnitX(), Point::UnitY());
}

void SpatialMechanism::distance(const std::string& name, Body a, const Point& at_a, Body b, const Point& at_b,
                                double length) {
  if (length == 0) length = (at_b - at_a).norm();
  if (!(length > 0)) throw Error("joint '" + name + "' has length 0", "use a spherical joint");
  add_rows(Rod{in_body(a, at_a), in_body(b, at_b), length}, a, b, {{name + ".rod", "N"}});
}

void SpatialMechanism::point_on_line(const std::string& name, Body a, Body b, const Point& at,
                                     const Point& axis) {
  const Across across(axis, name);
  hold_plane(name + ".u", a, b, at, across.u);
  hold_plane(name + ".v", a, b, at, across.v);
}

Mechanical::Sizes SpatialMechanism::sizes() const {
  Sizes n;
  n.q = index(bodies_.size(), 7);
  n.v = index(bodies_.size(), 6);
  count_rows(n);
  return n;
}

Layout SpatialMechanism::layout() const {
  Names names;
  for (const SpatialBody& body : bodies_) {
    for (const char* what : {"x", "y", "z", "e0", "e1", "e2", "e3"}) {
      names.q.push_back(body.name + "." + what);
      names.q_units.emplace_back(what[0] == 'e' ? "" : "m");
    }
    for (const char* what : {"x'", "y'", "z'"}) {
      names.v.push_back(body.name + "." + what);
      names.v_units.emplace_back("m/s");
    }
    for (const char* what : {"omega1", "omega2", "omega3"}) {
      names.v.push_back(body.name + "." + what);
      names.v_units.emplace_back("rad/s");
    }
  }
  name_multipliers(names);
  return mechanical_layout(std::move(names));
}

State SpatialMechanism::start() const {
  const Sizes n = sizes();
  State state{0, Vector::Zero(n.q + n.v + n.rows())};
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const SpatialBody& b = bodies_[i];
    state.y.segment<7>(index(i, 7)) << b.position, b.orientation;
    state.y.segment<6>(n.q + index(i, 6)) << b.velocity, b.spin;
  }
  return state;
}

std::unique_ptr<Placement> SpatialMechanism::placement() const {
  auto place = std::make_unique<SpatialPlacement>();
  place->R.resize(bodies_.size());
  return place;
}

/// R is that of e/|e|: a quaternion whose length drifts does no harm.
void SpatialMechanism::place(Placement& at) const {
  auto& R = static_cast<SpatialPlacement&>(at).R;
  for (std::size_t i = 0; i < R.size(); ++i)
    R[i] = rotation_matrix(Eigen::Vector4d(at.q.segment<4>(index(i, 7) + 3)).normalized());
}

void SpatialMechanism::tangent(const Placement& at, In u, Out dq) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    dq.segment<3>(index(i, 7)) = u.segment<3>(index(i, 6));
    Eigen::Vector4d spin;
    spin << 0, u.segment<3>(index(i, 6) + 3) / 2;
    dq.segment<4>(index(i, 7) + 3) = compose(at.q.segment<4>(index(i, 7) + 3), spin);
  }
}

void SpatialMechanism::advance(const Placement& at, In u, Out q) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    q.segment<3>(index(i, 7)) = at.q.segment<3>(index(i, 7)) + u.segment<3>(index(i, 6));
    q.segment<4>(index(i, 7) + 3) =
        compose(at.q.segment<4>(index(i, 7) + 3), quaternion_of(u.segment<3>(index(i, 6) + 3))).normalized();
  }
}

void SpatialMechanism::difference(In from, In to, Out u) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    u.segment<3>(index(i, 6)) = to.segment<3>(index(i, 7)) - from.segment<3>(index(i, 7));
    u.segment<3>(index(i, 6) + 3) = rotation_vector_of(
        compose(conjugate(from.segment<4>(index(i, 7) + 3)), to.segment<4>(index(i, 7) + 3)));
  }
}

void SpatialMechanism::kinematics(const Placement& at, In v, Kinematics& k) const {
  for (Entries* block : {&k.N, &k.inverse, &k.Nv_q}) block->begin();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Eigen::Index q = index(b, 7), u = index(b, 6);
    const Eigen::Vector4d e = at.q.segment<4>(q + 3);
    // e' = E omega with E'E = |e|^2/4
    Eigen::Matrix<double, 4, 3> E;
    E << -e.tail<3>().transpose(), e[0] * Matrix3d::Identity() + skew(e.tail<3>());
    E /= 2;
    for (Eigen::Index i = 0; i < 3; ++i) k.N.add(q + i, u + i, 1), k.inverse.add(u + i, q + i, 1);
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
  M.begin();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Eigen::Index u = index(b, 6);
    for (Eigen::Index i = 0; i < 3; ++i) M.add(u + i, u + i, bodies_[b].mass);
    const Matrix3d& I = bodies_[b].inertia;
    const bool diagonal = I.isDiagonal(0);
    for (Eigen::Index i = 0; i < 3; ++i)
      for (Eigen::Index j = 0; j < 3; ++j)
        if (i == j || !diagonal) M.add(u + 3 + i, u + 3 + j, I(i, j));
  }
  M.end();
}

void SpatialMechanism::body_force(const Placement&, In v, Out f) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Vector3d omega = v.segment<3>(index(b, 6) + 3);
    f.segment<3>(index(b, 6)) = bodies_[b].mass * gravity_;
    f.segment<3>(index(b, 6) + 3) = (bodies_[b].inertia * omega).cross(omega);
  }
}

void SpatialMechanism::body_derivatives(const Placement&, In v, Derivatives& d) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Vector3d omega = v.segment<3>(index(b, 6) + 3);
    const Matrix3d& I = bodies_[b].inertia;
    write(d.D, index(b, 6) + 3, index(b, 6) + 3, skew(omega) * I - skew(I * omega));
  }
}

double SpatialMechanism::body_energy(const Placement& at, In v) const {
  double sum = 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Vector3d omega = v.segment<3>(index(b, 6) + 3);
    sum += bodies_[b].mass *
               (v.segment<3>(index(b, 6)).squaredNorm() / 2 - gravity_.dot(at.q.segment<3>(index(b, 7)))) +
           omega.dot(bodies_[b].inertia * omega) / 2;
  }
  return sum;
}

}  // namespace dalembert
