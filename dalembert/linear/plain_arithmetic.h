// Arithmetic of real and complex numbers under one name, without what std::complex does for infinities.
#pragma once

#include <cmath>
#include <complex>

#include "dalembert/core/vector.h"

namespace dalembert {

inline double plain_product(double a, double b) {
  return a * b;
}
inline std::complex<double> plain_product(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

inline double plain_inverse(double a) {
  return 1 / a;
}
inline std::complex<double> plain_inverse(std::complex<double> a) {
  const double square = a.real() * a.real() + a.imag() * a.imag();
  return {a.real() / square, -a.imag() / square};
}

/// |a|, or a cheap number between |a| and sqrt(2)|a|: for scaling and for comparing with a threshold.
inline double magnitude(double a) {
  return std::abs(a);
}
inline double magnitude(std::complex<double> a) {
  return std::abs(a.real()) + std::abs(a.imag());
}

/// x -= value c, in a range of columns or rows. What is short has no time for preparations: two numbers at a time are one
/// instruction.
inline void subtract_multiple(double value, const double* __restrict c, Eigen::Index from, Eigen::Index to,
                              double* __restrict x) {
  Eigen::Index i = from;
  for (; i + 1 < to; i += 2) {
    x[i] -= value * c[i];
    x[i + 1] -= value * c[i + 1];
  }
  if (i < to) x[i] -= value * c[i];
}
/// The same for complex numbers, real and imaginary parts in turns: both by the same operations.
inline void subtract_multiple(double p, double q, const double* __restrict c, Eigen::Index from,
                              Eigen::Index to, double* __restrict x) {
  const double minus_q = -q;
  for (Eigen::Index i = from; i < to; ++i) {
    x[2 * i] -= p * c[2 * i] + minus_q * c[2 * i + 1];
    x[2 * i + 1] -= p * c[2 * i + 1] + q * c[2 * i];
  }
}
inline void subtract_multiple(std::complex<double> value, const std::complex<double>* c, Eigen::Index from,
                              Eigen::Index to, std::complex<double>* x) {
  subtract_multiple(value.real(), value.imag(), reinterpret_cast<const double*>(c), from, to,
                    reinterpret_cast<double*>(x));
}

}  // namespace dalembert
