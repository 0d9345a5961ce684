// Multistep formulas that are known by name, whether or not a method of the registry makes steps with them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/method/linear_form.h"

namespace dalembert {

/// "adams-bashforth-2", "adams-moulton-3", "bdf-6" (the number is the order), "leapfrog", "milne-simpson".
std::vector<std::string> formula_names();
/// Nothing for other names.
std::optional<MultistepForm> named_formula(const std::string& name);

/// (76) of [MantegazzaMasarati2012]: y_k = (1 - beta) y_{k-1} + beta y_{k-2} + h ((1/2 + delta) f_k
/// + (1/2 + beta/2 - 2 delta) f_{k-1} + (beta/2 + delta) f_{k-2}), of order 2; explicit for delta = -1/2.
MultistepForm two_step_formula(double beta, double delta);
/// beta and delta of a two-step formula of that shape.
struct TwoStepParameters {
  double beta, delta;
};
TwoStepParameters two_step_parameters(const MultistepForm&);

}  // namespace dalembert
