#include "dalembert/constraints/redundancy.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "dalembert/linear/least_constraint.h"
#include "dalembert/linear/rank.h"
#include "dalembert/linear/symmetric_eigen.h"
#include "dalembert/nonlinear/nearest_point.h"

namespace dalembert {

namespace {

constexpr double counts = 1e-8;     // a coefficient of unit rows; below it is rounding
constexpr double far_enough = .01;  // displacement that leads away from a singular position
constexpr double roughest = 3e-3;   // singular value of unit rows that a drawing of three digits may leave
constexpr double gap = 30;          // between that and the next one
constexpr double as_drawn = 30;     // times that value: residuals around which are of the same digits

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

  /// From now on unit rows that stick out by less follow from others, and residuals up to that (of positions of size 1) may
  /// stay.
  void allow(double tolerance, double residual) {
    tolerance_ = tolerance;
    residual_ = residual;
  }
  double left() const { return left_; }

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
    // What came back lies on a position that stands alone, and says nothing about the way.
    if (residual_ > 0 && (at_->q - q_).norm() < .5 * (moved - q_).norm()) return {};
    return unit_rows();
  }

  /// The same rows in no units: lengths and angles are compared by what the bodies are like (a joint that is a thousand lengths
  /// away from its body looks like one that only turns it), and then whatever is small for its mass alone is made larger.
  Matrix without_units(Matrix rows) const {
    Entries M;
    problem_.mass(*at_, M);
    Vector inertia = Vector::Zero(n_.v);
    for (std::size_t k = 0; k < M.size(); ++k)
      if (M.row(k) == M.column(k)) inertia[M.row(k)] += M.value(k);
    for (Eigen::Index j = 0; j < n_.v; ++j)
      if (inertia[j] > 0) rows.col(j) /= std::sqrt(inertia[j]);
    const auto halve = [](auto&& entries) {
      if (const double size = entries.cwiseAbs().maxCoeff(); size > 0) entries /= std::sqrt(size);
    };
    for (int round = 0; round < 5; ++round) {
      for (Eigen::Index i = 0; i < rows.rows(); ++i) halve(rows.row(i));
      for (Eigen::Index j = 0; j < rows.cols(); ++j) halve(rows.col(j));
    }
    return rows;
  }

  /// Displacements along v (as time passes), and along other directions that the rows allow.
  enum class Distance { any, whole };  ///< shorter ones too, where no position is found so far away
  std::vector<Matrix> nearby(const Matrix& here, double far, Distance distance = Distance::any) {
    std::vector<Matrix> all;
    const auto look = [&](double dt, const Vector& u) {
      for (double part = 1; part > (distance == Distance::any ? 1e-3 : .5); part /= 4)
        if (auto rows = at(part * dt, part * u)) {
          all.push_back(std::move(*rows));
          return;
        }
    };
    const double speed = largest(v_);
    for (const double side : {1.0, -1.0})
      if (speed > 0) look(side * far / speed, side * far / speed * v_);
    const Matrix Z = null_space(here, std::max(counts, tolerance_));
    for (int k = 1; k <= 3; ++k) {
      Vector direction(Z.cols());
      for (Eigen::Index j = 0; j < Z.cols(); ++j)
        direction[j] = std::cos(1.3 * k + 2.1 * static_cast<double>(j));
      const Vector u = Z * direction;
      if (const double size = largest(u); size > 0) look(0, far / size * u);
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
      if (size <= 1e-15 * scale || (size > .5 * last && size <= std::max(residual_, 1e-11) * scale)) {
        left_ = std::max(left_, largest(c));
        return true;
      }
      last = size;
      problem_.jacobian(*at_, J_);
      G_.begin();
      for (std::size_t k = 0; k < J_.size(); ++k)
        if (J_.row(k) < n_.holonomic) G_.add(J_.row(k), J_.column(k), J_.value(k));
      G_.end();
      const double dependent = std::max(std::clamp(size / scale, 1e-7, 1e-3), tolerance_);
      if (least_.factor(identity_, G_, dependent) != Outcome::ok) return false;
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
  double tolerance_ = 0, residual_ = 0;
  double left_ = 0;  // the largest residual of positions that were taken
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
  const Eigen::ColPivHouseholderQR<Matrix> qr(rows.transpose());
  std::vector<Eigen::Index> last;
  for (Eigen::Index k = rank; k < rows.rows(); ++k) last.push_back(qr.colsPermutation().indices()[k]);
  std::sort(last.begin(), last.end());
  return last;
}

Eigen::Index count_above(const Vector& values, double small) {
  return (values.array() > small).count();
}

Eigen::Index rank_of(const Matrix& rows, double tolerance) {
  if (tolerance <= rank_tolerance || rows.size() == 0) return numerical_rank(rows);
  return count_above(rows.bdcSvd().singularValues(), tolerance);
}

/// The singular values of rows that are clearly independent, even to a drawing of three digits; nothing if some are small. From the
/// squares, where large ones lose no digit that counts: a tenth of the work of a decomposition.
std::optional<Vector> clear_singular_values(const Matrix& rows) {
  if (rows.rows() == 0 || rows.rows() > rows.cols() || !rows.allFinite()) return {};
  const Vector squares = symmetric_eigenvalues(rows * rows.transpose());
  if (!(squares[0] > roughest * roughest)) return {};
  return Vector(squares.reverse().cwiseSqrt());
}

/// In the middle of the gap between singular values, if there is one that a rounded drawing explains; else nothing.
std::optional<double> find_gap(const Vector& sigma, Eigen::Index rank) {
  std::optional<double> middle;
  for (Eigen::Index k = 1; k < std::min(rank, sigma.size()); ++k)
    if (sigma[k] < roughest && sigma[k - 1] > gap * sigma[k]) {
      middle = std::sqrt(sigma[k] * sigma[k - 1]);
      break;
    }
  return middle;
}

/// Do the rows below the gap follow from the others at positions around, as nearly as they do here?
bool roughly_dependent(Sampler& sampler, const Matrix& here, const Vector& sigma, double middle) {
  const Eigen::Index rank = count_above(sigma, middle);
  sampler.allow(middle, as_drawn * sigma[rank]);
  const auto samples =
      sampler.nearby(here, std::clamp(10 * middle, far_enough, .2), Sampler::Distance::whole);
  const auto likewise = [&](const Matrix& rows) {
    return rank_of(rows, middle) == rank && rank_of(sampler.without_units(rows), middle) == rank;
  };
  // A lever of a millimetre is short beside the metre, but not in a mechanism of a few centimetres.
  const Vector plain = sampler.without_units(here).bdcSvd().singularValues();
  const bool rough = plain.size() > rank && plain[rank] < roughest;
  return rough && samples.size() > 1 && likewise(here) &&
         std::all_of(samples.begin(), samples.end(), likewise);
}

}  // namespace

std::vector<Eigen::Index> Redundancy::independent() const {
  std::vector<Eigen::Index> all;
  for (Eigen::Index i = 0; i < rows; ++i)
    if (std::none_of(dependent.begin(), dependent.end(), [&](const Dependent& d) { return d.row == i; }))
      all.push_back(i);
  return all;
}

Redundancy find_redundancy(const Mechanical& problem, const State& state, std::optional<double> tolerance) {
  Redundancy found;
  const Mechanical::Sizes n = problem.sizes();
  found.rows = n.rows();
  found.velocities = n.v;
  if (n.rows() == 0) return found;
  Sampler sampler(problem, state);
  const Matrix here = sampler.here();
  found.tolerance = rank_tolerance;
  if (const auto clear = tolerance ? std::nullopt : clear_singular_values(here)) {
    found.singular_values = *clear;
    found.rank_here = found.rank = n.rows();
    found.unique.resize(static_cast<std::size_t>(n.rows()));
    std::iota(found.unique.begin(), found.unique.end(), 0);
    return found;
  }
  found.singular_values = here.cols() > 0 ? Vector(here.bdcSvd().singularValues()) : Vector();
  found.tolerance = tolerance.value_or(rank_tolerance);
  sampler.allow(tolerance.value_or(0), tolerance.value_or(0));
  if (const auto middle = tolerance ? std::nullopt : find_gap(found.singular_values, numerical_rank(here))) {
    // What is drawn are positions: rows of velocities (a contact that sticks behind a gear of 1000) are as exact as they look.
    const bool drawn = n.holonomic - rank_of(here.topRows(n.holonomic), *middle) ==
                       n.rows() - count_above(found.singular_values, *middle);
    if (drawn && roughly_dependent(sampler, here, found.singular_values, *middle))
      found.tolerance = *middle;
    else
      sampler.allow(0, 0);
  }
  const auto rank = [&](const Matrix& rows) { return rank_of(rows, found.tolerance); };
  found.rank_here = found.rank = rank(here);
  std::vector<Matrix> samples;
  if (found.rank_here < n.rows()) samples = sampler.nearby(here, far_enough);
  if (found.tolerance > rank_tolerance && found.rank_here < found.singular_values.size())
    found.inconsistent = std::max(sampler.left(), found.singular_values[found.rank_here]);
  samples.insert(samples.begin(), here);
  for (const Matrix& rows : samples) found.rank = std::max(found.rank, rank(rows));
  std::erase_if(samples, [&](const Matrix& rows) { return rank(rows) < found.rank; });

  const auto dependent = choose_dependent(samples.front(), found.rank);
  for (const Eigen::Index i : dependent) found.dependent.push_back({i, {}});
  const auto independent = found.independent();
  std::vector<bool> unique(static_cast<std::size_t>(n.rows()), true);
  const double noise = std::max(counts, found.tolerance);
  for (const Matrix& rows : samples) {
    const Matrix C = coefficients(rows, dependent, independent);
    for (std::size_t d = 0; d < dependent.size(); ++d) {
      unique[static_cast<std::size_t>(dependent[d])] = false;
      for (std::size_t j = 0; j < independent.size(); ++j) {
        if (!(std::abs(C(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(j))) > noise)) continue;
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

bool clearly_independent(const Mechanical& problem, const State& state) {
  const Mechanical::Sizes n = problem.sizes();
  if (n.rows() > n.v) return false;
  const auto at = problem.placement();
  problem.place_at(*at, state.t, MechanicalState(n).q(state.y));
  Entries J;
  problem.jacobian(*at, J);
  Vector length = Vector::Zero(n.rows());
  for (std::size_t k = 0; k < J.size(); ++k) length[J.row(k)] += J.value(k) * J.value(k);
  if (!(length.array() > 0).all() || !length.allFinite()) return false;
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < J.size(); ++k)
    entries.emplace_back(static_cast<int>(J.column(k)), static_cast<int>(J.row(k)),
                         J.value(k) / std::sqrt(length[J.row(k)]));
  // All singular values are beyond `roughest` if J J' less its square is positive definite.
  Eigen::SparseMatrix<double> transposed(n.v, n.rows()), gram;
  transposed.setFromTriplets(entries.begin(), entries.end());
  gram = transposed.transpose() * transposed;
  for (int i = 0; i < gram.cols(); ++i) gram.coeffRef(i, i) -= roughest * roughest;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(gram);
  return factors.info() == Eigen::Success && (factors.vectorD().array() > 0).all();
}

Eigen::Index rank_at(const Mechanical& problem, const State& state) {
  return problem.sizes().rows() == 0 ? 0 : numerical_rank(Sampler(problem, state).here());
}

}  // namespace dalembert
