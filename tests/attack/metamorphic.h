// The same mechanism written in two ways must move in one way.
#pragma once

#include "tests/attack/compare.h"
#include "tests/attack/draw_mechanism.h"

namespace dalembert::attack {

/// Two ways to write down, or to look at, one mechanism.
struct Twins {
  std::string change;  ///< "frame", "units", "order", "space", "outputs"
  World world;         ///< of the second; the first is as drawn
  Drawing first, second;
};
/// Of a mechanism, what kind of change being drawn as well.
Twins draw_twins(std::uint64_t seed);

struct TwinVerdict {
  enum class Sort { agree, differ, refused, unknown };
  Sort sort = Sort::unknown;
  std::string first, second;  ///< outcomes
  Verdict verdict{};
  DrawnRun run{};
};
/// Runs both by one pair, which is drawn too.
TwinVerdict compare_twins(const Twins&, std::uint64_t seed);

}  // namespace dalembert::attack
