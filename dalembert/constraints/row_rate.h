// dJ/dt along a motion: how fast the rows of a mechanical problem change.
//
//   J' u = J_q[N v] u + J_t u
//
// Problems give J and bias(v) = J_q[N v] v + (J_t + w_q N) v + w_t, which is quadratic in v. For holonomic rows of plain
// coordinates J_q[v] u = J_q[u] v and J_t = w_q, so that
//
//   J' u = (bias(v + u) - bias(v - u))/4
//
// without error but rounding. Rotations and velocity-level rows have no such symmetry: there J is differenced along the
// motion, by the central formula of order 8, whose difference to that of order 6 says whether the step was short enough: the contact
// of a disc that falls nearly flat runs round it within a blink.
#pragma once

#include <memory>

#include "dalembert/problem/mechanical.h"

namespace dalembert {

class RowRate {
 public:
  explicit RowRate(const Mechanical&);

  /// dJ/dt, all rows x velocities, at a placement and velocity.
  const Matrix& operator()(const Placement&, In v);

 private:
  void by_symmetry(const Placement&, In v);
  void by_differences(const Placement&, In v);
  /// Of one length, in seconds; how far the formula of order 6 is from it.
  double difference(const Placement&, In v, double step);

  const Mechanical& problem_;
  Mechanical::Sizes n_;
  std::unique_ptr<Placement> moved_;
  Entries J_;
  Matrix rate_, sixth_;
  Vector u_, plus_, minus_;
};

}  // namespace dalembert
