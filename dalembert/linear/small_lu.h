// LU with row exchanges for a few dozen unknowns, where the set-up of a blocked algorithm costs more than the work.
//
// Column by column: each column is brought up to date by the columns before it, then its pivot is chosen. Rows of
// finished columns are not exchanged; solve() repeats the exchanges one by one. Zeros above the pivot, frequent in the
// matrices of mechanisms, cost nothing. Complex numbers are kept as two arrays, real and imaginary parts, which the
// compiler turns into vector instructions.
#pragma once

#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

template <class Scalar>
class SmallLu;

template <>
class SmallLu<double> {
 public:
  explicit SmallLu(Eigen::Index n)
      : n_(n), a_(static_cast<std::size_t>(n * n)), swap_(static_cast<std::size_t>(n)) {}
  void clear() { std::fill(a_.begin(), a_.end(), 0.0); }
  void set(Eigen::Index i, Eigen::Index j, double value) { column(j)[i] = value; }
  double pivot(Eigen::Index k) const { return column(k)[k]; }

  /// Goes on with a pivot of zero: pivot() tells.
  void factor() {
    for (Eigen::Index j = 0; j < n_; ++j) {
      double* x = column(j);
      for (Eigen::Index k = 0; k < j; ++k) eliminate(k, x);
      Eigen::Index best = j;
      for (Eigen::Index i = j + 1; i < n_; ++i)
        if (std::abs(x[i]) > std::abs(x[best])) best = i;
      swap_[static_cast<std::size_t>(j)] = best;
      std::swap(x[j], x[best]);
      const double inverse = 1 / x[j];
      for (Eigen::Index i = j + 1; i < n_; ++i) x[i] *= inverse;
    }
  }
  void solve(double* x) const {
    for (Eigen::Index k = 0; k < n_; ++k) eliminate(k, x);
    for (Eigen::Index k = n_ - 1; k >= 0; --k) {
      const double* __restrict u = column(k);
      if (x[k] == 0) continue;
      const double value = x[k] /= u[k];
      for (Eigen::Index i = 0; i < k; ++i) x[i] -= value * u[i];
    }
  }

 private:
  double* column(Eigen::Index j) { return a_.data() + j * n_; }
  const double* column(Eigen::Index j) const { return a_.data() + j * n_; }
  void eliminate(Eigen::Index k, double* __restrict x) const {
    std::swap(x[k], x[swap_[static_cast<std::size_t>(k)]]);
    const double value = x[k];
    if (value == 0) return;
    const double* __restrict l = column(k);
    for (Eigen::Index i = k + 1; i < n_; ++i) x[i] -= value * l[i];
  }

  Eigen::Index n_;
  std::vector<double> a_;
  std::vector<Eigen::Index> swap_;
};

template <>
class SmallLu<std::complex<double>> {
 public:
  explicit SmallLu(Eigen::Index n)
      : n_(n),
        re_(static_cast<std::size_t>(n * n)),
        im_(re_.size()),
        x_re_(static_cast<std::size_t>(n)),
        x_im_(static_cast<std::size_t>(n)),
        swap_(static_cast<std::size_t>(n)) {}
  void clear() {
    std::fill(re_.begin(), re_.end(), 0.0);
    std::fill(im_.begin(), im_.end(), 0.0);
  }
  void set(Eigen::Index i, Eigen::Index j, std::complex<double> value) {
    re_[static_cast<std::size_t>(i + j * n_)] = value.real();
    im_[static_cast<std::size_t>(i + j * n_)] = value.imag();
  }
  std::complex<double> pivot(Eigen::Index k) const {
    return {re_[static_cast<std::size_t>(k + k * n_)], im_[static_cast<std::size_t>(k + k * n_)]};
  }

  void factor() {
    for (Eigen::Index j = 0; j < n_; ++j) {
      double *re = re_.data() + j * n_, *im = im_.data() + j * n_;
      for (Eigen::Index k = 0; k < j; ++k) eliminate(k, re, im);
      Eigen::Index best = j;
      double most = -1;
      for (Eigen::Index i = j; i < n_; ++i)
        if (const double size = re[i] * re[i] + im[i] * im[i]; size > most) most = size, best = i;
      swap_[static_cast<std::size_t>(j)] = best;
      std::swap(re[j], re[best]);
      std::swap(im[j], im[best]);
      const double a = re[j] / most, b = -im[j] / most;  // the inverse
      for (Eigen::Index i = j + 1; i < n_; ++i) {
        const double old = re[i];
        re[i] = old * a - im[i] * b;
        im[i] = old * b + im[i] * a;
      }
    }
  }
  void solve(std::complex<double>* x) const {
    double* __restrict re = x_re_.data(), * __restrict im = x_im_.data();
    for (Eigen::Index i = 0; i < n_; ++i) re[i] = x[i].real(), im[i] = x[i].imag();
    for (Eigen::Index k = 0; k < n_; ++k) eliminate(k, re, im);
    for (Eigen::Index k = n_ - 1; k >= 0; --k) {
      const double* __restrict u_re = re_.data() + k * n_, * __restrict u_im = im_.data() + k * n_;
      const double size = u_re[k] * u_re[k] + u_im[k] * u_im[k];
      const double a = (re[k] * u_re[k] + im[k] * u_im[k]) / size,
                   b = (im[k] * u_re[k] - re[k] * u_im[k]) / size;
      re[k] = a, im[k] = b;
      for (Eigen::Index i = 0; i < k; ++i) {
        re[i] -= a * u_re[i] - b * u_im[i];
        im[i] -= a * u_im[i] + b * u_re[i];
      }
    }
    for (Eigen::Index i = 0; i < n_; ++i) x[i] = {re[i], im[i]};
  }

 private:
  void eliminate(Eigen::Index k, double* __restrict re, double* __restrict im) const {
    const auto other = swap_[static_cast<std::size_t>(k)];
    std::swap(re[k], re[other]);
    std::swap(im[k], im[other]);
    const double a = re[k], b = im[k];
    if (a == 0 && b == 0) return;
    const double* __restrict l_re = re_.data() + k * n_, * __restrict l_im = im_.data() + k * n_;
    for (Eigen::Index i = k + 1; i < n_; ++i) {
      re[i] -= a * l_re[i] - b * l_im[i];
      im[i] -= a * l_im[i] + b * l_re[i];
    }
  }

  Eigen::Index n_;
  std::vector<double> re_, im_;
  mutable std::vector<double> x_re_, x_im_;
  std::vector<Eigen::Index> swap_;
};

}  // namespace dalembert
