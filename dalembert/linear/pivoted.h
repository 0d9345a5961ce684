// LU with row exchanges for one fixed pattern: dense or along a plan for small systems, sparse (KLU) for large ones; real or
// complex.
//
//   P R A C = L U,   R and C powers of two that bring every row and column to size 1
//
// On the scaled matrix a pivot below 1e-14 means that A is singular to rounding. KLU keeps its pivots from
// one factorisation to the next and chooses new ones only when they have become bad [DavisNatarajan2010]; the same is done for
// matrices of Newton's iteration on few unknowns (planned_lu.h), which keep R and C as well while these fit.
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "dalembert/core/outcome.h"
#include "dalembert/core/vector.h"

namespace dalembert {

enum class Backend { automatic, dense, sparse };

/// A place in a matrix.
struct Position {
  int row, column;
};

/// Scalar is double or std::complex<double>.
template <class Scalar>
class BasicFactors {
 public:
  using Unknowns = Eigen::Ref<Eigen::Matrix<Scalar, Eigen::Dynamic, 1>>;

  BasicFactors();
  ~BasicFactors();
  BasicFactors(BasicFactors&&) noexcept;
  BasicFactors& operator=(BasicFactors&&) noexcept;

  /// Rows of two entries may be solved before a dense elimination (paired_unknowns.h), unless its pivots are asked for a rank.
  enum class Pairs { solved_first, as_others };
  /// Fixes size and pattern; positions may repeat, their values add up.
  void bind(Eigen::Index size, const std::vector<Position>& pattern, Backend = Backend::automatic,
            Pairs = Pairs::as_others);

  /// To the size and pattern of another matrix.
  template <class Other>
  void bind_like(const BasicFactors<Other>& other) {
    size_ = other.size_;
    place_ = other.place_;
    column_start_ = other.column_start_;
    row_of_ = other.row_of_;
    pairs_ = static_cast<Pairs>(other.pairs_);
    make_room(other.backend_);
  }

  /// Eliminates in the order of another matrix of this pattern, unless it has one of its own.
  template <class Other>
  void follow(const BasicFactors<Other>& other);

  /// As if just bound: pivots of earlier factorisations are forgotten.
  void reset();
  void clear();
  /// The matrix, and the one whose pivots are kept; whoever puts it back factors it again.
  template <class Memory>
  void remember(Memory& memory) {
    remember(memory, values_);
    bool chosen = !chosen_for_.empty();
    memory(chosen);
    chosen_for_.resize(chosen ? values_.size() : 0);
    remember(memory, chosen_for_);
    Vector rows = row_scale_, columns = column_scale_;
    memory(rows, columns);
    if (!memory.reading() || !chosen) return;
    std::vector<Scalar> now = std::exchange(values_, chosen_for_);
    reset();
    factor();
    values_ = std::move(now);
    row_scale_ = rows, column_scale_ = columns;
  }
  /// Adds to positions of the pattern from the first on.
  void add(std::size_t first, const double* values, std::size_t count, Scalar scale) {
    const int* place = place_.data() + first;
    for (std::size_t k = 0; k < count; ++k) values_[static_cast<std::size_t>(place[k])] += scale * values[k];
  }
  /// Adds to the k-th position of the pattern.
  void add(std::size_t k, Scalar value) { values_[static_cast<std::size_t>(place_[k])] += value; }

  /// ok, singular or not_finite. Allocates nothing, except that KLU does when it chooses its pivots: the
  /// first time, and when those it has become bad.
  Outcome factor();
  void solve(Unknowns x) const;
  /// The same with real and imaginary parts apart.
  void solve(Out re, Out im) const requires(!std::is_same_v<Scalar, double>);
  /// After `singular`: the unknown at which elimination broke down, one of a dependent set of columns.
  std::optional<Eigen::Index> culprit() const { return culprit_; }
  Backend backend() const { return backend_; }

 private:
  template <class>
  friend class BasicFactors;
  struct Planned;
  struct Dense;
  struct Sparse;

  template <class Memory>
  static void remember(Memory& memory, std::vector<Scalar>& all) {
    for (Scalar& value : all) {
      double parts[2] = {std::real(value), std::imag(value)};
      memory(parts);
      if constexpr (std::is_same_v<Scalar, double>)
        value = parts[0];
      else
        value = {parts[0], parts[1]};
    }
  }
  void make_room(Backend);
  std::optional<Outcome> scale();
  bool put_scaled(Scalar*) const;
  Outcome factor_planned();
  Outcome factor_dense();
  Outcome factor_sparse();

  Eigen::Index size_ = 0;
  Backend backend_ = Backend::dense;
  Pairs pairs_ = Pairs::as_others;
  std::vector<int> place_;                  // pattern index -> values_
  std::vector<Scalar> values_;              // by columns
  std::vector<Scalar> chosen_for_;          // for which pivots were chosen that are kept
  std::vector<int> column_start_, row_of_;  // compressed columns; all rows for the dense backend
  Vector row_scale_, column_scale_;
  mutable Eigen::Matrix<Scalar, Eigen::Dynamic, 1> work_, both_;  // both_: both parts
  std::optional<Eigen::Index> culprit_;
  std::unique_ptr<Planned> planned_;
  std::unique_ptr<Dense> dense_;
  std::unique_ptr<Sparse> sparse_;
};

extern template class BasicFactors<double>;
extern template class BasicFactors<std::complex<double>>;
extern template void BasicFactors<std::complex<double>>::follow(const BasicFactors<double>&);
extern template void BasicFactors<std::complex<double>>::follow(const BasicFactors<std::complex<double>>&);

using PivotedFactors = BasicFactors<double>;

}  // namespace dalembert
