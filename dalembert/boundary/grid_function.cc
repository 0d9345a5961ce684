#include "dalembert/boundary/grid_function.h"

#include <cmath>

namespace dalembert {

GridFunction::GridFunction(const Grid& mesh, Eigen::Index size, int degree)
    : mesh_(mesh), degree_(std::min(degree, mesh.steps)), values_(Matrix::Zero(size, mesh.steps + 1)) {}

void GridFunction::operator()(double t, Out y) const {
  const double x = (t - mesh_.begin) / mesh_.step();  // in steps
  const double nearest = std::round(x);
  if (std::abs(x - nearest) < 1e-9 && nearest >= 0 && nearest <= mesh_.steps) {
    y = values_.col(static_cast<Eigen::Index>(nearest));
    return;
  }
  const int first =
      std::clamp(static_cast<int>(std::floor(x - 0.5 * (degree_ - 1))), 0, mesh_.steps - degree_);
  y.setZero();
  for (int i = 0; i <= degree_; ++i) {
    double weight = 1;
    for (int j = 0; j <= degree_; ++j)
      if (j != i) weight *= (x - first - j) / (i - j);
    y += weight * values_.col(first + i);
  }
}

}  // namespace dalembert
