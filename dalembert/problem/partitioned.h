// Fields that are advanced each by its own method on its own mesh, held together by constraints:
//
//   M_j x_j'' = r_j(t, x_j, x_j') - C_j(t)' lambda,   sum_j C_j(t) x_j = d(t)
#pragma once

#include "dalembert/linear/entries.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

class Partitioned : public Problem {
 public:
  Kind kind() const final { return Kind::partitioned; }
  virtual Eigen::Index fields() const = 0;
  virtual Eigen::Index field_size(Eigen::Index field) const = 0;
  virtual Eigen::Index rows() const = 0;  ///< of the interface constraint
  virtual void mass(Eigen::Index field, double t, Entries& M) const = 0;
  virtual void force(Eigen::Index field, double t, In x, In v, Out r) const = 0;
  virtual void coupling(Eigen::Index field, double t, Entries& C) const = 0;
  /// d, d' and d'' of the interface.
  virtual void gap(double t, Out d, Out d_t, Out d_tt) const = 0;
};

}  // namespace dalembert
