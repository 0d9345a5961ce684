#include "dalembert/core/equidistant.h"

#include <cmath>

namespace dalembert {

void interpolate_equidistant(const Matrix& values, int degree, double x, Out y) {
  const int last = static_cast<int>(values.cols()) - 1;
  const double nearest = std::round(x);
  if (std::abs(x - nearest) < 1e-9 && nearest >= 0 && nearest <= last) {
    y = values.col(static_cast<Eigen::Index>(nearest));
    return;
  }
  const int first = std::clamp(static_cast<int>(std::floor(x - 0.5 * (degree - 1))), 0, last - degree);
  y.setZero();
  for (int i = 0; i <= degree; ++i) {
    double weight = 1;
    for (int j = 0; j <= degree; ++j)
      if (j != i) weight *= (x - first - j) / (i - j);
    y += weight * values.col(first + i);
  }
}

}  // namespace dalembert
