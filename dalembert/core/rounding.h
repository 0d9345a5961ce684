// What rounding does to numbers, and what follows for iterations and differences: each reason written once.
#pragma once

#include <limits>

namespace dalembert {

/// The distance from 1 to the next number, 2^-52: one operation is off by half of it at most.
inline constexpr double machine_epsilon = std::numeric_limits<double>::epsilon();

/// Newton corrections below this, relative to the unknowns, change their last two bits: an iteration to rounding is over.
inline constexpr double newton_floor = 4 * machine_epsilon;
/// The same where a tolerance was asked for and convergence has not been shown: whatever the tolerance, no more is to be had.
inline constexpr double newton_noise = 100 * machine_epsilon;

/// Relative steps of differences, where what is neglected and what rounding adds are about equal: h against eps/h, so
/// sqrt(eps), and h^2 against eps/h, so cbrt(eps).
inline constexpr double forward_difference = 0x1p-26;
inline constexpr double central_difference = 6e-6;

}  // namespace dalembert
