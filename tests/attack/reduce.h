// Leaves out of a drawing what a fault does not need.
#pragma once

#include <functional>

#include "tests/attack/draw_mechanism.h"

namespace dalembert::attack {

/// Elements are left out one by one, the last ones first, as long as the fault stays.
inline Drawing reduce(Drawing drawing, const std::function<bool(const Drawing&)>& faulty) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t i = drawing.elements.size(); i-- > 0;) {
      Drawing less = drawing;
      less.elements.erase(less.elements.begin() + static_cast<std::ptrdiff_t>(i));
      if (!faulty(less)) continue;
      drawing = std::move(less);
      smaller = true;
    }
  }
  return drawing;
}

}  // namespace dalembert::attack
