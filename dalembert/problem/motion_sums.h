// What the equations of a mechanical problem leave at a guess of its accelerations and multipliers, without their matrices.
//
//   motion = M a + J'l - f,   rows = J a + bias
//
// For methods that evaluate more often than they solve. A mechanical problem that adds its terms up faster than it writes them down
// entry by entry derives from this as well. What its placements keep depends on q alone.
#pragma once

#include "dalembert/problem/mechanical.h"

namespace dalembert {

class MotionSums {
 public:
  virtual ~MotionSums() = default;
  /// Can it, with all that it is made of?
  virtual bool has_sums() const = 0;
  virtual void sums(const Placement&, In v, In s, In a, In l, Out motion, Out rows) const = 0;
  /// May t itself matter to them? Unless it does, nobody needs to find out at what rate they change.
  virtual bool depend_on_time() const = 0;
  /// J v + w
  virtual void rates(const Placement&, In v, Out rows) const = 0;
  /// Are all rows of position level, and is their third derivative known?
  virtual bool differentiates_rows() const = 0;
  /// X = d(J a + bias)/dq, at the places and in the order of Derivatives::B; d(J a + bias)/dv = 2 B then.
  virtual void row_derivatives(const Placement&, In v, In a, Entries& X) const = 0;
};

}  // namespace dalembert
