// Gauss's principle of least constraint on dense matrices, whatever the rank of the rows and of M [Gauss1829]:
//
//   minimise (a - M^-1 f)'M (a - M^-1 f)  among the a that satisfy J a = b, or come nearest to it
//
// With rows of unit length J' P = Q [R W'; 0 0] the rows fix the part of a in the first columns of Q (by least squares
// where rows depend on each other), and Z'M Z z = Z'(f - M a) the part in the others, Z. Where M is regular this is
// a = M^-1 f + M^-1/2 (J M^-1/2)^+ (b - J M^-1 f) [UdwadiaKalaba1992], else [(I - J^+J)M; J]^+ (f; b)
// [UdwadiaPhohomsiri2006]; it needs no more of M than to be positive definite where J a = 0.
#pragma once

#include <vector>

#include "dalembert/core/outcome.h"
#include "dalembert/linear/entries.h"
#include "dalembert/linear/rank.h"

namespace dalembert {

class LeastConstraint {
 public:
  /// n unknowns, m rows. The only place that allocates.
  void bind(Eigen::Index n, Eigen::Index m);

  /// Rows whose distance from the span of others is below the tolerance count as dependent. Returns ok, not_finite, or
  /// singular where M does not resist a motion that the rows allow.
  Outcome factor(const Entries& M, const Entries& J, double tolerance = rank_tolerance);
  Eigen::Index rank() const { return rank_; }

  void solve(In f, In b, Out a);
  /// The l of least norm with J'l = force, for a force in the span of the rows (what is not is left out).
  void multipliers(In force, Out l);

 private:
  void turn(Out x) const;       ///< x := Q x
  void turn_back(Out x) const;  ///< x := Q'x

  Eigen::Index n_ = 0, m_ = 0, rank_ = 0;
  Eigen::ColPivHouseholderQR<Matrix> qr_;
  Matrix rows_, M_, reduced_, W_, gram_, null_, null_gram_;
  Vector length_, x_, y_, b_, k_;
};

}  // namespace dalembert
