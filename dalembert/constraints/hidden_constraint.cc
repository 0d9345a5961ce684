#include "dalembert/constraints/hidden_constraint.h"

#include <cmath>
#include <limits>

namespace dalembert {

ConstraintProduct::ConstraintProduct(const Hessenberg& problem, Statistics& statistics)
    : problem_(problem), statistics_(statistics) {
  const Layout layout = problem.layout();
  const Eigen::Index n = differential_size(layout), m = layout.size() - n;
  g_y_dense_.resize(m, n);
  f_z_dense_.resize(n, m);
  product_.resize(m, m);
  lu_ = Eigen::PartialPivLU<Matrix>(m);
  reset();
}

void ConstraintProduct::reset() {
  product_.setIdentity();
  if (product_.size() > 0) lu_.compute(product_);
  const Eigen::Index n = f_z_dense_.rows(), m = f_z_dense_.cols();
  const State start = problem_.start();  // record the patterns
  problem_.f_z(start.t, start.y.head(n), start.y.tail(m), f_z_);
  problem_.g_y(start.t, start.y.head(n), g_y_);
  factored_.assign(f_z_.size() + g_y_.size(), std::numeric_limits<double>::quiet_NaN());
}

namespace {

void fill(const Entries& from, Matrix& to) {
  to.setZero();
  for (std::size_t k = 0; k < from.size(); ++k) to(from.row(k), from.column(k)) += from.value(k);
}

}  // namespace

void ConstraintProduct::place_g_y(double t, In y) {
  problem_.g_y(t, y, g_y_);
  fill(g_y_, g_y_dense_);
  ++statistics_.jacobians;
}

void ConstraintProduct::factor(double t, In y, In z) {
  problem_.f_z(t, y, z, f_z_);
  if (same_entries()) return;
  fill(f_z_, f_z_dense_);
  product_.noalias() = g_y_dense_.lazyProduct(f_z_dense_);  // lazy: the blocked product would allocate
  lu_.compute(product_);
  ++statistics_.factorizations;
}

/// Are those of f_z and g_y the ones that were factored? In linear problems they are.
bool ConstraintProduct::same_entries() {
  bool same = !factored_.empty();
  std::size_t k = 0;
  for (const Entries* each : {&f_z_, &g_y_})
    for (std::size_t i = 0; i < each->size(); ++i, ++k) {
      same = same && factored_[k] == each->value(i);
      factored_[k] = each->value(i);
    }
  return same;
}

void ConstraintProduct::solve(In right, Out z) {
  z = lu_.solve(right);
  ++statistics_.solves;
  ++statistics_.newton_iterations;
}

HiddenConstraint::HiddenConstraint(const Hessenberg& problem, Statistics& statistics)
    : problem_(problem), statistics_(statistics), product_(problem, statistics) {
  const Layout layout = problem.layout();
  residual_ = rate_ = delta_ = Vector::Zero(layout.size() - differential_size(layout));
}

Outcome HiddenConstraint::solve(double t, In y, Out z, Out dy, double feedback) {
  problem_.f(t, y, z, dy);
  ++statistics_.force_evaluations;
  if (z.size() == 0) return Outcome::ok;
  product_.place_g_y(t, y);
  problem_.g_t(t, y, rate_);
  if (feedback != 0) {
    problem_.g(t, y, residual_);
    ++statistics_.constraint_evaluations;
    rate_ += feedback * residual_;
  }
  double last = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 20; ++round) {
    residual_ = rate_;
    product_.g_y().multiply(dy, 1, residual_);
    product_.factor(t, y, z);
    product_.solve(residual_, delta_);
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
