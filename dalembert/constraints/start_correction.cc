#include "dalembert/constraints/start_correction.h"

#include <algorithm>

#include "dalembert/core/rounding.h"
#include "dalembert/linear/least_constraint.h"

namespace dalembert {

namespace {

constexpr Eigen::Index most_differences = 200;  // coordinates; beyond, gradients are those of the tangent

/// The nearest point, also where the metric says nothing about some motion (massless coordinates).
NearestPoint nearest(const Manifold& manifold, const Entries& K, double scale) {
  const double tolerance = std::max(consistent, manifold.dependent);
  NearestPoint found = nearest_point(manifold, K, scale, tolerance);
  if (found.outcome != Outcome::singular) return found;
  double size = 0;
  for (std::size_t k = 0; k < K.size(); ++k) size = std::max(size, std::abs(K.value(k)));
  Entries more;
  more.begin();
  for (std::size_t k = 0; k < K.size(); ++k) more.add(K.row(k), K.column(k), K.value(k));
  for (Eigen::Index i = 0; i < manifold.size; ++i) more.add(i, i, 1e-8 * (size > 0 ? size : 1));
  more.end();
  return nearest_point(manifold, more, scale, tolerance);
}

}  // namespace

StartCorrection::StartCorrection(const Mechanical& problem, const State& given, Vector weights,
                                 StartOptions::Metric metric, Manifold::Rows are, double dependent)
    : problem_(problem),
      n_(problem.sizes()),
      part_(n_),
      weights_(std::move(weights)),
      metric_(metric),
      are_(are),
      dependent_(dependent),
      from_(problem.placed_at(given)),
      near_(problem.placed_at(given)) {}

Vector StartCorrection::row_sizes(const Placement& at, double size) {
  problem_.jacobian(at, J_);
  Vector length = Vector::Zero(n_.rows());
  for (std::size_t k = 0; k < J_.size(); ++k) length[J_.row(k)] += J_.value(k) * J_.value(k);
  return size * length.cwiseSqrt().cwiseMax(1);
}

bool StartCorrection::positions_hold(double t, In q) {
  problem_.place_at(*near_, t, q);
  Vector c(n_.holonomic);
  problem_.g(*near_, c);
  return largest(c.cwiseQuotient(row_sizes(*near_, std::max(1., largest(q))).head(n_.holonomic))) <=
         consistent;
}

bool StartCorrection::velocities_hold(double t, In q, In v) {
  problem_.place_at(*near_, t, q);
  Vector c(n_.rows());
  problem_.velocity_bias(*near_, c);
  const Vector sizes = row_sizes(*near_, 1 + largest(v) + largest(c));
  J_.multiply(v, 1, c);
  return largest(c.cwiseQuotient(sizes)) <= consistent;
}

void StartCorrection::displace(In u) {
  problem_.advance(*from_, u, near_->q);
  problem_.place(*near_);
}

StartCorrection::SparseRows StartCorrection::tangent_rows() const {
  SparseRows N(static_cast<std::size_t>(n_.q));
  if (problem_.plain()) {
    for (std::size_t i = 0; i < N.size(); ++i) N[i].emplace_back(static_cast<Eigen::Index>(i), 1);
    return N;
  }
  Kinematics kinematics;
  problem_.kinematics(*from_, Vector::Zero(n_.v), kinematics);
  for (std::size_t k = 0; k < kinematics.N.size(); ++k)
    if (const double value = kinematics.N.value(k); value != 0)
      N[static_cast<std::size_t>(kinematics.N.row(k))].emplace_back(kinematics.N.column(k), value);
  return N;
}

/// M (or N'N) + N'diag(weights)N; kept entries have rows of their own.
Entries StartCorrection::metric(In weights, const SparseRows& N) const {
  Entries K;
  K.begin();
  if (metric_ == StartOptions::Metric::kinetic)
    for (std::size_t k = 0; k < M_.size(); ++k) K.add(M_.row(k), M_.column(k), M_.value(k));
  for (std::size_t i = 0; i < N.size(); ++i) {
    const double weight = finite_weight(weights[static_cast<Eigen::Index>(i)]) +
                          (metric_ == StartOptions::Metric::entries ? 1 : 0);
    if (weight == 0) continue;
    for (const auto& [j, left] : N[i])
      for (const auto& [k, right] : N[i]) K.add(j, k, weight * left * right);
  }
  K.end();
  return K;
}

NearestPoint StartCorrection::move_positions(Out q) {
  const Vector given = q;
  const KeptEntries kept(weights_.head(n_.q));
  const SparseRows N = tangent_rows();
  problem_.mass(*from_, M_);
  const auto value = [&](In u, Out c) {
    displace(u);
    problem_.g(*near_, c.head(n_.holonomic));
    kept.value(near_->q - given, c.tail(kept.size()));
  };
  const auto of_the_problem = [&](In u, Entries& C) {
    displace(u);
    problem_.jacobian(*near_, J_);
    C.begin();
    for (std::size_t k = 0; k < J_.size(); ++k)
      if (J_.row(k) < n_.holonomic) C.add(J_.row(k), J_.column(k), J_.value(k));
    for (Eigen::Index k = 0; k < kept.size(); ++k)
      for (const auto& [j, value] : N[static_cast<std::size_t>(kept[k])]) C.add(n_.holonomic + k, j, value);
    C.end();
  };
  // Displacements are counted from the given point, so the gradient is not the J of a point elsewhere.
  const auto by_differences = [&](In u, Entries& C) {
    const Eigen::Index rows = n_.holonomic + kept.size();
    Vector moved = u, plus(rows), minus(rows);
    C.begin();
    for (Eigen::Index j = 0; j < n_.v; ++j) {
      moved[j] = u[j] + central_difference;
      value(moved, plus);
      moved[j] = u[j] - central_difference;
      value(moved, minus);
      moved[j] = u[j];
      for (Eigen::Index i = 0; i < rows; ++i) C.add(i, j, (plus[i] - minus[i]) / (2 * central_difference));
    }
    C.end();
  };
  Manifold manifold{
      n_.v, n_.holonomic + kept.size(), value, of_the_problem, Manifold::Shape::curved, are_, {}, dependent_};
  if (!problem_.plain() && n_.v <= most_differences) manifold.gradient = by_differences;
  manifold.sizes = Vector::Ones(manifold.rows);
  manifold.sizes.head(n_.holonomic) = row_sizes(*from_, std::max(1., largest(given))).head(n_.holonomic);
  NearestPoint found = nearest(manifold, metric(weights_.head(n_.q), N), 1 + largest(given));
  displace(found.u);
  q = near_->q;
  return found;
}

NearestPoint StartCorrection::move_velocities(double t, In q, Out v) {
  from_ = problem_.placed_at(t, q);
  problem_.mass(*from_, M_);
  problem_.jacobian(*from_, J_);
  const KeptEntries kept(weights_.segment(n_.q, n_.v));
  const Vector given = v;
  Vector sizes = Vector::Ones(n_.rows() + kept.size());
  Vector driven(n_.rows());
  problem_.velocity_bias(*from_, driven);
  sizes.head(n_.rows()) = row_sizes(*from_, 1 + largest(given) + largest(driven));
  const Manifold manifold{n_.v,
                          n_.rows() + kept.size(),
                          [&](In u, Out c) {
                            problem_.velocity_bias(*from_, c.head(n_.rows()));
                            J_.multiply(given + u, 1, c.head(n_.rows()));
                            kept.value(u, c.tail(kept.size()));
                          },
                          [&](In, Entries& C) {
                            C.begin();
                            for (std::size_t k = 0; k < J_.size(); ++k)
                              C.add(J_.row(k), J_.column(k), J_.value(k));
                            kept.gradient(n_.rows(), C);
                            C.end();
                          },
                          Manifold::Shape::flat,
                          are_,
                          std::move(sizes),
                          dependent_};
  SparseRows identity(static_cast<std::size_t>(n_.v));
  for (std::size_t i = 0; i < identity.size(); ++i) identity[i].emplace_back(static_cast<Eigen::Index>(i), 1);
  const Entries D = metric(weights_.segment(n_.q, n_.v), identity);
  NearestPoint found = nearest(manifold, D, 1 + largest(given));
  v += found.u;
  return found;
}

Outcome StartCorrection::dependent_multipliers(double t, In q, In v, In s, Out multipliers,
                                               Vector& residual) {
  from_ = problem_.placed_at(t, q);
  problem_.mass(*from_, M_);
  problem_.jacobian(*from_, J_);
  Vector f(n_.v), a(n_.v);
  residual.resize(n_.rows());
  problem_.force(*from_, v, s, f);
  problem_.bias(*from_, v, residual);
  LeastConstraint motion;
  motion.bind(n_.v, n_.rows());
  if (const Outcome outcome = motion.factor(M_, J_, std::max(sticking_out, dependent_));
      outcome != Outcome::ok)
    return outcome;
  motion.solve(f, -residual, a);
  J_.multiply(a, 1, residual);
  M_.multiply(a, -1, f);
  motion.multipliers(f, multipliers);
  return multipliers.allFinite() && a.allFinite() ? Outcome::ok : Outcome::not_finite;
}

}  // namespace dalembert
