// implicit-euler, bdf2, trapezoid, midpoint-implicit, ms, multistep: the formulas of the family in multistep.h.
//
// `ms` is (76)-(77) of [MantegazzaMasarati2012]. For steps h/r, h its five coefficients are fixed by order 2,
//
//   1 + alpha1 + alpha2 = 0,   1 - r alpha2 = S,   1 + r^2 alpha2 = 2 (beta0 - r beta2),
//
// and by sigma(z) = beta0 (z + rho)^2: with |h f_y| -> infinity the formula becomes beta0 y_n + beta1 y_{n-1} +
// beta2 y_{n-2} = 0 whatever r is, so the double root -rho_inf of equal steps is kept for all sequences of steps. Hence
//
//   beta0 = (1 + r)/(2 + r (1 + 2 rho - rho^2)),  beta1 = 2 rho beta0,  beta2 = rho^2 beta0,  alpha2 = (1 - S)/r.
//
// r = 1 gives (77); rho = 0 is BDF2 with its usual variable-step coefficients. Differences obey d_n = alpha2 d_{n-1} for
// y' = 0: steps that grow for ever by a factor w = 1/r need |alpha2| < 1, w < 1 + sqrt(2) for BDF2, less for rho_inf
// near 1, none at all for 1. At constant steps L/S = -(rho^2 - rho + 1)/(3 (1 + rho)^2).
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/method/multistep/multistep.h"

namespace dalembert {

MultistepFormula tunable_formula(double rho, double r) {
  const double beta0 = (1 + r) / (2 + r * (1 + 2 * rho - rho * rho));
  const double alpha2 = (1 - beta0 * (1 + rho) * (1 + rho)) / r;
  return {-1 - alpha2, alpha2, beta0, 2 * rho * beta0, rho * rho * beta0};
}

double largest_growth(double rho) {
  double low = 1, high = 2;
  for (int round = 0; round < 30; ++round) {
    const double w = (low + high) / 2;
    (std::abs(tunable_formula(rho, 1 / w).alpha2) < 0.95 ? low : high) = w;
  }
  return low;
}

namespace {

using Shape = MultistepScheme::Shape;
using AtInfinity = MultistepScheme::AtInfinity;

MultistepFormula one_step(double theta) {
  return {-1, 0, theta, 1 - theta, 0};
}

Shape shape_in(const Parameters& options) {
  return options.count("one_leg", 0, 1) == 1 ? Shape::one_leg : Shape::multistep;
}

MultistepScheme tunable(const Parameters& options) {
  const double rho = options["rho_inf"];
  if (!(rho >= 0 && rho <= 1)) throw Error("rho_inf is " + short_number(rho), "it must lie in [0, 1]");
  return {.name = "ms",
          .steps = 2,
          .order = 2,
          .formula = [=](double r) { return tunable_formula(rho, r); },
          .shape = shape_in(options),
          .at_infinity = rho < 1 ? AtInfinity::damped : AtInfinity::undamped,
          .growth = largest_growth(rho)};
}

/// The larger modulus of the roots of z^2 + p z + q.
double spectral_radius(double p, double q) {
  const double discriminant = p * p / 4 - q;
  return discriminant < 0 ? std::sqrt(q) : std::abs(p) / 2 + std::sqrt(discriminant);
}

/// (56) or (58) of [MantegazzaMasarati2012] with k = 2 and coefficients as given, for equal steps.
MultistepScheme given(const Parameters& options) {
  const MultistepFormula f{options["alpha1"], options["alpha2"], options["beta0"], options["beta1"],
                           options["beta2"]};
  if (!(std::abs(1 + f.alpha1 + f.alpha2) < 1e-12 && std::abs(1 - f.alpha2 - f.sum()) < 1e-12))
    throw Error("these coefficients are not consistent",
                "1 + alpha1 + alpha2 = 0 and 1 - alpha2 = beta0 + beta1 + beta2 must hold");
  if (f.beta0 == 0) throw Error("beta0 is zero", "explicit formulas cannot solve F(t,y,y') = 0");
  // The roots of rho(z) are 1 and alpha2.
  if (!(f.alpha2 > -1 - 1e-12 && f.alpha2 < 1))
    throw Error(
        "the formula is not zero-stable: a root of z^2 + alpha1 z + alpha2 is " + short_number(f.alpha2),
        "take -1 <= alpha2 < 1");
  const double at_infinity = spectral_radius(f.beta1 / f.beta0, f.beta2 / f.beta0);
  return {.name = "multistep",
          .steps = 2,
          .order = std::abs(f.residual(1, 1)) < 1e-12 ? 2 : 1,
          .formula = [=](double) { return f; },
          .shape = shape_in(options),
          .at_infinity = at_infinity < 1 ? AtInfinity::damped : AtInfinity::undamped,
          .equal_steps = true};
}

MethodEntry entry(const char* name, const char* summary, const char* cite, std::vector<Claim> claims,
                  std::vector<Parameter> options, std::function<MultistepScheme(const Parameters&)> scheme) {
  return {.name = name,
          .summary = summary,
          .cite = cite,
          .claims = std::move(claims),
          .adaptive = true,
          .dense_order = 2,
          .options = std::move(options),
          .make = [scheme = std::move(scheme)] { return std::make_unique<Multistep>(scheme); },
          .predicts = true};
}

/// The same order everywhere; at index 3 changing steps cost one in the multipliers, and the test of q says nothing of v.
std::vector<Claim> damped(double p) {
  std::vector<Claim> all = implicit_claims({{p}, {p, p}});
  const std::vector<Claim> third = implicit_claims({{}, {}, {p, p, p}}, constant_steps);
  all.insert(all.end(), third.begin(), third.end());
  return all;
}

}  // namespace

std::vector<MethodEntry> methods_in_multistep_formulas() {
  const Parameter leg{"one_leg", 0, "", "1: F is asked for once per step, at the mean of the points"};
  const auto orders = implicit_claims;
  MethodEntry midpoint =
      entry("midpoint-implicit", "implicit midpoint rule, the one-leg form of the trapezoid", "Dahlquist1983",
            orders({{2}}, {}), {}, [](const Parameters&) {
              return MultistepScheme{.name = "midpoint-implicit",
                                     .steps = 1,
                                     .order = 2,
                                     .formula = [](double) { return one_step(.5); },
                                     .shape = Shape::one_leg,
                                     .at_infinity = AtInfinity::undamped};
            });
  MethodEntry general = entry(
      "multistep", "any implicit linear two-step formula, by its coefficients; BDF2 unless told otherwise",
      "MantegazzaMasarati2012", damped(2),
      {{"alpha1", -4.0 / 3, "", "of y_{n-1}; alpha0 = 1"},
       {"alpha2", 1.0 / 3, "", "of y_{n-2}"},
       {"beta0", 2.0 / 3, "", "of h y'_n"},
       {"beta1", 0, "", "of h y'_{n-1}"},
       {"beta2", 0, "", "of h y'_{n-2}"},
       leg},
      given);
  midpoint.adaptive = general.adaptive = false;
  return {
      entry("implicit-euler", "backward Euler, L-stable", "HairerWanner1996", damped(1), {},
            [](const Parameters&) {
              return MultistepScheme{.name = "implicit-euler", .formula = [](double) { return one_step(1); }};
            }),
      entry("bdf2", "backward differences of order 2, L-stable, any steps", "HairerWanner1996", damped(2), {},
            [](const Parameters&) {
              return MultistepScheme{.name = "bdf2", .steps = 2, .order = 2, .formula = [](double r) {
                                       return tunable_formula(0, r);
                                     }};
            }),
      entry("trapezoid", "trapezoid rule (Crank-Nicolson), no damping", "HairerWanner1996",
            orders({{2}, {2, 2}}, {}), {},
            [](const Parameters&) {
              return MultistepScheme{.name = "trapezoid",
                                     .steps = 1,
                                     .order = 2,
                                     .formula = [](double) { return one_step(.5); },
                                     .at_infinity = AtInfinity::undamped};
            }),
      midpoint,
      entry("ms", "two-step method of order 2 with chosen damping at infinity", "MantegazzaMasarati2012",
            damped(2), {{"rho_inf", 0.6, "", "spectral radius at infinity: 0 is BDF2, 1 does not damp"}, leg},
            tunable),
      general};
}

}  // namespace dalembert
