// Tables and figures of [AscherLin1997], entry by entry; orders in eps per iteration.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "papers/ascher_lin/parts.h"

namespace dalembert {
namespace {

/// All rows agree but for those listed as "label | quantity", each with a reason.
void expect_agreement(const std::string& table, std::size_t rows, const std::set<std::string>& differ) {
  const PaperReport report = find_paper("ascher-lin").run(table, {});
  ASSERT_EQ(report.tables.size(), 1u);
  EXPECT_EQ(report.tables[0].rows.size(), rows);
  for (const auto& row : report.tables[0].rows) {
    const bool listed = differ.contains(row.label + " | " + row.quantity);
    EXPECT_EQ(row.verdict, listed ? Verdict::differs : Verdict::agrees)
        << row.label << ", " << row.quantity << ": " << row.paper << " against " << row.ours;
    EXPECT_EQ(row.why.empty(), !listed) << row.label;
  }
}

TEST(AscherLin, Table61) {
  expect_agreement("table-6-1", 16 * 6,
                   {"E = (GB)', iteration 1 | ex at t = 0.5", "E = (GB)', iteration 4 | ex at t = 0.5"});
}

TEST(AscherLin, Table62) {
  const std::string row = "alpha1 = 1, alpha2 = 1/h | ";
  std::set<std::string> differ = {row + "drift at t = 0.5", row + "drift at t = 0.7"};
  for (const std::string t : {"0.1", "0.3", "0.5", "0.7", "1"}) differ.insert(row + "ex at t = " + t);
  expect_agreement("table-6-2", 6 * 10, differ);
}

TEST(AscherLin, Table63) {
  expect_agreement("table-6-3", 2 * 10, {"Baumgarte, rate 1/h | drift at t = 0.5"});
}

TEST(AscherLin, Table64) {
  expect_agreement("table-6-4", 3 * 12, {"iteration 1 | vdrift at t = 0.5"});
}

TEST(AscherLin, TwoPrintedDigitsAreReadAsPrinted) {
  EXPECT_TRUE(ascher_lin::agrees(".11e-7", 1.05e-8));
  EXPECT_FALSE(ascher_lin::agrees(".11e-7", 1.21e-8));
  EXPECT_TRUE(ascher_lin::agrees(".730e-11", 7.31e-12));
  EXPECT_FALSE(ascher_lin::agrees(".730e-11", 7.50e-12));
  EXPECT_TRUE(ascher_lin::agrees(".93e+1", 9.34));
  EXPECT_FALSE(ascher_lin::agrees(".11e-7", not_a_number));
}

class Rates : public ::testing::TestWithParam<std::string> {};

TEST_P(Rates, EachIterationGainsAPowerOfEps) {
  for (int E = 0; E < 3; ++E)
    for (const auto& rate : ascher_lin::measure_rates(GetParam(), E)) {
      EXPECT_NEAR(rate.order, rate.iterate, .2) << "E = " << E << ", iteration " << rate.iterate;
      EXPECT_GT(rate.error.back(), 1e-12) << "rounding shows no order";
    }
}

INSTANTIATE_TEST_SUITE_P(All, Rates, ::testing::Values("ascher-lin-6-1", "ascher-lin-6-4"),
                         [](const auto& given) {
                           return given.param.ends_with("1") ? "Example61" : "Example64";
                         });

TEST(AscherLin, SliderCrankDriftsToThreeDigits) {
  const auto ours =
      ascher_lin::measure({"slider-crank", "srm-singular", ascher_lin::srm(1e-4, 2), 1e-4, 30}, {30});
  EXPECT_TRUE(ascher_lin::agrees(".730e-11", ours.position[0])) << ours.position[0];
  EXPECT_TRUE(ascher_lin::agrees(".731e-7", ours.velocity[0])) << ours.velocity[0];
}

TEST(AscherLin, AccelerationExtremesOfTheSliderAreEqual) {
  const auto run =
      ascher_lin::run_crank("slider-crank", {{"phi", M_PI / 4}, {"w", 2 * std::sqrt(2)}}, 2, 3, 3000);
  EXPECT_EQ(run.summary.outcome, Outcome::ok);
  EXPECT_NEAR(run.highest, 77.039, .02);
  EXPECT_NEAR(run.lowest, -77.039, .02);
}

}  // namespace
}  // namespace dalembert
