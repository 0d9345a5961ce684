#include "dalembert/linear/iteration_matrix.h"

namespace dalembert {

template <class Scalar>
void BasicIterationMatrix<Scalar>::begin() {
  cursor_ = 0;
  if (recording_) {
    pattern_.clear();
    first_values_.clear();
  } else {
    factors_.clear();
  }
}

template <class Scalar>
bool BasicIterationMatrix<Scalar>::adds_again(const Entries& block, Eigen::Index row0, Eigen::Index col0,
                                              Transposed transposed) const {
  if (cursor_ + block.size() > pattern_.size()) return false;
  for (std::size_t k = 0; k < block.size(); ++k) {
    int row = block.row(k), column = block.column(k);
    if (transposed == Transposed::yes) std::swap(row, column);
    const Position& known = pattern_[cursor_ + k];
    if (known.row != row0 + row || known.column != col0 + column) return false;
  }
  return true;
}

template <class Scalar>
void BasicIterationMatrix<Scalar>::add(const Entries& block, Eigen::Index row0, Eigen::Index col0,
                                       Scalar scale, Transposed transposed) {
  const std::size_t size = block.size();
  if (!recording_) {
    assert(adds_again(block, row0, col0, transposed) && "blocks must be added in the same order every time");
    factors_.add(cursor_, block.values(), size, scale);
    cursor_ += size;
  } else if (transposed == Transposed::yes) {
    for (std::size_t k = 0; k < size; ++k)
      put(row0 + block.column(k), col0 + block.row(k), scale * block.value(k));
  } else {
    for (std::size_t k = 0; k < size; ++k)
      put(row0 + block.row(k), col0 + block.column(k), scale * block.value(k));
  }
}

template <class Scalar>
void BasicIterationMatrix<Scalar>::add_identity(Eigen::Index row0, Eigen::Index col0, Eigen::Index n,
                                                Scalar scale) {
  for (Eigen::Index i = 0; i < n; ++i) put(row0 + i, col0 + i, scale);
}

template <class Scalar>
void BasicIterationMatrix<Scalar>::fix_pattern() {
  if (!recording_) return;
  factors_.bind(size_, pattern_, wanted_, BasicFactors<Scalar>::Pairs::solved_first);
  for (std::size_t k = 0; k < first_values_.size(); ++k) factors_.add(k, first_values_[k]);
  first_values_ = {};
  cursor_ = pattern_.size();
  recording_ = false;
}

template <class Scalar>
Outcome BasicIterationMatrix<Scalar>::factor(Statistics& statistics) {
  fix_pattern();
  assert(cursor_ == pattern_.size() && "every block must be added again");
  const Outcome outcome = factors_.factor();
  if (outcome == Outcome::ok) ++statistics.factorizations;
  return outcome;
}

template <class Scalar>
void BasicIterationMatrix<Scalar>::solve(typename BasicFactors<Scalar>::Unknowns x,
                                         Statistics& statistics) const {
  ++statistics.solves;
  factors_.solve(x);
}

template <class Scalar>
void BasicIterationMatrix<Scalar>::solve(Out re, Out im, Statistics& statistics) const
    requires(!std::is_same_v<Scalar, double>) {
  ++statistics.solves;
  factors_.solve(re, im);
}

template class BasicIterationMatrix<double>;
template class BasicIterationMatrix<std::complex<double>>;

}  // namespace dalembert
