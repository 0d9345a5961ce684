#include "dalembert/analysis/running_code.h"

#include <cmath>
#include <limits>

#include "dalembert/core/error.h"
#include "dalembert/problem/hessenberg.h"
#include "dalembert/problem/implicit.h"
#include "dalembert/problem/mechanical.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

namespace {

using Complex = std::complex<double>;

/// (a + b i) y for y in real and imaginary part.
void times(Complex z, In y, Out product) {
  product[0] = z.real() * y[0] - z.imag() * y[1];
  product[1] = z.imag() * y[0] + z.real() * y[1];
}
void write(Complex z, double sign, Entries& matrix) {
  matrix.write<4>({{{0, 0}, {0, 1}, {1, 0}, {1, 1}}},
                  {sign * z.real(), -sign * z.imag(), sign * z.imag(), sign * z.real()});
}

class TestOde final : public Ode {
 public:
  explicit TestOde(Complex z) : z_(z) {}
  Layout layout() const override { return Layout().add("y", 2, Role::differential, 1); }
  State start() const override { return {0, Vector::Unit(2, 0)}; }
  double end() const override { return 1; }
  void f(double, In y, Out dy) const override { times(z_, y, dy); }
  void f_y(double, In, Entries& matrix) const override { write(z_, 1, matrix); }

 private:
  Complex z_;
};

class TestImplicit final : public Implicit {
 public:
  explicit TestImplicit(Complex z) : z_(z) {}
  Layout layout() const override { return Layout().add("y", 2, Role::differential, 1); }
  State start() const override { return {0, Vector::Unit(2, 0)}; }
  double end() const override { return 1; }
  void F(double, In y, In dy, Out residual) const override {
    times(z_, y, residual);
    residual = dy - residual;
  }
  void jacobians(double, In, In, Entries& F_y, Entries& F_dy) const override {
    write(z_, -1, F_y);
    F_dy.write<2>({{{0, 0}, {1, 1}}}, {1, 1});
  }
  void rate(double, In y, Out dy) const override { times(z_, y, dy); }

 private:
  Complex z_;
};

/// With a third entry that its constraint keeps at zero.
class TestHessenberg final : public Hessenberg {
 public:
  explicit TestHessenberg(Complex z) : z_(z) {}
  Layout layout() const override {
    return Layout().add("y", 3, Role::differential, 1).add("z", 1, Role::algebraic, 2);
  }
  State start() const override { return {0, Vector::Unit(4, 0)}; }
  double end() const override { return 1; }
  void f(double, In y, In z, Out dy) const override {
    times(z_, y, dy.head(2));
    dy[2] = z[0];
  }
  void g(double, In y, Out residual) const override { residual[0] = y[2]; }
  void f_y(double, In, In, Entries& matrix) const override { write(z_, 1, matrix); }
  void f_z(double, In, In, Entries& matrix) const override { matrix.write<1>({{{2, 0}}}, {1}); }
  void g_y(double, In, Entries& matrix) const override { matrix.write<1>({{{0, 2}}}, {1}); }
  void g_t(double, In, Out rate) const override { rate.setZero(); }

 private:
  Complex z_;
};

class TestMechanical final : public Mechanical {
 public:
  explicit TestMechanical(Complex z) : z_(z) {}
  Sizes sizes() const override { return {.q = 1, .v = 1}; }
  Layout layout() const override { return mechanical_layout({.q = {"x"}, .v = {"x'"}}); }
  State start() const override { return {0, Vector::Unit(2, 0)}; }
  double end() const override { return 1; }
  void mass(const Placement&, Entries& M) const override { M.write<1>({{{0, 0}}}, {1}); }
  void force(const Placement& at, In v, In, Out f) const override {
    f[0] = 2 * z_.real() * v[0] - std::norm(z_) * at.q[0];
  }

 private:
  Complex z_;
};

std::unique_ptr<Problem> test_equation(const MethodEntry& entry, Complex z) {
  if (entry.accepts(Kind::ode)) return std::make_unique<TestOde>(z);
  if (entry.accepts(Kind::implicit)) return std::make_unique<TestImplicit>(z);
  if (entry.accepts(Kind::hessenberg)) return std::make_unique<TestHessenberg>(z);
  if (entry.accepts(Kind::mechanical)) return std::make_unique<TestMechanical>(z);
  throw Error("method '" + entry.name + "' makes no steps of its own on a linear equation");
}

struct StepFailed : Error {
  using Error::Error;
};

/// States from a start on.
std::vector<Vector> walk(const MethodEntry& entry, const Parameters& options, const Problem& problem,
                         const Vector& from, int steps) {
  Statistics statistics;
  const auto method = entry.make();
  const Tolerance unused;
  const Setting setting{
      .tolerance = unused, .precision = Precision::rounding, .options = options, .statistics = &statistics};
  method->bind(problem, setting);
  State here{0, from}, next = here;
  std::vector<Vector> all{from};
  for (int n = 0; n < steps; ++n) {
    if (const Attempt attempt = method->attempt(here, 1, next); attempt.outcome != Outcome::ok)
      throw StepFailed("a step of '" + entry.name +
                       "' on a linear equation failed: " + std::string(name(attempt.outcome)));
    method->accept();
    std::swap(here, next);
    all.push_back(here.y);
  }
  return all;
}

}  // namespace

ComplexVector steps_of(const MethodEntry& entry, const Parameters& options, Complex z, int steps) {
  const auto problem = test_equation(entry, z);
  ComplexVector all;
  for (const Vector& y : walk(entry, options, *problem, problem->start().y, steps))
    all.emplace_back(y[0], problem->kind() == Kind::mechanical ? 0 : y[1]);
  return all;
}

namespace {

/// p of the map that one step is; nothing if a second step does not repeat it.
std::optional<ComplexVector> measured(const MethodEntry& entry, const Parameters& options, Complex z) {
  constexpr double same = 1e-9;
  const auto problem = test_equation(entry, z);
  if (problem->kind() != Kind::mechanical) {
    const ComplexVector y = steps_of(entry, options, z, 2);
    if (std::abs(y[2] - y[1] * y[1]) > same * (1 + std::abs(y[2]))) return {};
    return ComplexVector{-y[1], 1};
  }
  Matrix once(2, 2), twice(2, 2);
  for (Eigen::Index j = 0; j < 2; ++j) {
    const auto y = walk(entry, options, *problem, Vector::Unit(2, j), 2);
    once.col(j) = y[1];
    twice.col(j) = y[2];
  }
  if ((twice - once * once).norm() > same * (1 + twice.norm())) return {};
  return ComplexVector{once.determinant(), -once.trace(), 1};
}

}  // namespace

double disagreement(const MethodEntry& entry, const Parameters& options, const LinearForm& form, Complex z) {
  const ComplexVector p = characteristic(form, z);
  const std::size_t k = p.size() - 1, start = k > 1 ? k : 0;
  double coefficients = 0, most = 0;
  for (const Complex& each : p) coefficients = std::max(coefficients, std::abs(each));
  const ComplexVector y = steps_of(entry, options, z, static_cast<int>(start + k) + 3);
  for (std::size_t n = start; n + k < y.size(); ++n) {
    Complex sum = 0;
    double size = 0;
    for (std::size_t j = 0; j <= k; ++j) {
      sum += p[j] * y[n + j];
      size = std::max(size, std::abs(y[n + j]));
    }
    if (size < 1e-6) break;  // what is left is rounding
    most = std::max(most, std::abs(sum) / (coefficients * size));
  }
  return most;
}

double disagreement(const MethodEntry& entry, const Parameters& options, const LinearForm& form) {
  double most = 0;
  for (const Complex z : {Complex(0, .5), Complex(0, 1), Complex(0, 3), Complex(-1, 0), Complex(-.5, 2)})
    try {
      most = std::max(most, disagreement(entry, options, form, z));
    } catch (const StepFailed&) {  // an iteration of its own does not converge with such damping
      if (z.real() == 0) throw;
    }
  return most;
}

std::optional<LinearForm> measured_form(const MethodEntry& entry, const Parameters& options) {
  if (!measured(entry, options, {-.3, .4})) return {};
  return MeasuredForm{[&entry, options](Complex z) {
    const ComplexVector unknown{std::numeric_limits<double>::quiet_NaN(), 1};
    try {
      return measured(entry, options, z).value_or(unknown);
    } catch (const StepFailed&) {
      return unknown;
    }
  }};
}

}  // namespace dalembert
