// What a choice costs: who counts as right, who as best, and what is said where nobody is.
#include "dalembert/analysis/choice_cost.h"

#include <gtest/gtest.h>

#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

ChoiceCosts of(const std::string& name, double tolerance, std::vector<std::string> methods) {
  ChoiceCostOptions options;
  options.tolerances = {tolerance};
  options.considered = [=](const Pair& pair) {
    return std::find(methods.begin(), methods.end(), pair.method->name) != methods.end();
  };
  return choice_costs(make_problem(name), options);
}

TEST(ChoiceCost, TheBestIsRightAndTakesNoLonger) {
  const ChoiceCosts found = of("pendulum", 1e-6, {"dopri5", "hem5"});
  EXPECT_NE(found.truth.find("known digits"), std::string::npos);
  EXPECT_GE(found.growth, 1);
  ASSERT_EQ(found.costs.size(), 1u);
  const ChoiceCost& cost = found.costs[0];
  EXPECT_EQ(cost.chosen.method, "dop853");
  ASSERT_TRUE(cost.chosen.right && cost.best && cost.best->right);
  EXPECT_LE(cost.best->seconds, cost.chosen.seconds);
  EXPECT_GE(*cost.ratio(), 1);
  EXPECT_GT(*cost.evaluation_ratio(), 0);
  EXPECT_FALSE(cost.lost());
}

// Twenty thousand steps of the Euler rule need not be awaited: the chosen pair stays the best.
TEST(ChoiceCost, WhoTakesLongerIsAbandoned) {
  const ChoiceCosts found = of("pendulum", 1e-6, {"implicit-euler"});
  ASSERT_EQ(found.costs.size(), 1u);
  EXPECT_EQ(found.costs[0].best->method, "dop853");
  EXPECT_EQ(found.costs[0].ratio(), 1);
}

TEST(ChoiceCost, FieldsAreComparedWithFields) {
  const ChoiceCosts found = of("coupled-linear", 1e-4, {"dop853", "window-iteration"});
  ASSERT_EQ(found.costs.size(), 1u);
  ASSERT_TRUE(found.costs[0].best);
  EXPECT_EQ(found.costs[0].best->method, "window-iteration");
}

TEST(ChoiceCost, WhereOnlyAnotherIsRightThereIsNoRatio) {
  ChoiceCost cost{1e-6, {}, Trial{}};
  cost.best->right = true;
  EXPECT_TRUE(cost.lost());
  EXPECT_FALSE(cost.ratio());
  cost.chosen.right = true;
  EXPECT_FALSE(cost.lost());
  cost.best.reset();
  EXPECT_FALSE(cost.lost());
  EXPECT_FALSE(cost.ratio());
}

}  // namespace
}  // namespace dalembert
