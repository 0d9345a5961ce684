// Wheels that mesh: two angles, each of a joint, turn in the ratio of two whole numbers.
//
//   0 = (z_1 c_1 + z_2 c_2)/z_2,   known up to 2 pi/z_2
//
// Because z_1 and z_2 are whole numbers, full turns of either angle change z_1 c_1 + z_2 c_2 by full turns: the row is
// wrapped, and nothing has to count. The joints may share a body: the carrier.
#pragma once

#include <array>

#include "dalembert/multibody/measure.h"

namespace dalembert {

class GearMeshRows final : public Rows {
 public:
  class Gears {
   public:
    Gears(MeasurePtr first, MeasurePtr second, int z_1, int z_2, Eigen::Index row);
    double value(const Placement&) const;
    /// Gradient in the columns, each of which is there once.
    void gradient(const Placement&, double* gradient) const;
    /// Calls add(i, j, second derivative) for the velocities i and j of the mechanism, always in the same order.
    template <class Add>
    void each_second_derivative(const Placement& at, Add add) const {
      double hessian[Measure::most * Measure::most];
      for (std::size_t m = 0; m < 2; ++m) {
        const Measure& of = *measures_[m];
        of.hessian(at, hessian);
        for (int i = 0; i < of.count; ++i)
          for (int j = 0; j < of.count; ++j) {
            const Eigen::Index r = of.columns[static_cast<std::size_t>(i)],
                               c = of.columns[static_cast<std::size_t>(j)];
            if (r >= 0 && c >= 0) add(r, c, factors_[m] * hessian[i * of.count + j]);
          }
      }
    }
    Eigen::Index row;
    int count = 0;
    std::array<Eigen::Index, 2 * Measure::most> columns{};

   private:
    std::array<MeasurePtr, 2> measures_;
    std::array<double, 2> factors_;
    double period_;
    std::array<std::array<int, Measure::most>, 2> places_{};  ///< of the columns of each; -1: does not move
  };
  std::vector<Gears> meshes;

  Level level() const override { return Level::position; }
  bool conservative() const override { return true; }
  void g(const Placement&, Out residual) const override;
  void jacobian(const Placement&, Entries& J) const override;
  void velocity_bias(const Placement&, Out w) const override;
  void bias(const Placement&, In v, Out bias) const override;
  void geometric_stiffness(const Placement&, In l, Entries& K) const override;
  void velocity_jacobian(const Placement&, In v, Entries& B) const override;
};

}  // namespace dalembert
