// What a choice of a pair rests on: stiffness at the start, freedoms, redundancy, and who is tried on the way.
#include "dalembert/analysis/evidence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

TEST(Evidence, TheFastestPartOfAMotionIsMeasured) {
  const auto drawn = ode(0, Vector{{1, 0}}, [](auto t, const auto& y, auto&& dy) {
    using std::cos;
    dy[0] = -1000. * (y[0] - cos(t));
    dy[1] = -y[1];
  });
  const auto fast = find_evidence(drawn, {}).fastest;
  ASSERT_TRUE(fast);
  EXPECT_NEAR(fast->rate, 1000, 10);
  EXPECT_TRUE(fast->damped());
  const auto swing = ode(0, Vector{{1, 0}}, [](auto, const auto& y, auto&& dy) {
    dy[0] = 50. * y[1];
    dy[1] = -50. * y[0];
  });
  const auto turning = find_evidence(swing, {}).fastest;
  ASSERT_TRUE(turning);
  EXPECT_NEAR(turning->rate, 50, 25);
  EXPECT_FALSE(turning->damped());
}

TEST(Evidence, AMechanismIsCountedByRank) {
  const Evidence andrews = find_evidence(make_problem("andrews"), {});
  EXPECT_EQ(andrews.freedoms, 1);
  EXPECT_FALSE(andrews.redundancy);
  EXPECT_EQ(andrews.sizes->rows(), 6);
  const Evidence bricard = find_evidence(make_problem("bricard"), {});
  EXPECT_EQ(bricard.freedoms, 1);
  ASSERT_TRUE(bricard.redundancy);
  EXPECT_EQ(bricard.redundancy->dependent.size(), 1u);
}

TEST(Evidence, TheChosenPairIsTheFirstOfThoseConsidered) {
  for (const char* name : {"andrews", "exact-index2", "transistor-amplifier", "manufactured-ode"}) {
    const Evidence evidence = find_evidence(make_problem(name), {});
    ASSERT_FALSE(evidence.considered.empty()) << name;
    EXPECT_EQ(evidence.considered.front().method, evidence.choice.pair.method) << name;
    EXPECT_EQ(evidence.considered.front().formulation, evidence.choice.pair.formulation) << name;
    EXPECT_EQ(evidence.elsewhere.size(), 6u) << name;
  }
}

TEST(Evidence, OthersAreTriedOnTheWayWhereTheMethodIsOpen) {
  const auto problem = make_problem("car-axis");
  const Evidence open = find_evidence(problem, {});
  ASSERT_EQ(open.when_stiff.size(), 3u);
  EXPECT_EQ(open.when_stiff[0].method->name, "rodas853");
  EXPECT_EQ(open.when_stiff[1].method->name, "radau");
  EXPECT_EQ(open.when_stiff[2].method->name, "bdf");
  RunOptions asked;
  asked.request = {"", "dopri5"};
  EXPECT_TRUE(find_evidence(problem, asked).when_stiff.empty());
  RunOptions tight;
  tight.tolerance = {1e-13, 1e-13};
  EXPECT_TRUE(find_evidence(problem, tight).when_stiff.empty());
}

}  // namespace
}  // namespace dalembert
