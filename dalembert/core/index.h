// One cast between the two ways of counting: Eigen's signed indices and the unsigned ones of the standard library.
#pragma once

#include <cstddef>

namespace dalembert {

/// container[at(i)] for an i that is known not to be negative.
constexpr std::size_t at(std::ptrdiff_t i) {
  return static_cast<std::size_t>(i);
}

}  // namespace dalembert
