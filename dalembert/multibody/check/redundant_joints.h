// Loads that the joints of one loop keep up against each other.
#pragma once

#include "dalembert/constraints/redundancy.h"
#include "dalembert/multibody/check/chapters.h"
#include "dalembert/multibody/check/submechanism.h"

namespace dalembert::check {

/// J'l = 0: one column per load, one row per row of the part, for rows of unit length.
struct Loads {
  Matrix columns;
  Vector length;  ///< of the rows of J: multipliers are entries divided by it
};
/// Those that hold at all positions.
Loads lasting_loads(const Submechanism&, const Redundancy&);
/// Those of this position.
Loads loads_here(const Submechanism&);

/// The joints that take part, in the order of the mechanism.
std::vector<Mechanism::Joint> sharing(const Mechanism&, const Submechanism&, const Matrix& columns);

/// What the joints of a loop hold twice, in words, and what could be done about it.
void describe_redundancy(const Mechanism&, const Submechanism&, const Redundancy&, Findings&);

}  // namespace dalembert::check
