// A constrained boundary value problem from names to numbers: sequential regularization around multiple shooting, or
// shooting on the constrained motion itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/boundary/boundary_problem.h"
#include "dalembert/boundary/grid_function.h"
#include "dalembert/boundary/shooting_equations.h"
#include "dalembert/core/statistics.h"

namespace dalembert {

/// How a boundary problem is solved.
struct BoundaryOptions {
  enum class Approach { regularized, direct } approach = Approach::regularized;
  std::string method = "heun";  ///< one that solves ordinary differential equations
  int steps = 1000;
  int segments = 4;
  Regularization regularization;
  int iterations = 5;           ///< of the regularization
  double first_multiplier = 0;  ///< y_0(t), constant
  double layer = 0.1;           ///< this part of the interval after its start is left out of `later_error`
};

/// What one iterate is worth. NaN where no exact solution is known.
struct BoundaryIterate {
  double error = not_a_number;             ///< max |x - exact| over the grid
  double later_error = not_a_number;       ///< the same behind the layer
  double multiplier_error = not_a_number;  ///< of y, behind the layer
  double drift = 0;                        ///< max |h|
  double change = not_a_number;            ///< max |x_s - x_{s-1}|
  int newton = 0;                          ///< iterations
  double trajectories = 0;                 ///< followed from start to end so far
};

/// How that ended, iterate by iterate.
struct BoundarySummary {
  Outcome outcome = Outcome::ok;
  std::string message;
  std::vector<BoundaryIterate> iterates;
  std::vector<std::string> warnings;
  std::optional<GridFunction> x, multipliers;  ///< of the last iterate
  Statistics statistics;
  double seconds = 0;
};

/// Throws Error for mistakes of the caller: a method of another kind, too few or too many conditions, steps too long
/// for eps by far.
BoundarySummary solve_boundary(const BoundaryProblem&, const BoundaryOptions&);

}  // namespace dalembert
