#include "dalembert/core/trigonometry.h"

#include <cmath>
#include <cstdint>

namespace dalembert {

namespace {

SinCos by_library(double angle) {
  return {std::sin(angle), std::cos(angle)};
}

}  // namespace

#if defined(__GNUC__)

namespace {

using Two = double __attribute__((vector_size(16)));
using TwoBits = std::int64_t __attribute__((vector_size(16)));
using Four = double __attribute__((vector_size(32)));
using FourBits = std::int64_t __attribute__((vector_size(32)));

constexpr double farthest = 0x1p18;  // up to here n times a part of pi/2 is exact
// pi/2 in three parts, the first two of 35 bits.
constexpr double part1 = 0x1.921fb5444p+0, part2 = 0x1.68c234c4cp-39, part3 = 0x1.98a2e03707345p-77;
constexpr double inverse = 0.6366197723675814;  // 2/pi
constexpr double whole = 0x1.8p52;              // what is added to it becomes an integer, in the last bits

/// All within +-farthest. Inlined into functions for different processors, with the same result: nothing is contracted.
template <class Numbers, class Bits>
[[gnu::always_inline]] inline void reduce_and_evaluate(const Numbers& x, SinCos* all) {
  const Numbers shifted = x * inverse + whole;
  const Bits quarter = reinterpret_cast<Bits>(shifted);
  const Numbers n = shifted - whole;
  const Numbers near = x - n * part1, rest = n * part2;
  const Numbers r = near - rest, t = ((near - r) - rest) - n * part3;
  const Numbers z = r * r, z2 = z * z, half = 0.5 * z, most = 1 - half;
  // sin r = r + r^3 S(r^2) to 4e-18 of itself, cos r = 1 - r^2/2 + r^4 C(r^2) to 5e-20: by Remez' exchange.
  const Numbers S = (-0.1666666666666663 + z * 0.008333333333322108) +
                    z2 * ((-0.0001984126982958017 + z * 2.7557313618030947e-06) +
                          z2 * (-2.505074722136666e-08 + z * 1.589619785429307e-10));
  const Numbers C = (0.0416666666666666 - z * 0.0013888888888874125) +
                    z2 * ((2.4801587289482232e-05 - z * 2.755731435233649e-07) +
                          z2 * (2.087572327274021e-09 - z * 1.1359647739192451e-11));
  const Numbers sin = r + (r * z * S + t * most);
  const Numbers cos = most + (((1 - most) - half) + (z2 * C - r * t));
  const Bits exchanged = -(quarter & 1);
  const Bits s = reinterpret_cast<Bits>(sin), c = reinterpret_cast<Bits>(cos);
  const Bits minus_sin = (quarter & 2) << 62, minus_cos = ((quarter + 1) & 2) << 62;
  const Numbers all_sin = reinterpret_cast<Numbers>(((s & ~exchanged) | (c & exchanged)) ^ minus_sin);
  const Numbers all_cos = reinterpret_cast<Numbers>(((c & ~exchanged) | (s & exchanged)) ^ minus_cos);
  for (std::size_t i = 0; i < sizeof x / sizeof(double); ++i) all[i] = {all_sin[i], all_cos[i]};
}

void two_by_two(double a, double b, double c, double d, SinCos* all) {
  reduce_and_evaluate<Two, TwoBits>(Two{a, b}, all);
  reduce_and_evaluate<Two, TwoBits>(Two{c, d}, all + 2);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void four_at_once(double a, double b, double c, double d, SinCos* all) {
  reduce_and_evaluate<Four, FourBits>(Four{a, b, c, d}, all);
}
const bool has_wide_lanes = __builtin_cpu_supports("avx2");
#endif

bool near(double angle) {
  return std::abs(angle) <= farthest;
}

}  // namespace

std::array<SinCos, 4> sin_cos(double a, double b, double c, double d) {
  if (!(near(a) && near(b) && near(c) && near(d))) return {sin_cos(a), sin_cos(b), sin_cos(c), sin_cos(d)};
  std::array<SinCos, 4> all;
#if defined(__x86_64__)
  if (has_wide_lanes) {
    four_at_once(a, b, c, d, all.data());
    return all;
  }
#endif
  two_by_two(a, b, c, d, all.data());
  return all;
}

SinCos sin_cos(double angle) {
  if (!near(angle)) return by_library(angle);
  SinCos both[2];
  reduce_and_evaluate<Two, TwoBits>(Two{angle, angle}, both);
  return both[0];
}

#else

std::array<SinCos, 4> sin_cos(double a, double b, double c, double d) {
  return {sin_cos(a), sin_cos(b), sin_cos(c), sin_cos(d)};
}

SinCos sin_cos(double angle) {
  return by_library(angle);
}

#endif

}  // namespace dalembert
