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

/// A formula or one of the formulas it is made of, as a law with bounds.
class FormulaPart final : public BoundedLaw {
 public:
  FormulaPart(Operations operations, std::size_t variables)
      : operations_(operations), variables_(variables), used_(variables, false) {
    for (const Operation& o : operations)
      if (o.op == Op::variable) used_[o.variable] = true;
  }
  std::size_t arguments() const override { return variables_; }
  bool uses(std::size_t argument) const override { return used_[argument]; }
  double at(const double* x) const override;
  double noise(const double* x) const override;
  Range over(const Range* x) const override { return bounds(operations_, x); }

 private:
  Operations operations_;
  std::size_t variables_;
  std::vector<bool> used_;
};

/// The parts that can be flat nearly everywhere and large in between, inner ones first: a bump that stands in a sum with something
/// larger, or in a product, is nothing but a bump in its own part. The last one is the whole, unless no part is like that.
std::vector<FormulaPart> narrow_parts(Operations, std::size_t variables);

struct Expression::Program {
  std::vector<Operation> operations;
  std::size_t variables = 0;
  std::vector<FormulaPart> narrow;  // parts of the operations here: it is made where it stays

  /// For who listens (bounded_law.h).
  void note(const double* x) const {
    if (LawRecord* record = LawRecord::current(); record != nullptr)
      for (const FormulaPart& part : narrow) record->note(part, x);
  }
};

/// At most eight numbers wait per level: one for each strength of binding, two arguments of a function.
inline constexpr std::size_t tallest_stack = 8 * (Expression::deepest + 2);

double evaluate(Operations, const double* x);
/// The gradient with respect to the first n variables.
double evaluate(Operations, const double* x, std::size_t n, double* gradient);
Motion::Value evaluate_at(Operations, double t);

}  // namespace dalembert
