// The linearised equations of a rewritten mechanical problem, and what rules the errors of its constraints.
//
//   z' = f(t,z)  linearised at one point:  eigenvalues of f_z
//   h = (g; J v + w)  along it:            h' = S h to first order, S = (d/dz (dh/dt)) H^+,  H = h_z
//
// Where the point is an equilibrium the eigenvalues of S are among those of f_z; elsewhere f_z is frozen and only S
// is meaningful for the constraints. In theory S has the roots of s^2 + 2 alpha s + beta^2 per holonomic row under
// Baumgarte's feedback, zeros without it [MantegazzaMasarati2012, 5.3].
#pragma once

#include <complex>
#include <vector>

#include "dalembert/formulation/formulation.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

struct Mode {
  std::complex<double> value;
  double off;  ///< |H x|/(|H| |x|) of its eigenvector x: 0 stays on the constraints
};

struct Spectrum {
  std::vector<Mode> modes;  ///< of f_z, by growing real part of the values
  /// Of the errors of the constraints: found in S, and said by the formulation, in matching order.
  std::vector<std::complex<double>> found, theory;
  double speed = 0;  ///< max |f(t,z)|: 0 at an equilibrium
};

/// At a consistent state of the original problem. Throws Error unless the formulation makes an Ode in (q, v, s).
Spectrum spectrum_at(const Formulation&, const State& original);

}  // namespace dalembert
