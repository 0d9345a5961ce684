// A mechanism seen at one state after the other: reactions, energies, points, accelerations. What several outputs need is
// computed once per state.
//
//   reaction of a joint on a body    -J'lambda of its rows, moved from the centre of mass to the joint's point
//   acceleration of a body           M a = f - J'lambda, body by body
//
// Everything in the ground frame.
#pragma once

#include <memory>

#include "dalembert/multibody/pose.h"

namespace dalembert {

/// A mechanism at one state: places, velocities, and what joints transmit.
class MechanismView {
 public:
  /// The mechanism must stay where it is, and be complete before the first look.
  explicit MechanismView(const Mechanism& m) : m_(m), whole_(&m) {}

  /// The state that all questions below are about.
  MechanismView& look(const State&);

  const Mechanism& mechanism() const { return m_; }
  const Placement& at() const { return *at_; }
  const Vector& v() const { return v_; }
  const Vector& s() const { return s_; }
  const Vector& multipliers() const { return l_; }

  /// What the joint does to body b (or a), about its point on that body. The ground is a body like any other: it gets the opposite
  /// of what the other one gets, about the joint's point on the ground; of a
  /// point that is driven, where that is now.
  enum class On { a, b };
  Wrench reaction(Mechanism::Joint, On);

  Eigen::Vector3d point(int body, const Eigen::Vector3d& fixed) const;  ///< of a point in the body's frame
  Eigen::Vector3d velocity(int body, const Eigen::Vector3d& fixed) const;
  Eigen::Vector3d acceleration(int body, const Eigen::Vector3d& fixed);

  double kinetic() const;
  double total() const;
  double mass() const;  ///< of all bodies
  Eigen::Vector3d centre_of_mass() const;
  Eigen::Vector3d momentum() const;
  Eigen::Vector3d angular_momentum() const;  ///< about the origin

 private:
  const Entries& jacobian();
  Vector push(Mechanism::Joint);  ///< -J'lambda of its rows

  const Mechanism& m_;
  std::shared_ptr<const Mechanism>
      stuck_;               // if there is dry friction: with a row for each, as states are reported
  const Mechanism* whole_;  // that, or m_
  State seen_;
  std::unique_ptr<Placement> at_;
  Vector v_, s_, l_;
  Entries J_, M_;
  enum class Rows { stale, fresh } rows_ = Rows::stale;
};

}  // namespace dalembert
