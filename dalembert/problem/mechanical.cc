#include "dalembert/problem/mechanical.h"

#include <cmath>

#include "dalembert/core/rounding.h"

namespace dalembert {

std::unique_ptr<Placement> Mechanical::placement() const {
  return std::make_unique<Placement>();
}

void Mechanical::place_at(Placement& at, double t, In q) const {
  at.t = t;
  at.q.resize(q.size());
  copy(q, at.q);
  place(at);
}

std::unique_ptr<Placement> Mechanical::placed_at(double t, In q) const {
  auto at = placement();
  place_at(*at, t, q);
  return at;
}

std::unique_ptr<Placement> Mechanical::placed_at(const State& state) const {
  return placed_at(state.t, state.y.head(sizes().q));
}

void Mechanical::advance(const Placement& at, In u, Out q) const {
  tangent(at, u, q);
  q += at.q;
}

void Mechanical::difference(In from, In to, Out u) const {
  if (plain()) {
    u = to - from;
    return;
  }
  const auto at = placed_at(start().t, from);  // N does not depend on time
  Kinematics k;
  kinematics(*at, Vector::Zero(sizes().v), k);
  u.setZero();
  k.inverse.multiply(to - from, 1, u);
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

void Mechanical::velocity_bias(const Placement&, Out w) const {
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

namespace {

void write_column(Entries& matrix, Eigen::Index j, const Vector& plus, const Vector& minus, double step) {
  for (Eigen::Index i = 0; i < plus.size(); ++i) matrix.add(i, j, (plus[i] - minus[i]) / (2 * step));
}

void make_room(const Mechanical& p, const Mechanical::Sizes& n, Derivatives& d) {
  d.moved = p.placement();
  d.moved->q.resize(n.q);
  d.u = Vector::Zero(n.v), d.w = Vector::Zero(std::max(n.v, n.s));
  d.f.resize(n.v), d.plus.resize(n.v), d.minus.resize(n.v);
  d.rows_plus.resize(n.rows()), d.rows_minus.resize(n.rows());
  d.s_plus.resize(n.s), d.s_minus.resize(n.s);
}

/// Columns of K, B and k_q: everything moved along one displacement after the other.
void differentiate_along_q(const Mechanical& p, const Placement& at, In v, In s, In a, In l, Derivatives& d) {
  const auto displaced = [&](double step, Eigen::Index j, Vector& r, Vector& rows, Vector& ds) {
    d.u[j] = step;
    d.moved->t = at.t;
    p.advance(at, d.u, d.moved->q);
    p.place(*d.moved);
    d.u[j] = 0;
    p.mass(*d.moved, d.M);
    p.jacobian(*d.moved, d.J);
    p.force(*d.moved, v, s, d.f);
    r = -d.f;
    d.M.multiply(a, 1, r);
    d.J.multiply_transposed(l, 1, r);
    p.velocity_bias(*d.moved, rows);
    d.J.multiply(v, 1, rows);
    if (ds.size() > 0) p.auxiliary(*d.moved, v, s, ds);
  };
  const bool coordinates = p.plain();  // else a displacement belongs to no single entry of q
  for (Eigen::Index j = 0; j < v.size(); ++j) {
    const double step = central_difference * (coordinates ? 1 + std::abs(at.q[j]) : 1);
    displaced(step, j, d.plus, d.rows_plus, d.s_plus);
    displaced(-step, j, d.minus, d.rows_minus, d.s_minus);
    write_column(d.K, j, d.plus, d.minus, step);
    write_column(d.B, j, d.rows_plus, d.rows_minus, step);
    write_column(d.k_q, j, d.s_plus, d.s_minus, step);
  }
}

/// Columns of D = -f_v and k_v, or of S = -f_s and k_s: evaluate(x, f, ds) at x moved along one entry after the other.
template <class Evaluate>
void differentiate_along(In x, Entries& minus_force, Entries& rates, Derivatives& d, Evaluate&& evaluate) {
  auto w = d.w.head(x.size());
  w = x;
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const double step = central_difference * (1 + std::abs(x[j]));
    w[j] = x[j] + step;
    evaluate(w, d.minus, d.s_plus);
    w[j] = x[j] - step;
    evaluate(w, d.plus, d.s_minus);
    w[j] = x[j];
    write_column(minus_force, j, d.plus, d.minus, step);
    write_column(rates, j, d.s_plus, d.s_minus, step);
  }
}

}  // namespace

void Mechanical::derivatives(const Placement& at, In v, In s, In a, In l, Derivatives& d) const {
  if (!d.moved) make_room(*this, sizes(), d);
  for (Entries* block : {&d.K, &d.D, &d.S, &d.B, &d.k_q, &d.k_v, &d.k_s}) block->begin();
  differentiate_along_q(*this, at, v, s, a, l, d);
  differentiate_along(v, d.D, d.k_v, d, [&](In w, Vector& f, Vector& ds) {
    force(at, w, s, f);
    if (s.size() > 0) auxiliary(at, w, s, ds);
  });
  differentiate_along(s, d.S, d.k_s, d, [&](In w, Vector& f, Vector& ds) {
    force(at, v, w, f);
    auxiliary(at, v, w, ds);
  });
  for (Entries* block : {&d.K, &d.D, &d.S, &d.B, &d.k_q, &d.k_v, &d.k_s}) block->end();
}

void Mechanical::kinematics(const Placement& at, In v, Kinematics& k) const {
  const Sizes n = sizes();
  if (!k.moved) {
    k.moved = placement();
    k.moved->q.resize(n.q);
    k.u = Vector::Zero(n.v);
    k.plus.resize(n.q), k.minus.resize(n.q);
    k.columns.resize(n.q, n.v), k.left_inverse.resize(n.v, n.q), k.gram.resize(n.v, n.v);
  }
  for (Eigen::Index j = 0; j < n.v; ++j) {
    k.u[j] = 1;
    tangent(at, k.u, k.columns.col(j));
    k.u[j] = 0;
  }
  // (N'N)^-1 N'
  k.gram.noalias() = k.columns.transpose() * k.columns;
  k.factors.compute(k.gram);
  k.left_inverse = k.columns.transpose();
  k.factors.solveInPlace(k.left_inverse);
  for (Entries* block : {&k.N, &k.inverse, &k.Nv_q}) block->begin();
  for (Eigen::Index i = 0; i < n.q; ++i)
    for (Eigen::Index j = 0; j < n.v; ++j) {
      k.N.add(i, j, k.columns(i, j));
      k.inverse.add(j, i, k.left_inverse(j, i));
    }
  k.moved->t = at.t;
  k.moved->q = at.q;
  for (Eigen::Index j = 0; j < n.q; ++j) {
    const double step = central_difference * (1 + std::abs(at.q[j]));
    k.moved->q[j] = at.q[j] + step;
    place(*k.moved);
    tangent(*k.moved, v, k.plus);
    k.moved->q[j] = at.q[j] - step;
    place(*k.moved);
    tangent(*k.moved, v, k.minus);
    k.moved->q[j] = at.q[j];
    write_column(k.Nv_q, j, k.plus, k.minus, step);
  }
  for (Entries* block : {&k.N, &k.inverse, &k.Nv_q}) block->end();
}

Fault Mechanical::diagnose(double t, In y) const {
  if (Fault fault = Problem::diagnose(t, y)) return fault;
  const Sizes n = sizes();
  const Layout all = layout();
  const auto at = placed_at(t, y.head(n.q));
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
  velocity_bias(*at, r);
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
                                     "): " + rows + (n.rows() - qr.rank() == 1 ? " follows" : " follow") +
                                     " from the others here"};
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
