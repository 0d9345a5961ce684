// Do forces put energy in near an equilibrium? The linear part does not say: x'' = -x + x'^3 has the stiffness and the damping of x'' = -x.
//
// Where the energy is least and no force supplies any, what is not damped stays small (Lagrange and Dirichlet). Looked at are
//
//   the work of f(q,0) around closed loops q(phi) on the constraints                          zero if it has a potential
//   v'(f(q,v) - f(q,-v))/2                                                                    what is odd in v: never positive
//   v'((f(q,v) + f(q,-v))/2 - f(q,0)) - v'M'v/2                                               what is even does no work
//
// with v along motions that are not damped in linear terms. Loops lie about the equilibrium and beside it: quadratic forces do no work around a loop that is the
// same on both sides. Some loops and velocities are tried, and not all that there are: a supply that is seen is there, and one that is
// not seen may be, unless the problem knows the potential of its forces.
#pragma once

#include "dalembert/analysis/linearisation.h"
#include "dalembert/analysis/modes.h"

namespace dalembert {

enum class Supply {
  none,    ///< position forces have the potential that the problem knows, and those of velocities are linear
  unseen,  ///< others act, and none is seen to put energy in
  seen
};
/// About an equilibrium.
Supply energy_supply(const Mechanical&, const Linearisation&, const Modes&);

}  // namespace dalembert
