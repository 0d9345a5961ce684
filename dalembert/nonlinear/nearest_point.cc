#include "dalembert/nonlinear/nearest_point.h"

#include <algorithm>
#include <cmath>

#include "dalembert/core/rounding.h"
#include "dalembert/linear/iteration_matrix.h"
#include "dalembert/linear/least_constraint.h"

namespace dalembert {

namespace {

constexpr double rounding = 1e-14;         // steps below this, relative to the scale, change nothing
constexpr Eigen::Index most_curved = 200;  // unknowns; beyond, second derivatives cost more than they save

/// [K + H, C'; C, 0] (d, l) = (b, -c)
class Search {
 public:
  Search(const Manifold& manifold, const Entries& K, double scale)
      : manifold_(manifold),
        K_(K),
        scale_(scale),
        n_(manifold.size),
        m_(manifold.rows),
        flat_(n_ + m_),
        bent_(n_ + m_),
        x_(Vector::Zero(n_ + m_)),
        c_(Vector::Zero(m_)) {
    if (manifold.are == Manifold::Rows::dependent) dense_.bind(n_, m_);
  }

  double gap(const Vector& u) {
    manifold_.value(u, c_);
    return c_.norm();
  }
  const Vector& value() const { return c_; }
  double largest_value() const {
    return manifold_.sizes.size() == 0 ? largest(c_) : largest(c_.cwiseQuotient(manifold_.sizes));
  }
  double cost(const Vector& u) const {
    Vector Ku = Vector::Zero(n_);
    K_.multiply(u, 1, Ku);
    return u.dot(Ku);
  }

  /// The shortest step to the tangent plane at u.
  Outcome step(const Vector& u) {
    manifold_.gradient(u, C_);
    x_.head(n_).setZero();
    return solve(flat_, nullptr);
  }
  /// Towards the point of the tangent plane nearest to the origin; with the curvature that l stands for, if it is known.
  Outcome step_from_origin(const Vector& u) {
    manifold_.gradient(u, C_);
    x_.head(n_).setZero();
    K_.multiply(u, -1, x_.head(n_));
    const bool curved = l_.size() > 0 && n_ <= most_curved && manifold_.shape == Manifold::Shape::curved;
    if (curved) curvature(u);
    const Outcome outcome = solve(curved ? bent_ : flat_, curved ? &H_ : nullptr);
    l_ = x_.tail(m_);
    return outcome;
  }
  auto d() const { return x_.head(n_); }

 private:
  Outcome solve(IterationMatrix& A, const Entries* H) {
    if (manifold_.are == Manifold::Rows::dependent) return solve_dense(H);
    A.begin();
    A.add(K_, 0, 0, 1);
    if (H != nullptr) A.add(*H, 0, 0, 1);
    A.add(C_, 0, n_, 1, Transposed::yes);
    A.add(C_, n_, 0, 1);
    x_.tail(m_) = -c_;
    if (const Outcome outcome = A.factor(unseen_); outcome != Outcome::ok) return outcome;
    A.solve(x_, unseen_);
    return x_.allFinite() ? Outcome::ok : Outcome::not_finite;
  }

  Outcome solve_dense(const Entries* H) {
    Entries sum;
    sum.begin();
    for (const Entries* part : {&K_, H})
      for (std::size_t k = 0; part != nullptr && k < part->size(); ++k)
        sum.add(part->row(k), part->column(k), part->value(k));
    sum.end();
    // Rows that depend on each other where c = 0 do so elsewhere no better than c is small, unless they are the same everywhere.
    const double bent = manifold_.shape == Manifold::Shape::curved ? c_.norm() / scale_ : 0;
    const double tolerance = std::max(std::clamp(bent, sticking_out, 1e-3), manifold_.dependent);
    if (const Outcome outcome = dense_.factor(sum, C_, tolerance); outcome != Outcome::ok) return outcome;
    Vector d(n_), force = x_.head(n_), l(m_);
    dense_.solve(force, -c_, d);
    sum.multiply(d, -1, force);
    dense_.multipliers(force, l);
    x_ << d, l;
    return x_.allFinite() ? Outcome::ok : Outcome::not_finite;
  }

  void curvature(const Vector& u) {
    Vector moved = u, plus(n_), minus(n_);
    H_.begin();
    for (Eigen::Index j = 0; j < n_; ++j) {
      const double step = central_difference * scale_;
      plus.setZero(), minus.setZero();
      moved[j] = u[j] + step;
      manifold_.gradient(moved, near_);
      near_.multiply_transposed(l_, 1, plus);
      moved[j] = u[j] - step;
      manifold_.gradient(moved, near_);
      near_.multiply_transposed(l_, 1, minus);
      moved[j] = u[j];
      for (Eigen::Index i = 0; i < n_; ++i) H_.add(i, j, (plus[i] - minus[i]) / (2 * step));
    }
    H_.end();
  }

  const Manifold& manifold_;
  const Entries& K_;
  double scale_;
  Eigen::Index n_, m_;
  IterationMatrix flat_, bent_;
  LeastConstraint dense_;
  Entries C_, near_, H_;
  Vector x_, c_, l_;
  Statistics unseen_;
};

/// Gauss-Newton with a line search: onto the manifold, from far away too.
Outcome descend(Search& search, Vector& u, double scale, double tolerance) {
  double gap = search.gap(u);
  for (int round = 0; round < 100; ++round) {
    if (!std::isfinite(gap)) return Outcome::not_finite;
    if (gap == 0) return Outcome::ok;
    if (const Outcome outcome = search.step(u); outcome != Outcome::ok) return outcome;
    const Vector d = search.d();
    double factor = 1, next = search.gap(u + d);
    while (!(next <= (1 - 1e-4 * factor) * gap) && factor > 1e-6) {
      factor /= 2;
      next = search.gap(u + factor * d);
    }
    if (!(next < gap)) break;  // rounding, or a point from which no way leads down
    u += factor * d;
    gap = next;
    if (factor * largest(d) <= rounding * scale) break;
  }
  search.gap(u);
  return search.largest_value() <= tolerance ? Outcome::ok : Outcome::projection_failed;
}

/// From a point of the manifold to the nearest one. Stays where it was if that does not lead closer.
void approach(Search& search, Vector& u, double scale, double tolerance) {
  const double before = search.cost(u);
  Vector at = u;
  for (int round = 0; round < 50; ++round) {
    search.gap(at);
    if (search.step_from_origin(at) != Outcome::ok) return;
    at += search.d();
    const double size = largest(search.d());
    if (!(size <= 1e3 * scale)) return;
    if (size > 1e-12 * scale) continue;
    search.gap(at);
    if (search.largest_value() <= tolerance && search.cost(at) <= before) u = at;
    return;
  }
}

}  // namespace

NearestPoint nearest_point(const Manifold& manifold, const Entries& K, double scale, double tolerance) {
  Search search(manifold, K, scale);
  NearestPoint found{Outcome::ok, Vector::Zero(manifold.size), Vector::Zero(manifold.rows)};
  found.outcome = descend(search, found.u, scale, tolerance);
  if (found.outcome == Outcome::ok && manifold.shape == Manifold::Shape::curved)
    approach(search, found.u, scale, tolerance);
  search.gap(found.u);
  found.residual = search.value();
  return found;
}

}  // namespace dalembert
