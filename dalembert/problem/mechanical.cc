#include "dalembert/problem/mechanical.h"

#include <cmath>

namespace dalembert {

std::unique_ptr<Placement> Mechanical::placement() const {
  return std::make_unique<Placement>();
}

void Mechanical::advance(const Placement& at, In u, Out q) const {
  tangent(at, u, q);
  q += at.q;
}

void Mechanical::auxiliary(const Placement&, In, In, Out ds) const {
  ds.setZero();
}

void Mechanical::g(const Placement&, Out residual) const {
  residual.setZero();
}

void Mechanical::jacobian(const Placement&, Entries& J) const {
  J.begin();
  J.end();
}

void Mechanical::drive(const Placement&, Out w) const {
  w.setZero();
}

void Mechanical::bias(const Placement&, In, Out bias) const {
  bias.setZero();
}

std::optional<double> Mechanical::energy(const Placement&, In, In) const {
  return {};
}

double Mechanical::power(const Placement&, In, In) const {
  return 0;
}

void Mechanical::stiffness(const Placement& at, In v, In s, In a, In l, Entries& K, Entries& D) const {
  const Sizes n = sizes();
  const auto moved = placement();
  Vector plus(n.v), minus(n.v), f(n.v), u = Vector::Zero(n.v), w = v;
  const auto residual = [&](double step, Eigen::Index j, Out r) {  // M a + J'l - f, displaced along u_j
    u[j] = step;
    moved->t = at.t;
    moved->q.resize(n.q);
    advance(at, u, moved->q);
    place(*moved);
    Entries M, J;
    mass(*moved, M);
    jacobian(*moved, J);
    force(*moved, v, s, f);
    r = -f;
    M.multiply(a, 1, r);
    J.multiply_transposed(l, 1, r);
    u[j] = 0;
  };
  K.begin();
  D.begin();
  for (Eigen::Index j = 0; j < n.v; ++j) {
    const double step = 6e-6;
    residual(step, j, plus);
    residual(-step, j, minus);
    for (Eigen::Index i = 0; i < n.v; ++i) K.add(i, j, (plus[i] - minus[i]) / (2 * step));
    const double step_v = step * (1 + std::abs(v[j]));
    w[j] = v[j] + step_v;
    force(at, w, s, plus);
    w[j] = v[j] - step_v;
    force(at, w, s, minus);
    w[j] = v[j];
    for (Eigen::Index i = 0; i < n.v; ++i) D.add(i, j, -(plus[i] - minus[i]) / (2 * step_v));
  }
  K.end();
  D.end();
}

Fault Mechanical::diagnose(double t, In y) const {
  if (Fault fault = Problem::diagnose(t, y)) return fault;
  const Sizes n = sizes();
  const Layout all = layout();
  const auto at = placement();
  at->t = t;
  at->q = y.head(n.q);
  place(*at);
  const Vector v = y.segment(n.q, n.v), s = y.segment(n.q + n.v, n.s);
  const auto coordinate = [&](Eigen::Index i) { return all.label(n.q + i); };
  const auto row = [&](Eigen::Index i) { return all.label(n.q + n.v + n.s + i); };

  Entries M, J;
  mass(*at, M);
  for (std::size_t k = 0; k < M.size(); ++k)
    if (!std::isfinite(M.value(k)))
      return {Outcome::not_finite, "the mass matrix is not finite in row " + coordinate(M.row(k))};
  Vector f(n.v), r(n.rows()), gap(n.holonomic);
  force(*at, v, s, f);
  for (Eigen::Index i = 0; i < n.v; ++i)
    if (!std::isfinite(f[i]))
      return {Outcome::not_finite, "the force on " + coordinate(i) + " is not finite"};
  if (n.s > 0) {
    Vector ds(n.s);
    auxiliary(*at, v, s, ds);
    for (Eigen::Index i = 0; i < n.s; ++i)
      if (!std::isfinite(ds[i]))
        return {Outcome::not_finite, "the rate of " + all.label(n.q + n.v + i) + " is not finite"};
  }
  jacobian(*at, J);
  g(*at, gap);
  drive(*at, r);
  for (Eigen::Index i = 0; i < n.holonomic; ++i)
    if (!std::isfinite(gap[i]) || !std::isfinite(r[i]))
      return {Outcome::not_finite, "the constraint of " + row(i) + " is not finite"};
  bias(*at, v, r);
  for (Eigen::Index i = 0; i < n.rows(); ++i)
    if (!std::isfinite(r[i]))
      return {Outcome::not_finite, "the acceleration-level term of constraint " + row(i) + " is not finite"};
  for (std::size_t k = 0; k < J.size(); ++k)
    if (!std::isfinite(J.value(k)))
      return {Outcome::not_finite, "the Jacobian of constraint " + row(J.row(k)) + " is not finite"};

  // Rank of the rows, each scaled to length 1: a pivoted QR of J' names the rows that depend on the others.
  Matrix allowed = Matrix::Identity(n.v, n.v);
  if (n.rows() > 0) {
    Matrix Jt = J.dense(n.rows(), n.v).transpose();
    for (Eigen::Index i = 0; i < n.rows(); ++i) {
      const double length = Jt.col(i).norm();
      if (length == 0) return {Outcome::singular, "the Jacobian of constraint " + row(i) + " is zero"};
      Jt.col(i) /= length;
    }
    Eigen::ColPivHouseholderQR<Matrix> qr(Jt);
    qr.setThreshold(1e-10);
    if (qr.rank() < n.rows()) {
      std::string rows;
      for (Eigen::Index i = qr.rank(); i < n.rows(); ++i)
        rows += (rows.empty() ? "" : ", ") + row(qr.colsPermutation().indices()[i]);
      return {Outcome::singular, "the constraint rows depend on each other (rank " +
                                     std::to_string(qr.rank()) + " of " + std::to_string(n.rows()) +
                                     "): " + rows + " follow from the others here"};
    }
    allowed = Matrix(qr.householderQ()).rightCols(n.v - n.rows());
  }
  // Mass on the motions the rows allow: v'M v = 0 for an allowed v != 0 leaves its acceleration undetermined.
  const Matrix mass_matrix = M.dense(n.v, n.v);
  if (allowed.cols() > 0) {
    const Matrix reduced = allowed.transpose() * mass_matrix * allowed;
    const Eigen::JacobiSVD<Matrix> svd(reduced, Eigen::ComputeFullV);
    const double scale = std::max(mass_matrix.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    if (svd.singularValues().tail(1)[0] <= 1e-14 * scale) {
      Eigen::Index worst = 0;
      (allowed * svd.matrixV().col(allowed.cols() - 1)).cwiseAbs().maxCoeff(&worst);
      return {Outcome::singular, "the mass matrix is singular: no inertia resists " + coordinate(worst) +
                                     ", and no constraint holds it"};
    }
  }
  return {};
}

Layout Mechanical::mechanical_layout(Names n) const {
  const Sizes size = sizes();
  Layout layout;
  layout.add("q", size.q, Role::differential, 1, std::move(n.q), std::move(n.q_units));
  layout.add("v", size.v, Role::differential, 2, std::move(n.v), std::move(n.v_units));
  if (size.s > 0) layout.add("s", size.s, Role::differential, 0, std::move(n.s), std::move(n.s_units));
  if (size.holonomic > 0)
    layout.add("lambda", size.holonomic, Role::algebraic, 3, std::move(n.lambda), std::move(n.lambda_units));
  if (size.nonholonomic > 0)
    layout.add("mu", size.nonholonomic, Role::algebraic, 2, std::move(n.mu), std::move(n.mu_units));
  return layout;
}

}  // namespace dalembert
