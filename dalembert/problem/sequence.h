// Problems of one kind and size in a row, each fed by the one before it: a fixed-point iteration carried through time.
//
//   y_s' = f(t, y_s, c_{s-1}(t)),   c_s = c(t, y_s, c_{s-1}),   s = 1, 2, ..., with c_0 known
//
// The rewritten problem of such a formulation is the stack (y_1, y_2, ...) and is a Sequence besides. Solved as it stands,
// stages of one iterate would see stages of the one before; a method that walks the iterates in turn sees steps.
#pragma once

#include "dalembert/problem/problem.h"

namespace dalembert {

/// What an iterate carries to the next one, as a function of time.
class Carried {
 public:
  virtual ~Carried() = default;
  virtual void at(double t, Out c) const = 0;
};

/// Iterates count from 0 here.
class Sequence {
 public:
  virtual ~Sequence() = default;
  virtual Eigen::Index fewest() const = 0;  ///< iterates that always advance
  virtual Eigen::Index most() const = 0;    ///< iterates that the stack has room for
  virtual Eigen::Index carried_size() const = 0;
  virtual const Problem& iterate(Eigen::Index s) const = 0;
  /// Iterate s > 0 asks here what the one before it carries. Belongs to the run, like all work space.
  virtual void feed(Eigen::Index s, const Carried& source) const = 0;
  /// What iterate s carries at its state y, and what the one before it carries there; NaN if it cannot be had.
  virtual void carry(Eigen::Index s, double t, In y, In before, Out c) const = 0;
  /// c_0
  virtual void first(Out c) const = 0;
};

}  // namespace dalembert
