// Eigenvalues that a formulation adds (feedback, regularization) against the stability region of the method.
//
// With a fixed step h an added eigenvalue lambda with |R(h lambda)| > 1 makes errors of the constraints grow. A run in
// which they would at least double says so; one in which rounding alone would grow to the size of the motion is refused.
#pragma once

#include <optional>
#include <string>

#include "dalembert/formulation/formulation.h"
#include "dalembert/method/stability.h"

namespace dalembert {

struct AddedStability {
  const FormulationEntry& formulation;
  const std::vector<std::complex<double>> spectrum;
  const LinearStability method;
  const std::string method_name;

  /// A sentence with numbers, or nothing. Throws Error if the run would be worthless.
  std::optional<std::string> with_fixed_step(double h, double span) const;
  /// After a run with step control: do the added eigenvalues, not the accuracy, seem to have set the mean step?
  std::optional<std::string> with_mean_step(double h) const;
};

}  // namespace dalembert
