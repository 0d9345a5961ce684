// The shapes of eigenvalues that are there several times.
#pragma once

#include "dalembert/analysis/modes.h"

namespace dalembert {

/// Values that are there several times get independent shapes, as many as there are; the copies that are left over belong to chains. Each value
/// is known to its entry of `errors`.
void share_shapes(const Matrix& A, const Matrix& doubt, const std::vector<double>& errors,
                  std::vector<Mode>&);

}  // namespace dalembert
