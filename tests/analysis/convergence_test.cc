// Studies of convergence: observed orders are those that are known, and what limits them is said.
#include "dalembert/analysis/convergence.h"

#include <gtest/gtest.h>

#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

std::map<std::string, BlockConvergence> blocks(const std::string& problem, const PairRequest& pair,
                                               double end, int pieces, int halvings,
                                               const std::map<std::string, double>& options = {}) {
  ConvergenceOptions o{.pieces = pieces, .halvings = halvings};
  o.run.request = pair;
  o.run.end = end;
  o.run.options = options;
  std::map<std::string, BlockConvergence> all;
  for (const auto& b : study_convergence(make_problem(problem), o).blocks) all[b.block] = b;
  return all;
}

TEST(Convergence, ShowsTheOrderOfEachBlock) {
  const auto radau = blocks("pendulum", {"index3", "radau3"}, 2, 20, 5, {{"multipliers", 1}});
  EXPECT_NEAR(radau.at("q").order.value(), 3, .3);
  EXPECT_NEAR(radau.at("v").order.value(), 2, .3);
  EXPECT_NEAR(radau.at("lambda").order.value(), 1, .3);
  EXPECT_EQ(radau.at("lambda").claimed, 1);
  const auto rk4 = blocks("pendulum", {"index1", "rk4"}, 2, 20, 4);
  EXPECT_NEAR(rk4.at("q").order.value(), 4, .3);
}

TEST(Convergence, SaysWhatLimitsIt) {
  const auto fine = blocks("pendulum", {"index1", "dop853"}, 2, 40, 4);
  EXPECT_NE(fine.at("q").remark.find("rounding"), std::string::npos) << fine.at("q").remark;
  // no exact solution: another family stands in, and its doubt is said
  ConvergenceOptions o{.pieces = 40, .halvings = 3};
  o.run.request = {"index1", "rk4"};
  o.run.end = 0.5;
  const Convergence study = study_convergence(make_problem("double-pendulum"), o);
  EXPECT_EQ(study.why_not, "");
  EXPECT_NE(study.truth.find("1e-12"), std::string::npos) << study.truth;
  EXPECT_NEAR(study.blocks.front().order.value(), 4, .4);
}

TEST(Convergence, SlopesAreFitted) {
  EXPECT_NEAR(fitted_order({1, .5, .25}, {1, .125, 1. / 64}, 0, 2), 3, 1e-12);
}

}  // namespace
}  // namespace dalembert
