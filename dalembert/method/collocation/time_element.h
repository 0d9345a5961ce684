// The polynomials of finite elements in time, and where their residuals are taken (galerkin.cc).
#pragma once

#include <vector>

#include "dalembert/method/linear_form.h"

namespace dalembert {

enum class Continuity { continuous, discontinuous };

/// As many as there are polynomials, without asking for memory.
using Few = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 16, 1>;

/// Legendre's polynomials P_0..P_m, their derivatives and integrals from 0, at x in [0,1].
struct Legendre {
  Legendre(Eigen::Index m, double x);
  Few value, slope, integral;
};

/// Gauss' points and weights on [0,1].
struct Gauss {
  explicit Gauss(Eigen::Index points);
  Vector c, b;
};

/// U = e y_n + sum_j T_j X_j, D = d y_n + sum_j S_j X_j and y_n + int_0^x D = r y_n + sum_j R_j X_j at one x.
struct Shapes {
  Shapes(Continuity, Eigen::Index degree, double x);
  Few T, S, R;
  double e = 0, d = 0, r = 1;
};

/// All of them where residuals are taken, with weights.
struct TimeElement {
  /// Throws Error if there are fewer points than weights.
  TimeElement(Continuity, Eigen::Index degree, Eigen::Index points);
  /// For y' = f it is a Runge-Kutta method.
  RungeKuttaForm tableau() const;

  Gauss gauss;
  Shapes end;
  std::vector<Shapes> at;  ///< at the points
  Matrix weights;          ///< of the residuals at the points, a row for each equation
  Matrix T, of_y, of_dy;   ///< U at the points; weights times U and times D, by X
};

}  // namespace dalembert
