#include "dalembert/analysis/amplification.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "dalembert/method/runge_kutta/tableau.h"

namespace dalembert {

namespace {

using Complex = std::complex<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

Complex R(const RungeKuttaForm& form, Complex z) {
  const Eigen::Index s = form.b.size();
  const Eigen::VectorXcd ones = Eigen::VectorXcd::Ones(s);
  const Eigen::MatrixXcd matrix = Eigen::MatrixXcd::Identity(s, s) - z * form.A;
  return 1.0 + z * form.b.cast<Complex>().dot(matrix.partialPivLu().solve(ones));
}

ComplexVector recurrence(const MultistepForm& form, Complex z) {
  ComplexVector p;
  for (Eigen::Index j = form.alpha.size() - 1; j >= 0; --j) p.push_back(form.alpha[j] - z * form.beta[j]);
  return p;
}

/// det(zeta L - R) by ascending powers, from its values at roots of unity.
ComplexVector determinant(const SecondOrderForm::Step& step) {
  const auto n = static_cast<std::size_t>(step.L.rows()) + 1;
  const double turn = 2 * std::acos(-1.0) / static_cast<double>(n);
  ComplexVector values, p(n);
  for (std::size_t k = 0; k < n; ++k)
    values.push_back(
        (std::polar(1.0, turn * static_cast<double>(k)) * step.L.cast<Complex>() - step.R.cast<Complex>())
            .determinant());
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < n; ++k)
      p[j] += values[k] * std::polar(1.0, -turn * static_cast<double>(j * k % n)) / static_cast<double>(n);
    p[j] = p[j].real();
  }
  return p;
}

/// Coefficients of det(I - z A) by ascending powers [Faddeev and LeVerrier].
std::vector<double> determinant_of_pencil(const Matrix& A) {
  const Eigen::Index n = A.rows();
  std::vector<double> all{1};
  Matrix M = Matrix::Identity(n, n);
  for (Eigen::Index k = 1; k <= n; ++k) {
    const Matrix AM = A * M;
    all.push_back(-AM.trace() / static_cast<double>(k));
    M = AM + all.back() * Matrix::Identity(n, n);
  }
  return all;
}

/// Without what rounding leaves of coefficients that vanish; each is the sum of terms of that size.
void trim(std::vector<double>& polynomial, const std::vector<double>& sizes, double rounding) {
  while (polynomial.size() > 1 &&
         std::abs(polynomial.back()) <= rounding * std::max(1., sizes[polynomial.size() - 1]))
    polynomial.pop_back();
}

}  // namespace

std::optional<LinearForm> linear_form(const MethodEntry& entry, const Parameters& options) {
  if (!entry.tableau.empty()) {
    const Tableau tableau = Tableau::parse(entry.tableau);
    return RungeKuttaForm{tableau.A, tableau.b};
  }
  const auto method = entry.make();
  if (const auto* says = dynamic_cast<const HasLinearForm*>(method.get())) return says->linear_form(options);
  return {};
}

ComplexVector characteristic(const LinearForm& form, Complex z) {
  return std::visit(
      Overloaded{[&](const RungeKuttaForm& f) {
                   return ComplexVector{-R(f, z), 1};
                 },
                 [&](const MultistepForm& f) { return recurrence(f, z); },
                 [&](const SecondOrderForm& f) { return determinant(f.step(std::norm(z), -2 * z.real())); },
                 [&](const MeasuredForm& f) { return f.characteristic(z); }},
      form);
}

ComplexVector roots(const ComplexVector& polynomial) {
  ComplexVector p = polynomial, found;
  double size = 0;
  for (const Complex& c : p) size = std::max(size, std::abs(c));
  if (!std::isfinite(size)) return ComplexVector(p.size() - 1, infinity);
  while (p.size() > 1 && std::abs(p.back()) <= 1e-15 * size) p.pop_back(), found.push_back(infinity);
  if (p.size() == 2) found.push_back(-p[0] / p[1]);
  if (p.size() == 3) {
    // The larger one without cancellation, the other one from the product.
    const Complex half = -p[1] / (2.0 * p[2]), product = p[0] / p[2];
    const Complex root = std::sqrt(half * half - product);
    const Complex large = std::abs(half + root) < std::abs(half - root) ? half - root : half + root;
    found.push_back(large);
    found.push_back(large == 0.0 ? large : product / large);
  }
  if (p.size() > 3) {
    const auto n = static_cast<Eigen::Index>(p.size()) - 1;
    Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(n, n);
    companion.diagonal(-1).setOnes();
    for (Eigen::Index i = 0; i < n; ++i) companion(i, n - 1) = -p[static_cast<std::size_t>(i)] / p.back();
    const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> eigen(companion, false);
    for (Eigen::Index i = 0; i < n; ++i) found.push_back(eigen.eigenvalues()[i]);
  }
  return found;
}

ComplexVector amplification_factors(const LinearForm& form, Complex z) {
  return roots(characteristic(form, z));
}

double spectral_radius(const LinearForm& form, Complex z) {
  double most = 0;
  for (const Complex& factor : amplification_factors(form, z)) {
    const double size = std::abs(factor);
    if (!(size <= most)) most = size;
  }
  return std::isfinite(most) ? most : infinity;
}

ComplexVector factors_at_infinity(const LinearForm& form) {
  return std::visit(Overloaded{[](const RungeKuttaForm& f) {
                                 const auto [P, Q] = stability_function(f);
                                 if (P.size() > Q.size()) return ComplexVector{infinity};
                                 return ComplexVector{P.size() < Q.size() ? 0 : P.back() / Q.back()};
                               },
                               [](const MultistepForm& f) {
                                 ComplexVector sigma;
                                 for (Eigen::Index j = f.beta.size() - 1; j >= 0; --j)
                                   sigma.push_back(f.beta[j]);
                                 return roots(sigma);
                               },
                               [](const SecondOrderForm& f) {
                                 // Quadratic in k at most: the coefficient of the highest power that is there decides.
                                 const ComplexVector at0 = determinant(f.step(0, 0)),
                                                     at1 = determinant(f.step(1, 0)),
                                                     at2 = determinant(f.step(2, 0));
                                 ComplexVector linear, square;
                                 double size = 0;
                                 for (std::size_t j = 0; j < at0.size(); ++j) {
                                   square.push_back((at2[j] - 2.0 * at1[j] + at0[j]) / 2.0);
                                   linear.push_back(at1[j] - at0[j] - square[j]);
                                   size = std::max(size, std::abs(square[j]));
                                 }
                                 return roots(size > 1e-12 ? square : linear);
                               },
                               [](const MeasuredForm& f) {
                                 return roots(f.characteristic({0, 1e6}));
                               }},
                    form);
}

Complex PrincipalFactor::at(double w) {
  constexpr double stride = 0.02;
  while (w_ < w) {
    // Close to 0 the exponential says which one it is; later the one before does, turned on by the stride.
    const double next = std::min(w, w_ < 1 ? w_ + stride : w_ * (1 + stride));
    const Complex expected =
        w_ < 0.1 ? std::polar(1.0, next) : factor_ * std::pow(factor_ / std::abs(factor_), (next - w_) / w_);
    Complex nearest = infinity;
    for (const Complex& factor : amplification_factors(form_, {0, next}))
      if (std::abs(factor - expected) < std::abs(nearest - expected)) nearest = factor;
    w_ = next;
    factor_ = nearest;
  }
  return factor_;
}

std::vector<Oscillation> oscillations(const LinearForm& form, const std::vector<double>& w) {
  std::vector<Oscillation> all;
  PrincipalFactor principal(form);
  for (const double each : w) {
    const Complex factor = principal.at(each), logarithm = std::log(factor);
    const double pi = std::acos(-1.0), least = logarithm.imag(),
                 turn = least < -pi / 2
                            ? least + 2 * pi
                            : least;  // half a turn is one forwards, whatever sign rounding gives it
    const bool sampled = each < pi;   // beyond, steps do not see which way it turns
    all.push_back({each, spectral_radius(form, {0, each}),
                   sampled ? -logarithm.real() / std::hypot(logarithm.real(), turn) : not_a_number,
                   sampled ? turn / each - 1 : not_a_number});
  }
  return all;
}

std::vector<double> stability_series(const RungeKuttaForm& form, int terms) {
  std::vector<double> all{1};
  Vector power = Vector::Ones(form.b.size());
  for (int k = 1; k <= terms; ++k) {
    all.push_back(form.b.dot(power));
    power = form.A * power;
  }
  return all;
}

StabilityFunction stability_function(const RungeKuttaForm& form) {
  const bool is_explicit = form.A.isLowerTriangular(0) && form.A.diagonal().isZero(0);
  const double rounding = is_explicit ? 0 : 1e-14, entries = is_explicit ? 0 : form.A.cwiseAbs().maxCoeff();
  StabilityFunction R{{}, is_explicit ? std::vector<double>{1} : determinant_of_pencil(form.A)};
  // Coefficients of nodes that nearly meet are large, and cancel in the polynomials.
  const std::vector<double> in_Q(R.Q.size(), 1 + entries * entries);
  trim(R.Q, in_Q, rounding);
  const std::vector<double> series = stability_series(form, static_cast<int>(form.b.size()));
  std::vector<double> in_P;
  for (std::size_t k = 0; k < series.size(); ++k) {  // P = Q R, of degree s at most
    R.P.push_back(0), in_P.push_back(1 + entries * entries);
    for (std::size_t i = 0; i <= std::min(k, R.Q.size() - 1); ++i) R.P[k] += R.Q[i] * series[k - i];
  }
  trim(R.P, in_P, rounding);
  return R;
}

}  // namespace dalembert
