// Where a mechanical problem is at rest, with drives stopped and loads as they are at one time:
//
//   f(t,q,0,s) - J'l = 0,   g(t,q) = 0,   k(t,q,0,s) = 0
//
// From a position q the displacement u = Z y with J Z = 0 obeys, with the stiffness K = d(J'l - f)/dq of multipliers of least squares,
//
//   (Z'K Z + mu Z'M Z) y + Z'S x = Z'f,   -k_q Z y + (mu - k_s) x = k,
//
// and q goes back to g = 0 afterwards. mu = 0 is Newton's method. A large mu is a short step of the overdamped motion
// M q' = f, which goes where the mechanism would come to rest. mu is at least so large that the matrix is positive on y, and
// falls as long as forces do work along the step: near a stable equilibrium the iteration is Newton's, and an unstable one is left unless
// it is where the search began. Forces that fade as the position runs away have no equilibrium: what Newton's method has still to go
// must get shorter.
//
// The nearest equilibrium, stable or not, is sought with mu = 0 and steps that make forces smaller; where that ends, along
// the path on which the forces that hold the guess in its place are let go a little at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dalembert/problem/mechanical.h"

namespace dalembert {

struct EquilibriumOptions {
  enum class Seek {
    rest,    ///< where the mechanism comes to rest by itself
    nearest  ///< what is next to the guess, stable or not
  } seek = Seek::rest;
  int most = 500;  ///< steps
  std::function<void(const std::string&)> progress{};
};

struct Equilibrium {
  bool found = false;
  std::string why_not{};  ///< no equilibrium: what the search met
  State state;            ///< complete, at rest
  double force = 0;       ///< the largest that is left along free displacements
  Vector push{};          ///< all that is left, as forces on displacements: Z Z'f
  double load = 0;        ///< the largest that is in balance
  double moved = 0;       ///< largest change of a position from the guess
  bool at_guess = false;  ///< the guess was one, states included
  int steps = 0;
  std::vector<std::string> driven{};  ///< rows that move with time, as their multipliers are called
  bool timed = false;                 ///< forces change with time: it is an equilibrium of that time
};

/// From the positions and states of a guess, which need not satisfy anything.
Equilibrium find_equilibrium(const Mechanical&, const State& guess, const EquilibriumOptions& = {});

}  // namespace dalembert
