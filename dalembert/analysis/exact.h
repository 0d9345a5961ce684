// Exact numbers a + b sqrt(6) with rational a and b: the field in which the coefficients of tableau.h live.
//
//     (a + b r)(c + d r) = (ac + 6bd) + (ad + bc) r,     1/(a + b r) = (a - b r)/(a^2 - 6 b^2),     r =
//     sqrt(6)
//
// Values are immutable and shared, so that copies are cheap and the multiple-precision library stays out of
// this header.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

class Exact {
 public:
  Exact(long value = 0);  // NOLINT: integers are meant to convert, as in 1 - c
  /// Reads a coefficient as tableau.h writes it; a decimal is the rational number that its digits say.
  static Exact parse(std::string_view text);
  static Exact root6();

  bool is_zero() const;
  bool is_rational() const;
  /// The nearest decimal with this many digits behind the point.
  Exact rounded(int digits) const;
  double to_double() const;  ///< correctly rounded, however much a and b sqrt(6) cancel
  /// "3/8", "2/5-1/10r", "0": what parse() reads.
  std::string text() const;

  Exact operator-() const;
  friend Exact operator+(const Exact&, const Exact&);
  friend Exact operator-(const Exact&, const Exact&);
  friend Exact operator*(const Exact&, const Exact&);
  friend Exact operator/(const Exact&, const Exact&);  ///< throws Error on division by zero
  friend bool operator==(const Exact&, const Exact&);

 private:
  struct Parts;
  explicit Exact(Parts parts);
  std::shared_ptr<const Parts> parts_;
};

using ExactVector = std::vector<Exact>;
using ExactMatrix = std::vector<ExactVector>;  ///< by rows

ExactVector operator*(const ExactMatrix&, const ExactVector&);
Exact dot(const ExactVector&, const ExactVector&);
/// The solution of a square system by elimination; throws Error, naming `what`, if it is singular.
ExactVector solve(ExactMatrix matrix, ExactVector right, const std::string& what);

}  // namespace dalembert
