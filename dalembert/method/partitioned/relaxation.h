// From what went into a sweep over the fields, u, and what came out, h, to what goes in next.
//
//   fixed         u + omega (h - u)
//   aitken        the same with omega from the last two residuals r = h - u [KuettlerWall2008]
//   quasi-newton  h + dH alpha with |dR alpha + r| least over the differences seen so far (IQN-ILS) [DegrooteBatheVierendeels2009]
//
// Entries that a sweep replaces before it reads them go in as they came out. Of the others the accelerations decide about
// omega and alpha, and all are moved alike: positions stay the integrals of their accelerations. Differences of earlier
// windows are kept.
#pragma once

#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

enum class Relaxing { none, fixed, aitken, quasi_newton };

class Relaxation {
 public:
  enum class Entry : char { replaced, moved, decides };  ///< decides: moved, and asked
  void bind(Relaxing, double omega, std::vector<Entry> entries);
  /// A window begins: only what accepted windows taught is known.
  void begin();
  /// Replaces u, given the h it led to.
  void next(Vector& u, const Vector& h);
  /// The window was accepted; what it taught is kept.
  void keep();
  /// Forget earlier windows.
  void forget();

  /// The factor by which the deciding part of the residual was multiplied last, with its sign; 0 if not known.
  double factor() const { return factor_; }
  double omega() const { return omega_; }

 private:
  void quasi_newton(const Vector& u, const Vector& h);

  Relaxing how_ = Relaxing::none;
  double first_omega_ = 1, omega_ = 1, kept_omega_ = 1, factor_ = 0;
  std::vector<Entry> entries_;
  std::vector<Eigen::Index> deciding_;
  Vector r_, wanted_, last_r_, last_h_;
  bool has_last_ = false;
  std::vector<Vector> dR_, dH_;  // newest last
  std::size_t kept_ = 0;
  Matrix R_;
};

}  // namespace dalembert
