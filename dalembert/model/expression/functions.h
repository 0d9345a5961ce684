// The functions that expressions know: the only list of them.
#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "dalembert/model/expression/program.h"

namespace dalembert {

struct ExpressionFunction {
  Expression::Function page;
  Op op;
  int least, most;  ///< arguments
};

/// Nothing if there is none of that name.
const ExpressionFunction* find_function(std::string_view name);
const std::vector<ExpressionFunction>& all_functions();

}  // namespace dalembert
