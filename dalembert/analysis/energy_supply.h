// Do forces put energy in near an equilibrium? The linear part does not say: x'' = -x + x'^3 has the stiffness and the damping of x'' = -x.
//
// Where the energy is least and no force supplies any, what is not damped stays small (Lagrange and Dirichlet). Looked at are
//
//   the work of f(q,0) around closed loops q(phi) on the constraints                          zero if it has a potential
//   v'(f(q,v) - f(q,-v))/2                                                                    what is odd in v: never positive
//   v'((f(q,v) + f(q,-v))/2 - f(q,0)) - v'M'v/2                                               what is even does no work
//
// with v along motions that are not damped in linear terms. Some loops and velocities are tried, and not all that there are: a
// supply that is seen is there, and one that is not seen may be.
#pragma once

#include "dalembert/analysis/linearisation.h"
#include "dalembert/analysis/modes.h"

namespace dalembert {

/// Is any seen, about an equilibrium?
bool supplies_energy(const Mechanical&, const Linearisation&, const Modes&);

}  // namespace dalembert
