// Positions and velocities of a mechanical problem moved onto its constraints, each by the smallest change in a metric
// of its own [MantegazzaMasarati2012, (121)]: K u + J'l* = 0 with J at the solution.
#pragma once

#include <utility>
#include <vector>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/nonlinear/nearest_point.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

class StartCorrection {
 public:
  /// weights: of all entries of the state; infinite ones keep theirs. dependent: of unit rows; those that stick out by less follow
  /// from others, and may leave a residual of that size.
  StartCorrection(const Mechanical&, const State& given, Vector weights, StartOptions::Metric,
                  Manifold::Rows = Manifold::Rows::independent, double dependent = 0);

  /// Are the constraints satisfied to the digits that people give? Judged row by row, in its own unit.
  bool positions_hold(double t, In q);
  bool velocities_hold(double t, In q, In v);
  NearestPoint move_positions(Out q);
  /// q must satisfy its constraints.
  NearestPoint move_velocities(double t, In q, Out v);
  /// Multipliers of least norm, from J v' + bias = 0 met by least squares; `residual` is what is left of it.
  Outcome dependent_multipliers(double t, In q, In v, In s, Out multipliers, Vector& residual);

 private:
  /// Of rows at a placement, times entries of that size: what counts as 1.
  Vector row_sizes(const Placement&, double size);
  void displace(In u);  ///< near_ := the given position, advanced by u
  /// A matrix by its rows, each a list of columns and values: N, or the identity.
  using SparseRows = std::vector<std::vector<std::pair<Eigen::Index, double>>>;
  SparseRows tangent_rows() const;
  Entries metric(In weights, const SparseRows& N) const;

  const Mechanical& problem_;
  Mechanical::Sizes n_;
  MechanicalState part_;
  Vector weights_;
  StartOptions::Metric metric_;
  Manifold::Rows are_;
  double dependent_;
  std::unique_ptr<Placement> from_, near_;
  Entries M_, J_;
};

}  // namespace dalembert
