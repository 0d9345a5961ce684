// Units that numbers in model files may carry: "45 deg", "10 mm", "3 kN/m". Without one a number is in SI units.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// x units are x * numerator / denominator in SI units: both are whole, or pi times whole, so that 7 mm is 0.007 exactly.
struct Unit {
  enum Base { kilogram, metre, second, ampere, radian };
  double numerator = 1, denominator = 1;
  std::array<int, 5> exponents{};  ///< by Base

  double in_si(double x) const { return x * numerator / denominator; }
};

/// "kN/m", "kg m^2", "deg/s"; nothing if it is no unit.
std::optional<Unit> find_unit(std::string_view text);
/// May a number with this unit stand where `expected` ("m", "N/m or N m/rad") is? A unit that is not known expects nothing.
bool fits(const Unit&, const std::string& expected);
/// All symbols, for proposals.
const std::vector<std::string>& unit_symbols();
/// What is measured in it, for reference pages: "length", "force"; the same as other symbols of its kind.
std::string measured_in(const std::string& symbol);

/// "l1/2 mm" is an expression and a unit.
struct WithUnit {
  std::string_view expression, unit;  ///< the second is empty if there is none
};
WithUnit split_unit(std::string_view text);
/// "l + 20": a unit behind it could be that of the sum or of the last number.
bool is_sum(std::string_view expression);

}  // namespace dalembert
