// Named blocks of a flat state: the names reach files, plots, error weights and order claims.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

/// What an entry of the state is to the equations.
enum class Role {
  differential,  ///< carries history; enters error estimates
  algebraic,     ///< fixed by the others at each instant (multipliers)
};

/// A run of entries of the state that belong together.
struct Block {
  std::string name;  ///< q, v, s, lambda, mu, y, z
  Role role = Role::differential;
  int index = 0;  ///< differentiation index: multipliers carry weight h^(index-1) in error and Newton tests
  Eigen::Index offset = 0, size = 0;
  std::vector<std::string> labels;  ///< one per entry
  std::vector<std::string> units;   ///< one per entry; "" where there is none
};

/// The blocks of a state, in order.
class Layout {
 public:
  /// Appends a block; labels default to name1, name2, ... and units to "".
  Layout& add(std::string name, Eigen::Index size, Role role, int index, std::vector<std::string> labels = {},
              std::vector<std::string> units = {});
  Eigen::Index size() const { return size_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  const Block* find(std::string_view name) const;        ///< nullptr if there is none
  const Block& operator[](std::string_view name) const;  ///< throws Error if there is none
  /// "q.beta" for the entry at a flat position.
  std::string label(Eigen::Index entry) const;

 private:
  std::vector<Block> blocks_;
  Eigen::Index size_ = 0;
};

/// A point in time and everything the equations know there, in layout order.
struct State {
  double t = 0;
  Vector y;
  auto operator[](const Block& b) { return y.segment(b.offset, b.size); }
  auto operator[](const Block& b) const { return y.segment(b.offset, b.size); }
};

}  // namespace dalembert
