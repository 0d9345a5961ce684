#include "dalembert/multibody/reactions.h"

namespace dalembert {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

const BodyRecord& record(const Mechanism& m, int body) {
  return m.bodies()[static_cast<std::size_t>(body)];
}

}  // namespace

MechanismView& MechanismView::look(const State& state) {
  if (at_ && state.t == seen_.t && state.y.size() == seen_.y.size() && state.y == seen_.y) return *this;
  if (!at_) {
    stuck_ = m_.all_stuck();
    if (stuck_) whole_ = stuck_.get();
    at_ = m_.placement();
  }
  seen_ = state;
  const MechanicalState part(whole_->sizes());
  m_.place_at(*at_, state.t, part.q(state.y));
  v_ = part.v(state.y), s_ = part.s(state.y);
  l_ = Vector::Constant(whole_->sizes().rows(), not_a_number);  // of a mode with fewer rows nothing is known
  if (state.y.size() >= part.size()) l_ = part.multipliers(state.y);
  rows_ = Rows::stale;
  return *this;
}

const Entries& MechanismView::jacobian() {
  if (rows_ == Rows::stale) whole_->jacobian(*at_, J_);
  rows_ = Rows::fresh;
  return J_;
}

Vector MechanismView::push(Mechanism::Joint j) {
  const JointRecord& joint = m_.joints()[static_cast<std::size_t>(j)];
  const Eigen::Index holonomic = m_.sizes().holonomic;
  const auto mine = [&](Eigen::Index row) {
    return row < holonomic ? row >= joint.first && row < joint.first + joint.count
                           : row >= holonomic + joint.first_velocity &&
                                 row < holonomic + joint.first_velocity + joint.count_velocity;
  };
  const Entries& J = jacobian();
  Vector f = Vector::Zero(m_.sizes().v);
  for (std::size_t k = 0; k < J.size(); ++k)
    if (mine(J.row(k))) f[J.column(k)] -= J.value(k) * l_[J.row(k)];
  return f;
}

Wrench MechanismView::reaction(Mechanism::Joint j, On on) {
  const JointRecord& joint = m_.joints()[static_cast<std::size_t>(j)];
  const int body = on == On::a ? joint.a : joint.b, other = on == On::a ? joint.b : joint.a;
  const int pushed = body >= 0 ? body : other;
  if (pushed < 0) return {};
  // A point that is driven has no other one on the ground: it is pushed where it is now.
  const int of = body < 0 && joint.kind == "drive" ? pushed : body;
  const Vector3d point = pose_of(m_, *at_, of).place(of == joint.a ? joint.on_a : joint.on_b);
  const Wrench wrench = wrench_on(m_, *at_, push(j), pushed).moved(pose_of(m_, *at_, pushed).r - point);
  return body >= 0 ? wrench : -wrench;
}

Vector3d MechanismView::point(int body, const Vector3d& fixed) const {
  return pose_of(m_, *at_, body).place(fixed);
}

Vector3d MechanismView::velocity(int body, const Vector3d& fixed) const {
  const Twist twist = twist_of(m_, *at_, v_, body);
  return twist.velocity + twist.spin.cross(pose_of(m_, *at_, body).R * fixed);
}

Vector3d MechanismView::acceleration(int body, const Vector3d& fixed) {
  if (body < 0) return Vector3d::Zero();
  const BodyRecord& of = record(m_, body);
  Vector f(m_.sizes().v), a = Vector::Zero(m_.sizes().v);
  m_.force(*at_, v_, s_, f);
  jacobian().multiply_transposed(l_, -1, f);
  m_.mass(*at_, M_);
  Matrix M = Matrix::Zero(of.velocities, of.velocities);
  for (std::size_t k = 0; k < M_.size(); ++k) {
    const Eigen::Index i = M_.row(k) - of.v, j = M_.column(k) - of.v;
    if (i >= 0 && i < of.velocities && j >= 0 && j < of.velocities) M(i, j) += M_.value(k);
  }
  a.segment(of.v, of.velocities) = M.llt().solve(f.segment(of.v, of.velocities));
  // omega x omega = 0: the rate of R omega is R omega'.
  const Twist rate = twist_of(m_, *at_, a, body), twist = twist_of(m_, *at_, v_, body);
  const Vector3d arm = pose_of(m_, *at_, body).R * fixed;
  return rate.velocity + rate.spin.cross(arm) + twist.spin.cross(twist.spin.cross(arm));
}

double MechanismView::kinetic() const {
  Entries M;
  m_.mass(*at_, M);
  Vector Mv = Vector::Zero(v_.size());
  M.multiply(v_, 1, Mv);
  return v_.dot(Mv) / 2;
}

double MechanismView::total() const {
  return m_.energy(*at_, v_, s_).value_or(not_a_number);
}

double MechanismView::mass() const {
  double sum = 0;
  for (const BodyRecord& body : m_.bodies()) sum += body.mass;
  return sum;
}

Vector3d MechanismView::centre_of_mass() const {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t b = 0; b < m_.bodies().size(); ++b)
    sum += m_.bodies()[b].mass * pose_of(m_, *at_, static_cast<int>(b)).r;
  return sum / mass();
}

Vector3d MechanismView::momentum() const {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t b = 0; b < m_.bodies().size(); ++b)
    sum += m_.bodies()[b].mass * twist_of(m_, *at_, v_, static_cast<int>(b)).velocity;
  return sum;
}

Vector3d MechanismView::angular_momentum() const {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t b = 0; b < m_.bodies().size(); ++b) {
    const BodyRecord& body = m_.bodies()[b];
    const Pose pose = pose_of(m_, *at_, static_cast<int>(b));
    const Twist twist = twist_of(m_, *at_, v_, static_cast<int>(b));
    const Matrix3d I = pose.R * body.inertia * pose.R.transpose();
    sum += body.mass * pose.r.cross(twist.velocity) + I * twist.spin;
  }
  return sum;
}

}  // namespace dalembert
