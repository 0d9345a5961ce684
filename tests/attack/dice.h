// Random numbers that are the same everywhere: the standard says what the engine gives, not what its distributions do.
#pragma once

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

namespace dalembert::attack {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  /// Three digits are enough, and leave files that people can read.
  double number(double low, double high) { return short_form(uniform(low, high)); }
  /// Evenly over the orders of magnitude.
  double magnitude(double low, double high) {
    return short_form(std::exp(uniform(std::log(low), std::log(high))));
  }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[below(all.size())];
  }
  /// A unit vector in the plane or in space.
  Eigen::Vector3d direction(Eigen::Index dimension) {
    Eigen::Vector3d d = Eigen::Vector3d::Zero();
    while (d.norm() < .1 || d.norm() > 1)
      for (Eigen::Index i = 0; i < dimension; ++i) d[i] = uniform(-1, 1);
    return d.normalized();
  }
  std::uint64_t seed() { return engine_(); }

  static double short_form(double value) { return std::atof(fmt::format("{:.3g}", value).c_str()); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace dalembert::attack
