// What resists a displacement from an equilibrium where stiffness does not: x'' = -x^3 is held, x'' = x^3 and x'' = -x^2 are not.
//
// Along a direction z of vanishing stiffness, K z = 0, with all other free directions relaxed, F(d) = w'(f - J'l) with w'K = 0 and w'M z > 0
// is looked at for d on both sides: what is not linear near d = 0 decides. Where K is symmetric w is z.
#pragma once

#include <vector>

#include "dalembert/problem/mechanical.h"

namespace dalembert {

struct SoftDirection {
  Vector along;  ///< the displacement, of unit length
  enum class Force {
    none,     ///< however far it is followed
    back,     ///< on both sides
    away,     ///< on both sides
    one_side  ///< away on one of them
  } force = Force::none;
};

/// Of an equilibrium of a problem without states of first order. Directions whose stiffness rules small displacements are not listed.
std::vector<SoftDirection> soft_directions(const Mechanical&, const State& equilibrium, double tolerance);

/// Slopes of forces that differ on both sides: there nothing is linear.
struct Kink {
  Vector along;  ///< a displacement, or a velocity
  bool of_velocity = false;
  double one = 0, other = 0;  ///< force along it, per displacement or velocity, ahead and behind
};
/// Along free displacements and velocities, one after the other.
std::vector<Kink> kinks_at(const Mechanical&, const State&, double tolerance);

}  // namespace dalembert
