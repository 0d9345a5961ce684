#include "dalembert/control/added_stability.h"

#include <algorithm>
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

namespace {

using Complex = std::complex<double>;

std::string text(Complex z) {
  if (std::abs(z.imag()) <= 1e-12 * std::abs(z)) return short_number(z.real());
  return short_number(z.real()) + (z.imag() < 0 ? "-" : "+") + short_number(std::abs(z.imag())) + "i";
}

}  // namespace

std::optional<std::string> AddedStability::with_fixed_step(double h, double span) const {
  Complex worst = 0;
  double growth = 1;  // per step
  for (auto it = spectrum.begin(); it != spectrum.end(); ++it) {
    if (std::find(spectrum.begin(), it, *it) != it) continue;  // many rows, one feedback
    if (const double R = method.amplification(h * *it).value_or(0); R > growth) {
      growth = R;
      worst = *it;
    }
  }
  const double steps = std::ceil(span / h), decades = steps * std::log10(growth);
  if (!(decades > std::log10(2.0))) return {};

  const std::string what = "formulation '" + formulation.name + "' adds the eigenvalue " + text(worst) +
                           "; times the step " + short_number(h) + " it is " + text(h * worst) + ", and ";
  const double reach = method.reach(worst).value_or(0);
  const bool none = reach < 0.02;
  const std::string where = none ? method_name + " is not stable in that direction at all"
                                 : "the stability region of " + method_name + " ends there at " +
                                       text(reach * worst / std::abs(worst));
  const std::string effect =
      ": errors of the constraints grow by a factor " + short_number(growth) + " in each step";
  const std::string remedy = none ? "take another method, or damp the added eigenvalues more"
                                  : "take steps of at most " + short_number(reach / std::abs(worst)) +
                                        ", or options that bring it to at most " + short_number(reach / h) +
                                        " in size";
  if (decades > 16)
    throw Error(what + where + effect + ", rounding errors to the size of the motion before the end", remedy);
  return what + where + effect + "; " + remedy;
}

std::optional<std::string> AddedStability::with_mean_step(double h) const {
  for (auto it = spectrum.begin(); it != spectrum.end(); ++it) {
    const Complex lambda = *it;
    if (std::abs(lambda) == 0 || std::find(spectrum.begin(), it, lambda) != it) continue;
    const auto reach = method.reach(lambda);
    // At the limit steps grow and are thrown away in turn: half of it is a common mean.
    if (!reach || *reach < 0.02 || h * std::abs(lambda) < 0.4 * *reach) continue;
    return "the mean step " + short_number(h) + " times the eigenvalue " + text(lambda) +
           " that formulation '" + formulation.name + "' adds is " + text(h * lambda) +
           ", and the stability region of " + method_name + " ends there at " +
           text(*reach * lambda / std::abs(lambda)) +
           ": stability of the added terms, not accuracy, seems to limit the step; smaller rates would be "
           "cheaper";
  }
  return {};
}

}  // namespace dalembert
