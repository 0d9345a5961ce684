// Expressions that are wrong or hostile: every mistake with its place, and quickly.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "tests/support/expressions.h"

namespace dalembert {
namespace {

using testing::names;
using testing::number;
using testing::read;

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
      {"cos(30 deg)", 4, 6, "'30 deg' has a unit inside of a formula",
       "units stand alone, behind the whole value; give '30 deg' a name under [parameters]"},
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

}  // namespace
}  // namespace dalembert
