// A named output of a run: one number with a unit, computed from the reported state.
#pragma once

#include <functional>
#include <string>

#include "dalembert/core/layout.h"

namespace dalembert {

/// A number that is looked at along a run.
struct Watch {
  std::string name, unit;                     ///< "bearing.x", "N"
  std::function<double(const State&)> value;  ///< of a state in the layout of Problem::report()
};

}  // namespace dalembert
