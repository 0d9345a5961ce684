#include "dalembert/multibody/gear_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dalembert {

MeshRows::Mesh::Mesh(MeasurePtr first, MeasurePtr second, int z_1, int z_2, Eigen::Index in)
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

double MeshRows::Mesh::value(const Placement& at) const {
  return std::remainder(factors_[0] * measures_[0]->value(at) + factors_[1] * measures_[1]->value(at),
                        period_);
}

void MeshRows::Mesh::slope(const Placement& at, double* slope) const {
  std::fill_n(slope, count, 0.);
  double one[Measure::most];
  for (std::size_t m = 0; m < 2; ++m) {
    measures_[m]->slope(at, one);
    for (int i = 0; i < measures_[m]->count; ++i)
      if (const int place = places_[m][static_cast<std::size_t>(i)]; place >= 0)
        slope[place] += factors_[m] * one[i];
  }
}

void MeshRows::g(const Placement& at, Out residual) const {
  for (const Mesh& mesh : meshes) residual[mesh.row] = mesh.value(at);
}

void MeshRows::jacobian(const Placement& at, Entries& J) const {
  double slope[2 * Measure::most];
  for (const Mesh& mesh : meshes) {
    mesh.slope(at, slope);
    for (int i = 0; i < mesh.count; ++i) J.add(mesh.row, mesh.columns[static_cast<std::size_t>(i)], slope[i]);
  }
}

void MeshRows::drive(const Placement&, Out w) const {
  for (const Mesh& mesh : meshes) w[mesh.row] = 0;
}

void MeshRows::bias(const Placement& at, In v, Out bias) const {
  for (const Mesh& mesh : meshes) {
    double sum = 0;
    mesh.each_bend(at, [&](Eigen::Index i, Eigen::Index j, double bend) { sum += bend * v[i] * v[j]; });
    bias[mesh.row] = sum;
  }
}

void MeshRows::curvature(const Placement& at, In l, Entries& K) const {
  for (const Mesh& mesh : meshes)
    mesh.each_bend(at, [&](Eigen::Index i, Eigen::Index j, double bend) { K.add(i, j, l[mesh.row] * bend); });
}

void MeshRows::sway(const Placement& at, In v, Entries& B) const {
  for (const Mesh& mesh : meshes)
    mesh.each_bend(at, [&](Eigen::Index i, Eigen::Index j, double bend) { B.add(mesh.row, j, bend * v[i]); });
}

}  // namespace dalembert
