// The code of a method, as it runs, on linear equations: does it do what its coefficients say?
//
//   y' = lambda y in real and imaginary part, of whatever kind the method accepts (with 0 = y3, y3' = z beside it for
//   half-explicit methods);  x'' = 2 Re(lambda) x' - |lambda|^2 x for methods of mechanical problems.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/analysis/amplification.h"
#include "dalembert/method/method.h"

namespace dalembert {

/// y_0, y_1, ... of as many steps of length 1 from 1 on, lambda = z; of second-order methods x_0, x_1, ... . Throws Error if the
/// method accepts no such equation, or a step fails.
ComplexVector steps_of(const MethodEntry&, const Parameters& options, std::complex<double> z, int steps);

/// How far the code is from the recurrence: the largest |p_0 y_n + ... + p_k y_{n+k}|, over the largest |p| and |y| in it. The
/// starting procedure of multistep methods is left out.
double disagreement(const MethodEntry&, const Parameters& options, const LinearForm&, std::complex<double> z);
/// The largest at some points on the axes and between them.
double disagreement(const MethodEntry&, const Parameters& options, const LinearForm&);

/// One step as the code computes it, for methods that do not say their coefficients; the entry must live on. Nothing if a second
/// step does not repeat the first: it keeps more than its state.
std::optional<LinearForm> measured_form(const MethodEntry&, const Parameters& options);

}  // namespace dalembert
