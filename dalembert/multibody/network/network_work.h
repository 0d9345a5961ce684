// The work space of a network: one state and what was found there, and sets of its nodes.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <numeric>
#include <vector>

#include "dalembert/core/index.h"
#include "dalembert/multibody/network/network.h"

namespace dalembert {

/// The other way of counting than at().
constexpr Eigen::Index pos(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// Sets of nodes; the ground is number 0.
class NodeSets {
 public:
  explicit NodeSets(std::size_t nodes) : root_(nodes + 1) {
    std::iota(root_.begin(), root_.end(), std::size_t{0});
  }
  std::size_t find(int node) const {
    auto i = at(node + 1);
    while (root_[i] != i) i = root_[i];
    return i;
  }
  /// Were they apart?
  bool join(int a, int b) {
    const std::size_t one = find(a), other = find(b);
    root_[std::max(one, other)] = std::min(one, other);
    return one != other;
  }

 private:
  std::vector<std::size_t> root_;
};

/// What the branches answer at potentials and unknowns.
struct Network::Assembled {
  Vector e;        ///< potentials of the nodes
  Vector G;        ///< balances and equations of the unknowns, then what states and measures get
  Matrix A;        ///< derivatives of G by unknowns, states, measures and their rates
  Vector flowing;  ///< what is added up in G, without signs
  std::vector<std::array<double, Branch::most>> I;  ///< of the branches, out of their nodes
};

struct Network::Work : Assembled {
  // Given.
  double t = 0;
  Vector s, c, rate;  ///< its own states; values and rates of the measures
  Vector U, dU;       ///< of the sources

  // Found.
  enum class Found { nothing, rates } found = Found::nothing;
  Vector z;                   ///< unknowns
  Vector through;             ///< the part of a source's current that does not charge stores
  std::vector<double> taken;  ///< power that goes into the branches
  Vector ds, du;              ///< rates of states; of the voltages of all stores
  Vector C;                   ///< their capacities
  std::vector<Store::Number> capacity;
  Matrix kept;  ///< capacities of the forest

  Assembled shorter;  ///< at a shorter step of Newton's method
  Eigen::PartialPivLU<Matrix> balance;
  Vector row_scale;
  int orientation = 0;
};

}  // namespace dalembert
