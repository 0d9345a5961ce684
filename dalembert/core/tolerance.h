// Error weights and the one norm of error tests.
#pragma once

#include "dalembert/core/layout.h"

namespace dalembert {

/// How far iterations are driven: as the error test needs it, or (fixed steps, whose error no tolerance steers) down to
/// rounding.
enum class Precision { tolerance, rounding };

/// scale_i = atol + rtol max(|a_i|, |b_i|);  norm(d) = sqrt(mean((d_i/scale_i)^2)) over differential entries.
struct Tolerance {
  double relative = 1e-6;
  double absolute = 1e-6;

  /// Throws Error unless both are finite, not negative and not both zero.
  void validate() const;

  double norm(In d, In a, In b) const {
    double sum = 0;
    for (Eigen::Index i = 0; i < d.size(); ++i) {
      const double scale = absolute + relative * std::max(std::abs(a[i]), std::abs(b[i]));
      const double part = d[i] / scale;
      sum += part * part;
    }
    return d.size() == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(d.size()));
  }
};

}  // namespace dalembert
