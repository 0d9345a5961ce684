// Expressions: values against C++, derivatives against formulas and differences, every mistake with its place.
#include "dalembert/model/expression/expression.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>

#include "tests/support/allocation_counter.h"

namespace dalembert {
namespace {

constexpr double pi = std::numbers::pi;

Expression::Names names() {
  return {.variables = {"x", "y", "t"},
          .constant = [](const std::string& name) -> std::optional<double> {
            if (name == "zero") return 0;
            if (name == "mass") return 2.5;
            if (name == "crank.length") return .15;
            if (name == "endless") return INFINITY;
            return std::nullopt;
          },
          .known = {"zero", "mass", "crank.length", "endless"}};
}

Expression read(const std::string& text) {
  return Expression::parse(text, names());
}

double number(const std::string& text, double x = 0, double y = 0, double t = 0) {
  const double at[] = {x, y, t};
  return read(text)(at);
}

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

TEST(Expression, IsNotFiniteOutsideOfItsDomain) {
  for (const auto* text : {"sqrt(x)", "log(x)", "asin(2*x)", "x^.5", "x^y", "sqrt(min(x, 1))",
                           "max(1, sqrt(x))", "sign(log(x))", "step(log(x))"})
    EXPECT_TRUE(std::isnan(number(text, -1, .5))) << text;
  for (const auto* text : {"1/x", "log(x)", "x^-1", "1e300^(1/x)"})
    EXPECT_TRUE(std::isinf(number(text, 0))) << text;
}

struct Mistake {
  std::string text;
  std::size_t offset, length;
  std::string what, hint;
};

TEST(Expression, SaysWhatIsWrongAndWhere) {
  const std::vector<Mistake> mistakes = {
      {"", 0, 0, "the expression is empty", "write a number or a formula"},
      {"  ", 2, 0, "the expression is empty", "write a number or a formula"},
      {"2x", 0, 2, "an operator is missing in '2x'", "write 2*x for a product"},
      {"3 + 2 mass", 4, 6, "an operator is missing in '2 mass'", "write 2*mass for a product"},
      {"(x)(y)", 2, 2, "an operator is missing in ')('", "write )*( for a product"},
      {"sin(1 2)", 4, 3, "an operator is missing in '1 2'", "write 1*2 for a product"},
      {"x(3)", 0, 1, "'x' is not a function", "write x*( for a product"},
      {"x**2", 1, 2, "'**' is not an operator", "write ^ for powers"},
      {"sin x", 0, 3, "'sin' is a function", "write its arguments in parentheses: sin(x)"},
      {"1 + sinn(x)", 4, 4, "unknown function 'sinn'", "did you mean 'sin'?"},
      {"2*mas", 2, 3, "unknown name 'mas'", "did you mean 'mass'?"},
      {"q", 0, 1, "unknown name 'q'", "known are: x, y, t, zero, mass, crank.length, endless, pi"},
      {"x/zero", 1, 5, "division by zero", "let the divisor be another number"},
      {"1/(2 - 2)", 1, 8, "division by zero", "let the divisor be another number"},
      {"2*sqrt(-1)", 2, 8, "'sqrt(-1)' is not a number", "check its arguments"},
      {"log(0)", 0, 6, "'log(0)' is infinite", "check its arguments"},
      {"endless", 0, 7, "'endless' is not a finite number", "let it be one"},
      {"1e999", 0, 5, "'1e999' is outside of the range of numbers", "numbers reach from 2.3e-308 to 1.7e308"},
      {"0 < x < 1", 0, 5, "comparisons cannot be chained", "write a < b and b < c"},
      {"x < 1", 0, 5, "a condition is not a number", "write if(condition, 1, 0)"},
      {"2 + (x < 1)", 4, 7, "a condition is not a number", "write if(condition, 1, 0)"},
      {"if(2*x, 1, 2)", 3, 3, "'2*x' is not a condition", "compare it: < <= > >= == !="},
      {"if(x = 1, 1, 2)", 5, 1, "'=' is not an operator", "write == to compare"},
      {"if(x > 1 && y > 1, 1, 2)", 9, 2, "'&&' is not an operator", "write and"},
      {"if(!x > 1, 1, 2)", 3, 1, "'!' is not an operator", "write not"},
      {"x % 2", 2, 1, "'%' is not an operator", "write x - y*floor(x/y) for the rest of a division"},
      {"and", 0, 3, "'and' should join conditions", "write if(x > 0 and x < 1, a, b)"},
      {"3 +", 3, 0, "the expression ends where a number should follow", "write it, or remove the operator"},
      {"3 + *4", 4, 1, "a number or a name should stand before '*'", "write it, or remove the operator"},
      {"2*(1 + x", 2, 1, "this ( is not closed", "write the ) that belongs to it"},
      {"1 + max(x, 2", 4, 4, "this ( is not closed", "write the ) that belongs to it"},
      {"1 + x)", 5, 1, "this ) closes nothing", "remove it, or write the ( that belongs to it"},
      {"1,5", 1, 1, "a comma outside of a function", "numbers have a decimal point: 0.5"},
      {"1_000", 1, 1, "'_' inside of a number", "write the digits without it"},
      {"1.2.3", 3, 1, "a decimal point too many", "write 0.5"},
      {"min(1)", 0, 3, "'min' has too few arguments here", "it is min(x, y, ...)"},
      {"atan2()", 0, 5, "'atan2' has no arguments here", "it is atan2(y, x)"},
      {"sin(1, 2)", 0, 3, "'sin' has too many arguments here", "it is sin(x)"},
      {"ramp(x, 1, 1)", 0, 13, "'ramp' has no width", "let x0 and x1 differ, or write step(x - x0)"},
      {"x \xE2\x88\x92 1", 2, 3, "'\xE2\x88\x92' is not an operator", "write -"},
      {"2\xC2\xB7x", 1, 2, "'\xC2\xB7' is not an operator", "write *"},
      {"2*\xCF\x80", 2, 2, "'\xCF\x80' is not a name", "write pi"},
      {"45\xC2\xB0", 2, 2, "a unit is not arithmetic", "write pi/180*x for an angle of x degrees"},
      {"x\xFF", 1, 1, "the byte 0xFF is not arithmetic",
       "there are numbers, names, + - * / ^, parentheses and functions"},
      {"system(\"ls\")", 0, 6, "unknown function 'system'",
       "known are: sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, exp, log, ..."},
      {"x; y", 1, 1, "';' is not arithmetic",
       "there are numbers, names, + - * / ^, parentheses and functions"}};
  for (const auto& m : mistakes) {
    try {
      read(m.text);
      FAIL() << "'" << m.text << "' was read";
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.what(), m.what) << m.text;
      EXPECT_EQ(error.hint(), m.hint) << m.text;
      EXPECT_EQ(error.offset, m.offset) << m.text;
      EXPECT_EQ(error.length, m.length) << m.text;
    }
  }
}

std::string repeat(const std::string& piece, int n) {
  std::string all;
  for (int i = 0; i < n; ++i) all += piece;
  return all;
}

TEST(Expression, RefusesHostileTextQuickly) {
  const std::vector<std::string> texts = {repeat("(", 100000),
                                          repeat("(", 9000),
                                          repeat("(", 101) + "1" + repeat(")", 101),
                                          repeat("-", 9000) + "1",
                                          "if(" + repeat("not ", 2000) + "x > 1, 1, 2)",
                                          repeat("2^", 4000) + "1",
                                          repeat("sin(", 2000) + "1" + repeat(")", 2000),
                                          repeat("x", 1000000),
                                          repeat("x", 9999),
                                          repeat("1", 9999),
                                          repeat("x+", 600000) + "x",
                                          repeat("max(", 2400),
                                          std::string(9000, '\0'),
                                          std::string("x") + '\0' + "y",
                                          repeat("\xFE", 9000),
                                          repeat("\xC3\x28", 4000),
                                          repeat("if(x>1,", 1400),
                                          repeat("if(x>1,2,", 90) + "1/0" + repeat(")", 90)};
  const auto begin = std::chrono::steady_clock::now();
  for (const auto& text : texts) {
    try {
      read(text);
      ADD_FAILURE() << text.substr(0, 40) << " was read";
    } catch (const ExpressionError& error) {
      EXPECT_LT(error.sentence().size(), 400U);
      EXPECT_LE(error.offset + error.length, text.size() + 1);
    }
  }
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 1);
}

TEST(Expression, ReadsWhatIsJustAllowed) {
  EXPECT_EQ(number(repeat("(", 100) + "1" + repeat(")", 100)), 1);
  EXPECT_EQ(number(repeat("1+", 4999) + "1"), 5000);
  EXPECT_EQ(number(repeat("x+", 4999) + "x", 1), 5000);
  // the tallest stack there can be: everything waits at every level
  const std::string level = "ramp(x, 2, if(x>3 or x>3 and 9 < x+x*x^";
  const std::string tall = repeat(level, 33) + "1" + repeat(", 4, 5))", 33);
  double gradient[3];
  const double at[] = {3, 0, 0};
  EXPECT_EQ(read(tall).law()(at, gradient), 1. / 3);
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

}  // namespace
}  // namespace dalembert
