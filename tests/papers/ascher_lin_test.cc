// How numbers of [AscherLin1997] are read; its slider crank, and orders in eps per iteration.
#include <gtest/gtest.h>

#include <cmath>

#include "papers/ascher_lin/parts.h"

namespace dalembert {
namespace {

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
    for (const auto& rate :
         ascher_lin::measure_rates({GetParam(), "srm", {{"E", static_cast<double>(E)}}}, .3, 4e-3)) {
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
