// Oil that does not give way, at a node where nothing but pistons and given flows meet [Merritt1967]:
//
//   0 = -sum A_k c_k' - sum Q_l(t)          with the pressure u of the node as multiplier: pistons push with A_k u dc_k/dq
//
// A_k are volumes per measure: areas, or displacements of pumps. Without a flow that time gives, and without angles that are known up
// to full turns only, the volume itself is held, and the row is one of position level: 0 = -sum A_k (c_k - c_k0).
#pragma once

#include <vector>

#include "dalembert/multibody/law.h"
#include "dalembert/multibody/measure_state.h"

namespace dalembert {

/// The rows of nodes without compressible oil, of one level.
class OilRows : public Rows {
 public:
  /// What displaces oil: a piston, a pump.
  struct Part {
    double area = 0;  ///< volume that leaves the node, per measure
    MeasurePtr measure{};
    double start = 0;  ///< of the measure
    std::vector<std::size_t>
        to{};  ///< for each displacement of the measure, which of the columns; found by hold()
  };
  /// What time takes out of the node: sign times a law of t.
  struct Flow {
    double sign = 1;
    Law flow{};
  };
  /// One node.
  struct Node {
    std::vector<Part> parts{};
    std::vector<Flow> flows{};
    Eigen::Index row = 0;
    std::vector<Eigen::Index> columns{};  ///< of the mechanism's velocities, each once
  };
  void hold(Node);

  bool conservative() const override;
  void g(const Placement&, Out residual) const override;
  void jacobian(const Placement&, Entries& J) const override;
  void velocity_bias(const Placement&, Out w) const override;
  void bias(const Placement&, In v, Out bias) const override;
  void geometric_stiffness(const Placement&, In l, Entries& K) const override;
  void velocity_jacobian(const Placement&, In v, Entries& B) const override;
  /// The number of a node's multiplier among all of them.
  Eigen::Index multiplier(Eigen::Index row) const { return (level() == Level::velocity ? before : 0) + row; }

 private:
  std::vector<Node> nodes_;
};

/// Volumes that stay what they are.
class HeldOil final : public OilRows {
 public:
  Level level() const override { return Level::position; }
};

/// Volumes that change as time says, or as angles turn.
class DisplacedOil final : public OilRows {
 public:
  Level level() const override { return Level::velocity; }
};

}  // namespace dalembert
