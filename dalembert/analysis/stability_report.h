// What can be said about the linear stability of a method, each statement with its evidence.
//
//   zero-stable    the roots of p at z = 0 lie in the unit disc, those on the circle are simple
//                  (for second-order equations 1 may be double)
//   A-stable       |zeta| <= 1 for Re z <= 0. Runge-Kutta: the poles of R lie to the right, and
//                  E(y) = |Q(iy)|^2 - |P(iy)|^2 >= 0. Multistep: Re rho/sigma >= 0 along the unit circle, and sigma has its
//                  roots in the disc.
//   A(alpha)       the same in the sector |arg(-z)| <= alpha
//   L-stable       A-stable, and zeta = 0 at infinity
//   contractive    differences of two solutions never grow where those of the equation do not. Runge-Kutta: algebraic
//                  stability, b >= 0 and M = BA + A'B - bb' >= 0 [BurrageButcher1979]. One-leg formulas: A-stability says it,
//                  in the norm of a matrix G [Dahlquist1983].
//
// The error constant C is that of e^z - zeta(z) = C z^{p+1} + ..., and of multistep formulas C_{p+1}/sigma(1).
// [HairerWanner1996, IV.3, IV.12, V.1]
#pragma once

#include <string>

#include "dalembert/analysis/amplification.h"

namespace dalembert {

struct Statement {
  enum class Is { yes, no, open } is = Is::open;
  std::string evidence{};
};

struct StabilityReport {
  int order =
      0;  ///< by the order conditions of implicit tableaus and of entries; otherwise that on linear equations
  double error_constant = 0;  ///< of the order on linear equations
  double radius_at_infinity = 0;
  double alpha = 0;  ///< degrees; 90 if A-stable, 0 if not even the negative axis is stable
  double real_interval = 0,
         imaginary_interval = 0;  ///< how far the axes are stable, from 0 on; perhaps infinite
  Statement zero_stable, a_stable, l_stable, contractive, barriers;
};

StabilityReport stability_report(const LinearForm&);
/// The order of a method with a tableau is that of its exact coefficients.
StabilityReport stability_report(const MethodEntry&, const LinearForm&);

/// Along the unit circle, z = rho(zeta)/sigma(zeta) at zeta = e^{i theta}: where a factor has modulus 1.
std::complex<double> boundary_locus(const MultistepForm&, double theta);

/// E(y) by ascending powers of y^2; what rounding left of coefficients that vanish is 0.
std::vector<double> e_polynomial(const StabilityFunction&);

}  // namespace dalembert
