// Collocation at {0, c, 1}, where the slope at 0 is the one the step before ended with (y'(t_0) at the start).
//
//   Y_i = y_n + h (a_i1 y'_n + a_i2 Y'_2 + a_i3 Y'_3),   F(t_n + c_i h, Y_i, Y'_i) = 0,   i = 2, 3
//
// Asking F = 0 at c = 0 again would leave Y'_1 open in every equation without derivatives: that stage is dropped. c = 1/2
// is Lobatto IIIA of order 4. In general the order is 3 and, with c = 1/(1 + rho_inf), 1/2 <= c < 1, the damping at
// infinity is |R(infinity)| = (1 - c)/c = rho_inf [MantegazzaMasarati2012, 4.2]. With rho_inf = 1 errors of multipliers
// of index 2 never decay, and those of index 3 grow from stage to stage: this is watched for. Properties of Lobatto IIIA:
// [HairerWanner1996, IV.5; Jay1993Collocation].
#include "dalembert/core/error.h"
#include "dalembert/method/collocation/collocation_method.h"

namespace dalembert {

namespace {

CollocationTables with_slope(long double c) {
  std::vector<Collocation> tables;
  tables.emplace_back(std::vector<long double>{c, 1}, Collocation::Start::slope);
  return std::make_shared<const std::vector<Collocation>>(std::move(tables));
}

CollocationTables damped(const Parameters& options) {
  const double rho = options["rho_inf"];
  if (!(rho >= 0.01 && rho <= 1))
    throw Error("collocation: rho_inf must lie between 0.01 and 1",
                "towards 0 its two last points meet; radau3 damps completely");
  return with_slope(1 / (1 + static_cast<long double>(rho)));
}

}  // namespace

std::vector<MethodEntry> methods_in_lobatto() {
  return {{.name = "lobatto",
           .summary = "Lobatto IIIA with 3 stages, order 4, no damping",
           .cite = "HairerWanner1996 Jay1993Collocation",
           .claims = implicit_claims({{4}, {4, 2}}),
           .adaptive = true,
           .dense_order = 3,
           .options = {},
           .make =
               [] {
                 return std::make_unique<CollocationMethod>(
                     "lobatto", [](const Parameters&) { return with_slope(0.5L); });
               }},
          {.name = "collocation",
           .summary = "collocation at 0, 1/(1 + rho_inf) and 1, order 3, damping by choice",
           .cite = "MantegazzaMasarati2012 HairerWanner1996",
           .claims = implicit_claims({{3}, {3, 3}, {3, 3, 2}}),
           .adaptive = true,
           .dense_order = 3,
           .options = {{"rho_inf", 0.6, "", "spectral radius at infinity, 0.01 to 1"}},
           .make = [] { return std::make_unique<CollocationMethod>("collocation", damped); }}};
}

}  // namespace dalembert
