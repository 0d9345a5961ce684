// A number that is known to lie between two others, and the digits that this leaves certain.
#pragma once

#include <string>

namespace dalembert {

/// An interval. Its digits are those on which all of its numbers agree after rounding; NaN: nothing is known.
struct Enclosure {
  double low, high;

  double half_width() const { return (high - low) / 2; }
  /// Significant ones, at most 15; 0 if there are none, as of a number that may be 0.
  int digits() const;
  /// Rounded to its certain digits, or decimals if it may be 0: "1.43783", "0.000000"; "-" where nothing is certain.
  std::string text() const;
  /// The significant digits of a value that are those of every number in here, after rounding.
  int digits_of(double value) const;
};

}  // namespace dalembert
