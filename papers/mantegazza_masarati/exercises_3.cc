// Exercises 3.1 to 3.9: the test equation, regions, barriers, three sorts of stability, the exponent of y' = a y.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "dalembert/analysis/lyapunov.h"
#include "dalembert/analysis/pencil.h"
#include "dalembert/problem/from_functions.h"
#include "papers/mantegazza_masarati/exercises.h"

namespace dalembert::mantegazza_masarati {

namespace {

using Complex = std::complex<double>;

/// m x'' + r x' + k x = 0 as y' = A y, whose eigenvalues are -xi w +- i w sqrt(1 - xi^2)
PaperRow oscillator() {
  constexpr double m = 2, r = 0.4, k = 50;
  const auto problem = ode(0, Vector{{1, 0}}, [](auto, const auto& y, auto&& dy) {
    dy[0] = y[1];
    dy[1] = (-k * y[0] - r * y[1]) / m;
  });
  const auto found = kronecker_form(pencil_of(*problem, problem->start())).finite;
  const double w = std::sqrt(k / m), xi = r / (2 * m * w);
  const Complex by_hand(-xi * w, w * std::sqrt(1 - xi * xi));
  const auto text = [](Complex s) { return fmt::format("{:.6g}+-{:.6g}i", s.real(), std::abs(s.imag())); };
  const bool same = found.size() == 2 && std::abs(found[0] - std::conj(found[1])) < 1e-12 &&
                    std::min(std::abs(found[0] - by_hand), std::abs(found[1] - by_hand)) < 1e-12;
  return answered("3.1", "lambda for m = 2, r = 0.4, k = 50", text(by_hand),
                  found.empty() ? "none" : text(found[0]), same);
}

/// |rho| is 1 all along the boundary that is known, below 1 on one side and above 1 on the other.
PaperRow region(const std::string& called, const std::string& method,
                const std::function<Complex(double)>& boundary, Complex inside, Complex outside) {
  const LinearForm form = judged(method).form;
  double most = 0;
  for (int i = 1; i < 360; ++i)
    grow(most, std::abs(spectral_radius(form, boundary(i * std::numbers::pi / 180)) - 1));
  const double in = spectral_radius(form, inside), out = spectral_radius(form, outside);
  return vanishes("3.2", called, most, 1e-12, in < 1 && out > 1);
}

Rows regions() {
  return {region("explicit Euler: |rho| off 1 where |z + 1| = 1", "euler",
                 [](double a) { return std::polar(1., a) - 1.; }, -1, {0, 1}),
          region(
              "implicit Euler: |rho| off 1 where |z - 1| = 1", "implicit-euler",
              [](double a) { return std::polar(1., a) + 1.; }, -1, 1.5),
          region(
              "Crank-Nicolson: |rho| off 1 where Re z = 0", "trapezoid",
              [](double a) { return Complex(0, std::tan(a / 2)); }, -1, 1)};
}

/// Dahlquist's first barrier: a zero-stable formula of one step has order 2 at most, 1 if it is explicit.
Rows barrier(const std::string& called, const std::string& formula, int order, int most, double C) {
  const StabilityReport report = judged(formula).report;
  const bool respected = report.barriers.is == Statement::Is::yes;
  return {answered("3.3", called + ": order, barrier", fmt::format("{} <= {}", order, most),
                   fmt::format("{} {} {}", report.order, respected ? "<=" : ">", most),
                   report.order == order && respected),
          answered("3.3", called + ": error constant", fmt::format("{:.4f}", C),
                   fmt::format("{:.4f}", report.error_constant), std::abs(report.error_constant - C) < 1e-9)};
}

PaperRow three_ways(const std::string& exercise, const std::string& called, const std::string& method,
                    const std::string& by_hand) {
  const std::string ours = stable_in_three_ways(judged(method).report);
  return answered(exercise, called + ": zero-, A-, L-stable", by_hand, ours, ours == by_hand);
}

PaperRow radius(double wh, double by_hand) {
  const double ours = spectral_radius("central-differences", {}, wh);
  return answered("3.7", fmt::format("centred differences: |rho| at w h = {}", wh),
                  fmt::format("{:.6g}", by_hand), fmt::format("{:.6g}", ours),
                  std::abs(ours - by_hand) < 1e-6 * by_hand);
}

/// Factors of forward differences that are not 0 are those of implicit Euler, for the two modes of an oscillator.
PaperRow forward_is_implicit_euler() {
  const LinearForm differences = judged("forward-differences").form, euler = judged("implicit-euler").form;
  double most = 0;
  for (const double wh : {0.1, 1., 10.}) {
    const Complex factor = amplification_factors(euler, {0, wh})[0];
    double nearest = 1;
    for (const Complex& other : amplification_factors(differences, {0, wh}))
      nearest = std::min(nearest, std::abs(other - factor));
    grow(most, nearest);
  }
  return vanishes("3.8", "rho off that of implicit Euler", most, 1e-12);
}

/// The exponent is Re a. A rotation beside the decay makes a complex.
PaperRow exponent() {
  constexpr double re = -0.3, im = 2;
  const auto problem = ode(0, Vector{{1, 0}}, [](auto, const auto& y, auto&& dy) {
    dy[0] = re * y[0] - im * y[1];
    dy[1] = im * y[0] + re * y[1];
  });
  const LyapunovSpectrum found = lyapunov_spectrum(problem, {.end = 20});
  const bool two = found.outcome == Outcome::ok && found.exponents.size() == 2;
  const double first = two ? found.exponents[0].value : not_a_number,
               second = two ? found.exponents[1].value : not_a_number;
  return answered("3.9", "exponents of y' = a y, a = -0.3 + 2i", "-0.3, -0.3",
                  fmt::format("{:.4g}, {:.4g}", first, second),
                  std::abs(first - re) < 1e-7 && std::abs(second - re) < 1e-7);
}

}  // namespace

Rows exercises_of_chapter_3() {
  const double wh = 5, half = wh * wh / 2 - 1, bad = half + std::sqrt(half * half - 1);
  Rows all{oscillator()};
  for (const auto& more :
       {regions(),
        barrier("explicit Euler", "adams-bashforth-1", 1, 1, 0.5),
        barrier("implicit Euler", "bdf-1", 1, 2, -0.5),
        barrier("Crank-Nicolson", "adams-moulton-2", 2, 2, -1. / 12),
        {three_ways("3.4", "explicit Euler", "euler", "yes no no"),
         three_ways("3.5", "implicit Euler", "implicit-euler", "yes yes yes"),
         three_ways("3.6", "Crank-Nicolson", "trapezoid", "yes yes no"),
         three_ways("3.7", "centred differences", "central-differences", "yes no no"), radius(1.99, 1),
         radius(wh, bad), three_ways("3.8", "forward differences", "forward-differences", "yes yes yes"),
         forward_is_implicit_euler(), exponent()}})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace dalembert::mantegazza_masarati
