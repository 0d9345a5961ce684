#include "dalembert/analysis/exact.h"

#include <gmpxx.h>

#include <algorithm>

#include "dalembert/core/error.h"
#include "dalembert/method/runge_kutta/tableau.h"

namespace dalembert {

struct Exact::Parts {
  mpq_class a, b;
};

namespace {

/// "12.50" is 1250/100.
mpq_class decimal(const std::string& text) {
  const auto point = text.find('.');
  std::string digits = text;
  mpz_class scale = 1;
  if (point != std::string::npos) {
    digits.erase(point, 1);
    mpz_ui_pow_ui(scale.get_mpz_t(), 10, text.size() - point - 1);
  }
  if (digits.empty() || digits.find('.') != std::string::npos)
    throw Error("'" + text + "' is not a decimal number", "as in 12.5");
  mpq_class value(mpz_class(digits, 10), scale);
  value.canonicalize();
  return value;
}

std::size_t bits(const mpq_class& q) {
  return mpz_sizeinbase(q.get_num_mpz_t(), 2) + mpz_sizeinbase(q.get_den_mpz_t(), 2);
}

}  // namespace

Exact::Exact(long value) : Exact(Parts{mpq_class(value), mpq_class(0)}) {}
Exact::Exact(Parts parts) : parts_(std::make_shared<const Parts>(std::move(parts))) {}

Exact Exact::root6() {
  return Exact(Parts{0, 1});
}

Exact Exact::parse(std::string_view text) {
  Parts parts;
  for (const auto& term : coefficient_terms(text)) {
    const mpq_class below = decimal(term.denominator);
    if (below == 0) throw Error("'" + std::string(text) + "' divides by zero");
    const mpq_class value = decimal(term.numerator) / below;
    mpq_class& part = term.times_r ? parts.b : parts.a;
    if (term.negative)
      part -= value;
    else
      part += value;
  }
  return Exact(std::move(parts));
}

bool Exact::is_zero() const {
  return parts_->a == 0 && parts_->b == 0;
}
bool Exact::is_rational() const {
  return parts_->b == 0;
}

double Exact::to_double() const {
  if (is_zero()) return 0;
  const auto& [a, b] = *parts_;
  // The product of a + b r and its conjugate is a nonzero rational: it bounds how many bits can cancel.
  const mp_bitcnt_t precision = 128 + 4 * (bits(a) + bits(b));
  mpf_class root(6, precision), sum(a, precision);
  root = sqrt(root);
  sum += mpf_class(b, precision) * root;
  // GMP truncates; adding what was cut off rounds to nearest.
  const double cut = sum.get_d();
  return cut + mpf_class(sum - cut, precision).get_d();
}

Exact Exact::rounded(int digits) const {
  const auto& [a, b] = *parts_;
  const auto places = static_cast<unsigned long>(digits);
  const mp_bitcnt_t precision = 128 + 4 * (bits(a) + bits(b) + places);
  mpz_class scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, places);
  mpf_class root(6, precision), sum(a, precision);
  root = sqrt(root);
  sum += mpf_class(b, precision) * root;
  sum *= mpf_class(scale, precision);
  sum = floor(mpf_class(sum + 0.5, precision));
  mpq_class value(mpz_class(sum), scale);
  value.canonicalize();
  return Exact(Parts{value, 0});
}

std::string Exact::text() const {
  const auto& [a, b] = *parts_;
  if (b == 0) return a.get_str();
  const std::string root = b.get_str() + "r";
  if (a == 0) return root;
  return a.get_str() + (b > 0 ? "+" : "") + root;
}

Exact Exact::operator-() const {
  return Exact(Parts{-parts_->a, -parts_->b});
}

Exact operator+(const Exact& x, const Exact& y) {
  if (x.is_zero()) return y;
  if (y.is_zero()) return x;
  return Exact(Exact::Parts{x.parts_->a + y.parts_->a, x.parts_->b + y.parts_->b});
}

Exact operator-(const Exact& x, const Exact& y) {
  return x + -y;
}

Exact operator*(const Exact& x, const Exact& y) {
  if (x.is_zero()) return x;
  if (y.is_zero()) return y;
  const auto& [a, b] = *x.parts_;
  const auto& [c, d] = *y.parts_;
  return Exact(Exact::Parts{a * c + 6 * b * d, a * d + b * c});
}

Exact operator/(const Exact& x, const Exact& y) {
  if (y.is_zero()) throw Error("division of " + x.text() + " by zero");
  const auto& [c, d] = *y.parts_;
  const mpq_class norm = c * c - 6 * d * d;  // not zero: sqrt(6) is irrational
  return x * Exact(Exact::Parts{c / norm, -d / norm});
}

bool operator==(const Exact& x, const Exact& y) {
  return x.parts_->a == y.parts_->a && x.parts_->b == y.parts_->b;
}

Exact dot(const ExactVector& x, const ExactVector& y) {
  Exact sum;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) sum = sum + x[i] * y[i];
  return sum;
}

ExactVector operator*(const ExactMatrix& matrix, const ExactVector& x) {
  ExactVector y;
  for (const auto& row : matrix) y.push_back(dot(row, x));
  return y;
}

ExactVector solve(ExactMatrix matrix, ExactVector right, const std::string& what) {
  const std::size_t n = matrix.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (pivot < n && matrix[pivot][k].is_zero()) ++pivot;
    if (pivot == n) throw Error("the matrix of " + what + " is singular");
    std::swap(matrix[k], matrix[pivot]);
    std::swap(right[k], right[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const Exact factor = matrix[i][k] / matrix[k][k];
      for (std::size_t j = k; j < n; ++j) matrix[i][j] = matrix[i][j] - factor * matrix[k][j];
      right[i] = right[i] - factor * right[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) right[k] = right[k] - matrix[k][j] * right[j];
    right[k] = right[k] / matrix[k][k];
  }
  return right;
}

}  // namespace dalembert
