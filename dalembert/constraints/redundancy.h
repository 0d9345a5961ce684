// Constraint rows that follow from others: at one position, or at all positions around it.
//
//   row i = sum c_j row_j,  j independent      l with J'l = 0: what may be added to multipliers without any effect
//
// A multiplier is unique if no such l has an entry in its place [Wojtyra2009]; J'l, the generalised force of all rows
// together, always is. A position where rank is lost is told from rows that always depend on each other by looking at
// consistent positions nearby: moved along v, and along other directions that the rows allow.
//
// A drawing has so many digits. Rows that would follow from others in a mechanism of exact lengths then do so but for the last
// digit, and no position moves far without breaking some of them a little. What tells them is a gap: singular values of unit
// rows that are far below the next one, here and at positions all around, each of which satisfies the rows by least squares
// nearly as well. (At a singular position they grow with the distance.)
#pragma once

#include <optional>
#include <vector>

#include "dalembert/problem/mechanical.h"

namespace dalembert {

/// Which rows follow from others.
struct Redundancy {
  Eigen::Index rows = 0, velocities = 0;
  Eigen::Index rank = 0;       ///< around the position
  Eigen::Index rank_here = 0;  ///< smaller only at a singular position
  /// A row, and those it follows from.
  struct Dependent {
    Eigen::Index row;
    std::vector<Eigen::Index> on;  ///< the independent rows it follows from
    template <class Memory>
    void remember(Memory& memory) {
      memory(row, on);
    }
  };
  std::vector<Dependent>
      dependent;  ///< one per missing rank, ascending; without them the rows are independent
  std::vector<Eigen::Index> unique;  ///< rows whose multipliers are determined
  Vector singular_values;            ///< here, of rows of unit length, descending
  double tolerance = 0;  ///< unit rows that stick out of the span of others by less follow from them
  double inconsistent =
      0;  ///< what such rows leave after a displacement of 1, about; 0 where rounding alone decided

  Eigen::Index degrees_of_freedom() const { return velocities - rank; }
  std::vector<Eigen::Index> independent() const;
  template <class Memory>
  void remember(Memory& memory) {
    memory(rows, velocities, rank, rank_here, dependent, unique, singular_values, tolerance, inconsistent);
  }
};

/// Are the rows independent beyond what the rounding of a drawing could explain? Sparse: takes next to no time.
bool clearly_independent(const Mechanical&, const State&);

/// Around a state that satisfies its constraints, by the tolerance given or by what the rows show. Dense: for where something is
/// wrong, or is to be shown.
Redundancy find_redundancy(const Mechanical&, const State&, std::optional<double> tolerance = {});

/// The rank of the rows at the position next to a consistent one that satisfies its constraints to rounding.
Eigen::Index rank_at(const Mechanical&, const State&);

}  // namespace dalembert
