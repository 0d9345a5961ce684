#include "dalembert/model/expression/functions.h"

#include <algorithm>

namespace dalembert {

const std::vector<ExpressionFunction>& all_functions() {
  constexpr int any = std::numeric_limits<int>::max();
  static const std::vector<ExpressionFunction> list = {
      {{"sin", "x", "sine; angles in radians"}, Op::sin, 1, 1},
      {{"cos", "x", "cosine"}, Op::cos, 1, 1},
      {{"tan", "x", "tangent"}, Op::tan, 1, 1},
      {{"asin", "x", "angle whose sine is x, -pi/2 to pi/2"}, Op::asin, 1, 1},
      {{"acos", "x", "angle whose cosine is x, 0 to pi"}, Op::acos, 1, 1},
      {{"atan", "x", "angle whose tangent is x, -pi/2 to pi/2"}, Op::atan, 1, 1},
      {{"atan2", "y, x", "angle of the point (x, y), -pi to pi"}, Op::atan2, 2, 2},
      {{"sinh", "x", "hyperbolic sine"}, Op::sinh, 1, 1},
      {{"cosh", "x", "hyperbolic cosine"}, Op::cosh, 1, 1},
      {{"tanh", "x", "hyperbolic tangent"}, Op::tanh, 1, 1},
      {{"exp", "x", "exponential"}, Op::exp, 1, 1},
      {{"log", "x", "natural logarithm"}, Op::log, 1, 1},
      {{"log10", "x", "logarithm to the base 10"}, Op::log10, 1, 1},
      {{"sqrt", "x", "square root"}, Op::sqrt, 1, 1},
      {{"cbrt", "x", "cube root, also of negative numbers"}, Op::cbrt, 1, 1},
      {{"hypot", "x, y", "sqrt(x^2 + y^2)"}, Op::hypot, 2, 2},
      {{"abs", "x", "without its sign"}, Op::abs, 1, 1},
      {{"sign", "x", "-1, 0 or 1"}, Op::sign, 1, 1},
      {{"floor", "x", "greatest whole number that is not above x"}, Op::floor, 1, 1},
      {{"min", "x, y, ...", "least of two or more"}, Op::min, 2, any},
      {{"max", "x, y, ...", "greatest of two or more"}, Op::max, 2, any},
      {{"step", "x", "0 below 0, 1 from there on"}, Op::step, 1, 1},
      {{"ramp", "x, x0, x1", "0 up to x0, 1 from x1 on, straight in between"}, Op::ramp, 3, 3},
      {{"smooth_step", "x, x0, x1", "as ramp, of degree 5, with continuous first and second derivatives"},
       Op::smooth_step,
       3,
       3},
      {{"if", "condition, a, b", "a where the condition holds, else b"}, Op::choose, 3, 3},
  };
  return list;
}

const ExpressionFunction* find_function(std::string_view name) {
  const auto& all = all_functions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.page.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace dalembert
