// Bounds of expressions hold every value, for every function that expressions know, and close in on it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "dalembert/core/bounded_law.h"
#include "dalembert/model/expression/expression.h"

namespace dalembert {
namespace {

/// The bounds of a law, as runs get at them; nothing for one that cannot be narrow.
std::optional<Range> bounds_of(const Law& law, const std::vector<Range>& box) {
  LawRecord record;
  std::vector<double> x;
  for (const Range& each : box) x.push_back(each.low);
  {
    const LawRecord::Listening listening(record);
    law(x.data());
  }
  if (record.size() == 0) return {};
  return record.law(record.size() - 1).over(box.data());  // the whole
}

Law law(const std::string& text) {
  return Expression::parse(text, {.variables = {"x", "y", "z"}}).law();
}

/// Random boxes, wide and narrow, and random points of them.
void expect_to_hold(const std::string& text) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  const Law f = law(text);
  for (int round = 0; round < 300; ++round) {
    std::vector<Range> box(3);
    const double size = std::pow(10, 3 * unit(random) - 2);
    for (Range& each : box) {
      each.low = 8 * unit(random) - 4;
      each.high = each.low + size * unit(random);
    }
    const auto bounds = bounds_of(f, box);
    ASSERT_TRUE(bounds) << text;
    for (int point = 0; point < 40; ++point) {
      double x[3];
      for (int i = 0; i < 3; ++i) x[i] = box[i].low + unit(random) * (box[i].high - box[i].low);
      const double value = f(x), rounding = 1e-12 * (1 + std::abs(value));
      if (std::isnan(value)) continue;
      ASSERT_GE(value, bounds->low - rounding) << text << " at " << x[0] << ", " << x[1] << ", " << x[2];
      ASSERT_LE(value, bounds->high + rounding) << text << " at " << x[0] << ", " << x[1] << ", " << x[2];
    }
  }
}

TEST(ExpressionBounds, HoldTheValuesOfEveryFunction) {
  for (const Expression::Function& function : Expression::functions()) {
    const auto arguments = std::count(function.arguments.begin(), function.arguments.end(), ',') + 1;
    if (function.name == "if") {
      for (const char* condition : {"x < y", "x <= y", "x > y", "x >= y", "x == y", "x != y",
                                    "x < y and y < z", "x < y or y < z", "not x < y"})
        expect_to_hold("if(" + std::string(condition) + ", x, 2*z)");
      continue;
    }
    expect_to_hold(function.name + (arguments == 1 ? "(x)" : arguments == 2 ? "(x, y)" : "(x, y, z)"));
  }
}

TEST(ExpressionBounds, HoldTheValuesOfFormulas) {
  for (const char* text : {"x^-1", "x^-2", "x^4.5", "x^-0.5", "x^5", "x^6", "x^y", "x/y", "-x*exp(-y*z)",
                           "x/(1 + y^2)", "exp(-((x - 1)/0.01)^2)*y - z", "sin(30*x)*cos(y - z)",
                           "ramp(x, 0, 1)", "smooth_step(x, -1, 1)", "max(x, y, z) - exp(x)", "1/(x - y)"})
    expect_to_hold(text);
}

// Of these the bounds are the range itself.
TEST(ExpressionBounds, AreSharpWhereAVariableStandsOnce) {
  const auto expect = [](const char* text, Range x, Range range) {
    const auto bounds = bounds_of(law(text), {x, {}, {}});
    ASSERT_TRUE(bounds) << text;
    EXPECT_NEAR(bounds->low, range.low, 1e-14) << text;
    EXPECT_NEAR(bounds->high, range.high, 1e-14) << text;
  };
  expect("sin(x)", {0, 3}, {0, 1});
  expect("sin(x)", {-3, 3}, {-1, 1});
  expect("cos(x)", {1, 2}, {std::cos(2), std::cos(1)});
  expect("cos(x)", {3, 4}, {-1, std::cos(4)});
  expect("exp(-x^2)", {-2, 1}, {std::exp(-4), 1});
  expect("acos(x)", {-.5, .5}, {std::acos(.5), std::acos(-.5)});
  expect("exp(-((x - 7.3)/1e-6)^2)", {7, 8}, {0, 1});
}

// Nothing is searched for in laws that cannot hide anything.
TEST(ExpressionBounds, AreNotKeptForSumsAndProducts) {
  for (const char* text : {"1e3*(x - 0.3) + 5*y", "-x^3*y/7", "3"})
    EXPECT_FALSE(bounds_of(law(text), {{}, {}, {}})) << text;
}

// What is narrow in one term of a sum stands alone in it.
TEST(ExpressionBounds, AreKeptOfEveryPartThatMayBeNarrow) {
  static const Law f = law("1000*sin(x) + 3*x*exp(-((x - 2)/0.01)^2)");
  LawRecord record;
  const double x[] = {2, 0, 0};
  {
    const LawRecord::Listening listening(record);
    f(x);
  }
  std::vector<double> values;
  for (std::size_t k = 0; k < record.size(); ++k) values.push_back(record.law(k).at(x));
  const double sine = std::sin(2.0);
  EXPECT_EQ(values, (std::vector<double>{sine, 1000 * sine, 1, 6, 1000 * sine + 6}));
  EXPECT_TRUE(record.law(0).uses(0));
  EXPECT_FALSE(record.law(0).uses(1));
}

// Against 2e6 sin^2(x/2), which has no cancellation.
TEST(ExpressionBounds, KnowWhatRoundingChanges) {
  static const Law f = law("1e6*(1 - cos(x))");
  for (const double x : {1e-7, 1e-5, 1e-3, .1, 1.}) {
    LawRecord record;
    const double all[] = {x, 0, 0};
    {
      const LawRecord::Listening listening(record);
      f(all);
    }
    const BoundedLaw& whole = record.law(record.size() - 1);
    const double exact = 2e6 * std::pow(std::sin(x / 2), 2), off = std::abs(whole.at(all) - exact);
    EXPECT_LE(off, whole.noise(all)) << x;
    EXPECT_LE(whole.noise(all), 1e-9) << x;
  }
}

}  // namespace
}  // namespace dalembert
