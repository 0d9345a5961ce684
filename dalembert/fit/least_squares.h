// Least squares in the box [0,1]^n: Levenberg and Marquardt's method [More1978], with the damping of [Nielsen1999].
//
//   minimise r(u)'r(u)/2,   0 <= u <= 1
//   (J'J + mu D^2) d = -J'r   for what is free,   D_k = the largest |J e_k| so far
//
// What lies at a side and is pushed against it is not free. A step is cut off at the sides; it is taken if the sum of squares gets
// smaller. Points at which there is no r are steps not taken.
#pragma once

#include <vector>

#include "dalembert/fit/trials.h"

namespace dalembert {

/// How a search ended.
enum class FitEnding {
  converged,      ///< no step makes it better
  stuck,          ///< derivatives promise what no step keeps
  no_derivative,  ///< runs on both sides of the point end early
  no_start,       ///< the run at the start ended early
  too_many_runs,
  interrupted,
};

struct LeastSquaresTask {
  BoxFunction residuals;
  std::function<Vector(const Vector& u)> steps;  ///< of differences
  std::function<bool()> enough;                  ///< asked before each evaluation: shall it end here?
  double noise = 0;  ///< by which residuals are wrong: sums of squares that are smaller are 0
};

struct LeastSquaresResult {
  FitEnding ending = FitEnding::no_start;
  Vector u, residuals;
  Matrix jacobian;     ///< at u, extrapolated from differences over h and 2h; of no size where there is none
  Vector uncertainty;  ///< of each of its columns: by how much the extrapolation changed it
  std::vector<double> norms;  ///< of the residuals, at each point that was taken
  bool found() const { return residuals.size() > 0; }
};

LeastSquaresResult least_squares(const LeastSquaresTask&, const Vector& start);

}  // namespace dalembert
