#include "dalembert/method/stability.h"

#include <cmath>
#include <limits>

#include "dalembert/problem/implicit.h"

namespace dalembert {

namespace {

using Complex = std::complex<double>;

/// y' = z y in real and imaginary part, for steps of size 1.
class TestEquation final : public Implicit {
 public:
  explicit TestEquation(Complex z) : a_(z.real()), b_(z.imag()) {}
  Layout layout() const override { return Layout().add("y", 2, Role::differential, 1); }
  State start() const override { return {0, Vector::Unit(2, 0)}; }
  double end() const override { return 1; }
  void F(double, In y, In dy, Out residual) const override {
    residual[0] = dy[0] - a_ * y[0] + b_ * y[1];
    residual[1] = dy[1] - b_ * y[0] - a_ * y[1];
  }
  void jacobians(double, In, In, Entries& F_y, Entries& F_dy) const override {
    F_y.begin();
    F_y.add(0, 0, -a_);
    F_y.add(0, 1, b_);
    F_y.add(1, 0, -b_);
    F_y.add(1, 1, -a_);
    F_y.end();
    F_dy.begin();
    F_dy.add(0, 0, 1);
    F_dy.add(1, 1, 1);
    F_dy.end();
  }
  void rate(double, In y, Out dy) const override {
    dy[0] = a_ * y[0] - b_ * y[1];
    dy[1] = b_ * y[0] + a_ * y[1];
  }

 private:
  double a_, b_;
};

}  // namespace

LinearStability::LinearStability(const MethodEntry& entry, const Parameters& options)
    : entry_(entry), options_(options) {
  if (!entry.tableau.empty()) tableau_ = Tableau::parse(entry.tableau);
}

std::optional<double> LinearStability::amplification(Complex z) const {
  if (tableau_) return by_tableau(z);
  if (entry_.accepts(Kind::implicit)) return by_stepping(z);
  return {};
}

double LinearStability::by_tableau(Complex z) const {
  const Tableau& t = *tableau_;
  Eigen::VectorXcd stage =
      Eigen::VectorXcd::Ones(t.stages);  // (I - z A) stage = 1, A strictly lower triangular
  for (Eigen::Index i = 0; i < t.stages; ++i)
    for (Eigen::Index j = 0; j < i; ++j) stage[i] += z * t.A(i, j) * stage[j];
  Complex R = 1;
  for (Eigen::Index i = 0; i < t.stages; ++i) R += z * t.b[i] * stage[i];
  return std::abs(R);
}

double LinearStability::by_stepping(Complex z) const {
  constexpr int most = 100;
  constexpr double decided = 1e3;  // as large, or as small: growth or decay, and still far from rounding
  const TestEquation equation(z);
  Statistics statistics;
  const auto method = entry_.make();
  method->bind(
      equation,
      {.tolerance = {}, .precision = Precision::rounding, .options = options_, .statistics = &statistics});
  State from = equation.start(), to = from;
  double half_way = 1;
  for (int n = 1; n <= most; ++n) {
    if (method->attempt(from, 1, to).outcome != Outcome::ok) return std::numeric_limits<double>::infinity();
    method->accept();
    std::swap(from, to);
    const double size = from.y.norm();
    if (n == most / 2) half_way = size;
    if (size > decided || size < 1 / decided) return std::pow(size, 1.0 / n);
  }
  return std::pow(from.y.norm() / half_way, 2.0 / most);
}

std::optional<double> LinearStability::reach(Complex direction) const {
  const Complex unit = direction / std::abs(direction);
  const auto outside = [&](double r) { return amplification(r * unit).value_or(0) > 1 + 1e-9; };
  const double stride = tableau_ ? 0.02 : 1;
  double r = stride;
  while (r <= 100 && !outside(r)) r += stride;
  if (r > 100) return {};
  double inside = r - stride;
  for (int k = 0; k < 40; ++k) (outside((inside + r) / 2) ? r : inside) = (inside + r) / 2;
  return inside;
}

}  // namespace dalembert
