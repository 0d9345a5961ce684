// Multifrontal elimination of [M G'; G 0] for mechanisms with many loops, M block diagonal and positive definite.
//
//   S l = G M^-1 f - r,   a = M^-1 (f - G'l),   S = G M^-1 G' = sum over bodies of (L^-1 G_b')' (L^-1 G_b'),  M_b = L L'
//
// S is never formed as a whole: each body adds its element to the dense front of the joint that is eliminated first,
// each front is eliminated by Cholesky's method and passes what is left to its parent [DuffReid1983]. Joints are ordered
// by minimum degree; fronts that cost few zeros are merged.
#pragma once

#include <cstdint>
#include <vector>

#include "dalembert/linear/saddle/block_graph.h"

namespace dalembert {

class Multifrontal {
 public:
  /// Plans, and allocates. False if pieces of M are coupled: then this is the wrong tool.
  bool bind(const BlockGraph&, const Entries& mass, const Entries& jacobian);

  /// False if a body or a front is not positive definite to rounding.
  bool factor(const Entries& mass, const Entries& jacobian);
  /// x holds (f, r) and receives (a, l).
  void solve(Out x);
  /// The smallest pivot of the last factorisation, relative to the diagonal of S it started from.
  double smallest_share() const { return smallest_share_; }

 private:
  /// A body: its mass, and the rows of its joints, in the order in which they are eliminated.
  struct Element {
    int size, rows;
    std::int32_t mass,
        jacobian;           ///< offsets into values_: L (size x size) and L^-1 G_b' (size x rows), by columns
    std::int32_t unknowns;  ///< offset into indices_: of its coordinates in x
    std::int32_t places;    ///< offset into indices_: where its rows stand in its front
    std::int32_t multipliers;  ///< offset into indices_: which entries of z its rows are
  };
  struct Front {
    int pivots = 0, rows = 0;  ///< scalars eliminated here, and left
    std::int64_t panel = 0;    ///< offset into panels_: (pivots + rows) x pivots, by columns
    std::int64_t work =
        0;  ///< offset into stack_: what is left, rows x rows, by columns, on top of its children's
    std::int64_t update = 0;  ///< offset into stack_: where it is kept afterwards, in place of its children's
    std::int32_t multipliers = 0;  ///< offset into indices_: which entries of z its scalars are
    std::int32_t places = 0;  ///< offset into indices_: where the scalars that are left stand in the parent
    std::vector<std::int32_t> elements{}, children{};
    std::int64_t height() const { return pivots + rows; }
  };
  class Planner;

  bool form(const Element&);
  void add(const Element&, const Front&);
  void add(const Front& child, const Front& parent);
  double* column_of(const Front&, int place);
  bool eliminate(const Front&);

  std::vector<Element> elements_;
  std::vector<Front> fronts_;  ///< children before parents
  std::vector<std::int32_t> indices_, mass_slot_, jacobian_slot_;
  std::vector<std::int32_t> multiplier_of_;  ///< of each entry of z: its place in x
  std::vector<double> values_, panels_, stack_, diagonal_;
  Vector z_;
  double smallest_share_ = 0;
};

}  // namespace dalembert
