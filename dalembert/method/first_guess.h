// A first step from the size of the state, of its rate and of how that changes, before one is tried [HairerNorsettWanner1993, II.4].
#pragma once

#include <optional>

#include "dalembert/core/layout.h"

namespace dalembert {

/// Something that a Method may be besides.
class FirstGuess {
 public:
  virtual ~FirstGuess() = default;
  /// The order of magnitude of the first step from there; nothing where there is no rate.
  virtual std::optional<double> guess_first_step(const State& from) = 0;
};

}  // namespace dalembert
