// Contacts that the rest of a mechanism ties to each other: friction in several joints of one degree of freedom.
//
//   own row of contact i, less what it has in the span of the rows that hold anyhow:   r_i
//   held       r_i = 0: it cannot move
//   tied       r_i = lever r_j, so that c_i' = lever c_j' however the mechanism moves
#pragma once

#include <optional>

#include "dalembert/core/vector.h"

namespace dalembert {

class Ties {
 public:
  /// One row each, in the velocities of the mechanism; `others` may depend on each other.
  Ties(const Matrix& contacts, const Matrix& others);

  bool held(std::size_t contact) const;
  /// Nothing where each can move without the other.
  std::optional<double> lever(std::size_t contact, std::size_t by) const;

 private:
  Matrix left_;  // r_i
  Vector length_;
};

}  // namespace dalembert
