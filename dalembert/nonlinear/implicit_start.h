// Initial values of an implicit problem of index 1: which y near the given one allows F(t,y,y') = 0 for some y'?
//
//   [F_y V, F_y'] (c, p) = -F,   y := y + V c,   y' := y' + p,   F_y' V = 0
//
// The entries that F differentiates are kept: y moves along the null space V of F_y' only, as far as the algebraic
// equations, Z'F with Z'F_y' = 0, ask for. At index 1 Z'F_y V is regular and c is unique.
#pragma once

#include "dalembert/nonlinear/nearest_point.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

struct ImplicitStart {
  Outcome outcome = Outcome::ok;
  enum class Change { none, algebraic } change = Change::none;
  Vector y{};
  Vector residual{};                  ///< F at the end
  std::vector<Eigen::Index> unmet{};  ///< equations that cannot be satisfied
};

ImplicitStart meet(const Implicit&, double t, In y, const KeptEntries&);

}  // namespace dalembert
