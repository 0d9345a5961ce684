// Linear stability of all methods: polynomials, radii, regions and statements against the literature, and the running code against
// the coefficients.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/analysis/named_formulas.h"
#include "dalembert/analysis/region_picture.h"
#include "dalembert/analysis/running_code.h"
#include "dalembert/analysis/stability_report.h"
#include "dalembert/core/error.h"

namespace dalembert {
namespace {

using Complex = std::complex<double>;
using Options = std::map<std::string, double>;
using Is = Statement::Is;

LinearForm form_of(const std::string& method, const Options& options = {}) {
  const MethodEntry& entry = find_method(method);
  return linear_form(entry, Parameters(entry.options, options, method)).value();
}

StabilityReport report_of(const std::string& method, const Options& options = {}) {
  return stability_report(find_method(method), form_of(method, options));
}

TEST(TwoStepMethod, HasBetaAndDeltaOfTheNotes) {
  for (const double rho : {0., .2, .4, .6, .8, 1.}) {
    const auto form = std::get<MultistepForm>(form_of("ms", {{"rho_inf", rho}}));
    const double q = (1 - rho) * (1 - rho);  // (77)
    const auto [beta, delta] = two_step_parameters(form);
    EXPECT_NEAR(beta, (4 * rho * rho - q) / (4 - q), 1e-15) << rho;
    EXPECT_NEAR(delta, q / 2 / (4 - q), 1e-15) << rho;
    const MultistepForm same = two_step_formula(beta, delta);
    EXPECT_LT((same.beta - form.beta).norm() + (same.alpha - form.alpha).norm(), 1e-15);
    for (const Complex& factor : factors_at_infinity(form)) EXPECT_LT(std::abs(factor + rho), 1e-7) << rho;
    const StabilityReport report = stability_report(form);
    EXPECT_EQ(report.order, 2);
    EXPECT_NEAR(report.error_constant, -(rho * rho - rho + 1) / (3 * (1 + rho) * (1 + rho)), 1e-14);
    EXPECT_EQ(report.a_stable.is, Is::yes);
    EXPECT_EQ(report.l_stable.is, rho == 0 ? Is::yes : Is::no);
  }
}

TEST(TwoStepMethod, IsBdf2WithoutRadiusAtInfinity) {
  const auto ms = std::get<MultistepForm>(form_of("ms", {{"rho_inf", 0}}));
  for (const LinearForm& other :
       {form_of("bdf2"), form_of("bdf", {{"max-order", 2}}), LinearForm(*named_formula("bdf-2"))}) {
    const auto& bdf = std::get<MultistepForm>(other);
    EXPECT_LT((ms.alpha - bdf.alpha).norm() + (ms.beta - bdf.beta).norm(), 1e-15);
  }
}

TEST(Bdf, HasTheAnglesOfTheBooks) {
  const double angles[] = {90, 90, 86.03, 73.35, 51.84, 17.84};
  for (int p = 1; p <= 6; ++p) {
    const StabilityReport report = stability_report(*named_formula("bdf-" + std::to_string(p)));
    EXPECT_NEAR(report.alpha, angles[p - 1], 0.005) << p;
    EXPECT_EQ(report.order, p);
    EXPECT_EQ(report.zero_stable.is, Is::yes);
    EXPECT_EQ(report.l_stable.is, p <= 2 ? Is::yes : Is::no);
  }
  EXPECT_EQ(stability_report(*named_formula("bdf-7")).zero_stable.is, Is::no);
}

TEST(RungeKutta, StabilityFunctionsOfRadauAndLobatto) {
  const auto expect = [](const std::string& method, const std::vector<double>& P,
                         const std::vector<double>& Q) {
    const auto R = stability_function(std::get<RungeKuttaForm>(form_of(method)));
    ASSERT_EQ(R.P.size(), P.size()) << method;
    ASSERT_EQ(R.Q.size(), Q.size()) << method;
    for (std::size_t k = 0; k < P.size(); ++k) EXPECT_NEAR(R.P[k], P[k], 1e-14) << method;
    for (std::size_t k = 0; k < Q.size(); ++k) EXPECT_NEAR(R.Q[k], Q[k], 1e-14) << method;
  };
  expect("radau3", {1, 1. / 3}, {1, -2. / 3, 1. / 6});
  expect("radau5", {1, 2. / 5, 1. / 20}, {1, -3. / 5, 3. / 20, -1. / 60});
  expect("lobatto", {1, 1. / 2, 1. / 12}, {1, -1. / 2, 1. / 12});
}

TEST(RungeKutta, IntervalsOfTheClassics) {
  EXPECT_NEAR(report_of("rk4").real_interval, 2.785293563405, 1e-8);
  EXPECT_NEAR(report_of("rk4").imaginary_interval, 2 * std::sqrt(2), 1e-8);
  EXPECT_NEAR(report_of("dopri5").real_interval, 3.3066, 5e-5);
  EXPECT_EQ(report_of("heun").imaginary_interval, 0);
  EXPECT_NEAR(report_of("central-differences").imaginary_interval, 2, 1e-6);
}

TEST(Statements, AreThoseOfTheBooks) {
  const auto trapezoid = report_of("trapezoid");
  EXPECT_EQ(trapezoid.a_stable.is, Is::yes);
  EXPECT_EQ(trapezoid.l_stable.is, Is::no);
  EXPECT_EQ(trapezoid.contractive.is, Is::no);
  EXPECT_NEAR(trapezoid.error_constant, -1. / 12, 1e-15);
  EXPECT_EQ(report_of("midpoint-implicit").contractive.is, Is::yes);
  for (const auto& [method, order] :
       {std::pair{"radau3", 3}, std::pair{"radau5", 5}, std::pair{"radau9", 9}, std::pair{"radau13", 13}}) {
    const auto radau = report_of(method);
    EXPECT_EQ(radau.order, order);
    EXPECT_EQ(radau.l_stable.is, Is::yes) << method << radau.a_stable.evidence;
    EXPECT_EQ(radau.contractive.is, Is::yes) << method << radau.contractive.evidence;
  }
  const auto lobatto = report_of("lobatto");
  EXPECT_EQ(lobatto.order, 4);
  EXPECT_EQ(lobatto.a_stable.is, Is::yes);
  EXPECT_EQ(lobatto.l_stable.is, Is::no);
  EXPECT_EQ(lobatto.contractive.is, Is::no);
  for (const auto& [method, order] :
       {std::pair{"sdirk2", 2}, std::pair{"sdirk3", 3}, std::pair{"sdirk4", 4}}) {
    EXPECT_EQ(report_of(method).order, order);
    EXPECT_EQ(report_of(method).l_stable.is, Is::yes) << method;
  }
  // Their form is that of linear equations, where the conditions of Runge-Kutta methods say nothing of them.
  for (const auto& [method, order] : {std::pair{"rodas4", 4}, std::pair{"rodas5p", 5}}) {
    EXPECT_EQ(report_of(method).order, order);
    EXPECT_EQ(report_of(method).l_stable.is, Is::yes) << method;
    EXPECT_EQ(report_of(method).contractive.is, Is::open) << method;
  }
  EXPECT_EQ(report_of("newmark").a_stable.is, Is::yes);
  EXPECT_EQ(report_of("generalized-alpha").order, 2);
  EXPECT_NEAR(report_of("forward-differences").error_constant, -.5, 1e-6);
  EXPECT_NEAR(report_of("central-differences").error_constant, 1. / 24, 1e-6);
  EXPECT_NEAR(report_of("generalized-alpha").radius_at_infinity, 0.8, 1e-4);
  EXPECT_EQ(report_of("central-differences").a_stable.is, Is::no);
}

TEST(Statements, OfExplicitFormulas) {
  const auto ab2 = stability_report(*named_formula("adams-bashforth-2"));
  EXPECT_EQ(ab2.order, 2);
  EXPECT_NEAR(ab2.real_interval, 1, 1e-8);
  EXPECT_NEAR(ab2.error_constant, 5. / 12, 1e-14);
  EXPECT_EQ(ab2.a_stable.is, Is::no);
  EXPECT_NEAR(stability_report(*named_formula("adams-moulton-3")).real_interval, 6, 1e-8);
  const auto leapfrog = stability_report(*named_formula("leapfrog"));
  EXPECT_EQ(leapfrog.zero_stable.is, Is::yes);
  EXPECT_EQ(leapfrog.real_interval, 0);
  EXPECT_NEAR(leapfrog.imaginary_interval, 1, 1e-8);
  const auto milne = stability_report(*named_formula("milne-simpson"));
  EXPECT_EQ(milne.order, 4);  // as many as the first barrier allows
  EXPECT_EQ(milne.barriers.is, Is::yes);
  // (76) with delta = -1/2 is explicit; with beta = 0 it is Adams-Bashforth.
  const MultistepForm explicit_form = two_step_formula(0, -.5);
  EXPECT_EQ(explicit_form.beta[0], 0);
  EXPECT_LT((explicit_form.beta - named_formula("adams-bashforth-2")->beta).norm(), 1e-15);
}

TEST(RunningCode, DoesWhatTheCoefficientsSay) {
  int seen = 0;
  for (const MethodEntry& entry : all_methods()) {
    if (entry.accepts(Kind::partitioned)) continue;
    Options set;
    if (entry.name == "mexx") set["columns"] = 3;
    const Parameters options(entry.options, set, entry.name);
    const auto form = linear_form(entry, options);
    if (!form) continue;
    ++seen;
    EXPECT_LT(disagreement(entry, options, *form), 1e-12) << entry.name;
  }
  EXPECT_GE(seen, 30);
  // and it would be seen if it did not
  const MethodEntry& ms = find_method("ms");
  EXPECT_GT(
      disagreement(ms, Parameters(ms.options, {{"rho_inf", .6}}, "ms"), form_of("ms", {{"rho_inf", .61}})),
      1e-4);
}

TEST(RunningCode, MethodsThatSayNothingAreMeasured) {
  const MethodEntry& entry = find_method("trapezoid");
  const Parameters options(entry.options, {}, entry.name);
  const auto measured = measured_form(entry, options);
  ASSERT_TRUE(measured.has_value());
  const Complex z(-1, 2);
  EXPECT_NEAR(spectral_radius(*measured, z), spectral_radius(form_of("trapezoid"), z), 1e-13);
  EXPECT_EQ(stability_report(*measured).order, 2);
  EXPECT_FALSE(
      measured_form(find_method("bdf2"), Parameters(find_method("bdf2").options, {}, "bdf2")).has_value());
}

TEST(Oscillations, AreThoseOfAnIndependentProgram) {
  struct Known {
    const char* method;
    Options options;
    double w, radius, damping, phase;
  };
  for (const Known& k : {Known{"implicit-euler", {}, .1, .99503719, .04985498, -.0033134751},
                         Known{"bdf2", {}, 1, .93332106, .083473366, -.17620199},
                         Known{"ms", {{"rho_inf", .6}}, .5, .99977791, .00045500017, -.023679512},
                         Known{"radau3", {}, 1, .9877296, .012388825, -.0035085034},
                         Known{"lobatto", {}, 1, 1, 0, -.0013065566},
                         Known{"sdirk2", {}, .5, .99977955, .00044535523, -.0099090561},
                         Known{"central-differences", {}, 1, 1, 0, .047197551},
                         Known{"forward-differences", {}, 1, .70710678, .40371275, -.21460184}}) {
    const Oscillation o = oscillations(form_of(k.method, k.options), {k.w}).front();
    EXPECT_NEAR(o.radius, k.radius, 1e-8) << k.method;
    EXPECT_NEAR(o.damping, k.damping, 5e-9) << k.method;
    EXPECT_NEAR(o.phase, k.phase, 5e-9) << k.method;
  }
  EXPECT_NEAR(spectral_radius(form_of("central-differences"), {0, 5}), 22.956439, 1e-6);
  EXPECT_TRUE(std::isnan(oscillations(form_of("rk4"), {4}).front().phase));
}

/// Beyond w h = 2 central differences have two real factors, both negative: half a turn per step.
TEST(Oscillations, OfHalfATurnPerStepGoForwards) {
  for (const double w : {2.01, 2.25, 2.5, 3.})
    EXPECT_NEAR(oscillations(form_of("central-differences"), {w}).front().phase, std::acos(-1.) / w - 1, 1e-9)
        << w;
}

TEST(Region, OfEulerIsADisc) {
  const auto ends = stable_intervals(form_of("euler"), 0.6, -3, 1, 40);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_NEAR(ends[0], -1.8, 1e-3);
  EXPECT_NEAR(ends[1], -.2, 1e-3);
  const Drawing drawing = region_picture({{"euler", form_of("euler")}, {"bdf2", form_of("bdf2")}});
  EXPECT_GT(drawing.marks.size(), 20u);
}

/// BDF of order 7 is unstable near 0, and its locus comes back at -46 only.
TEST(Region, OfUnstableFormulasIsNotEmpty) {
  const Drawing drawing = region_picture({{"bdf-7", named_formula("bdf-7").value()}});
  EXPECT_TRUE(std::any_of(drawing.marks.begin(), drawing.marks.end(),
                          [](const Mark& m) { return m.is == Mark::Is::area; }));
}

TEST(Region, EndsWhereItEnds) {
  const Drawing drawing = region_picture({{"euler", form_of("euler")}});
  for (const Mark& mark : drawing.marks) {
    if (mark.is != Mark::Is::area) continue;
    double top = 1e300, left = 1e300, right = -1e300, bottom = -1e300;
    for (const Dot& dot : mark.dots) {
      top = std::min(top, dot.y), bottom = std::max(bottom, dot.y);
      left = std::min(left, dot.x), right = std::max(right, dot.x);
    }
    EXPECT_NEAR(bottom - top, right - left, 1) << "a disc";
    double from = 1e300, to = -1e300;
    for (const Dot& dot : mark.dots)
      if (dot.y < top + .1) from = std::min(from, dot.x), to = std::max(to, dot.x);
    EXPECT_LT(to - from, .15 * (right - left)) << "no flat top";
  }
}

/// Nodes that nearly meet have large coefficients, whose rounding must not be taken for more.
TEST(RungeKutta, CollocationKeepsItsOrderWhereItsNodesNearlyMeet) {
  for (const double rho : {.01, .0137, .011, .1}) {
    const StabilityReport report = report_of("collocation", {{"rho_inf", rho}});
    EXPECT_EQ(report.order, 3) << rho;
    EXPECT_NEAR(report.radius_at_infinity, rho, 1e-8) << rho;
    EXPECT_EQ(report.a_stable.is, Is::yes) << rho;
  }
}

/// The trapezoid rule with a further root -beta, which cancels in rho/sigma.
TEST(TwoStepMethod, StaysAStableUpToTheEdge) {
  for (const double beta : {.9, .99, .995, .9999, -.9, -.99, -.999})
    EXPECT_EQ(stability_report(two_step_formula(beta, 0)).a_stable.is, Is::yes) << beta;
}

}  // namespace
}  // namespace dalembert
