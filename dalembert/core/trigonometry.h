// Sine and cosine of one angle, taken together: half the price, and sums of angles for four products.
#pragma once

#include <cmath>

namespace dalembert {

/// Of one angle.
struct SinCos {
  double sin = 0, cos = 1;
};

/// Both, by one call where the compiler knows one.
inline SinCos sin_cos(double angle) {
#if defined(__GNUC__) && !defined(__clang__)
  SinCos both;
  __builtin_sincos(angle, &both.sin, &both.cos);
  return both;
#else
  return {std::sin(angle), std::cos(angle)};
#endif
}

/// Of the sum of two angles.
inline SinCos operator+(const SinCos& a, const SinCos& b) {
  return {a.sin * b.cos + a.cos * b.sin, a.cos * b.cos - a.sin * b.sin};
}

}  // namespace dalembert
