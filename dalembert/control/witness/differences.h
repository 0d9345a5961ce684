// Differences of order eight of values at equidistant places, from one place to the next.
//
//   D^8 u_k = u_k - 8 u_(k-1) + 28 u_(k-2) - 56 u_(k-3) + 70 u_(k-4) - 56 u_(k-5) + 28 u_(k-6) - 8 u_(k-7) + u_(k-8)
//
// Of what is smooth at that distance next to nothing is left: of a wave of thirty places 4e-6. What stands out at a single place keeps
// all of itself in those of this place and of the eight behind it.
#pragma once

#include <array>

#include "dalembert/core/vector.h"

namespace dalembert {

class RunningDifferences {
 public:
  static constexpr int order = 8;

  void restart() { places_ = 0; }
  /// The values of the next place, to be filled in.
  Vector& next() { return last_[static_cast<std::size_t>(places_++ % kept)]; }
  /// Have there been enough places for a difference?
  bool complete() const { return places_ >= kept; }
  /// Is the largest difference at the last place no larger than this? Those that are no numbers are larger than anything.
  bool within(double most) {
    const auto u = [&](int back) {
      return last_[static_cast<std::size_t>((places_ - 1 - back) % kept)].array();
    };
    difference_ = u(0) + u(8) - 8 * (u(1) + u(7)) + 28 * (u(2) + u(6)) - 56 * (u(3) + u(5)) + 70 * u(4);
    return (difference_.abs() <= most).all();
  }

 private:
  static constexpr int kept = order + 1;
  std::array<Vector, kept> last_;
  Eigen::ArrayXd difference_;
  int places_ = 0;
};

}  // namespace dalembert
