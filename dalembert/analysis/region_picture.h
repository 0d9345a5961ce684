// Stability regions as pictures: where in the plane of z = h lambda no amplification factor is larger than 1.
#pragma once

#include <string>
#include <vector>

#include "dalembert/analysis/amplification.h"
#include "dalembert/observe/drawing.h"

namespace dalembert {

struct NamedForm {
  std::string name;
  LinearForm form;
};

/// Filled regions, three in a row, each with its own scale and the same in both directions; of multistep formulas the boundary
/// locus as well, loops inside and outside included.
Drawing region_picture(const std::vector<NamedForm>&);

/// Where a row of the plane, Im z = y, is stable between two values of Re z: begins and ends, one after the other.
std::vector<double> stable_intervals(const LinearForm&, double y, double from, double to, int samples);

}  // namespace dalembert
