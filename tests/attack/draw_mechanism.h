// Draws a mechanism as the text of a model file.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/attack/draft.h"
#include "tests/attack/world.h"

namespace dalembert::attack {

struct Drawing {
  std::string head;  ///< what comes before the elements, and what comes after them
  std::vector<DrawnElement> elements;
  std::string run;
  std::set<std::string> kinds;
  std::vector<std::string> bodies;
  int pieces = 1;  ///< of the output
  bool planar = true, liftable = false;
  std::string text() const;
};

/// The same seed is the same mechanism, however the world writes it.
Drawing draw_mechanism(std::uint64_t seed, const World& = {});

}  // namespace dalembert::attack
