// How far two recordings of one motion are from each other, in units of what a tolerance allows.
//
//   max |difference|/(atol + rtol |truth|),   with Tolerance{1, 1}: |difference|/(1 + |truth|)
//
// Positions whose rates are not their velocities (rotations) may be the same although their numbers are not: they are also
// compared in velocity space, and the smaller of both counts.
#pragma once

#include <map>
#include <string>

#include "dalembert/observe/certify/recording.h"

namespace dalembert {

/// By block of Problem::report(); infinite where a number is known on one side only.
using Deviations = std::map<std::string, double>;

/// At one point.
Deviations deviations(const Problem&, const Tolerance& unit, const Sample& ours, const Sample& truth);
/// Where they ended; "t" says how far the times of that are apart.
Deviations end_deviations(const Problem&, const Tolerance& unit, const Recording& ours,
                          const Recording& truth);
/// The largest over all samples, the end included. Infinite if the events of the two are not the same.
Deviations deviations(const Problem&, const Tolerance& unit, const Recording& ours, const Recording& truth);

/// Of the blocks that carry history, and of the time.
double largest_differential(const Problem&, const Deviations&);

}  // namespace dalembert
