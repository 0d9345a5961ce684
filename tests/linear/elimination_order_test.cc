// Are orders preferred in which pivots need not wait for each other, and is what becomes too dear not finished?
#include "dalembert/linear/saddle/elimination_order.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/large_mechanisms.h"

namespace dalembert {
namespace {

struct Chain {
  explicit Chain(int links) {
    const auto chain = testing::planar_chain(links);
    const auto at = chain->placed_at(chain->start());
    chain->mass(*at, M);
    chain->jacobian(*at, J);
    graph = blocks_by_joint(3 * links, 2 * links, M, J);
  }
  Entries M, J;
  BlockGraph graph;
};

/// How many pivots come right after one that changes them.
int waiting(const EliminationOrder& order) {
  int count = 0;
  for (std::size_t i = 1; i < order.pivots.size(); ++i) {
    const Few& later = order.later[static_cast<std::size_t>(order.pivots[i - 1])];
    count += std::find(later.begin(), later.end(), order.pivots[i]) != later.end();
  }
  return count;
}

TEST(EliminationOrder, OfAChainBeginsWithBodies) {
  const Chain chain(10);
  const auto mixed = mixed_order(chain.graph, chain.M, chain.J, .02);
  const auto bodies = bodies_first_order(chain.graph);
  ASSERT_TRUE(mixed && bodies);
  EXPECT_EQ(waiting(*mixed), 19);  // from one end to the other
  EXPECT_LT(waiting(*bodies), 5);
  EXPECT_LT(bodies->cost, mixed->cost);
}

TEST(EliminationOrder, IsNotFinishedIfTooDear) {
  const Chain chain(10);
  const double cost = bodies_first_order(chain.graph)->cost;
  EXPECT_TRUE(bodies_first_order(chain.graph, cost));
  EXPECT_FALSE(bodies_first_order(chain.graph, .99 * cost));
  EXPECT_FALSE(mixed_order(chain.graph, chain.M, chain.J, .02, cost));
}

}  // namespace
}  // namespace dalembert
