// Periodic motions, found by shooting, and what becomes of their neighbours over a period.
//
//   z(T) - z(0) = 0,   (M - I) B'dz + B'F(T) dT = -B'(z(T) - z(0)),   F(0)'dz = 0,   M = B'W(T),  W(0) = B
//
// B is an orthonormal basis of the tangent space, so that M is the monodromy matrix on the constraint manifold and has as many
// multipliers as there are degrees of freedom of the state. T is known where the equations depend on time, and an unknown where they
// do not; there the second line says that the orbit is not shifted along itself, and one multiplier is 1. Entries in rad count
// modulo a turn where the equations do not see it. M is computed twice, the second time with ten times the tolerance and where Newton's
// method would go next: what differs is how wrong its entries are, and what follows for multipliers says repeated_values.h.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "dalembert/analysis/tangent_flow.h"

namespace dalembert {

struct FloquetOptions {
  TangentFlowOptions flow{};
  /// Of the equations, or of several of their periods; where they do not depend on time, a guess. Open: looked for there.
  std::optional<double> period{};
  double transient = 0;  ///< for which the motion is followed before it is looked at
  int most_rounds = 30;
  /// Told after each round: how far the end is from the start.
  std::function<void(int round, double gap)> progress{};
};

struct FloquetMultiplier {
  std::complex<double> value;
  bool trivial = false;  ///< of a shift along the orbit: 1, whatever the orbit
  double error = 0;      ///< of the value, from two computations
  /// The value is there more often than it has directions: on the unit circle neighbours can leave in proportion to the time.
  bool chained = false;
};

struct PeriodicOrbit {
  Outcome outcome = Outcome::ok;
  std::string message{};  ///< why it was not found
  enum class Period { known, found } which = Period::known;
  double period = 0;
  Layout layout{};    ///< of z
  State start{};      ///< z at a point of it
  double gap = 0;     ///< largest |z(T) - z(0)|
  int rounds = 0;     ///< of Newton's iteration
  bool rest = false;  ///< an equilibrium
  /// Neighbours have other periods, and run ahead or fall behind in proportion to the time; beside the orbit they stay.
  bool drifts = false;
  int times = 1;  ///< that the motion repeats within the period which was given
  std::vector<FloquetMultiplier> multipliers{};  ///< by descending modulus
  std::vector<State> motion{};                   ///< z over the period
};

/// Throws Error for mistakes of the caller, and problems whose flow has no derivative.
PeriodicOrbit find_periodic_orbit(std::shared_ptr<const Problem>, const FloquetOptions&);

enum class Stability { stable, neutral, unstable };
/// By the multiplier that is not trivial and of largest modulus; neutral: on the unit circle within its error.
Stability stability(const PeriodicOrbit&);
/// The same in one sentence, with how neighbours leave.
std::string sentence(const PeriodicOrbit&);

}  // namespace dalembert
