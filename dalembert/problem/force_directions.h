// Constraint forces along other directions than the gradients of the constraints.
//
//   M(t,q) v' = f(t,q,v,s) - W(t,q)' (lambda, mu),   J M^-1 W' regular
//
// A guide that is held by a force of given direction, or friction in proportion to a reaction, is of this form. A mechanical
// problem that has such forces derives from this as well; formulations that can take them say so in their entry.
#pragma once

#include "dalembert/problem/mechanical.h"

namespace dalembert {

class ForceDirections {
 public:
  virtual ~ForceDirections() = default;
  /// W, entry by entry at the places and in the order of the Jacobian.
  virtual void directions(const Placement&, Entries& W) const = 0;
};

}  // namespace dalembert
