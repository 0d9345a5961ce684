#include "dalembert/constraints/redundancy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "dalembert/linear/least_constraint.h"
#include "dalembert/linear/rank.h"
#include "dalembert/nonlinear/nearest_point.h"

namespace dalembert {

namespace {

constexpr double counts = 1e-8;     // a coefficient of unit rows; below it is rounding
constexpr double far_enough = .01;  // displacement that leads away from a singular position

/// Rows of unit length at consistent positions.
class Sampler {
 public:
  Sampler(const Mechanical& problem, const State& state)
      : problem_(problem), n_(problem.sizes()), part_(n_), at_(problem.placement()) {
    identity_.begin();
    for (Eigen::Index i = 0; i < n_.v; ++i) identity_.add(i, i, 1);
    identity_.end();
    least_.bind(n_.v, n_.rows());
    problem_.place_at(*at_, state.t, part_.q(state.y));
    settle();
    t_ = at_->t;
    q_ = at_->q;
    v_ = part_.v(state.y);
  }

  Matrix here() {
    problem_.place_at(*at_, t_, q_);
    return unit_rows();
  }

  /// At the consistent position nearest to the one displaced by u; nothing if there is none.
  std::optional<Matrix> at(double dt, const Vector& u) {
    problem_.place_at(*at_, t_ + dt, q_);
    Vector moved(n_.q);
    problem_.advance(*at_, u, moved);
    at_->q = moved;
    problem_.place(*at_);
    if (!settle()) return {};
    return unit_rows();
  }

  /// Displacements along v (as time passes), and along other directions that the rows allow.
  std::vector<Matrix> nearby(const Matrix& here) {
    std::vector<Matrix> all;
    const auto look = [&](double dt, const Vector& u) {
      for (double part = 1; part > 1e-3; part /= 4)
        if (auto rows = at(part * dt, part * u)) {
          all.push_back(std::move(*rows));
          return;
        }
    };
    const double speed = largest(v_);
    for (const double side : {1.0, -1.0})
      if (speed > 0) look(side * far_enough / speed, side * far_enough / speed * v_);
    const Matrix Z = null_space(here, counts);
    for (int k = 1; k <= 3; ++k) {
      Vector direction(Z.cols());
      for (Eigen::Index j = 0; j < Z.cols(); ++j)
        direction[j] = std::cos(1.3 * k + 2.1 * static_cast<double>(j));
      const Vector u = Z * direction;
      if (const double size = largest(u); size > 0) look(0, far_enough / size * u);
    }
    return all;
  }

 private:
  Matrix unit_rows() {
    problem_.jacobian(*at_, J_);
    Matrix rows = J_.dense(n_.rows(), n_.v);
    for (Eigen::Index i = 0; i < rows.rows(); ++i)
      if (const double length = rows.row(i).norm(); length > 0) rows.row(i) /= length;
    return rows;
  }

  /// Onto the constraints, to rounding.
  bool settle() {
    if (n_.holonomic == 0) return true;
    Vector c = Vector::Zero(n_.rows()), u(n_.v), q(n_.q);
    const double scale = 1 + largest(at_->q);
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 30; ++round) {
      problem_.g(*at_, c.head(n_.holonomic));
      const double size = c.norm();
      if (!std::isfinite(size)) return false;
      if (size <= 1e-15 * scale || (size > .5 * last && size <= 1e-11 * scale)) return true;
      last = size;
      problem_.jacobian(*at_, J_);
      G_.begin();
      for (std::size_t k = 0; k < J_.size(); ++k)
        if (J_.row(k) < n_.holonomic) G_.add(J_.row(k), J_.column(k), J_.value(k));
      G_.end();
      if (least_.factor(identity_, G_, std::clamp(size / scale, 1e-7, 1e-3)) != Outcome::ok) return false;
      least_.solve(Vector::Zero(n_.v), -c, u);
      problem_.advance(*at_, u, q);
      at_->q = q;
      problem_.place(*at_);
    }
    return false;
  }

  const Mechanical& problem_;
  Mechanical::Sizes n_;
  MechanicalState part_;
  std::unique_ptr<Placement> at_;
  double t_ = 0;
  Vector q_, v_;
  Entries J_, G_, identity_;
  LeastConstraint least_;
};

/// C with rows(dependent) = C rows(independent).
Matrix coefficients(const Matrix& rows, const std::vector<Eigen::Index>& dependent,
                    const std::vector<Eigen::Index>& independent) {
  if (independent.empty()) return Matrix::Zero(static_cast<Eigen::Index>(dependent.size()), 0);
  const Matrix kept = rows(independent, Eigen::all).transpose(),
               left = rows(dependent, Eigen::all).transpose();
  return kept.colPivHouseholderQr().solve(left).transpose();
}

/// Of rows that follow from each other the later ones, as people count, where the earlier ones are good company; else
/// what pivoting finds.
std::vector<Eigen::Index> choose_dependent(const Matrix& rows, Eigen::Index rank) {
  constexpr double clear = .1;  // of a unit row, beyond the span of those before it
  constexpr double mild = 10;   // coefficients
  std::vector<Eigen::Index> kept, left;
  Matrix basis(rows.cols(), rank);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const auto count = static_cast<Eigen::Index>(kept.size());
    Vector row = rows.row(i).transpose();
    for (int twice = 0; twice < 2; ++twice)
      row -= basis.leftCols(count) * (basis.leftCols(count).transpose() * row);
    if (count == rank || row.norm() < clear) {
      left.push_back(i);
    } else {
      basis.col(count) = row.normalized();
      kept.push_back(i);
    }
  }
  if (static_cast<Eigen::Index>(kept.size()) == rank) {
    const Matrix C = coefficients(rows, left, kept);
    if (C.size() == 0 || C.cwiseAbs().maxCoeff() <= mild) return left;
  }
  return dependent_rows(rows);
}

}  // namespace

std::vector<Eigen::Index> Redundancy::independent() const {
  std::vector<Eigen::Index> all;
  for (Eigen::Index i = 0; i < rows; ++i)
    if (std::none_of(dependent.begin(), dependent.end(), [&](const Dependent& d) { return d.row == i; }))
      all.push_back(i);
  return all;
}

Redundancy find_redundancy(const Mechanical& problem, const State& state) {
  Redundancy found;
  const Mechanical::Sizes n = problem.sizes();
  found.rows = n.rows();
  found.velocities = n.v;
  if (n.rows() == 0) return found;
  Sampler sampler(problem, state);
  const Matrix here = sampler.here();
  found.rank_here = found.rank = numerical_rank(here);
  found.singular_values = here.cols() > 0 ? Vector(here.bdcSvd().singularValues()) : Vector();
  std::vector<Matrix> samples;
  if (found.rank_here < n.rows()) samples = sampler.nearby(here);
  samples.insert(samples.begin(), here);
  for (const Matrix& rows : samples) found.rank = std::max(found.rank, numerical_rank(rows));
  std::erase_if(samples, [&](const Matrix& rows) { return numerical_rank(rows) < found.rank; });

  const auto dependent = choose_dependent(samples.front(), found.rank);
  for (const Eigen::Index i : dependent) found.dependent.push_back({i, {}});
  const auto independent = found.independent();
  std::vector<bool> unique(static_cast<std::size_t>(n.rows()), true);
  for (const Matrix& rows : samples) {
    const Matrix C = coefficients(rows, dependent, independent);
    for (std::size_t d = 0; d < dependent.size(); ++d) {
      unique[static_cast<std::size_t>(dependent[d])] = false;
      for (std::size_t j = 0; j < independent.size(); ++j) {
        if (!(std::abs(C(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(j))) > counts)) continue;
        unique[static_cast<std::size_t>(independent[j])] = false;
        auto& on = found.dependent[d].on;
        if (std::find(on.begin(), on.end(), independent[j]) == on.end()) on.push_back(independent[j]);
      }
    }
  }
  for (auto& d : found.dependent) std::sort(d.on.begin(), d.on.end());
  for (Eigen::Index i = 0; i < n.rows(); ++i)
    if (unique[static_cast<std::size_t>(i)]) found.unique.push_back(i);
  return found;
}

Eigen::Index rank_at(const Mechanical& problem, const State& state) {
  return problem.sizes().rows() == 0 ? 0 : numerical_rank(Sampler(problem, state).here());
}

}  // namespace dalembert
