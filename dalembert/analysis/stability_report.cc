#include "dalembert/analysis/stability_report.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "dalembert/analysis/order_conditions.h"
#include "dalembert/analysis/recognised_tableau.h"

namespace dalembert {

namespace {

using Complex = std::complex<double>;
using Is = Statement::Is;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double slack = 1e-11;  // of |zeta| <= 1, for rounding
const double pi = std::acos(-1.0);

Statement statement(bool holds, std::string evidence) {
  return {holds ? Is::yes : Is::no, std::move(evidence)};
}

std::string text(Complex z) {
  if (!std::isfinite(std::abs(z))) return "infinity";
  if (std::abs(z.imag()) <= 1e-7 * (1 + std::abs(z))) return fmt::format("{:.4g}", z.real() + 0.0);
  return fmt::format("{:.4g}{:+.4g}i", z.real(), z.imag());
}

std::string list(const ComplexVector& all) {
  std::string words;
  for (const Complex& z : all) words += (words.empty() ? "" : ", ") + text(z);
  return words;
}

double largest(const ComplexVector& all) {
  double most = 0;
  for (const Complex& z : all) most = std::max(most, std::abs(z));
  return most;
}

/// How far the ray through the direction is stable.
double reach(const LinearForm& form, Complex direction) {
  constexpr double stride = 0.05, far = 500;
  const auto outside = [&](double r) { return spectral_radius(form, r * direction) > 1 + slack; };
  for (double near = stride; near > 1e-6; near /= 2)
    if (outside(near)) return 0;  // out at once, whatever comes farther off
  double r = stride;
  while (r <= far && !outside(r)) r += stride;
  if (r > far) return infinity;
  double inside = r - stride;
  for (int k = 0; k < 60; ++k) (outside((inside + r) / 2) ? r : inside) = (inside + r) / 2;
  return inside;
}

/// The roots of a polynomial in u that are positive and where its sign changes, ascending.
std::vector<double> sign_changes(const std::vector<double>& polynomial) {
  std::size_t first = 0;
  while (first < polynomial.size() && polynomial[first] == 0) ++first;
  ComplexVector rest(polynomial.begin() + static_cast<std::ptrdiff_t>(first), polynomial.end());
  if (rest.size() < 2) return {};
  const auto value = [&](double u) {
    double sum = 0;
    for (std::size_t k = rest.size(); k-- > 0;) sum = sum * u + rest[k].real();
    return sum;
  };
  std::vector<double> found;
  for (const Complex& root : roots(rest)) {
    const double u = root.real();
    if (u > 0 && std::abs(root.imag()) < 1e-6 * u && value(u * (1 - 1e-4)) * value(u * (1 + 1e-4)) < 0)
      found.push_back(u);
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Is it nonnegative for u >= 0?
bool nonnegative(const std::vector<double>& polynomial) {
  for (const double c : polynomial)
    if (c != 0) return c > 0 && sign_changes(polynomial).empty();  // the first one decides near 0
  return true;
}

std::string polynomial_text(const std::vector<double>& in_squares) {
  std::string words;
  for (std::size_t k = 0; k < in_squares.size(); ++k)
    if (in_squares[k] != 0)
      words +=
          fmt::format("{}{:.4g} y^{}",
                      words.empty() ? (in_squares[k] < 0 ? "-" : "") : (in_squares[k] < 0 ? " - " : " + "),
                      std::abs(in_squares[k]), 2 * k);
  return words.empty() ? "0" : words;
}

// ---- Runge-Kutta ----

Statement algebraic_stability(const RungeKuttaForm& form) {
  const Matrix B = form.b.asDiagonal();
  const Matrix M = B * form.A + form.A.transpose() * B - form.b * form.b.transpose();
  const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(M).eigenvalues();
  const double least = form.b.minCoeff(), lowest = eigenvalues.minCoeff();
  const bool holds = least >= -1e-12 && lowest >= -1e-12;
  const auto shown = [](double x) { return fmt::format("{:.4g}", std::abs(x) < 1e-13 ? 0 : x); };
  return statement(holds, fmt::format("the smallest weight is {}, the eigenvalues of M go from {} to {}",
                                      shown(least), shown(lowest), shown(eigenvalues.maxCoeff())));
}

bool is_explicit(const RungeKuttaForm& form) {
  return form.A.isLowerTriangular(0) && form.A.diagonal().isZero(0);
}

void judge(const RungeKuttaForm& form, StabilityReport& report) {
  const StabilityFunction R = stability_function(form);
  const std::vector<double> E = e_polynomial(R);
  const auto s = static_cast<int>(form.b.size());

  const std::vector<double> series = stability_series(form, 2 * s + 2);
  double factorial = 1;
  for (int k = 1; k < static_cast<int>(series.size()); ++k) {
    factorial *= k;
    const double each = series[static_cast<std::size_t>(k)];
    if (std::abs(each * factorial - 1) < 1e-9) continue;
    report.order = k - 1;  // the linear one, until the conditions are looked at
    report.error_constant = 1 / factorial - each;
    break;
  }
  report.zero_stable = statement(true, "a one-step method: the only root is 1");
  const auto changes = sign_changes(E);
  const bool at_once = !nonnegative(E) && (changes.empty() || [&] {
    for (const double c : E)
      if (c != 0) return c < 0;
    return false;
  }());
  report.imaginary_interval = at_once ? 0 : changes.empty() ? infinity : std::sqrt(changes.front());
  const std::string E_text = "E(y) = " + polynomial_text(E);
  if (is_explicit(form)) {
    report.a_stable = statement(false, "R is a polynomial, which is unbounded in the left half-plane");
    report.barriers =
        statement(report.order <= s, fmt::format("explicit with {} stages: the order is at most {}", s, s));
    return;
  }
  ComplexVector Q(R.Q.begin(), R.Q.end());
  const ComplexVector poles = roots(Q);
  bool to_the_right = true;
  for (const Complex& pole : poles) to_the_right = to_the_right && pole.real() > 0;
  report.a_stable = statement(to_the_right && nonnegative(E),
                              fmt::format("{}, and the poles of R are {}", E_text, list(poles)));
  report.barriers =
      statement(report.order <= 2 * s, fmt::format("{} stages: the order is at most {}", s, 2 * s));
}

// ---- multistep ----

struct Locus {
  Complex rho, sigma;
};
Locus locus(const MultistepForm& form, double theta) {
  Locus at;
  for (Eigen::Index j = 0; j < form.alpha.size(); ++j) {
    const Complex power = std::polar(1.0, -theta * static_cast<double>(j));
    at.rho += form.alpha[j] * power;
    at.sigma += form.beta[j] * power;
  }
  return at;
}

/// The locus where it comes closest to the negative axis, as an angle from it.
double sector(const MultistepForm& form) {
  // Where rho and sigma are small beside their terms, z is known to fewer digits: a common root near the circle is no boundary.
  const auto angle = [&](double theta) {
    const Locus at = locus(form, theta);
    const Complex z = at.rho / at.sigma;
    const double error = 1e-15 * (form.alpha.cwiseAbs().sum() / std::abs(at.rho) +
                                  form.beta.cwiseAbs().sum() / std::abs(at.sigma));
    return z.real() < -(1e-12 + 4 * error) * std::abs(z) ? std::atan2(std::abs(z.imag()), -z.real()) : pi / 2;
  };
  constexpr int count = 20000;
  double best = pi / 2, at = 0;
  for (int k = 1; k < count; ++k)
    if (const double a = angle(pi * k / count); a < best) best = a, at = pi * k / count;
  if (best == pi / 2) return 90;
  double low = at - pi / count, high = at + pi / count;  // golden section
  const double golden = (std::sqrt(5.0) - 1) / 2;
  for (int round = 0; round < 60; ++round) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    (angle(a) < angle(b) ? high : low) = angle(a) < angle(b) ? b : a;
  }
  return std::min(best, angle((low + high) / 2)) * 180 / pi;
}

/// Order and C_{p+1}/sigma(1).
void find_order(const MultistepForm& form, StabilityReport& report) {
  double factorial = 1;
  for (int q = 0; q <= 2 * static_cast<int>(form.alpha.size()); ++q) {
    if (q > 0) factorial *= q;
    double sum = 0, size = 0;
    for (Eigen::Index j = 0; j < form.alpha.size(); ++j) {
      const double back = -static_cast<double>(j);
      const double a = form.alpha[j] * std::pow(back, q),
                   b = q == 0 ? 0 : q * form.beta[j] * std::pow(back, q - 1);
      sum += a - b;
      size += std::abs(a) + std::abs(b);
    }
    if (std::abs(sum) <= 1e-12 * size) continue;
    report.order = q - 1;
    report.error_constant = sum / factorial / form.beta.sum();
    return;
  }
}

bool root_condition(const ComplexVector& all, const Complex& allowed_twice) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::abs(all[i]) > 1 + 1e-7) return false;
    if (std::abs(all[i]) < 1 - 1e-4 || std::abs(all[i] - allowed_twice) < 1e-3) continue;
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(all[i] - all[j]) < 1e-4) return false;
  }
  return true;
}

void judge(const MultistepForm& form, StabilityReport& report) {
  const auto k = static_cast<int>(form.alpha.size()) - 1;
  find_order(form, report);
  const ComplexVector zero = amplification_factors(form, 0);
  report.zero_stable = statement(root_condition(zero, infinity), "the roots of rho are " + list(zero));
  const bool implicit = form.beta[0] != 0;
  const double at_infinity = report.radius_at_infinity;
  // On the far left the roots are those of sigma, which must not leave the disc.
  const bool holds_out = implicit && at_infinity <= 1 + 1e-7 && spectral_radius(form, -1) <= 1 + slack;
  const double angle = holds_out ? sector(form) : 0;
  report.alpha = report.zero_stable.is == Is::yes ? angle : 0;
  report.a_stable = statement(
      report.alpha == 90,
      !implicit    ? "explicit: a root goes to infinity with z"
      : !holds_out ? fmt::format("the largest root of sigma is {:.4g}, that at z = -1 is {:.4g}", at_infinity,
                                 spectral_radius(form, -1))
      : report.alpha == 90 ? "the boundary locus does not enter the left half-plane"
                           : fmt::format("the boundary locus enters the left half-plane; outside of it lies "
                                         "the sector of {:.2f} degrees",
                                         report.alpha));
  const int most = !implicit ? k : k % 2 == 0 ? k + 2 : k + 1;
  const bool second = report.a_stable.is != Is::yes ||
                      (report.order <= 2 && std::abs(report.error_constant) >= 1.0 / 12 - 1e-12);
  report.barriers = statement(
      (report.zero_stable.is != Is::yes || report.order <= most) && second,
      fmt::format("zero-stable with {} step{}{}: the order is at most {}; A-stable: at most 2, with |C| at "
                  "least 1/12 (here {:.4g})",
                  k, k == 1 ? "" : "s", implicit ? "" : ", explicit", most, std::abs(report.error_constant)));
  const bool same_forms = (form.beta.array() != 0).count() == 1;
  if (report.a_stable.is != Is::yes)
    report.contractive = statement(false, "not even A-stable");
  else if (form.shape == MultistepForm::Shape::one_leg || same_forms)
    report.contractive =
        statement(true, "a one-leg formula that is A-stable is contractive in the norm of G");
  else
    report.contractive = statement(false, "only its one-leg form is, in the norm of G");
}

// ---- second order, and measured ----

/// By how the principal factor approaches the exponential.
void measure_order(const LinearForm& form, StabilityReport& report) {
  for (const double w : {0.02, 0.2}) {  // the longer one where the other is at rounding
    PrincipalFactor principal(form);
    const auto miss = [&](double at) { return std::log(principal.at(at)) - Complex(0, at); };
    const Complex half = miss(w), whole = miss(2 * w);
    report.order = static_cast<int>(std::lround(std::log2(std::abs(whole / half)))) - 1;
    const auto constant = [&](const Complex& off, double at) {
      return (-off / std::pow(Complex(0, at), report.order + 1)).real();
    };
    report.error_constant = (4 * constant(half, w) - constant(whole, 2 * w)) / 3;  // it is even in w
    if (std::abs(half) > 1e-9) return;
  }
}

/// By looking at many points.
void judge_by_sampling(const LinearForm& form, StabilityReport& report) {
  measure_order(form, report);
  const ComplexVector zero = amplification_factors(form, 0);
  report.zero_stable =
      statement(root_condition(zero, 1), "without forces the roots are " + list(zero) + "; 1 may be double");
  double most = 0;
  Complex where = 0;
  constexpr int rays = 30, points = 160;
  for (int ray = 0; ray <= rays; ++ray)
    for (int k = 0; k <= points; ++k) {
      const Complex z = std::polar(std::pow(10, -2 + 6.0 * k / points), pi / 2 + pi / 2 * ray / rays);
      if (const double radius = spectral_radius(form, z); radius > most) most = radius, where = z;
    }
  const bool holds = most <= 1 + 1e-7;
  report.a_stable = statement(
      holds, fmt::format("the largest spectral radius found at {} points of the left half-plane, 0.01 <= |z| "
                         "<= 1e4, is {:.4g}{}",
                         (rays + 1) * (points + 1), most, holds ? "" : " at z = " + text(where)));
  report.contractive = {Is::open, "not looked at"};
  report.barriers = {Is::open, "those of Dahlquist are about first-order multistep formulas"};
}

void judge(const SecondOrderForm& form, StabilityReport& report) {
  judge_by_sampling(form, report);
}
void judge(const MeasuredForm& form, StabilityReport& report) {
  judge_by_sampling(form, report);
}

}  // namespace

Complex boundary_locus(const MultistepForm& form, double theta) {
  const Locus at = locus(form, theta);
  return at.rho / at.sigma;
}

std::vector<double> e_polynomial(const StabilityFunction& R) {
  const std::size_t n = std::max(R.P.size(), R.Q.size());
  std::vector<double> sum(n, 0), size(n, 0);
  for (const auto& [polynomial, sign] : {std::pair{&R.Q, 1.0}, std::pair{&R.P, -1.0}})
    for (std::size_t i = 0; i < polynomial->size(); ++i)
      for (std::size_t j = i % 2; j < polynomial->size(); j += 2) {
        const double term = (*polynomial)[i] * (*polynomial)[j];
        sum[(i + j) / 2] += sign * ((i > j ? i - j : j - i) / 2 % 2 == 0 ? term : -term);
        size[(i + j) / 2] += std::abs(term);
      }
  for (std::size_t k = 0; k < n; ++k)
    if (std::abs(sum[k]) <= 1e-12 * size[k]) sum[k] = 0;
  return sum;
}

StabilityReport stability_report(const LinearForm& form) {
  StabilityReport report;
  report.radius_at_infinity = largest(factors_at_infinity(form));
  std::visit([&](const auto& each) { judge(each, report); }, form);
  const bool a_stable = report.a_stable.is == Is::yes;
  if (a_stable) report.alpha = 90;
  report.real_interval = report.alpha > 0 ? infinity : reach(form, -1);
  if (const auto* tableau = std::get_if<RungeKuttaForm>(&form)) {
    report.contractive = algebraic_stability(*tableau);
    constexpr Eigen::Index most_stages = 10;
    if (tableau->b.size() <= most_stages && !is_explicit(*tableau))
      report.order = order_of(recognised(*tableau).exact);
  } else {
    report.imaginary_interval = a_stable ? infinity : reach(form, {0, 1});
  }
  const double at_infinity = report.radius_at_infinity;
  // A double root is known to half of the digits, a triple one, of second-order equations, to a third; and what is measured is measured
  // far away, not at infinity.
  const bool first_order =
      std::holds_alternative<RungeKuttaForm>(form) || std::holds_alternative<MultistepForm>(form);
  const double small = first_order ? 1e-7 : 1e-4;
  if (at_infinity < small) report.radius_at_infinity = 0;
  report.l_stable = statement(
      a_stable && at_infinity < small,
      !a_stable ? "not A-stable"
                : fmt::format("the largest factor at infinity is {:.4g}", report.radius_at_infinity));
  return report;
}

StabilityReport stability_report(const MethodEntry& entry, const LinearForm& form) {
  StabilityReport report = stability_report(form);
  if (!entry.tableau.empty()) report.order = order_of(Tableau::parse(entry.tableau), Kind::ode);
  const auto* linear = std::get_if<RungeKuttaForm>(&form);
  if (linear != nullptr && entry.tableau.empty() && entry.accepts(Kind::ode) &&
      report.order < entry.order(Kind::ode)) {
    // A Rosenbrock method: this Runge-Kutta method on linear equations, and another thing on others. Its claim is tested elsewhere.
    StabilityReport there;
    judge(*linear, there);
    report.order = std::min(there.order, static_cast<int>(entry.order(Kind::ode)));
    report.contractive = {Is::open, "a Runge-Kutta method on linear equations only"};
  }
  return report;
}

}  // namespace dalembert
