// The functions of expressions and their derivatives, each written once.
#pragma once

#include "dalembert/model/expression/program.h"

namespace dalembert {

/// Of a function of one number.
struct Curve {
  double first, second;
};

/// Value and derivatives of a function of two.
struct Partials {
  double f, a, b, aa, ab, bb;
};

double value(const Operation&, double x);
Curve curve(const Operation&, double x, double f);  ///< f: the value at x
double value(Op, double a, double b);
Partials partials(Op, double a, double b);

}  // namespace dalembert
