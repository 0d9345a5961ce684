// What linear equations with constant coefficients see of a method: its coefficients, for steps of one length.
//
//   Runge-Kutta     y_{n+1} = y_n + h sum_i b_i Y'_i,   Y_i = y_n + h sum_j a_ij Y'_j
//   multistep       sum_j alpha_j y_{n-j} = h sum_j beta_j y'_{n-j}
//   second order    L u_{n+1} = R u_n   for x'' + c x' + k x = 0 and h = 1,   u = (x, x', what else is carried along)
#pragma once

#include <complex>
#include <functional>
#include <variant>
#include <vector>

#include "dalembert/core/parameters.h"
#include "dalembert/core/vector.h"

namespace dalembert {

struct RungeKuttaForm {
  Matrix A;
  Vector b;
};

struct MultistepForm {
  Vector alpha, beta;  ///< by age, that of the new point first
  /// At how many points a step asks for the equation; one-leg: at one, the mean of all.
  enum class Shape { multistep, one_leg } shape = Shape::multistep;
};

struct SecondOrderForm {
  struct Step {
    Matrix L, R;
  };
  std::function<Step(double k, double c)> step;
};

/// Of a method that does not say its coefficients: the polynomial of its step at z = h lambda, by ascending powers, as measured.
struct MeasuredForm {
  std::function<std::vector<std::complex<double>>(std::complex<double> z)> characteristic;
};

using LinearForm = std::variant<RungeKuttaForm, MultistepForm, SecondOrderForm, MeasuredForm>;

/// A method that says it. (Those with a tableau in their entry need not.)
class HasLinearForm {
 public:
  virtual ~HasLinearForm() = default;
  /// With these options; the method need not be bound.
  virtual LinearForm linear_form(const Parameters& options) const = 0;
};

}  // namespace dalembert
