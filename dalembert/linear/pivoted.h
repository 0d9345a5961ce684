// LU with row exchanges for one fixed pattern: dense (Eigen) for small systems, sparse (KLU) for large ones.
//
//   P R A C = L U,   R and C powers of two that bring every row and column to size 1
//
// On the scaled matrix a pivot below 1e-14 means that A is singular to rounding. KLU keeps its pivots from
// one factorisation to the next and chooses new ones only when they have become bad [DavisNatarajan2010].
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "dalembert/core/outcome.h"
#include "dalembert/core/vector.h"

namespace dalembert {

enum class Backend { automatic, dense, sparse };

/// A place in a matrix.
struct Position {
  int row, column;
};

class PivotedFactors {
 public:
  PivotedFactors();
  ~PivotedFactors();
  PivotedFactors(PivotedFactors&&) noexcept;
  PivotedFactors& operator=(PivotedFactors&&) noexcept;

  /// Fixes size and pattern; positions may repeat, their values add up.
  void bind(Eigen::Index size, const std::vector<Position>& pattern, Backend = Backend::automatic);

  void clear();
  /// Adds to the k-th position of the pattern.
  void add(std::size_t k, double value) { values_[static_cast<std::size_t>(place_[k])] += value; }

  /// ok, singular or not_finite. Allocates nothing, except that KLU does when it chooses its pivots: the
  /// first time, and when those it has become bad.
  Outcome factor();
  void solve(Out x) const;
  /// After `singular`: the unknown at which elimination broke down, one of a dependent set of columns.
  std::optional<Eigen::Index> culprit() const { return culprit_; }
  Backend backend() const { return backend_; }

 private:
  struct Dense;
  struct Sparse;

  std::optional<Outcome> scale();
  Outcome factor_dense();
  Outcome factor_sparse();

  Eigen::Index size_ = 0;
  Backend backend_ = Backend::dense;
  std::vector<int> place_;                  // pattern index -> values_
  std::vector<double> values_;              // by columns
  std::vector<int> column_start_, row_of_;  // compressed columns; all rows for the dense backend
  mutable Vector row_scale_, column_scale_, work_;
  std::optional<Eigen::Index> culprit_;
  std::unique_ptr<Dense> dense_;
  std::unique_ptr<Sparse> sparse_;
};

}  // namespace dalembert
