// What steps make of linear equations, from the coefficients of a method: amplification functions, characteristic
// polynomials and their roots.
//
//   p_0(z) y_n + p_1(z) y_{n+1} + ... + p_k(z) y_{n+k} = 0,    y' = lambda y,  z = h lambda
//
//   Runge-Kutta    p = zeta - R(z),   R = P/Q,   Q = det(I - z A),   P = det(I - z A + z (1, ..., 1)'b')
//   multistep      p = rho(zeta) - z sigma(zeta)
//   second order   p = det(zeta L - R), for x'' = 2 Re(lambda) x' - |lambda|^2 x: its modes are lambda and its conjugate
//
// [HairerWanner1996, IV.3 and V.1]
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "dalembert/method/linear_form.h"
#include "dalembert/method/method.h"

namespace dalembert {

using ComplexVector = std::vector<std::complex<double>>;

/// By its tableau, or as the method says; nothing for methods that do not say.
std::optional<LinearForm> linear_form(const MethodEntry&, const Parameters& options);

/// p_0(z) ... p_k(z); not finite where an implicit step has no solution.
ComplexVector characteristic(const LinearForm&, std::complex<double> z);
/// The roots of a polynomial by ascending powers; those at infinity are infinite.
ComplexVector roots(const ComplexVector& polynomial);
/// All amplification factors.
ComplexVector amplification_factors(const LinearForm&, std::complex<double> z);
/// The largest modulus of them; infinite where a step has no solution.
double spectral_radius(const LinearForm&, std::complex<double> z);

/// Those with z at infinity (along the imaginary axis, for second-order forms).
ComplexVector factors_at_infinity(const LinearForm&);

/// The factor that approximates e^{i w}, for w ascending from 0 on: followed in small strides.
class PrincipalFactor {
 public:
  explicit PrincipalFactor(const LinearForm& form) : form_(form) {}
  std::complex<double> at(double w);

 private:
  const LinearForm& form_;
  double w_ = 0;
  std::complex<double> factor_ = 1;
};

/// What a method makes of an undamped oscillation of frequency w/h. Beyond w = pi there is neither damping nor phase to speak of.
struct Oscillation {
  double w, radius;
  double damping;  ///< algorithmic damping ratio: -ln|zeta|/|ln zeta| of the principal factor
  double phase;    ///< relative error of the phase: arg(zeta)/w - 1
};
std::vector<Oscillation> oscillations(const LinearForm&, const std::vector<double>& w);

/// R = P/Q by ascending powers of z.
struct StabilityFunction {
  std::vector<double> P, Q;
};
StabilityFunction stability_function(const RungeKuttaForm&);
/// R = sum r_k z^k: r_0, r_1, ...; r_k = b'A^{k-1} (1, ..., 1)'.
std::vector<double> stability_series(const RungeKuttaForm&, int terms);

}  // namespace dalembert
