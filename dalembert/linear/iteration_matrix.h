// The matrix of a Newton iteration, put together from blocks that were written elsewhere, factored and
// solved.
//
//   A = sum of s_k B_k at (row0, col0),  A x = b
//
// The first pass begin(), add(...), factor() fixes the pattern; later passes must add the same blocks in the
// same order and neither search nor allocate.
#pragma once

#include "dalembert/core/statistics.h"
#include "dalembert/linear/entries.h"
#include "dalembert/linear/pivoted.h"

namespace dalembert {

enum class Transposed { no, yes };

/// Scalar is double or std::complex<double>; the blocks are real, their scales need not be.
template <class Scalar>
class BasicIterationMatrix {
 public:
  explicit BasicIterationMatrix(Eigen::Index size, Backend backend = Backend::automatic)
      : size_(size), wanted_(backend) {}

  /// Forgets all factors; the pattern stays.
  void reset() { factors_.reset(); }
  /// The values, factored again when they are put back; the pattern has to be the same already.
  template <class Memory>
  void remember(Memory& memory) {
    memory(factors_);
    if (memory.reading() && !recording_) factors_.factor();
  }
  /// Takes over the pattern of another matrix of the same size, if this one has none: the same blocks will be added.
  template <class Other>
  void take_pattern(const BasicIterationMatrix<Other>& other) {
    if (!recording_) return;
    pattern_ = other.pattern_;
    factors_.bind_like(other.factors_);
    recording_ = false;
  }
  /// Eliminates in the order of a matrix like it, unless it has one of its own: to look for it once is enough.
  template <class Other>
  void follow(const BasicIterationMatrix<Other>& other) {
    factors_.follow(other.factors_);
  }
  void begin();
  /// A(row0 + i, col0 + j) += scale B(i, j), or B(j, i).
  void add(const Entries& block, Eigen::Index row0, Eigen::Index col0, Scalar scale,
           Transposed = Transposed::no);
  void add_identity(Eigen::Index row0, Eigen::Index col0, Eigen::Index n, Scalar scale);

  /// Ends the first pass without factors.
  void fix_pattern();
  /// ok, singular or not_finite.
  Outcome factor(Statistics&);
  /// x holds the right-hand side and receives the solution.
  void solve(typename BasicFactors<Scalar>::Unknowns x, Statistics&) const;
  /// The same with real and imaginary parts apart.
  void solve(Out re, Out im, Statistics&) const requires(!std::is_same_v<Scalar, double>);
  /// After `singular`: the unknown at which elimination broke down.
  std::optional<Eigen::Index> culprit() const { return factors_.culprit(); }
  Backend backend() const { return factors_.backend(); }

 private:
  template <class>
  friend class BasicIterationMatrix;
  bool adds_again(const Entries& block, Eigen::Index row0, Eigen::Index col0, Transposed) const;
  void put(Eigen::Index i, Eigen::Index j, Scalar value) {
    if (recording_) {
      pattern_.push_back({static_cast<int>(i), static_cast<int>(j)});
      first_values_.push_back(value);
      return;
    }
    assert(cursor_ < pattern_.size() && pattern_[cursor_].row == i && pattern_[cursor_].column == j &&
           "blocks must be added in the same order every time");
    factors_.add(cursor_++, value);
  }

  Eigen::Index size_;
  Backend wanted_;
  bool recording_ = true;
  std::size_t cursor_ = 0;
  std::vector<Position> pattern_;
  std::vector<Scalar> first_values_;  // of the first pass, before there is a place for them
  BasicFactors<Scalar> factors_;
};

extern template class BasicIterationMatrix<double>;
extern template class BasicIterationMatrix<std::complex<double>>;

using IterationMatrix = BasicIterationMatrix<double>;
using ComplexIterationMatrix = BasicIterationMatrix<std::complex<double>>;

}  // namespace dalembert
