// Interpolation between equidistant points by the polynomial through the nearest ones.
#pragma once

#include "dalembert/core/vector.h"

namespace dalembert {

/// Columns 0, 1, ... of `values` are the points; x counts in columns. Through the nearest degree + 1 of them; at a point its
/// own value, exactly.
void interpolate_equidistant(const Matrix& values, int degree, double x, Out y);

}  // namespace dalembert
