// Sine and cosine of one angle, taken together: half the price, and sums of angles for four products. Of four angles at once they
// cost hardly more than of one.
//
//   x = n pi/2 + r + t,  |r| <= pi/4,  t what rounding of r leaves;  sin and cos of r by polynomials, exchanged and signed by n
#pragma once

#include <array>

namespace dalembert {

/// Of one angle.
struct SinCos {
  double sin = 0, cos = 1;
};

/// Of four angles, each as if it were alone. Off by less than 0.85 units in the last place.
std::array<SinCos, 4> sin_cos(double a, double b, double c, double d);

/// Of one.
SinCos sin_cos(double angle);

/// Of the sum of two angles.
inline SinCos operator+(const SinCos& a, const SinCos& b) {
  return {a.sin * b.cos + a.cos * b.sin, a.cos * b.cos - a.sin * b.sin};
}

}  // namespace dalembert
