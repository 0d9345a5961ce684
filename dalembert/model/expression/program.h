// An expression as a list of operations on a stack of numbers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dalembert/core/bounded_law.h"
#include "dalembert/model/expression/expression.h"

namespace dalembert {

enum class Op {
  constant,
  variable,
  // one number
  negate,
  power_of,  // power_of: to a constant
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  cbrt,
  abs,
  sign,
  step,
  floor,
  // two numbers
  add,
  subtract,
  multiply,
  divide,
  power,
  atan2,
  hypot,
  min,
  max,
  // three numbers
  ramp,
  smooth_step,
  choose,
  // conditions: 1 or 0
  less,
  at_most,
  greater,
  at_least,
  equal,
  differs,
  both,
  either,
  not_so,
};

struct Operation {
  Op op;
  double value = 0;  // of a constant, or the exponent of power_of
  std::size_t variable = 0;
};

using Operations = std::span<const Operation>;

/// Holds all values while each variable stays in its range.
Range bounds(Operations, const Range* x);
/// Can it be flat nearly everywhere and large in between?
bool may_be_narrow(Operations);

struct Expression::Program final : BoundedLaw {
  std::vector<Operation> operations;
  std::size_t variables = 0;

  std::size_t arguments() const override { return variables; }
  double at(const double* x) const override;
  Range over(const Range* x) const override { return bounds(operations, x); }
};

/// At most eight numbers wait per level: one for each strength of binding, two arguments of a function.
inline constexpr std::size_t tallest_stack = 8 * (Expression::deepest + 2);

double evaluate(Operations, const double* x);
/// The gradient with respect to the first n variables.
double evaluate(Operations, const double* x, std::size_t n, double* gradient);
Motion::Value evaluate_at(Operations, double t);

}  // namespace dalembert
