// Random formulas, printed with no more parentheses than they need, are read back as they were meant.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstdio>
#include <memory>

#include "dalembert/model/expression/expression.h"
#include "dalembert/problem/dual.h"

namespace dalembert {
namespace {

using Number = Dual<2>;  // an implementation of derivatives that expressions do not use

struct Tree {
  std::string what;  // "+", "sin", "x", "" for a number
  double value = 0;
  std::vector<Tree> parts{};
};

constexpr const char* unary[] = {"sin",  "cos", "tan", "atan", "sinh", "cosh",
                                 "tanh", "exp", "log", "sqrt", "abs"};

/// All equally often, from the first trial on.
int pick(int from, int to) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(from, to));
}

Tree tree(int depth) {
  const auto kind = pick(0, depth > 0 ? 11 : 3);
  const auto part = [&] { return tree(depth - 1); };
  switch (kind) {
    case 0:
      return {"", .25 * pick(0, 40)};
    case 1:
      return {"x"};
    case 2:
      return {"y"};
    case 3:
      return {"+", 0, {part(), part()}};
    case 4:
      return {"-", 0, {part(), part()}};
    case 5:
      return {"*", 0, {part(), part()}};
    case 6:
      return {"/", 0, {part(), part()}};
    case 7:
      return {"^", 0, {part(), {"", static_cast<double>(pick(-3, 4))}}};
    case 8:
      return {"neg", 0, {part()}};
    case 9:
      return {"if", 0, {{*rc::gen::element<std::string>("x", "y")}, part(), part(), part()}};
    default:
      return {*rc::gen::elementOf(std::vector<std::string>(std::begin(unary), std::end(unary))), 0, {part()}};
  }
}

Number value(const Tree& tree, const Number& x, const Number& y) {
  const auto part = [&](std::size_t i) { return value(tree.parts[i], x, y); };
  if (tree.what.empty()) return tree.value;
  if (tree.what == "x") return x;
  if (tree.what == "y") return y;
  if (tree.what == "+") return part(0) + part(1);
  if (tree.what == "-") return part(0) - part(1);
  if (tree.what == "*") return part(0) * part(1);
  if (tree.what == "/") return part(0) / part(1);
  if (tree.what == "^") return pow(part(0), tree.parts[1].value);
  if (tree.what == "neg") return -part(0);
  if (tree.what == "if") return part(0) < part(1) ? part(2) : part(3);
  using Function = Number (*)(const Number&);
  constexpr Function functions[] = {
      [](const Number& a) { return sin(a); },  [](const Number& a) { return cos(a); },
      [](const Number& a) { return tan(a); },  [](const Number& a) { return atan(a); },
      [](const Number& a) { return sinh(a); }, [](const Number& a) { return cosh(a); },
      [](const Number& a) { return tanh(a); }, [](const Number& a) { return exp(a); },
      [](const Number& a) { return log(a); },  [](const Number& a) { return sqrt(a); },
      [](const Number& a) { return abs(a); }};
  const auto which = std::find(std::begin(unary), std::end(unary), tree.what) - std::begin(unary);
  return functions[which](part(0));
}

bool constant(const Tree& tree) {
  if (tree.what == "x" || tree.what == "y") return false;
  return std::all_of(tree.parts.begin(), tree.parts.end(), constant);
}

/// Must the text be refused, since a constant in it is not finite?
bool refused(const Tree& tree) {
  if (std::any_of(tree.parts.begin(), tree.parts.end(), refused)) return true;
  if (tree.what == "/" && constant(tree.parts[1]) && value(tree.parts[1], 0, 0).value == 0) return true;
  return constant(tree) && !std::isfinite(value(tree, 0, 0).value);
}

/// `strength`: what is around binds so tightly. 1 sum, 2 product, 3 sign, 4 base of a power.
std::string print(const Tree& tree, int strength = 0) {
  const auto part = [&](std::size_t i, int s) { return print(tree.parts[i], s); };
  const std::string blank = *rc::gen::element<std::string>("", " ", "\t ");
  const auto enclosed = [&](int own, const std::string& text) {
    return own < strength ? "(" + text + ")" : text;
  };
  const std::string sign = blank + tree.what + blank;
  if (tree.what.empty()) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", tree.value);
    return enclosed(tree.value < 0 ? 3 : 9, digits);
  }
  if (tree.what == "x" || tree.what == "y") return tree.what;
  if (tree.what == "+" || tree.what == "-") return enclosed(1, part(0, 1) + sign + part(1, 2));
  if (tree.what == "*" || tree.what == "/") return enclosed(2, part(0, 2) + sign + part(1, 3));
  if (tree.what == "^") return enclosed(3, part(0, 4) + sign + part(1, 3));
  if (tree.what == "neg") return enclosed(3, "-" + blank + part(0, 3));
  if (tree.what == "if")
    return "if(" + part(0, 0) + blank + "<" + part(1, 0) + "," + part(2, 0) + "," + blank + part(3, 0) + ")";
  return tree.what + blank + "(" + part(0, 0) + ")";
}

bool same(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return !std::isfinite(a) && !std::isfinite(b);
  return std::abs(a - b) <= 1e-9 * (1 + std::abs(b));
}

TEST(ExpressionProperty, PrintedFormulasAreReadBack) {
  EXPECT_TRUE(rc::check("value and gradient", [] {
    const Tree meant = tree(5);
    const std::string text = print(meant);
    RC_LOG() << text << "\n";
    const Expression::Names names{.variables = {"x", "y"}};
    if (refused(meant)) {
      RC_TAG("refused");
      RC_ASSERT_THROWS_AS(Expression::parse(text, names), ExpressionError);
      return;
    }
    RC_TAG("read");
    const double at[] = {.5 + .1 * pick(0, 20), -1.03 + .1 * pick(0, 20)};
    Number x(at[0]), y(at[1]);
    x.gradient.d[0] = y.gradient.d[1] = 1;
    const Number expected = value(meant, x, y);
    const Expression expression = Expression::parse(text, names);
    double gradient[2];
    const double with_gradient = expression.law()(at, gradient), alone = expression(at);
    RC_ASSERT(same(alone, expected.value));
    RC_ASSERT(with_gradient == alone || (std::isnan(with_gradient) && std::isnan(alone)));
    // Rules without care make NaN of 0 times infinity; ours do not, so only finite derivatives are compared.
    for (std::size_t i = 0; i < 2; ++i)
      if (std::isfinite(expected.gradient.d[i])) RC_ASSERT(same(gradient[i], expected.gradient.d[i]));
  }));
}

/// As a motion along x = y = t, f' is the sum of the entries of the gradient.
TEST(ExpressionProperty, RatesAreSumsOfSlopes) {
  EXPECT_TRUE(rc::check("rates", [] {
    const Tree meant = tree(4);
    RC_PRE(!refused(meant));
    std::string text = print(meant), along = text;
    for (char& c : along)
      if (c == 'y') c = 'x';  // no function has a y in its name
    std::size_t at = 0;
    while ((at = along.find('x', at)) != std::string::npos) {
      if (at > 0 && along[at - 1] == 'e')
        ++at;  // exp
      else
        along[at] = 't';
    }
    RC_LOG() << along << "\n";
    const double t = .5 + .1 * pick(0, 20), both[] = {t, t};
    double gradient[2];
    const double f = Expression::parse(text, {.variables = {"x", "y"}}).law()(both, gradient);
    const Motion::Value motion = Expression::parse(along, {.variables = {"t"}}).motion()(t);
    RC_ASSERT(same(motion.f, f));
    const double rate = gradient[0] + gradient[1];
    if (std::isfinite(f) && std::isfinite(rate) && std::isfinite(motion.rate))
      RC_ASSERT(std::abs(motion.rate - rate) <= 1e-9 * (1 + std::abs(gradient[0]) + std::abs(gradient[1])));
  }));
}

}  // namespace
}  // namespace dalembert
