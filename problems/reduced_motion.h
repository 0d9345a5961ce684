// The motion of one degree of freedom, x'' = a(x, x'), to the last digit of double precision: what mechanisms that
// move in one way only are compared with.
//
// Modified midpoint rule with 2, 4, ..., 12 substeps, extrapolated in (1/substeps)^2: order 12, in extended precision
// [HairerNorsettWanner1993, II.9]. Constant steps, short enough that the last column is rounding; increments are summed
// with compensation, as the slow passage over the top multiplies what is lost.
#pragma once

#include <array>
#include <cmath>

namespace dalembert {

struct ReducedMotion {
  long double x = 0, v = 0;
};

/// From `from` over a time t, in steps of at most `step`.
template <class Acceleration>
ReducedMotion reduced_motion(const Acceleration& a, ReducedMotion from, double t, double step) {
  constexpr int columns = 6;
  const long steps = std::max(1L, std::lround(std::ceil(std::abs(t) / step)));
  const long double H = static_cast<long double>(t) / static_cast<long double>(steps);
  ReducedMotion now = from, lost;  // what rounding took from the sums
  for (long n = 0; n < steps; ++n) {
    const long double slope = a(now.x, now.v);
    std::array<ReducedMotion, columns> row;  // increments over the step
    for (int j = 0; j < columns; ++j) {
      const int parts = 2 * (j + 1);
      const long double h = H / parts;
      ReducedMotion last, here{h * now.v, h * slope};
      for (int k = 1; k < parts; ++k) {
        const ReducedMotion next{last.x + 2 * h * (now.v + here.v),
                                 last.v + 2 * h * a(now.x + here.x, now.v + here.v)};
        last = here;
        here = next;
      }
      row[static_cast<std::size_t>(j)] = here;
      for (int k = j - 1; k >= 0; --k) {  // Neville in h^2, in place
        const auto at = static_cast<std::size_t>(k);
        const long double ratio = static_cast<long double>(j + 1) / static_cast<long double>(k + 1);
        const long double factor = 1 / (ratio * ratio - 1);
        row[at].x = row[at + 1].x + (row[at + 1].x - row[at].x) * factor;
        row[at].v = row[at + 1].v + (row[at + 1].v - row[at].v) * factor;
      }
    }
    const auto add = [](long double& sum, long double& carry, long double increment) {
      const long double wanted = increment - carry, next = sum + wanted;
      carry = (next - sum) - wanted;
      sum = next;
    };
    add(now.x, lost.x, row[0].x);
    add(now.v, lost.v, row[0].v);
  }
  return now;
}

}  // namespace dalembert
