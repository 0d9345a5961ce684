// Contacts that the rest of a mechanism ties to each other: friction in several joints that have fewer degrees of freedom.
//
//   own row of contact i, less what it has in the span of the rows that hold anyhow:   r_i
//   held       r_i = 0, own row = sum_k alpha_k J_k: it moves as the rows say, c_i' = -sum_k alpha_k w_k, whatever drives do
//   tied       r_i = sum_j L_j r_j, so that c_i' = sum_j L_j c_j' however the mechanism moves
#pragma once

#include <optional>
#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

class Ties {
 public:
  /// One row each, in the velocities of the mechanism; `others` may depend on each other.
  Ties(const Matrix& contacts, const Matrix& others);

  bool held(std::size_t contact) const;
  /// c' of one that is held, by the velocity biases w of the others, J v + w = 0.
  std::optional<double> rate(std::size_t contact, In w) const;
  /// L, by those whose rates do not follow from each other; nothing where it can move without them.
  std::optional<Vector> levers(std::size_t contact, const std::vector<std::size_t>& by) const;

 private:
  Matrix left_;   // r_i
  Matrix alpha_;  // a column each
  Vector length_;
};

}  // namespace dalembert
