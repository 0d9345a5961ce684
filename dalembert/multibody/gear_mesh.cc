#include "dalembert/multibody/gear_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dalembert {

GearMeshRows::Gears::Gears(MeasurePtr first, MeasurePtr second, int z_1, int z_2, Eigen::Index in)
    : row(in),
      measures_{std::move(first), std::move(second)},
      factors_{static_cast<double>(z_1) / z_2, 1},
      period_(2 * std::numbers::pi / std::abs(z_2)) {
  for (std::size_t m = 0; m < 2; ++m)
    for (int i = 0; i < measures_[m]->count; ++i) {
      const Eigen::Index column = measures_[m]->columns[static_cast<std::size_t>(i)];
      const auto end = columns.begin() + count, found = std::find(columns.begin(), end, column);
      places_[m][static_cast<std::size_t>(i)] = column < 0 ? -1 : static_cast<int>(found - columns.begin());
      if (column >= 0 && found == end) columns[static_cast<std::size_t>(count++)] = column;
    }
}

double GearMeshRows::Gears::value(const Placement& at) const {
  return std::remainder(factors_[0] * measures_[0]->value(at) + factors_[1] * measures_[1]->value(at),
                        period_);
}

void GearMeshRows::Gears::gradient(const Placement& at, double* gradient) const {
  std::fill_n(gradient, count, 0.);
  double one[Measure::most];
  for (std::size_t m = 0; m < 2; ++m) {
    measures_[m]->gradient(at, one);
    for (int i = 0; i < measures_[m]->count; ++i)
      if (const int place = places_[m][static_cast<std::size_t>(i)]; place >= 0)
        gradient[place] += factors_[m] * one[i];
  }
}

void GearMeshRows::g(const Placement& at, Out residual) const {
  for (const Gears& mesh : meshes) residual[mesh.row] = mesh.value(at);
}

void GearMeshRows::jacobian(const Placement& at, Entries& J) const {
  double gradient[2 * Measure::most];
  for (const Gears& mesh : meshes) {
    mesh.gradient(at, gradient);
    for (int i = 0; i < mesh.count; ++i)
      J.add(mesh.row, mesh.columns[static_cast<std::size_t>(i)], gradient[i]);
  }
}

void GearMeshRows::velocity_bias(const Placement&, Out w) const {
  for (const Gears& mesh : meshes) w[mesh.row] = 0;
}

void GearMeshRows::bias(const Placement& at, In v, Out bias) const {
  for (const Gears& mesh : meshes) {
    double sum = 0;
    mesh.each_second_derivative(
        at, [&](Eigen::Index i, Eigen::Index j, double hessian) { sum += hessian * v[i] * v[j]; });
    bias[mesh.row] = sum;
  }
}

void GearMeshRows::geometric_stiffness(const Placement& at, In l, Entries& K) const {
  for (const Gears& mesh : meshes)
    mesh.each_second_derivative(
        at, [&](Eigen::Index i, Eigen::Index j, double hessian) { K.add(i, j, l[mesh.row] * hessian); });
}

void GearMeshRows::velocity_jacobian(const Placement& at, In v, Entries& B) const {
  for (const Gears& mesh : meshes)
    mesh.each_second_derivative(
        at, [&](Eigen::Index i, Eigen::Index j, double hessian) { B.add(mesh.row, j, hessian * v[i]); });
}

}  // namespace dalembert
