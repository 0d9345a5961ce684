// One position of a mechanical problem at rest: what acts there, and what a small displacement changes.
//
//   push = (Z'(f - kept held), k - kept k_held),  J Z = 0          zero in balance
//   tangent = [Z'K Z, Z'S; -k_q Z, -k_s]                           minus its derivative, K with the multipliers of least squares
#pragma once

#include "dalembert/analysis/motion_terms.h"

namespace dalembert {

class Statics {
 public:
  /// Of rows and states of a guess; unit rows that stick out of the span of others by less than `tolerance` follow from them.
  Statics(const Mechanical&, const State& guess, double tolerance);

  /// Goes back to g = 0 and evaluates everything there. False if that cannot be done.
  bool look();
  /// Displaced along free directions, with states changed; not looked at yet.
  Statics displaced(const Vector& y) const;
  /// From now on a part of the forces that act here is taken away, everywhere: with all of it this is an equilibrium.
  void hold();
  void keep_held(double part) { kept_ = part; }

  const Vector& push() const { return push_; }
  const Matrix& tangent() const { return tangent_; }
  /// By how much rounding can have changed its entries.
  const Matrix& doubt() const { return doubt_; }
  /// By how much rounding can have changed what pushes.
  const Vector& noise() const { return noise_; }
  const Matrix& inertia() const {
    return inertia_;
  }  ///< Z'M Z with a least inertia for everything, and 1 for states
  const Matrix& mass() const { return mass_; }  ///< Z'M Z
  const Matrix& free() const {
    return Z_;
  }  ///< Z: each direction has a coordinate for itself, so that light and heavy are not mixed
  Vector coordinates(const Vector& u) const { return u(own_); }  ///< y of u = Z y
  /// Forces along the free directions of another position, as forces along those of this one.
  Matrix seen_from_here(const Statics& there) const { return Z_(there.own_, Eigen::all).transpose(); }
  const Vector& q() const { return q_; }
  Vector displacement(const Vector& y) const { return Z_ * y.head(Z_.cols()); }
  Vector force() const { return f_ - kept_ * held_; }
  Vector unborne() const;                                ///< what rows do not bear of it
  double load() const { return load_; }                  ///< the largest force in balance
  const Vector& loads() const { return loads_; }         ///< along each free direction, without signs
  double unbalanced() const;                             ///< the largest one that is not
  double haste() const;                                  ///< |push| in the metric of the inertia
  double softest() const;                                ///< least eigenvalue of the stiffness in that metric
  bool states_rest() const { return unrest() <= 1e-9; }  ///< s' = 0
  double unrest() const;                                 ///< the largest s' in parts of what it is made of
  double resilience() const;   ///< the largest force that a displacement of 1e-12 (1 + |q|) makes
  Vector resiliences() const;  ///< along each free direction
  const Vector& size_of_rates() const { return rate_size_; }
  /// Those that are unknowns, and have places in push and tangent behind the free directions. States that count turns follow displacements.
  const std::vector<Eigen::Index>& states() const { return felt_; }
  State state() const;  ///< complete

 private:
  bool settle();

  const Mechanical* problem_;
  Mechanical::Sizes n_;
  MechanicalState part_;
  std::vector<Eigen::Index> felt_;
  double tolerance_, t_;
  Matrix counting_;  ///< rates of all states over velocities
  Vector q_, s_, f_, ds_, l_, push_, rate_size_;
  Vector held_, held_rates_;
  double kept_ = 0;
  std::vector<Eigen::Index> own_;  ///< the coordinate of each free direction
  Matrix Z_, tangent_, doubt_, inertia_, mass_;
  Vector loads_, noise_;
  double load_ = 0;
};

}  // namespace dalembert
