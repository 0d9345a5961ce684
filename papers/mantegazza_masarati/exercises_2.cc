// Exercises 2.1 to 2.6: second differences, both Euler methods, the trapezoid rule and its one-leg form.
#include <fmt/format.h>

#include <cmath>

#include "dalembert/analysis/named_formulas.h"
#include "dalembert/analysis/running_code.h"
#include "dalembert/problem/from_functions.h"
#include "papers/mantegazza_masarati/exercises.h"

namespace dalembert::mantegazza_masarati {

namespace {

using Complex = std::complex<double>;

PaperRow order_and_constant(const std::string& exercise, const std::string& called, const std::string& method,
                            int order, double C, double within) {
  const StabilityReport report = judged(method).report;
  return answered(exercise, called + ": order, error constant", fmt::format("{}, {:.4f}", order, C),
                  fmt::format("{}, {:.4f}", report.order, report.error_constant),
                  report.order == order && std::abs(report.error_constant - C) < within);
}

/// Do the steps of the running code obey x_{k+1} - 2 x_k + x_{k-1} + (w h)^2 x = 0 with x at `age` steps from the newest?
PaperRow recurrence(const std::string& called, const std::string& method, std::size_t age) {
  const MethodEntry& entry = find_method(method);
  constexpr double w = 0.5;
  const auto x = steps_of(entry, Parameters(entry.options, {}, method), Complex(0, w), 6);
  double most = 0;
  for (std::size_t k = 2; k < x.size(); ++k)
    grow(most, std::abs(x[k] - 2. * x[k - 1] + x[k - 2] + w * w * x[k - age]));
  return claimed("2.1", called + ", residual in steps as they run", "0", "0", fmt::format("{:.0e}", most),
                 agree(most < 1e-13), most < 1e-13);
}

/// (67), from errors of one step as the code makes it
PaperRow local_order(const std::string& called, const std::string& method) {
  const MethodEntry& entry = find_method(method);
  const Parameters options(entry.options, {}, method);
  const auto error = [&](double h) { return std::abs(std::exp(-h) - steps_of(entry, options, -h, 1)[1]); };
  const double order = std::log2(error(2e-3) / error(1e-3)) - 1;
  return answered("2.2", called + ": (67), errors of one step", "1", fmt::format("{:.4f}", order),
                  std::abs(order - 1) < 5e-3);
}

Rows euler_stability() {
  const Judged explicit_euler = judged("euler"), implicit_euler = judged("implicit-euler");
  constexpr double zeta = 0.1;
  const Complex mode = 2 * zeta * Complex(-zeta, std::sqrt(1 - zeta * zeta));
  const double limit = spectral_radius(explicit_euler.form, mode),
               undamped = spectral_radius(explicit_euler.form, {0, 0.5}),
               growing = spectral_radius(implicit_euler.form, 3);
  return {
      answered("2.3", "explicit Euler: stable on the negative axis up to", "2",
               fmt::format("{:.6g}", explicit_euler.report.real_interval),
               std::abs(explicit_euler.report.real_interval - 2) < 1e-6),
      answered("2.3", "explicit Euler: |rho| at w h = 2 zeta, zeta = 0.1", "1", fmt::format("{:.6f}", limit),
               std::abs(limit - 1) < 1e-12),
      answered("2.3", "explicit Euler: |rho| at w h = 0.5, undamped", fmt::format("{:.6f}", std::sqrt(1.25)),
               fmt::format("{:.6f}", undamped), std::abs(undamped - std::sqrt(1.25)) < 1e-12),
      answered("2.3", "implicit Euler: half angle of the stable sector", "90",
               fmt::format("{:.6g}", implicit_euler.report.alpha), implicit_euler.report.alpha == 90),
      answered("2.3", "implicit Euler: |rho| at z = 3, where y grows", "0.5", fmt::format("{:.6g}", growing),
               std::abs(growing - 0.5) < 1e-12)};
}

std::string coefficients(const MultistepForm& form) {
  return fmt::format("{:g} {:g}; {:g} {:g}", form.alpha[0], form.alpha[1], form.beta[0], form.beta[1]);
}

/// One-leg forms, held against steps of the running code.
PaperRow one_leg(const std::string& called, const std::string& method, const std::string& formula,
                 const std::string& by_hand) {
  const MultistepForm form = *named_formula(formula);
  const MethodEntry& entry = find_method(method);
  const double off = disagreement(entry, Parameters(entry.options, {}, method), form);
  const std::string ours = coefficients(form);
  return answered("2.4", called + ": alpha; beta", by_hand, ours, ours == by_hand && off < 1e-14);
}

/// y' = 3 t^2, y = t^3
std::shared_ptr<const Problem> cubic() {
  return ode(0, Vector::Zero(1), [](auto t, const auto&, auto&& dy) { dy[0] = 3.0 * t * t; },
             {.end = 1, .exact = [](double t) { return Vector::Constant(1, t * t * t); }});
}

Rows trapezoid_accuracy() {
  constexpr double h = 0.1;
  const double trapezoid = step_error(cubic(), "trapezoid", h) / (h * h * h),
               midpoint = step_error(cubic(), "midpoint-implicit", h) / (h * h * h);
  const bool as_expected = std::abs(trapezoid + 0.5) < 1e-9 && std::abs(midpoint - 0.25) < 1e-9;
  const double order_trapezoid = seen_order("trapezoid"), order_midpoint = seen_order("midpoint-implicit");
  const auto near_two = [](double order) { return std::abs(order - 2) < 0.05; };
  return {
      answered("2.5", "trapezoid, midpoint: orders seen", "2, 2",
               fmt::format("{:.2f}, {:.2f}", order_trapezoid, order_midpoint),
               near_two(order_trapezoid) && near_two(order_midpoint)),
      explained(claimed("2.5", "errors of one step on y' = 3 t^2, over h^3", "the same", "-1/2, 1/4",
                        fmt::format("{:.3f}, {:.3f}", trapezoid, midpoint), Verdict::differs, as_expected),
                {"the order is the same, the constants are not", as_expected})};
}

/// Two solutions of y' = f(y), f falling, come no nearer by the trapezoid rule: steep above 0, flat below.
Rows trapezoid_stability() {
  const Judged trapezoid = judged("trapezoid"), midpoint = judged("midpoint-implicit");
  double apart = 0, off = 0;
  for (int i = 0; i < 64; ++i) {
    const Complex z = std::polar(0.05 * (i + 1), 2.4 * i), exact = (1. + z / 2.) / (1. - z / 2.);
    const Complex a = amplification_factors(trapezoid.form, z)[0],
                  b = amplification_factors(midpoint.form, z)[0];
    grow(apart, std::abs(a - b));
    grow(off, std::abs(a - exact) / (1 + std::abs(exact)));
  }
  constexpr double h = 0.5, steep = 82, first = 0.5;
  const auto from = [](double y0) {
    return ode(0, Vector::Constant(1, y0),
               [](double, In y, Out dy) { dy[0] = y[0] > 0 ? -steep * y[0] : 0; });
  };
  const auto distance = [&](const std::string& method) {
    return std::abs(step_end(from(first), method, h) - step_end(from(0), method, h));
  };
  const double by_trapezoid = distance("trapezoid"), by_midpoint = distance("midpoint-implicit");
  const double right_t = first * (h * steep / 2 - 1),
               right_m = first * (h * steep / 2 - 1) / (h * steep / 2 + 1);
  const bool as_expected = std::abs(by_trapezoid - right_t) < 1e-6 && std::abs(by_midpoint - right_m) < 1e-6;
  return {
      claimed("2.6", "rho of both on linear equations, apart by", "0", "0", fmt::format("{:.0e}", apart),
              agree(apart < 1e-14), off < 1e-14),
      answered("2.6", "trapezoid: zero-, A-, L-stable", "yes yes no", stable_in_three_ways(trapezoid.report),
               stable_in_three_ways(trapezoid.report) == "yes yes no"),
      answered("2.6", "midpoint: zero-, A-, L-stable", "yes yes no", stable_in_three_ways(midpoint.report),
               stable_in_three_ways(midpoint.report) == "yes yes no"),
      explained(
          claimed("2.6", "two solutions, 0.5 apart, after a step", "the same",
                  fmt::format("{:.2f}, {:.4f}", right_t, right_m),
                  fmt::format("{:.2f}, {:.4f}", by_trapezoid, by_midpoint), Verdict::differs, as_expected),
          {"on nonlinear equations only the midpoint rule is contractive",
           as_expected && trapezoid.report.contractive.is == Statement::Is::no &&
               midpoint.report.contractive.is == Statement::Is::yes})};
}

}  // namespace

Rows exercises_of_chapter_2() {
  Rows all{order_and_constant("2.1", "centred differences", "central-differences", 2, 1. / 24, 1e-4),
           order_and_constant("2.1", "forward differences", "forward-differences", 1, -0.5, 1e-3),
           recurrence("(45)", "central-differences", 1),
           recurrence("(48)", "forward-differences", 0),
           order_and_constant("2.2", "explicit Euler", "euler", 1, 0.5, 1e-9),
           order_and_constant("2.2", "implicit Euler", "implicit-euler", 1, -0.5, 1e-9),
           local_order("explicit Euler", "euler"),
           local_order("implicit Euler", "implicit-euler")};
  for (const auto& more : {euler_stability(),
                           {one_leg("explicit Euler", "euler", "adams-bashforth-1", "1 -1; 0 1"),
                            one_leg("implicit Euler", "implicit-euler", "bdf-1", "1 -1; 1 0")},
                           trapezoid_accuracy(),
                           trapezoid_stability()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace dalembert::mantegazza_masarati
