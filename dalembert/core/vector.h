// The words for arrays that every other file speaks.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

namespace dalembert {

using Vector = Eigen::VectorXd;              ///< a column
using Matrix = Eigen::MatrixXd;              ///< stored by columns
using In = const Eigen::Ref<const Vector>&;  ///< read only
using Out = Eigen::Ref<Vector>;              ///< written completely by the callee

/// What marks a number that is not known.
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// to = from, without the set-up Eigen's own loop pays on vectors of a few entries.
inline void copy(In from, Out to) {
  std::copy_n(from.data(), from.size(), to.data());
}

/// max |x_i|, and NaN if any entry is NaN (Eigen's own maximum may skip it).
inline double largest(In x) {
  double most = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double size = std::abs(x[i]);
    if (!(size <= most)) most = size;
    if (most != most) return most;
  }
  return most;
}

}  // namespace dalembert
