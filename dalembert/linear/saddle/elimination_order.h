// The order in which the blocks of [M G'; G 0] are eliminated.
//
// Mixed minimum degree takes the block with the fewest later neighbours, body or joint, while it eliminates a
// representative matrix: a joint may go only if each pivot of its block has kept the share tau of diag(G M^-1
// G'). If M is positive definite and G1 = G2, bodies keep positive and joints negative pivots in any order,
// so that only their size matters [Vanderbei1995]. Bodies first is the order of the Schur complement G M^-1
// G'.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "dalembert/linear/saddle/block_graph.h"

namespace dalembert {

struct EliminationOrder {
  std::vector<int> pivots;  ///< blocks, first to last
  std::vector<Few> later;   ///< of each block: its neighbours when it is eliminated
  double cost = 0;          ///< estimated from counts, in nanoseconds: the same on every machine and day
};

inline constexpr double any_cost = std::numeric_limits<double>::infinity();
/// Nothing if the elimination fills in so much that a list of block operations is the wrong tool, or costs more than `most`.
std::optional<EliminationOrder> mixed_order(const BlockGraph&, const Entries& mass, const Entries& jacobian,
                                            double tau, double most = any_cost);
std::optional<EliminationOrder> bodies_first_order(const BlockGraph&, double most = any_cost);

}  // namespace dalembert
