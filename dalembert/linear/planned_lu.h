// LU of a few dozen unknowns along a plan, for matrices of one pattern that are factored again and again.
//
//   P A Q = L U
//
// In matrices of Newton's iteration most entries are zero: q' = v has two in a row. The plan is an order of pivots that keeps
// them so, after Markowitz, each of them at least `threshold` times the largest entry of its column, and lists of what is not
// zero in each row of U and column of L. Later matrices follow it and do not search, unless one of them would grow by more
// than `most_growth` along it, or meets a pivot that is next to nothing: then a plan is made for that one.
//
// Numbers stay where a dense matrix in the order of pivots has them, row by row: a row of U without gaps, as at the end of
// most eliminations, needs no list.
#pragma once

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "dalembert/linear/plain_arithmetic.h"

namespace dalembert {

/// What does not depend on the numbers, nor on whether they are complex.
struct LuPlan {
  struct Pivot {
    int below = 0, right = 0;  // how many entries L and U have there
    bool gaps = false;         // in the row of U
  };
  /// x_to is reduced by the entry at that place, times x_from.
  struct Product {
    int to, from, place;
  };
  std::vector<int> row, column;  // of the k-th pivot
  std::vector<Pivot> pivots;
  std::vector<int> at;  // two lists of each pivot: rows of L, columns of U
  // With D the pivots, A = L D U: the products of L^-1, then those of U^-1, each column after column. Neighbours change different
  // unknowns, and do not wait for each other.
  std::vector<Product> products;
  std::size_t of_L = 0;     // how many of them
  std::vector<int> places;  // of the entries of the pattern
};

/// Scalar is double or std::complex<double>. Matrices come as the values of a pattern of compressed columns, their largest
/// entries about 1.
template <class Scalar>
class PlannedLu {
 public:
  static constexpr double singular_pivot = 1e-14;

  PlannedLu(int n, const std::vector<int>& column_start, const std::vector<int>& row_of)
      : n_(n),
        inverse_(index(n)),
        x_(index(n)),
        a_(index(n) * index(n)),
        factors_(index(n) * index(n)),
        present_(index(n) * index(n)),
        in_row_(index(n)),
        in_column_(index(n)) {
    plan_.row.resize(index(n)), plan_.column.resize(index(n)), plan_.pivots.resize(index(n));
    plan_.at.resize(2 * index(n) * index(n)), plan_.places.resize(row_of.size());
    plan_.products.reserve(index(n) * index(n));
    for (int j = 0; j < n; ++j)
      for (int k = column_start[index(j)]; k < column_start[index(j) + 1]; ++k)
        entries_.push_back({row_of[index(k)], j});
  }

  bool planned() const { return planned_; }
  /// Takes over the plan of another matrix of this pattern.
  template <class Other>
  void follow(const PlannedLu<Other>& other) {
    plan_ = other.plan_;
    planned_ = other.planned_;
  }
  void forget() { planned_ = false; }

  /// Makes a plan for this matrix and factors it. false: it is singular, culprit() is one of a dependent set of columns.
  bool plan(const Scalar* values) {
    planned_ = choose_pivots(values);
    if (!planned_) return false;
    list();
    stopped_ = n_;
    factor(values);
    planned_ = stopped_ == n_;
    if (!planned_) culprit_ = plan_.column[index(stopped_)];
    return planned_;
  }
  /// Factors a matrix along the plan. false: it needs one of its own.
  bool factor(const Scalar* values) {
    std::fill(a_.begin(), a_.end(), Scalar(0));
    for (std::size_t k = 0; k < plan_.places.size(); ++k) a_[index(plan_.places[k])] = values[k];
    double most = 0;
    for (int k = 0; k < n_; ++k) {
      const LuPlan::Pivot& pivot = plan_.pivots[index(k)];
      const Scalar* u = row(k);
      if (!(magnitude(u[k]) > singular_pivot)) {
        stopped_ = k;
        return false;
      }
      const Scalar inverse = inverse_[index(k)] = plain_inverse(u[k]);
      for (const int *i = below(k), *last = i + pivot.below; i != last; ++i) {
        Scalar* x = row(*i);
        const Scalar l = x[k] = plain_product(x[k], inverse);
        most = std::max(most, magnitude(l));
        if (pivot.gaps)
          for (const int *j = right(k), *end = j + pivot.right; j != end; ++j) subtract(x[*j], l, u[*j]);
        else
          subtract_multiple(l, u, k + 1, n_, x);
      }
    }
    for (std::size_t p = 0; p < plan_.products.size(); ++p) factors_[p] = a_[index(plan_.products[p].place)];
    for (std::size_t p = plan_.of_L; p < plan_.products.size(); ++p)
      factors_[p] = plain_product(factors_[p], inverse_[index(plan_.products[p].to)]);
    return most <= 1 / threshold || (most <= most_growth && largest() <= most_growth);
  }
  int culprit() const { return culprit_; }

  /// A x = b. take(i) gives b_i, give(i, value) receives x_i.
  template <class Take, class Give>
  void solve(Take&& take, Give&& give) const {
    Scalar* __restrict x = x_.data();
    for (int k = 0; k < n_; ++k) x[k] = take(plan_.row[index(k)]);
    const Scalar* __restrict value = factors_.data();
    const LuPlan::Product *product = plan_.products.data(), *last = product + plan_.of_L;
    for (; product != last; ++product, ++value) x[product->to] -= plain_product(*value, x[product->from]);
    for (int k = 0; k < n_; ++k) x[k] = plain_product(x[k], inverse_[index(k)]);
    for (last = plan_.products.data() + plan_.products.size(); product != last; ++product, ++value)
      x[product->to] -= plain_product(*value, x[product->from]);
    for (int k = 0; k < n_; ++k) give(plan_.column[index(k)], x[k]);
  }

 private:
  template <class>
  friend class PlannedLu;
  static constexpr double threshold = 0.1, most_growth = 100;
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  Scalar* row(int k) { return a_.data() + index(k) * index(n_); }
  const Scalar* row(int k) const { return a_.data() + index(k) * index(n_); }
  /// Lists of pivot k, one after the other in its part of plan_.at: rows of L, columns of U.
  const int* below(int k) const { return plan_.at.data() + 2 * index(k) * index(n_); }
  const int* right(int k) const { return below(k) + plan_.pivots[index(k)].below; }
  static void subtract(Scalar& x, Scalar a, Scalar b) { x -= plain_product(a, b); }
  double largest() const {
    double most = 0;
    for (const Scalar& each : a_) most = std::max(most, magnitude(each));
    return most;
  }

  /// Elimination in a dense matrix, in the order of the problem: of the pivots that are large enough in their column the one
  /// whose row and column have fewest others, and of several such the largest. Zeros count as entries where the pattern has them.
  bool choose_pivots(const Scalar* values) {
    std::fill(a_.begin(), a_.end(), Scalar(0));
    std::fill(present_.begin(), present_.end(), false);
    std::fill(in_row_.begin(), in_row_.end(), 0);
    std::fill(in_column_.begin(), in_column_.end(), 0);
    std::iota(plan_.row.begin(), plan_.row.end(), 0);
    std::iota(plan_.column.begin(), plan_.column.end(), 0);
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      const auto [i, j] = entries_[k];
      row(i)[j] = values[k];
      present(i, j) = true;
      ++in_row_[index(i)], ++in_column_[index(j)];
    }
    for (int k = 0; k < n_; ++k) {
      if (!choose_pivot(k)) {
        culprit_ = plan_.column[index(k)];
        return false;
      }
      eliminate(k);
    }
    return true;
  }
  bool choose_pivot(int k) {
    int least = std::numeric_limits<int>::max(), pivot_row = -1, pivot_column = -1;
    double size = 0;
    for (int jj = k; jj < n_; ++jj) {
      const int j = plan_.column[index(jj)], others = in_column_[index(j)] - 1;
      double most = 0;
      for (int ii = k; ii < n_; ++ii) most = std::max(most, magnitude(row(plan_.row[index(ii)])[j]));
      for (int ii = k; ii < n_ && most > 0; ++ii) {
        const int i = plan_.row[index(ii)], cost = others * (in_row_[index(i)] - 1);
        const double here = magnitude(row(i)[j]);
        if (cost > least || !(here >= threshold * most) || (cost == least && here <= size)) continue;
        least = cost, size = here, pivot_row = ii, pivot_column = jj;
      }
    }
    if (pivot_row < 0) return false;
    std::swap(plan_.row[index(k)], plan_.row[index(pivot_row)]);
    std::swap(plan_.column[index(k)], plan_.column[index(pivot_column)]);
    return true;
  }
  void eliminate(int k) {
    const int p = plan_.row[index(k)], c = plan_.column[index(k)];
    const Scalar inverse = plain_inverse(row(p)[c]);
    for (int jj = k + 1; jj < n_; ++jj)
      if (present(p, plan_.column[index(jj)])) --in_column_[index(plan_.column[index(jj)])];
    for (int ii = k + 1; ii < n_; ++ii) {
      const int i = plan_.row[index(ii)];
      if (!present(i, c)) continue;
      --in_row_[index(i)];
      const Scalar l = plain_product(row(i)[c], inverse);
      for (int jj = k + 1; jj < n_; ++jj) {
        const int j = plan_.column[index(jj)];
        if (!present(p, j)) continue;
        subtract(row(i)[j], l, row(p)[j]);
        if (present(i, j)) continue;
        present(i, j) = true;
        ++in_row_[index(i)], ++in_column_[index(j)];
      }
    }
  }
  /// What stands where, in the order of pivots.
  void list() {
    for (int k = 0; k < n_; ++k) {
      LuPlan::Pivot& pivot = plan_.pivots[index(k)] = {};
      int* next = plan_.at.data() + 2 * index(k) * index(n_);
      for (int i = k + 1; i < n_; ++i)
        if (present(plan_.row[index(i)], plan_.column[index(k)])) *next++ = i, ++pivot.below;
      for (int j = k + 1; j < n_; ++j)
        if (present(plan_.row[index(k)], plan_.column[index(j)])) *next++ = j, ++pivot.right;
      pivot.gaps = pivot.right < n_ - 1 - k;
    }
    plan_.products.clear();
    for (int k = 0; k < n_; ++k)
      for (const int *i = below(k), *last = i + plan_.pivots[index(k)].below; i != last; ++i)
        plan_.products.push_back({*i, k, *i * n_ + k});
    plan_.of_L = plan_.products.size();
    for (int j = n_ - 1; j > 0; --j)
      for (int i = 0; i < j; ++i)
        if (present(plan_.row[index(i)], plan_.column[index(j)]))
          plan_.products.push_back({i, j, i * n_ + j});
    for (int k = 0; k < n_; ++k)  // counted down by now: used for the way from unknowns to pivots
      in_row_[index(plan_.row[index(k)])] = in_column_[index(plan_.column[index(k)])] = k;
    for (std::size_t k = 0; k < entries_.size(); ++k)
      plan_.places[k] = in_row_[index(entries_[k].row)] * n_ + in_column_[index(entries_[k].column)];
  }
  char& present(int i, int j) { return present_[index(i) * index(n_) + index(j)]; }

  struct Entry {
    int row, column;
  };
  int n_;
  bool planned_ = false;
  int stopped_ = 0, culprit_ = 0;
  LuPlan plan_;
  std::vector<Scalar> inverse_;  // of pivots
  mutable std::vector<Scalar> x_;
  std::vector<Scalar> a_;
  std::vector<Scalar> factors_;
  std::vector<char> present_;
  std::vector<int> in_row_, in_column_;  // entries that are left
  std::vector<Entry> entries_;           // the pattern
};

}  // namespace dalembert
