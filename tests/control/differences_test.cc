// Do differences of high order tell what is smooth from what stands out at a single place?
#include "dalembert/control/witness/differences.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace dalembert {
namespace {

/// The places at which the differences of two values are larger than `most`; the second value is a constant.
std::vector<int> found(int places, double most, const std::function<double(int)>& value) {
  RunningDifferences differences;
  std::vector<int> all;
  for (int k = 0; k < places; ++k) {
    differences.next() = Vector{{value(k), 1e3}};
    if (differences.complete() && !differences.within(most)) all.push_back(k);
  }
  return all;
}

TEST(RunningDifferences, LeaveNextToNothingOfWavesAndPolynomials) {
  const auto wave = [](int k) { return std::sin(2 * std::numbers::pi * k / 30 + .4); };
  EXPECT_TRUE(found(60, 5e-6, wave).empty());
  EXPECT_FALSE(found(60, 1e-6, wave).empty()) << "of a wave of thirty places 4e-6 is left";
  EXPECT_TRUE(found(40, 1e-9, [](int k) { return std::pow(k / 10., 7); }).empty());
  EXPECT_FALSE(found(40, 1e-9, [](int k) { return std::pow(k / 10., 8); }).empty());
}

TEST(RunningDifferences, KeepAllOfWhatStandsOutAtOnePlace) {
  for (int place = 0; place < 40; ++place) {
    const auto seen = found(40, .99, [&](int k) { return k == place ? 1 : 0; });
    ASSERT_FALSE(seen.empty()) << place;
    // Those of this place and of the eight behind it, as far as there are any.
    EXPECT_EQ(seen.front(), std::max(place, RunningDifferences::order)) << place;
    EXPECT_EQ(seen.back(), std::min(place + RunningDifferences::order, 39)) << place;
  }
}

TEST(RunningDifferences, TakeWhatIsNoNumberForLarge) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(found(20, 1e300, [&](int k) { return k == 12 ? nan : 0; }).front(), 12);
}

}  // namespace
}  // namespace dalembert
