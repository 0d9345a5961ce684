// Jacobi's elliptic functions of parameter m = k^2, 0 <= m < 1, by descending arithmetic-geometric means
// [AbramowitzStegun1964] 16.4.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace dalembert {

struct Elliptic {
  double sn, cn, dn;
};

inline Elliptic elliptic(double u, double m) {
  constexpr std::size_t most = 12;  // quadratic convergence: five means are enough for m = 1/2
  std::array<double, most> a, c;
  a[0] = 1;
  c[0] = std::sqrt(m);
  double b = std::sqrt(1 - m), angle = u;
  std::size_t n = 0;
  while (c[n] > 1e-17 && n + 1 < most) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
    ++n;
    angle *= 2;
  }
  angle *= a[n];
  for (; n > 0; --n) angle = (angle + std::asin(c[n] / a[n] * std::sin(angle))) / 2;
  const double sn = std::sin(angle);
  return {sn, std::cos(angle), std::sqrt(1 - m * sn * sn)};
}

}  // namespace dalembert
