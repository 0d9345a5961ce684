// The derivative array of an implicit problem at one time [BrenanCampbellPetzold1996, 2.5].
//
// Along y(tau) = y0 + y1 tau + ... + yk tau^k/k!, k the index,
//   F = 0,  dF/dtau = 0, ...,  d^(k-1)F/dtau^(k-1) = 0   at tau = 0
// must have a solution (y1, ..., yk): F = 0 alone does not tell which y0 lie on a solution. Derivatives along tau are differences.
#pragma once

#include <vector>

#include "dalembert/problem/implicit.h"

namespace dalembert {

/// Which times differences look at: those behind only, where nothing is known of the time before, or both sides, which is far more
/// accurate.
enum class Sides { after, both };

class DerivativeArray {
 public:
  /// `unit` of time, in which the unknowns y_j unit^j and the rows are meant to be of the size of y; it may be shortened.
  DerivativeArray(const Implicit&, double t, In y, double unit, Sides);

  int index() const { return index_; }
  double unit() const { return unit_; }

  /// Unknowns x = (y0, y1 unit, y2 unit^2, ...), in units of entries, in groups: the derivatives, then entries of y0 from the highest index to the lowest.
  using Groups = std::vector<std::vector<Eigen::Index>>;
  const Groups& groups() const { return groups_; }
  Vector unknowns(In y) const;
  Vector state(const Vector& x) const;
  /// In the units in which x is: those that make entries of F_y alike, whatever y is measured in.
  const Vector& units() const { return units_; }

  /// Newton's iteration in which the unknowns of these groups move, those of an earlier one before those of a later. False, and x
  /// stays as it is, if it fails.
  bool meet(Vector& x, const Groups&);

  /// Is F along x so smooth at tau = 0 that its derivatives there are those of both sides? `span` is the time of the run.
  bool smooth(const Vector& x, double span);

 private:
  void choose_units(In y);
  void along(const Vector& x, double tau, Vector& y, Vector& dy) const;
  enum class Matrices { anew, kept };
  void evaluate(const Vector& x, Matrices);
  void shorten_unit(Vector& x);

  const Implicit& problem_;
  double t_;
  Eigen::Index n_;
  double unit_;
  Sides sides_;
  int index_ = 1;
  Groups groups_;
  Vector units_;
  Vector r_;
  Matrix A_;
  Vector length_;  // of the rows of A, which is scaled to 1
  Entries F_y_, F_dy_;
};

}  // namespace dalembert
