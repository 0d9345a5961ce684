// Linear stability: what one step of a method makes of y' = lambda y.
//
//   y1 = R(z) y0,  z = h lambda,   R(z) = 1 + z b'(I - z A)^-1 (1, ..., 1)' for a Runge-Kutta method
//
// Methods without a tableau are asked: they step the test equation, and |R| is the growth per step that is left once
// the starting values are forgotten [HairerWanner1996, IV.2, V.1].
#pragma once

#include <complex>
#include <optional>

#include "dalembert/core/parameters.h"
#include "dalembert/method/method.h"
#include "dalembert/method/runge_kutta/tableau.h"

namespace dalembert {

class LinearStability {
 public:
  LinearStability(const MethodEntry&, const Parameters& options);

  /// |R(z)|, Re z <= 0 in all uses; nothing for methods that neither have a tableau nor solve implicit problems.
  std::optional<double> amplification(std::complex<double> z) const;

  /// How far the ray from 0 through z stays in |R| <= 1; nothing if it does so for as long as anybody asks (|z| = 100).
  std::optional<double> reach(std::complex<double> direction) const;

 private:
  double by_tableau(std::complex<double> z) const;
  double by_stepping(std::complex<double> z) const;

  const MethodEntry& entry_;
  Parameters options_;
  std::optional<Tableau> tableau_;
};

}  // namespace dalembert
