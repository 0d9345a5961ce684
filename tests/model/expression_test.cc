// Expressions: values against C++, derivatives against formulas and differences.
#include "dalembert/model/expression/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/allocation_counter.h"
#include "tests/support/expressions.h"

namespace dalembert {
namespace {

using testing::names;
using testing::number;
using testing::read;
constexpr double pi = std::numbers::pi;

TEST(Expression, HasTheValuesOfCpp) {
  const double x = .7, y = -1.3, t = 2.1;
  const std::vector<std::pair<std::string, double>> cases = {
      {"x + y*t - 3", x + y * t - 3},
      {"sin(x)*cos(y)/tan(t)", std::sin(x) * std::cos(y) / std::tan(t)},
      {"asin(x) + acos(x) + atan(y)", std::asin(x) + std::acos(x) + std::atan(y)},
      {"atan2(y, x)", std::atan2(y, x)},
      {"sinh(x) + cosh(y) + tanh(t)", std::sinh(x) + std::cosh(y) + std::tanh(t)},
      {"exp(y) + log(x) + log10(t)", std::exp(y) + std::log(x) + std::log10(t)},
      {"sqrt(t) + cbrt(y)", std::sqrt(t) + std::cbrt(y)},
      {"abs(y) + hypot(x, y)", std::abs(y) + std::hypot(x, y)},
      {"sign(x) + 10*sign(y) + 100*sign(0*t)", 1 - 10},
      {"floor(t) + 10*floor(y)", 2 - 20},
      {"min(x, y, t) + 10*max(x, y, t)", y + 10 * t},
      {"step(x) + 10*step(y) + 100*step(0)", 101},
      {"ramp(t, 2, 4)", (t - 2) / 2},
      {"ramp(x, 2, 4) + 10*ramp(9, 2, 4)", 10},
      {"smooth_step(3, 2, 4)", .5},
      {"smooth_step(x, 2, 4) + 10*smooth_step(t, 0, 2)", 10},
      {"if(x > y, 1, 2) + 10*if(x < y, 1, 2)", 21},
      {"if(x >= x and not y == x or 1 > 2, 1, 2)", 1},
      {"if(x != x or y <= -2, 1, 2)", 2},
      {"mass*crank.length^2/12", 2.5 * .15 * .15 / 12},
      {"x^t", std::pow(x, t)},
      {"2*pi*.5 + 1e-3 + 2.", pi + 1e-3 + 2},
      {"exp(1)", std::numbers::e},
      {" \t x\n + \r y ", x + y}};
  for (const auto& [text, value] : cases) EXPECT_DOUBLE_EQ(number(text, x, y, t), value) << text;
}

TEST(Expression, BindsAsWritten) {
  const std::vector<std::pair<std::string, double>> cases = {{"-2^2", -4},
                                                             {"(-2)^2", 4},
                                                             {"2^-1", .5},
                                                             {"2^3^2", 512},
                                                             {"2^-2^2", 1. / 16},
                                                             {"1 - 2 - 3", -4},
                                                             {"8/4/2", 1},
                                                             {"8/4*2", 4},
                                                             {"2*3 + 4*5", 26},
                                                             {"2 + 3*4^2", 50},
                                                             {"--2", 2},
                                                             {"-+-2", 2},
                                                             {"1 -- 2", 3},
                                                             {"2*-3", -6},
                                                             {"-2*-3", 6},
                                                             {"((((7))))", 7},
                                                             {"2*(3 + 4)", 14},
                                                             {"4^.5", 2},
                                                             {"-(1 + 2)^2", -9},
                                                             {"if(1 < 2 or 1 < 2 and 2 < 1, 1, 0)", 1},
                                                             {"if(not 1 < 2 and 2 < 1, 1, 0)", 0},
                                                             {"if((1 < 2 or 1 < 2) and 2 < 1, 1, 0)", 0},
                                                             {"if(1 + 1 == 2, 1, 0)", 1}};
  for (const auto& [text, value] : cases) EXPECT_EQ(number(text), value) << text;
}

TEST(Expression, FoldsConstants) {
  for (const auto* text : {"2*pi", "sin(mass)^2", "if(zero > 0, x, 3)", "max(1, 2, mass)", "-(-(-1))",
                           "if(zero == 0, 5, 1/zero)", "if(mass > 0, ramp(1, 2, 3), sqrt(-1))",
                           "if(zero > 0 and x > 1/zero, x, 3)", "if(mass > 0 or x > 1, 3, x)"})
    EXPECT_TRUE(read(text).constant()) << text;
  for (const auto* text : {"x", "0*x", "2*pi*t", "if(zero == 0, x, 3)", "max(1, 2, x)"})
    EXPECT_FALSE(read(text).constant()) << text;
}

TEST(Expression, ChoosesWithoutTouchingTheOtherBranch) {
  EXPECT_EQ(number("if(zero > 0, 1/zero, 7)"), 7);
  EXPECT_EQ(number("if(zero > 0 and 1/zero > 2, 1, 7)"), 7);
  EXPECT_EQ(number("if(zero == 0 or 1/zero > 2, 7, 1)"), 7);
  EXPECT_THROW(number("if(zero == 0 and 1/zero > 2, 7, 1)"), ExpressionError);
  EXPECT_THROW(number("if(1/zero > 2 and zero > 0, 7, 1)"), ExpressionError);
  EXPECT_EQ(number("if(x > 0, log(x), 7)", -1), 7);
  double gradient[3];
  const double at[] = {-1, 0, 0};
  EXPECT_EQ(read("if(x > 0, sqrt(x), 3*x)").law()(at, gradient), -3);
  EXPECT_EQ(gradient[0], 3);
  EXPECT_EQ(gradient[1], 0);
}

TEST(Expression, HasExactSlopes) {
  struct Case {
    std::string text;
    double (*by_x)(double, double);
    double (*by_y)(double, double);
  };
  using std::cos, std::cosh, std::exp, std::log, std::pow, std::sin, std::sinh, std::sqrt;
  const std::vector<Case> cases = {
      {"x*y", [](double, double y) { return y; }, [](double x, double) { return x; }},
      {"x/y", [](double, double y) { return 1 / y; }, [](double x, double y) { return -x / (y * y); }},
      {"x^y", [](double x, double y) { return y * pow(x, y - 1); },
       [](double x, double y) { return pow(x, y) * log(x); }},
      {"x^3 - y^2", [](double x, double) { return 3 * x * x; }, [](double, double y) { return -2 * y; }},
      {"2^x", [](double x, double) { return log(2) * pow(2, x); }, [](double, double) { return 0.; }},
      {"sin(x*y)", [](double x, double y) { return y * cos(x * y); },
       [](double x, double y) { return x * cos(x * y); }},
      {"tan(x) + cos(y)", [](double x, double) { return 1 / (cos(x) * cos(x)); },
       [](double, double y) { return -sin(y); }},
      {"asin(x/3) + acos(y/3)", [](double x, double) { return 1 / sqrt(9 - x * x); },
       [](double, double y) { return -1 / sqrt(9 - y * y); }},
      {"atan(x*y)", [](double x, double y) { return y / (1 + x * x * y * y); },
       [](double x, double y) { return x / (1 + x * x * y * y); }},
      {"atan2(y, x)", [](double x, double y) { return -y / (x * x + y * y); },
       [](double x, double y) { return x / (x * x + y * y); }},
      {"hypot(x, y)", [](double x, double y) { return x / std::hypot(x, y); },
       [](double x, double y) { return y / std::hypot(x, y); }},
      {"sinh(x) + cosh(y)", [](double x, double) { return cosh(x); },
       [](double, double y) { return sinh(y); }},
      {"tanh(x) + exp(-y)", [](double x, double) { return 1 / (cosh(x) * cosh(x)); },
       [](double, double y) { return -exp(-y); }},
      {"log(x) + log10(y)", [](double x, double) { return 1 / x; },
       [](double, double y) { return 1 / (y * log(10.)); }},
      {"sqrt(x) + cbrt(y)", [](double x, double) { return .5 / sqrt(x); },
       [](double, double y) { return pow(y, -2. / 3) / 3; }},
      {"abs(-x) + sign(y) + floor(y) + step(y)", [](double, double) { return 1.; },
       [](double, double) { return 0.; }},
      {"min(x, y) + 10*max(x, y)", [](double x, double y) { return x < y ? 1. : 10.; },
       [](double x, double y) { return x < y ? 10. : 1.; }},
      {"ramp(x, 0, 4) + smooth_step(y, 0, 4)", [](double, double) { return .25; },
       [](double, double y) { return 30 * pow(y / 4, 2) * pow(1 - y / 4, 2) / 4; }},
      {"if(x > y, x*y, x)", [](double x, double y) { return x > y ? y : 1; },
       [](double x, double y) { return x > y ? x : 0; }}};
  for (const auto& c : cases)
    for (const auto& [x, y] : {std::pair{.7, 1.9}, {1.3, .2}, {2.6, 1.1}, {.4, 2.9}}) {
      const double at[] = {x, y, .3};
      double gradient[3];
      const Expression e = read(c.text);
      EXPECT_EQ(e.law()(at, gradient), e(at));
      EXPECT_NEAR(gradient[0], c.by_x(x, y), 1e-14 * (1 + std::abs(gradient[0])))
          << c.text << " at " << x << ", " << y;
      EXPECT_NEAR(gradient[1], c.by_y(x, y), 1e-14 * (1 + std::abs(gradient[1])))
          << c.text << " at " << x << ", " << y;
      EXPECT_EQ(gradient[2], 0) << c.text;
    }
}

TEST(Expression, SlopesOfManyVariables) {
  Expression::Names many;
  std::string text = "0";
  double at[17], gradient[17];
  for (int i = 0; i < 17; ++i) {
    many.variables.push_back("x" + std::to_string(i));
    text += " + " + std::to_string(i + 1) + "*x" + std::to_string(i) + "^2";
    at[i] = i - 3;
  }
  Expression::parse(text, many).law()(at, gradient);
  for (int i = 0; i < 17; ++i) EXPECT_DOUBLE_EQ(gradient[i], 2 * (i + 1) * at[i]);
}

TEST(Expression, SecondDerivativesAgreeWithDifferences) {
  const std::vector<std::string> texts = {"t^3",
                                          "t^2.5",
                                          "1/t",
                                          "t^t",
                                          "2^t",
                                          "(1 + t)^-3",
                                          "sin(3*t)",
                                          "cos(t^2)",
                                          "tan(t/2)",
                                          "asin(t/3)",
                                          "acos(t/3)",
                                          "atan(t*t)",
                                          "atan2(t, 1 + t^2)",
                                          "atan2(sin(t), -cos(t))",
                                          "sinh(t)",
                                          "cosh(2*t)",
                                          "tanh(t - 1)",
                                          "exp(-t^2)",
                                          "log(1 + t^2)",
                                          "log10(t)",
                                          "sqrt(1 + t)",
                                          "cbrt(t)",
                                          "cbrt(-t)",
                                          "hypot(t, sin(t))",
                                          "abs(sin(4*t))",
                                          "sin(t)/t",
                                          "min(t^2, exp(t))*max(t, 0)",
                                          "ramp(t, 0, 5)^2",
                                          "smooth_step(t, 0, 3)",
                                          "smooth_step(t, 3, 0)",
                                          "smooth_step(t^2, sin(t), 5)",
                                          "if(t > 1, t^3, sin(t))",
                                          "-t*exp(-(t - 1)^2)*sin(10*t)",
                                          "(t + 1)/(t^2 + 1)",
                                          "floor(t)*t + step(t - 1)"};
  for (const auto& text : texts) {
    const Motion f = Expression::parse(text, {.variables = {"t"}}).motion();
    for (const double t : {.3, .9, 1.7, 2.45}) {
      const double h = 1e-5;
      const auto at = f(t), above = f(t + h), below = f(t - h);
      const double scale = 1e-8 * (1 + std::abs(at.f) + std::abs(at.rate) + std::abs(at.acceleration));
      EXPECT_NEAR(at.rate, (above.f - below.f) / (2 * h), scale) << text << " at " << t;
      EXPECT_NEAR(at.acceleration, (above.rate - below.rate) / (2 * h), 100 * scale) << text << " at " << t;
    }
  }
}

TEST(Expression, SecondDerivativesByHand) {
  const double t = 1.3;
  const auto f = [](const std::string& text, double at) {
    return Expression::parse(text, {.variables = {"t"}}).motion()(at);
  };
  EXPECT_DOUBLE_EQ(f("10*t", t).rate, 10);
  EXPECT_EQ(f("10*t", t).acceleration, 0);
  EXPECT_DOUBLE_EQ(f("sin(3*t)", t).acceleration, -9 * std::sin(3 * t));
  EXPECT_DOUBLE_EQ(f("t^4", t).acceleration, 12 * t * t);
  EXPECT_DOUBLE_EQ(f("exp(t^2)", t).acceleration, (2 + 4 * t * t) * std::exp(t * t));
  EXPECT_DOUBLE_EQ(f("1/t", t).acceleration, 2 / (t * t * t));
  EXPECT_NEAR(f("t^t", t).acceleration, std::pow(t, t) * (std::pow(1 + std::log(t), 2) + 1 / t), 1e-14);
  // with t = 0 where naive rules give 0 * infinity
  EXPECT_EQ(f("t^2", 0).acceleration, 2);
  EXPECT_EQ(f("t^3", 0).acceleration, 0);
  EXPECT_EQ(f("t^1", 0).acceleration, 0);
  EXPECT_EQ(f("(t - 1)^3", 0).acceleration, -6);
  // a motion that starts and ends at rest does so with its acceleration too
  for (const double end : {0., 2.}) {
    EXPECT_EQ(f("smooth_step(t, 0, 2)", end).rate, 0);
    EXPECT_EQ(f("smooth_step(t, 0, 2)", end).acceleration, 0);
  }
}

TEST(Expression, TakesTheUpperSideAtKinks) {
  const auto gradient = [](const std::string& text, double x, double y = 0) {
    const double at[] = {x, y, 0};
    double gradient[3];
    read(text).law()(at, gradient);
    return gradient[0];
  };
  EXPECT_EQ(gradient("abs(x)", 0), 1);
  EXPECT_EQ(gradient("min(x, 2*x)", 0), 1);
  EXPECT_EQ(gradient("max(3*x, 2*x)", 0), 3);
  EXPECT_EQ(gradient("ramp(x, 0, 2)", 0), .5);
  EXPECT_EQ(gradient("ramp(x, 0, 2)", 2), 0);
  EXPECT_EQ(gradient("step(x)", 0), 0);
  EXPECT_EQ(gradient("sign(x)", 0), 0);
  EXPECT_EQ(gradient("hypot(x, y)", 0), 1);
  EXPECT_EQ(gradient("hypot(3*x, 4*x)", 0), 5);
  EXPECT_EQ(gradient("sqrt(y)*x", 2, 0), 0) << "the gradient by y is infinite, the one by x is not";
}

// Far from a pulse parts of it are infinite, but neither its value nor its slopes.
TEST(Expression, IsFlatWhereAPartOverflows) {
  for (const auto* text :
       {"1/cosh(1000*x)^2", "1/((1 + exp(-1000*x))*(1 + exp(1000*(x - 5))))", "exp(-exp(1000*x))"}) {
    const double at[] = {9, 0, 0};
    double gradient[3];
    EXPECT_EQ(read(text).law()(at, gradient), 0) << text;
    EXPECT_EQ(gradient[0], 0) << text;
    const Motion::Value value = Expression::parse(text, {.variables = {"x"}}).motion()(9);
    EXPECT_EQ(value.rate, 0) << text;
    EXPECT_EQ(value.acceleration, 0) << text;
  }
}

TEST(Expression, IsNotFiniteOutsideOfItsDomain) {
  for (const auto* text : {"sqrt(x)", "log(x)", "asin(2*x)", "x^.5", "x^y", "sqrt(min(x, 1))",
                           "max(1, sqrt(x))", "sign(log(x))", "step(log(x))"})
    EXPECT_TRUE(std::isnan(number(text, -1, .5))) << text;
  for (const auto* text : {"1/x", "log(x)", "x^-1", "1e300^(1/x)"})
    EXPECT_TRUE(std::isinf(number(text, 0))) << text;
}

TEST(Expression, KnowsItsNames) {
  for (const auto* name : {"pi", "sin", "if", "and", "or", "not", "smooth_step"})
    EXPECT_TRUE(Expression::reserved(name)) << name;
  for (const auto* name : {"e", "tau", "t", "l1", ""}) EXPECT_FALSE(Expression::reserved(name)) << name;
  for (const auto* name : {"l1", "_", "crank.length", "A_b.c2"})
    EXPECT_TRUE(Expression::is_name(name)) << name;
  for (const auto* name : {"", "1l", "a.", ".a", "a..b", "a.1", "a-b", "a b", "\xC3\xA4"})
    EXPECT_FALSE(Expression::is_name(name)) << name;
  for (const auto& function : Expression::functions()) EXPECT_TRUE(Expression::reserved(function.name));
}

TEST(Expression, PassesOnWhatTheCallerThrows) {
  const Expression::Names circular{
      .constant = [](const std::string&) -> std::optional<double> { throw Error("circular"); }};
  EXPECT_THROW(Expression::parse("a", circular), Error);
}

TEST(Expression, AllocatesNothingWhenEvaluated) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "the sanitizer owns malloc";
  const Expression e =
      read("if(x > y, smooth_step(x, y, 4)*exp(-t), max(x, y, t)^t) + atan2(x, y)/hypot(x, t)");
  const Law law = e.law();
  const Motion motion = Expression::parse("sin(t)^2*ramp(t, 0, 2)", {.variables = {"t"}}).motion();
  double sum = 0, gradient[3];
  const long before = testing::allocations;
  for (int i = 0; i < 100; ++i) {
    const double at[] = {.01 * i, .5, .3};
    sum += e(at) + law(at, gradient) + gradient[0] + motion(at[0]).acceleration;
  }
  EXPECT_EQ(testing::allocations - before, 0) << sum;
}

TEST(Expression, StepsEndWhereItJumpsAndBesideWhatIsNarrow) {
  const auto breaks = [](const std::string& text) {
    return Expression::parse(text, {.variables = {"t"}}).breaks(0, 0, 1);
  };
  EXPECT_EQ(breaks("0.8*step(t - 0.4283)"), std::vector{0.4283});
  EXPECT_EQ(breaks("if(t > 0.25 and t < 0.2501, 100, 0)"), (std::vector{0.25, 0.2501}));
  EXPECT_EQ(breaks("step(t - 0.3) + t"), std::vector{0.3});
  const auto pulse = breaks("exp(-((t - 0.6)/0.001)^2)");
  ASSERT_EQ(pulse.size(), 2u);
  EXPECT_LT(pulse[0], 0.598);
  EXPECT_GT(pulse[1], 0.602);
  // A pulse that a jump begins is narrow all the same.
  const auto tail = breaks("step(t - 0.6)*exp(-(t - 0.6)/0.001)");
  ASSERT_GE(tail.size(), 2u);
  EXPECT_GT(tail.back(), 0.603);
}

}  // namespace
}  // namespace dalembert
