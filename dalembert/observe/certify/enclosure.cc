#include "dalembert/observe/certify/enclosure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dalembert {

namespace {

constexpr int most_digits = 15;  // every decimal number of so many survives a double

std::string rounded(double x, int digits) {
  return fmt::format("{:.{}e}", x, digits - 1);
}

/// Decimals to which every number of magnitude up to x is 0.
int decimals_of_zero(double x) {
  int decimals = 0;
  while (decimals < most_digits && x < .5 * std::pow(10., -decimals - 1)) ++decimals;
  return decimals;
}

}  // namespace

int Enclosure::digits() const {
  if (!std::isfinite(low) || !std::isfinite(high) || low * high <= 0) return 0;
  for (int n = most_digits; n > 0; --n)
    if (rounded(low, n) == rounded(high, n)) return n;
  return 0;
}

std::string Enclosure::text() const {
  if (const int n = digits(); n > 0) {
    const double middle = (low + high) / 2;  // rounds like all of them
    const std::string text = rounded(middle, n);
    const int decimals = n - 1 - std::stoi(text.substr(text.find('e') + 1));
    return decimals < 0 || decimals > n + 4 ? text : fmt::format("{:.{}f}", middle, decimals);
  }
  if (!(low <= 0 && high >= 0)) return "-";
  const int decimals = decimals_of_zero(std::max(-low, high));
  return decimals > 0 ? fmt::format("{:.{}f}", 0., decimals) : "-";
}

int Enclosure::digits_of(double value) const {
  return Enclosure{std::min(low, value), std::max(high, value)}.digits();
}

}  // namespace dalembert
