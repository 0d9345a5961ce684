// Expressions of x, y and t, with some constants.
#pragma once

#include <cmath>

#include "dalembert/model/expression/expression.h"

namespace dalembert::testing {

inline Expression::Names names() {
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

inline Expression read(const std::string& text) {
  return Expression::parse(text, names());
}

inline double number(const std::string& text, double x = 0, double y = 0, double t = 0) {
  const double at[] = {x, y, t};
  return read(text)(at);
}

}  // namespace dalembert::testing
