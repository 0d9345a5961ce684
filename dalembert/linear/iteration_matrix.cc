#include "dalembert/linear/iteration_matrix.h"

namespace dalembert {

void IterationMatrix::begin() {
  cursor_ = 0;
  if (recording_) {
    pattern_.clear();
    first_values_.clear();
  } else {
    factors_.clear();
  }
}

void IterationMatrix::add(const Entries& block, Eigen::Index row0, Eigen::Index col0, double scale,
                          Transposed transposed) {
  const std::size_t size = block.size();
  if (transposed == Transposed::yes) {
    for (std::size_t k = 0; k < size; ++k)
      put(row0 + block.column(k), col0 + block.row(k), scale * block.value(k));
  } else {
    for (std::size_t k = 0; k < size; ++k)
      put(row0 + block.row(k), col0 + block.column(k), scale * block.value(k));
  }
}

void IterationMatrix::add_identity(Eigen::Index row0, Eigen::Index col0, Eigen::Index n, double scale) {
  for (Eigen::Index i = 0; i < n; ++i) put(row0 + i, col0 + i, scale);
}

Outcome IterationMatrix::factor(Statistics& statistics) {
  if (recording_) {
    factors_.bind(size_, pattern_, wanted_);
    for (std::size_t k = 0; k < first_values_.size(); ++k) factors_.add(k, first_values_[k]);
    first_values_ = {};
    recording_ = false;
  } else {
    assert(cursor_ == pattern_.size() && "every block must be added again");
  }
  const Outcome outcome = factors_.factor();
  if (outcome == Outcome::ok) ++statistics.factorizations;
  return outcome;
}

void IterationMatrix::solve(Out x, Statistics& statistics) const {
  ++statistics.solves;
  factors_.solve(x);
}

}  // namespace dalembert
