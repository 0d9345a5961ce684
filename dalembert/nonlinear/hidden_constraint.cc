#include "dalembert/nonlinear/hidden_constraint.h"

#include <cmath>
#include <limits>

namespace dalembert {

void form_product(const Entries& g_y, const Entries& f_z, Matrix& g_y_dense, Matrix& f_z_dense,
                  Matrix& product) {
  const auto fill = [](const Entries& from, Matrix& to) {
    to.setZero();
    for (std::size_t k = 0; k < from.size(); ++k) to(from.row(k), from.column(k)) += from.value(k);
  };
  fill(g_y, g_y_dense);
  fill(f_z, f_z_dense);
  product.noalias() = g_y_dense.lazyProduct(f_z_dense);  // lazy: the blocked product would allocate
}

HiddenConstraint::HiddenConstraint(const Index2& problem, Statistics& statistics)
    : problem_(problem), statistics_(statistics) {
  const Layout layout = problem.layout();
  const Eigen::Index n = differential_size(layout), m = layout.size() - n;
  g_y_dense_.resize(m, n);
  f_z_dense_.resize(n, m);
  product_ = Matrix::Identity(m, m);
  lu_ = Eigen::PartialPivLU<Matrix>(m);
  residual_.resize(m);
  rate_.resize(m);
  delta_.resize(m);
  const State start = problem.start();  // record the patterns
  problem.f_z(start.t, start.y.head(n), start.y.tail(m), f_z_);
  problem.g_y(start.t, start.y.head(n), g_y_);
}

Outcome HiddenConstraint::solve(double t, In y, Out z, Out dy) {
  problem_.f(t, y, z, dy);
  ++statistics_.force_evaluations;
  if (z.size() == 0) return Outcome::ok;
  problem_.g_y(t, y, g_y_);
  problem_.g_t(t, y, rate_);
  ++statistics_.jacobians;
  double last = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 20; ++round) {
    residual_ = rate_;
    g_y_.multiply(dy, 1, residual_);
    problem_.f_z(t, y, z, f_z_);
    form_product(g_y_, f_z_, g_y_dense_, f_z_dense_, product_);
    lu_.compute(product_);
    ++statistics_.factorizations;
    delta_ = lu_.solve(residual_);
    ++statistics_.solves;
    ++statistics_.newton_iterations;
    const double size = largest(delta_);
    if (!std::isfinite(size)) return Outcome::singular;
    if (size >= last) return last > 1e-8 * (1 + largest(z)) ? Outcome::newton_diverged : Outcome::ok;
    z -= delta_;
    problem_.f(t, y, z, dy);
    ++statistics_.force_evaluations;
    if (size <= 1e-14 * (1 + largest(z))) return Outcome::ok;
    last = size;
  }
  return Outcome::newton_diverged;
}

}  // namespace dalembert
