// Exact numbers a + b sqrt(6): field laws, text, and correct rounding.
#include "dalembert/analysis/exact.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/method/runge_kutta/tableau.h"

namespace dalembert {
namespace {

Exact any() {
  const auto part = [] { return Exact(*rc::gen::inRange(-99, 100)) / Exact(*rc::gen::inRange(1, 50)); };
  const Exact a = part(), b = part();
  return a + b * Exact::root6();
}

void expect_property(const std::string& name, void (*body)()) {
  EXPECT_TRUE(rc::check(name, body)) << name;
}

TEST(Exact, IsAField) {
  expect_property("x (y + z) = x y + x z", [] {
    const Exact x = any(), y = any(), z = any();
    RC_ASSERT(x * (y + z) == x * y + x * z);
    RC_ASSERT((x + y) + z == x + (y + z));
    RC_ASSERT((x * y) * z == x * (y * z));
  });
  expect_property("x / y * y = x", [] {
    const Exact x = any(), y = any();
    RC_PRE(!y.is_zero());
    RC_ASSERT(x / y * y == x);
    RC_ASSERT((x - x).is_zero());
  });
  EXPECT_EQ(Exact::root6() * Exact::root6(), Exact(6));
}

TEST(Exact, ReadsAndWritesCoefficients) {
  for (const char* text : {"0", "1", "-3/8", "2/5-1/10r", "-79/150-31/150r", "24/25+11/25r", "1r", "-5/2r"})
    EXPECT_EQ(Exact::parse(text).text(), text);
  EXPECT_EQ(Exact::parse("0.3"), Exact(3) / 10);
  EXPECT_EQ(Exact::parse("-12.50/2.5"), Exact(-5));
  EXPECT_EQ(Exact::parse("6/8").text(), "3/4");
  expect_property("parse(text(x)) = x", [] {
    const Exact x = any();
    RC_ASSERT(Exact::parse(x.text()) == x);
  });
}

TEST(Exact, KnowsTheRationals) {
  EXPECT_TRUE(Exact::parse("3/7").is_rational());
  EXPECT_FALSE(Exact::parse("3/7+1r").is_rational());
  EXPECT_TRUE((Exact::parse("1+1r") * Exact::parse("1-1r")).is_rational());
  EXPECT_TRUE(Exact::parse("1/3-2/6").is_zero());
}

TEST(Exact, RefusesNonsense) {
  for (const char* text : {"", "x", "1.2.3", ".", "1/0", "1/0.00", "r"})
    EXPECT_THROW(Exact::parse(text), Error) << text;
  EXPECT_THROW(Exact(1) / Exact(0), Error);
  EXPECT_THROW(solve({{1, 2}, {2, 4}}, {1, 1}, "a test"), Error);
}

TEST(Exact, RoundsCorrectly) {
  EXPECT_EQ(Exact::root6().to_double(), std::sqrt(6.0));
  EXPECT_EQ((Exact(1) / 3).to_double(), 1.0 / 3.0);
  EXPECT_EQ((Exact(-2) / 3).to_double(), -2.0 / 3.0);
  EXPECT_EQ(Exact(0).to_double(), 0.0);
  // (5 - 2r)^n shrinks like 0.101^n while its parts grow like 9.9^n: everything cancels.
  Exact power(1);
  for (int n = 1; n <= 60; ++n) power = power * Exact::parse("5-2r");
  const long double one = 1 / (5 + 2 * std::sqrt(6.0L));  // = 5 - 2r without cancellation
  EXPECT_NEAR(power.to_double() / static_cast<double>(std::pow(one, 60)), 1.0, 1e-14);
  expect_property("agrees with the double reader", [] {
    const Exact x = any();
    RC_ASSERT(std::abs(x.to_double() - coefficient(x.text())) <= 1e-15 * 400);
  });
}

TEST(Exact, SolvesLinearSystems) {
  const ExactMatrix matrix = {{0, 1, 2}, {Exact::root6(), 0, 1}, {1, 1, 0}};
  const ExactVector x = {Exact(1) / 3, Exact::root6(), Exact(-2)};
  EXPECT_EQ(solve(matrix, matrix * x, "a test"), x);
}

}  // namespace
}  // namespace dalembert
