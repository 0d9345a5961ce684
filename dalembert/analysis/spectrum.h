// The linearised equations of a rewritten mechanical problem: what belongs to the motion, and what rules the errors of its constraints.
//
//   y' = A y on the constraints:               eigenvalues of the motion, the same for every formulation (linearisation.h)
//   h = (g; J v + w) off them, z' = f(t,z):    h' = S h to first order, S = (d/dz (dh/dt)) H^+,  H = h_z
//
// The constraints are kept by every solution that starts on them. Small changes along them therefore never leave them, and those of h
// depend on h alone: the two spectra are apart at any state, and together they are that of f_z where the state is an equilibrium. In
// theory S has the roots of s^2 + 2 alpha s + beta^2 per holonomic row under Baumgarte's feedback, zeros without it
// [MantegazzaMasarati2012, 5.3].
#pragma once

#include <complex>
#include <vector>

#include "dalembert/analysis/linearisation.h"
#include "dalembert/analysis/modes.h"
#include "dalembert/formulation/formulation.h"

namespace dalembert {

struct Spectrum {
  Linearisation::Base base = Linearisation::Base::instant;
  std::vector<std::complex<double>> motion;  ///< by growing real part
  /// Of the errors of the constraints: found in S, and said by the formulation, in matching order.
  std::vector<std::complex<double>> found, theory;
};

/// At a consistent state of the original problem. Throws Error unless the formulation makes an Ode in (q, v, s).
Spectrum spectrum_at(const Formulation&, const State& original);

}  // namespace dalembert
