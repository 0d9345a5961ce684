// One run as a page reads it: a description, then numbers. page/src/run.js is the reader.
//
//   text      JSON: what was run, columns, the scene, what the run says of itself
//   doubles   times of the rows; of the first tried step and the last reading of each group
//   levels    the columns, one after the other
//   floats    of each group of steps: shortest, longest, largest error, order, rejected, over a singular position
//             of each group of readings: the largest drift of positions and velocities, and energy minus work
#pragma once

#include <string>

#include "dalembert/page/page.h"

namespace dalembert {

/// Deflated, as base64.
std::string packed(const PageRun&);
bool is_spatial(const PageRun&);

}  // namespace dalembert
