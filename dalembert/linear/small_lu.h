// LU with row exchanges for a few dozen unknowns, where the set-up of a blocked algorithm costs more than the work.
//
//   P A = L U
//
// Column by column: each column is brought up to date by the columns before it, then its pivot is chosen. Of every column the
// first and the last row are known that are not zero: what is a band, or nearly one, is eliminated as a band. Complex
// arithmetic is written out: that of std::complex asks for infinities at every product.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <utility>
#include <vector>

#include "dalembert/linear/plain_arithmetic.h"

namespace dalembert {

/// The order of rows, and where columns begin and end.
class SmallLuShape {
 public:
  explicit SmallLuShape(Eigen::Index n) : n_(n), row_(size(n)), first_(size(n)), last_(size(n)) {}

 protected:
  static std::size_t size(Eigen::Index n) { return static_cast<std::size_t>(n); }
  void restore_order() { std::iota(row_.begin(), row_.end(), Eigen::Index{0}); }
  Eigen::Index row(Eigen::Index i) const { return row_[size(i)]; }
  Eigen::Index first(Eigen::Index k) const { return first_[size(k)]; }
  Eigen::Index end(Eigen::Index k) const { return last_[size(k)] + 1; }
  /// Row j and one below it, in all columns: swap(k) does it there.
  template <class Swap>
  void exchange(Eigen::Index j, Eigen::Index other, Swap&& swap) {
    std::swap(row_[size(j)], row_[size(other)]);
    for (Eigen::Index k = 0; k < j; ++k) {
      if (last_[size(k)] < j) continue;
      swap(k);
      last_[size(k)] = std::max(last_[size(k)], other);
    }
    for (Eigen::Index k = j; k < n_; ++k) swap(k);
  }
  /// Brings column j up to date by those before it, and learns where it begins and ends before its pivot is chosen.
  template <class IsZero, class Eliminate>
  void update(Eigen::Index j, IsZero&& zero, Eliminate&& eliminate) {
    Eigen::Index last = n_ - 1, k = 0;
    while (last > j && zero(last)) --last;
    while (k < j && zero(k)) ++k;
    first_[size(j)] = k;
    for (; k < j; ++k) {
      if (zero(k)) continue;
      eliminate(k);
      last = std::max(last, last_[size(k)]);
    }
    last_[size(j)] = last;
  }

  Eigen::Index n_;

 private:
  std::vector<Eigen::Index> row_, first_, last_;
};

template <class Scalar>
class SmallLu;

template <>
class SmallLu<double> : SmallLuShape {
 public:
  explicit SmallLu(Eigen::Index n) : SmallLuShape(n), a_(size(n * n)), inverse_(size(n)), x_(size(n)) {}
  void clear() { std::fill(a_.begin(), a_.end(), 0.0); }
  void add(Eigen::Index i, Eigen::Index j, double value) { column(j)[i] += value; }
  double pivot(Eigen::Index k) const { return column(k)[k]; }

  /// Goes on with a pivot of zero: pivot() tells.
  void factor() {
    restore_order();
    for (Eigen::Index j = 0; j < n_; ++j) {
      double* x = column(j);
      update(
          j, [&](Eigen::Index i) { return x[i] == 0; }, [&](Eigen::Index k) { eliminate(k, x); });
      Eigen::Index best = j;
      double most = std::abs(x[j]);
      for (Eigen::Index i = j + 1, last = end(j); i < last; ++i)
        if (const double here = std::abs(x[i]); here > most) most = here, best = i;
      if (best != j) exchange(j, best, [&](Eigen::Index k) { std::swap(column(k)[j], column(k)[best]); });
      const double inverse = inverse_[size(j)] = 1 / x[j];
      for (Eigen::Index i = j + 1, last = end(j); i < last; ++i) x[i] *= inverse;
    }
  }
  /// b becomes C (L U)^-1 P R b.
  void solve(double* b, const double* R, const double* C) const {
    double* __restrict x = x_.data();
    for (Eigen::Index i = 0; i < n_; ++i) x[i] = R[row(i)] * b[row(i)];
    for (Eigen::Index k = 0; k < n_; ++k) eliminate(k, x);
    for (Eigen::Index k = n_ - 1; k >= 0; --k) {
      if (x[k] == 0) continue;
      x[k] *= inverse_[size(k)];
      subtract_multiple(x[k], column(k), first(k), k, x);
    }
    for (Eigen::Index i = 0; i < n_; ++i) b[i] = C[i] * x[i];
  }

 private:
  double* column(Eigen::Index j) { return a_.data() + j * n_; }
  const double* column(Eigen::Index j) const { return a_.data() + j * n_; }
  void eliminate(Eigen::Index k, double* __restrict x) const {
    if (x[k] != 0) subtract_multiple(x[k], column(k), k + 1, end(k), x);
  }

  std::vector<double> a_, inverse_;
  mutable std::vector<double> x_;
};

template <>
class SmallLu<std::complex<double>> : SmallLuShape {
 public:
  explicit SmallLu(Eigen::Index n)
      : SmallLuShape(n), a_(size(2 * n * n)), inverse_(size(2 * n)), x_(size(2 * n)) {}
  void clear() { std::fill(a_.begin(), a_.end(), 0.0); }
  void add(Eigen::Index i, Eigen::Index j, std::complex<double> value) {
    column(j)[2 * i] += value.real(), column(j)[2 * i + 1] += value.imag();
  }
  std::complex<double> pivot(Eigen::Index k) const { return {column(k)[2 * k], column(k)[2 * k + 1]}; }

  void factor() {
    restore_order();
    for (Eigen::Index j = 0; j < n_; ++j) {
      double* x = column(j);
      update(
          j, [&](Eigen::Index i) { return x[2 * i] == 0 && x[2 * i + 1] == 0; },
          [&](Eigen::Index k) { eliminate(k, x); });
      Eigen::Index best = j;
      double most = -1;
      for (Eigen::Index i = j, last = end(j); i < last; ++i) {
        const double square = x[2 * i] * x[2 * i] + x[2 * i + 1] * x[2 * i + 1];
        if (square > most) most = square, best = i;
      }
      if (best != j) exchange(j, best, [&](Eigen::Index k) { swap(column(k), j, best); });
      const double p = inverse_[size(2 * j)] = x[2 * j] / most,
                   q = inverse_[size(2 * j + 1)] = -x[2 * j + 1] / most;
      for (Eigen::Index i = j + 1, last = end(j); i < last; ++i) times(p, q, x + 2 * i);
    }
  }
  void solve(std::complex<double>* b, const double* R, const double* C) const {
    double* __restrict x = x_.data();
    for (Eigen::Index i = 0; i < n_; ++i) {
      const Eigen::Index from = row(i);
      x[2 * i] = R[from] * b[from].real(), x[2 * i + 1] = R[from] * b[from].imag();
    }
    for (Eigen::Index k = 0; k < n_; ++k) eliminate(k, x);
    for (Eigen::Index k = n_ - 1; k >= 0; --k) {
      times(inverse_[size(2 * k)], inverse_[size(2 * k + 1)], x + 2 * k);
      subtract_multiple(x[2 * k], x[2 * k + 1], column(k), first(k), k, x);
    }
    for (Eigen::Index i = 0; i < n_; ++i) b[i] = {C[i] * x[2 * i], C[i] * x[2 * i + 1]};
  }

 private:
  double* column(Eigen::Index j) { return a_.data() + 2 * j * n_; }
  const double* column(Eigen::Index j) const { return a_.data() + 2 * j * n_; }
  static void swap(double* x, Eigen::Index i, Eigen::Index j) {
    std::swap(x[2 * i], x[2 * j]);
    std::swap(x[2 * i + 1], x[2 * j + 1]);
  }
  /// *x times p + iq
  static void times(double p, double q, double* x) {
    const double re = x[0];
    x[0] = re * p - x[1] * q;
    x[1] = re * q + x[1] * p;
  }
  void eliminate(Eigen::Index k, double* __restrict x) const {
    const double p = x[2 * k], q = x[2 * k + 1];
    if (p != 0 || q != 0) subtract_multiple(p, q, column(k), k + 1, end(k), x);
  }

  std::vector<double> a_, inverse_;
  mutable std::vector<double> x_;
};

}  // namespace dalembert
