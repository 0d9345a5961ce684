// Which rows of J to keep where some depend on others: holonomic rows first, then those of velocity level.
#pragma once

#include <vector>

#include "dalembert/core/memory.h"
#include "dalembert/core/outcome.h"
#include "dalembert/core/vector.h"

namespace dalembert {

class RowChoice {
 public:
  /// Counts and chooses at this J. `holonomic`: how many rows come first.
  RowChoice(const Matrix& J, Eigen::Index holonomic);
  /// Chooses anew; singular where the rank is no longer what it was. Allocates nothing.
  Outcome choose(const Matrix& J);

  void remember(Memory& memory) { memory(kept_, kept_holonomic_); }

  Eigen::Index count() const { return static_cast<Eigen::Index>(kept_.size()); }
  bool all() const { return count() == rows_; }
  const std::vector<Eigen::Index>& kept() const { return kept_; }  ///< ascending
  const std::vector<Eigen::Index>& holonomic() const { return kept_holonomic_; }

 private:
  Eigen::Index pick(Eigen::Index begin, Eigen::Index end);  ///< the number of rows it finds

  Eigen::Index rows_, first_;
  Matrix rest_;  // rows of unit length, freed from those that are kept
  std::vector<Eigen::Index> found_, kept_, kept_holonomic_;
};

}  // namespace dalembert
