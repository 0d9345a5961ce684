// generalized-alpha, newmark, forward-differences: the members of the family in generalized_alpha.h.
//
// newmark [Newmark1959]: alpha_m = alpha_f = 0, b1 = beta, g1 = gamma. Second order needs gamma = 1/2, damping at infinity
// gamma > 1/2; constraints at position level need damping, so gamma is 0.6 and the order 1 unless told otherwise.
//
// forward-differences (46)-(48) of [MantegazzaMasarati2012]: x''_{k+1} = (x_{k+1} - 2 x_k + x_{k-1})/h^2, which with
// v_{k+1} = (x_{k+1} - x_k)/h is implicit Euler. |rho| = 1/sqrt(1 + w^2 h^2).
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/method/structural/generalized_alpha.h"

namespace dalembert {

namespace {

AlphaScheme generalized_alpha(const Parameters& options) {
  const double rho = options["rho_inf"];
  if (!(rho >= 0 && rho <= 1)) throw Error("rho_inf is " + short_number(rho), "it must lie in [0, 1]");
  AlphaScheme scheme = AlphaScheme::tuned(rho);
  if (options.count("stabilised", 0, 1) == 1) scheme.form = AlphaScheme::Form::stabilised;
  return scheme;
}

AlphaScheme newmark(const Parameters& options) {
  const double beta = options.positive("beta"), gamma = options.positive("gamma");
  if (gamma < 0.5 || beta < gamma / 2)
    throw Error("newmark with gamma " + short_number(gamma) + " and beta " + short_number(beta) +
                    " is not stable for every step",
                "take gamma >= 1/2 and beta >= gamma/2; central-differences is the explicit member");
  return {.name = "newmark",
          .b0 = 0.5 - beta,
          .b1 = beta,
          .g0 = 1 - gamma,
          .g1 = gamma,
          .at_infinity = gamma > 0.5 ? AlphaScheme::AtInfinity::damped : AlphaScheme::AtInfinity::undamped};
}

MethodEntry entry(const char* name, const char* summary, const char* cite, double order,
                  std::vector<Parameter> options, std::function<AlphaScheme(const Parameters&)> scheme) {
  return {.name = name,
          .summary = summary,
          .cite = cite,
          .claims = {{Kind::mechanical, "y", order}, {Kind::mechanical, "z", order}},
          .adaptive = false,
          .dense_order = 2,
          .options = std::move(options),
          .make = [scheme = std::move(scheme)] { return std::make_unique<GeneralizedAlpha>(scheme); }};
}

}  // namespace

std::vector<MethodEntry> methods_in_second_order() {
  return {entry("generalized-alpha", "second order with chosen damping at infinity, for rotations too",
                "ChungHulbert1993 ArnoldBruels2007 BruelsCardonaArnold2012 ArnoldBruelsCardona2015", 2,
                {{"rho_inf", 0.8, "", "spectral radius at infinity"},
                 {"stabilised", 0, "", "1: velocities satisfy their constraints too"}},
                generalized_alpha),
          entry("newmark", "Newmark's method with damping", "Newmark1959", 1,
                {{"beta", 0.3025, "", "weight of the new acceleration in positions"},
                 {"gamma", 0.6, "", "weight of the new acceleration in velocities; 1/2 does not damp"}},
                newmark),
          entry("forward-differences", "implicit second differences, which is implicit Euler",
                "MantegazzaMasarati2012", 1, {},
                [](const Parameters&) { return AlphaScheme{.name = "forward-differences"}; })};
}

}  // namespace dalembert
