#include "dalembert/boundary/grid_function.h"

#include "dalembert/core/equidistant.h"

namespace dalembert {

GridFunction::GridFunction(const Grid& grid, Eigen::Index size, int degree)
    : grid_(grid), degree_(std::min(degree, grid.steps)), values_(Matrix::Zero(size, grid.steps + 1)) {}

void GridFunction::operator()(double t, Out y) const {
  interpolate_equidistant(values_, degree_, (t - grid_.begin) / grid_.step(), y);
}

}  // namespace dalembert
