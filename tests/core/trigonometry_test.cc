// Are our own sines and cosines as good as those of the library, one at a time and four at once?
#include "dalembert/core/trigonometry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace dalembert {
namespace {

constexpr double pi = 3.14159265358979323846;

/// In units of the last place of the true value, known to more digits.
double off(double seen, long double truth) {
  const double size = std::abs(static_cast<double>(truth));
  const double unit = std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
  return static_cast<double>(std::abs(static_cast<long double>(seen) - truth)) / unit;
}

TEST(Trigonometry, StaysWithinAUnitOfTheLastPlace) {
  if (std::numeric_limits<long double>::digits <= std::numeric_limits<double>::digits)
    GTEST_SKIP() << "nothing more precise to compare with";
  std::mt19937_64 dice(1);
  double worst = 0;
  for (const double range : {1e-300, 1e-8, 1e-3, 1.0, 10.0, 1e3, 2e5}) {
    std::uniform_real_distribution<double> angles(-range, range);
    for (int i = 0; i < 50000; ++i) {
      double angle = angles(dice);
      if (i % 3 == 0)
        angle = std::nextafter(std::round(angle) * pi / 2, angle);  // where one of them vanishes
      const SinCos seen = sin_cos(angle);
      worst = std::max({worst, off(seen.sin, sinl(static_cast<long double>(angle))),
                        off(seen.cos, cosl(static_cast<long double>(angle)))});
    }
  }
  EXPECT_LT(worst, 0.85);
}

TEST(Trigonometry, GivesFourAtOnceWhatItGivesEach) {
  std::mt19937_64 dice(2);
  std::uniform_real_distribution<double> angles(-50, 50);
  for (int i = 0; i < 10000; ++i) {
    const double a[] = {angles(dice), angles(dice), angles(dice), i % 7 == 0 ? 1e9 : angles(dice)};
    const auto all = sin_cos(a[0], a[1], a[2], a[3]);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(all[k].sin, sin_cos(a[k]).sin);
      EXPECT_EQ(all[k].cos, sin_cos(a[k]).cos);
    }
  }
}

TEST(Trigonometry, IsOddAndEven) {
  for (double angle = 0.01; angle < 1e4; angle *= 1.01) {
    EXPECT_EQ(sin_cos(-angle).sin, -sin_cos(angle).sin);
    EXPECT_EQ(sin_cos(-angle).cos, sin_cos(angle).cos);
  }
}

TEST(Trigonometry, LeavesWhatIsFarAwayToTheLibrary) {
  for (const double angle : {1e6, -3e9, 1e22, 1e300}) {
    EXPECT_EQ(sin_cos(angle).sin, std::sin(angle));
    EXPECT_EQ(sin_cos(angle).cos, std::cos(angle));
  }
  for (const double angle :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(sin_cos(angle).sin));
    EXPECT_TRUE(std::isnan(sin_cos(1, angle, 2, 3)[1].cos));
    EXPECT_EQ(sin_cos(1, angle, 2, 3)[2].cos, sin_cos(2).cos);
  }
}

TEST(Trigonometry, AddsAngles) {
  const SinCos sum = sin_cos(0.3) + sin_cos(1.9);
  EXPECT_NEAR(sum.sin, std::sin(2.2), 1e-15);
  EXPECT_NEAR(sum.cos, std::cos(2.2), 1e-15);
}

}  // namespace
}  // namespace dalembert
