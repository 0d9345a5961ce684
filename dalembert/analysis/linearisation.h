// A mechanical problem linearised on its constraints: what small changes of a motion do, whatever the formulation.
//
//   u' = w + T u                                          displacements along the tangent
//   M w' = -K u - D w - S x - J'm                         K with the geometric stiffness of the multipliers
//   x' = k_q u + k_v w + k_s x                            first-order states
//   G u = 0,   J w + B u = 0                              constraints of position, and all at velocity level
//
// With bases G Y = 0 and J Z = 0, u = Y y1 and w = Z y2 - J^+ B Y y1, what is left is y' = A y for y = (y1, y2, x): as many numbers as
// there are free positions, free velocities (fewer, if rows are nonholonomic) and states. Neither multipliers nor what a formulation
// adds are in it.
//
// At an equilibrium A is a constant. It is one along a steady motion, too, seen from a frame that goes along: turns of a body are
// seen from a frame that does not turn with it (a wheel looks the same at any time), and everything from one that turns with the
// rate Omega for which v' = Omega x v and v'' = Omega x v' (a turn that is ridden at constant speed) and everything else stays the same (a body that
// tumbles about one axis, if it goes along with it). What one instant shows is no more than a guess: the motion is followed to the end of a run, or as long as
// errors do not grow much, and is steady if it looks the same at all times. Elsewhere A is that of an instant: Y and Z move with
// the motion without turning in themselves.
#pragma once

#include "dalembert/analysis/motion_terms.h"

namespace dalembert {

struct Linearisation {
  enum class Base { equilibrium, steady, instant } base = Base::instant;
  State state;          ///< complete
  Vector acceleration;  ///< v' there
  Matrix A;             ///< y' = A y
  Matrix doubt;         ///< by how much rounding, or differences, can have changed each entry of A
  Matrix u, w,
      x;  ///< small changes of positions (along the tangent), velocities and states, for each entry of y
  Eigen::Index states = 0;          ///< so many of the last entries of y are states
  Matrix free;                      ///< Z
  Matrix mass, damping, stiffness;  ///< Z'M Z, Z'D Z, Z'K Z
  Matrix jacobian;                  ///< J
  double tolerance = 0;  ///< unit rows of J that stick out of the span of others by less follow from them
  bool timed = false;    ///< of an equilibrium: the equations about it change with the time
  bool loaded =
      false;  ///< of an equilibrium: loads or drives change with the time, so that it is one at that time only
  double followed = 0;  ///< of a steady motion: until when it was
  double stray =
      0;  ///< of a motion that is not steady: the largest rate of change of A's parts, relative to them
};

/// At a state that satisfies its constraints; where time stands still it has to be one at rest. Throws Error at a singular position,
/// where rows lose rank.
Linearisation linearise(const Mechanical&, const State&, Time = Time::goes_on);

/// What the displacement along each velocity is called: "crank.angle", and "frame.theta1" for a turn about the first axis of a body.
std::vector<std::string> displacement_names(const Mechanical&);

/// A potential that is least here: the stiffness is symmetric and positive, and damping takes energy out or does nothing.
bool least_energy(const Linearisation&);

}  // namespace dalembert
