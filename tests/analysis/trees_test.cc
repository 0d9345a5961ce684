// Rooted trees: counts, canonical form, right-hand sides.
#include "dalembert/analysis/trees.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "dalembert/core/error.h"

namespace dalembert {
namespace {

TEST(Trees, OdeCounts) {
  const std::size_t counts[] = {1, 1, 2, 4, 9, 20, 48, 115, 286};
  for (int q = 1; q <= 9; ++q) EXPECT_EQ(ode_trees(q).size(), counts[q - 1]) << q;
}

TEST(Trees, Index2Counts) {
  const std::size_t all[] = {1, 2, 8, 36, 181}, independent[] = {1, 1, 4, 14, 56};
  for (int q = 1; q <= 5; ++q) {
    EXPECT_EQ(y_trees(q, Selection::all).size(), all[q - 1]) << q;
    EXPECT_EQ(y_trees(q, Selection::independent).size(), independent[q - 1]) << q;
  }
  const std::size_t z[] = {1, 2, 7};
  for (int q = 1; q <= 3; ++q) EXPECT_EQ(z_trees(q, Selection::independent).size(), z[q - 1]) << q;
}

TEST(Trees, AreDistinctCanonicalAndOfTheirOrder) {
  for (int q = 1; q <= 5; ++q) {
    std::set<std::string> seen;
    for (const auto& tree : y_trees(q, Selection::all)) {
      EXPECT_TRUE(seen.insert(text(tree)).second) << text(tree);
      EXPECT_EQ(text(Tree::parse(text(tree))), text(tree));
      EXPECT_EQ(order(tree), q);
    }
    for (const auto& tree : ode_trees(q)) EXPECT_TRUE(seen.count(text(tree))) << text(tree);
  }
  EXPECT_EQ(text(Tree::parse("[{t [t]} [t] t]")), "[t [t] {t [t]}]");
  for (const char* wrong : {"", "x", "[t", "[]", "{}", "t t", "[t}"})
    EXPECT_THROW(Tree::parse(wrong), Error) << wrong;
}

TEST(Trees, RightSides) {
  EXPECT_EQ(right_side(Tree::parse("[[[t]]]")), Exact(1) / 24);
  EXPECT_EQ(right_side(Tree::parse("[{t t} {t [t]}]")), Exact(3) / 4);
  EXPECT_EQ(right_side(Tree::parse("{t [{t t} {t t}]}")), Exact(16) / 3);
}

/// The number of symmetries of a tree.
Exact symmetry(const Tree& tree) {
  Exact product(1);
  std::map<std::string, long> same;
  for (const auto& branch : tree.above) product = product * symmetry(branch) * Exact(++same[text(branch)]);
  return product;
}

// y' = exp(y), y(0) = 0 has all derivatives of f equal to one, and the solution -log(1 - x) = sum x^q/q.
TEST(Trees, OdeTreesAreCompleteWithTheirRightSides) {
  for (int q = 1; q <= 9; ++q) {
    Exact sum;
    for (const auto& tree : ode_trees(q)) sum = sum + right_side(tree) / symmetry(tree);
    EXPECT_EQ(sum, Exact(1) / Exact(q)) << q;
  }
}

}  // namespace
}  // namespace dalembert
