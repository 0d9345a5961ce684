// Rows with two entries each, which are solved before a dense elimination begins:
//
//   a x_i + b x_j = r,  |a| >= |b|:   x_i = r/a - (b/a) x_j,  and column i is added to column j, -b/a times
//
// Such are q' = v in implicit methods, and half of the unknowns of a mechanism are gone. No unknown is in two of these rows, so
// that every entry changes once, by no more than another one of its row: no exchange of rows could be safer.
#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "dalembert/linear/plain_arithmetic.h"

namespace dalembert {

/// Scalar is double or std::complex<double>.
template <class Scalar>
class PairedUnknowns {
 public:
  /// Finds these rows in a pattern of compressed columns.
  void bind(Eigen::Index size, const std::vector<int>& column_start, const std::vector<int>& row_of) {
    const auto n = static_cast<std::size_t>(size);
    pairs_.clear();
    std::vector<int> entries(n, 0);
    for (const int row : row_of) ++entries[static_cast<std::size_t>(row)];
    std::vector<Pair> found(n);
    for (std::size_t j = 0; j < n; ++j)
      for (int k = column_start[j]; k < column_start[j + 1]; ++k) {
        Pair& pair = found[static_cast<std::size_t>(row_of[static_cast<std::size_t>(k)])];
        pair.entry[0] = std::exchange(pair.entry[1], k);
        pair.column[0] = std::exchange(pair.column[1], static_cast<int>(j));
      }
    rest_row_.assign(n, -1);
    rest_column_.assign(n, -1);
    std::vector<bool> paired(n, false);
    int rows = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto a = static_cast<std::size_t>(found[i].column[0]),
                 b = static_cast<std::size_t>(found[i].column[1]);
      if (entries[i] != 2 || paired[a] || paired[b]) {
        rest_row_[i] = rows++;
        continue;
      }
      paired[a] = paired[b] = true;
      found[i].row = static_cast<int>(i);
      pairs_.push_back(found[i]);
    }
    column_.clear();
    for (std::size_t j = 0; j < n; ++j)
      if (!paired[j]) {
        rest_column_[j] = static_cast<int>(column_.size());
        column_.push_back(static_cast<int>(j));
      }
    for (Pair& pair : pairs_) {
      pair.rest = static_cast<int>(column_.size());
      column_.push_back(pair.column[0]);
    }
    known_.assign(pairs_.size(), Scalar(0));
    start_.clear(), rest_of_.clear(), scaled_.clear();
    if (pairs_.empty()) return;
    start_ = column_start;
    for (const int row : row_of) rest_of_.push_back(rest_row_[static_cast<std::size_t>(row)]);
    scaled_.assign(row_of.size(), Scalar(0));
  }

  /// Leaves all rows to the elimination.
  void leave(Eigen::Index size) {
    *this = {};
    rest_row_.resize(static_cast<std::size_t>(size));
    std::iota(rest_row_.begin(), rest_row_.end(), 0);
    column_ = rest_column_ = rest_row_;
  }

  bool empty() const { return pairs_.empty(); }
  /// Of the matrix that is left.
  Eigen::Index rest() const { return static_cast<Eigen::Index>(column_.size()); }
  /// The unknown of its k-th column.
  Eigen::Index column(Eigen::Index k) const { return column_[static_cast<std::size_t>(k)]; }
  /// Room for the values of a matrix, to be filled before reduce().
  Scalar* values() { return scaled_.data(); }

  /// add(i, j, value) puts the matrix that is left together.
  template <class Add>
  void reduce(Add&& add) {
    for (std::size_t j = 0; j < rest_column_.size(); ++j)
      if (const int to = rest_column_[j]; to >= 0)
        for (int k = start_[j]; k < start_[j + 1]; ++k) add(rest_of(k), to, value(k));
    for (Pair& pair : pairs_) {
      if (std::norm(value(pair.entry[0])) < std::norm(value(pair.entry[1]))) {
        std::swap(pair.entry[0], pair.entry[1]);
        std::swap(pair.column[0], pair.column[1]);
      }
      const auto [goes, stays] = pair.column;
      pair.inverse = 1.0 / value(pair.entry[0]);
      pair.ratio = plain_product(value(pair.entry[1]), pair.inverse);
      column_[static_cast<std::size_t>(pair.rest)] = stays;
      below(goes, [&](int i, Scalar a) { add(i, pair.rest, -plain_product(pair.ratio, a)); });
      below(stays, [&](int i, Scalar a) { add(i, pair.rest, a); });
    }
  }

  /// The right-hand side that is left, of b with scaled rows.
  template <class Right>
  void right_side(const Right& b, const double* R, Scalar* rest) const {
    for (std::size_t i = 0; i < rest_row_.size(); ++i)
      if (const int k = rest_row_[i]; k >= 0) rest[k] = R[i] * b[static_cast<Eigen::Index>(i)];
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const Pair& pair = pairs_[p];
      const Scalar x = known_[p] = plain_product(R[pair.row] * b[pair.row], pair.inverse);
      below(pair.column[0], [&](int i, Scalar a) { rest[i] -= plain_product(a, x); });
    }
  }
  /// All unknowns, with scaled columns, from those that were left.
  template <class Unknowns>
  void complete(const Scalar* rest, const double* C, Unknowns& x) const {
    for (std::size_t k = 0; k < column_.size(); ++k) x[column_[k]] = C[column_[k]] * rest[k];
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const Pair& pair = pairs_[p];
      x[pair.column[0]] = C[pair.column[0]] * (known_[p] - plain_product(pair.ratio, rest[pair.rest]));
    }
  }

 private:
  struct Pair {
    int row = -1, rest = -1;
    int entry[2] = {-1, -1}, column[2] = {0, 0};  // of the unknown that goes, and of the one that stays
    Scalar ratio = 0, inverse = 0;
  };
  Scalar value(int k) const { return scaled_[static_cast<std::size_t>(k)]; }
  int rest_of(int k) const { return rest_of_[static_cast<std::size_t>(k)]; }
  /// The entries of a column of a pair in rows that are left.
  template <class Visit>
  void below(int column, Visit&& visit) const {
    const auto j = static_cast<std::size_t>(column);
    for (int k = start_[j], end = start_[j + 1]; k < end; ++k)
      if (const int i = rest_of(k); i >= 0) visit(i, value(k));
  }

  std::vector<Pair> pairs_;
  std::vector<int> rest_row_, rest_column_;  // in what is left; -1: of a pair
  std::vector<int> column_;                  // of the unknowns that are left
  std::vector<int> start_, rest_of_;         // of columns; the row of each entry in what is left
  std::vector<Scalar> scaled_;
  mutable std::vector<Scalar> known_;
};

}  // namespace dalembert
