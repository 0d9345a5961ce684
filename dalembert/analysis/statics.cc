#include "dalembert/analysis/statics.h"

#include <algorithm>
#include <cmath>

#include "dalembert/analysis/known_rank.h"
#include "dalembert/linear/rank.h"

namespace dalembert {

namespace {

/// Beside the largest inertia: what turns a thin bar about its own axis would otherwise rule the search.
constexpr double slender = 1e-3;
constexpr double stiffness_rounding = 1e-13;  // of an entry, beside what it is the sum of
constexpr double force_rounding = 4e-16;      // beside forces that cancel, and of a coordinate

/// Sums of what entries are made of, without signs.
Matrix without_signs(const Entries& entries, Eigen::Index rows, Eigen::Index columns) {
  Matrix all = Matrix::Zero(rows, columns);
  for (std::size_t k = 0; k < entries.size(); ++k)
    all(entries.row(k), entries.column(k)) += std::abs(entries.value(k));
  return all;
}

}  // namespace

Statics::Statics(const Mechanical& problem, const State& guess, double tolerance)
    : problem_(&problem),
      n_(problem.sizes()),
      part_(n_),
      felt_(felt_states(problem)),
      tolerance_(tolerance),
      t_(guess.t),
      q_(part_.q(guess.y)),
      s_(part_.s(guess.y)),
      l_(Vector::Zero(n_.rows())),
      held_(Vector::Zero(n_.v)),
      held_rates_(Vector::Zero(static_cast<Eigen::Index>(felt_.size()))) {}

bool Statics::settle() {
  if (n_.holonomic == 0) return q_.allFinite();
  Vector g(n_.holonomic), q(n_.q);
  double last = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 50; ++round) {
    const auto at = problem_->placed_at(t_, q_);
    problem_->g(*at, g);
    const double size = largest(g), scale = 1 + largest(q_);
    if (!std::isfinite(size)) return false;
    if (size <= 1e-14 * scale || (size > .5 * last && size <= std::max(1e-10, tolerance_) * scale))
      return true;
    last = size;
    Entries rows;
    problem_->jacobian(*at, rows);
    const RowInverse inverse(rows.dense(n_.rows(), n_.v).topRows(n_.holonomic), tolerance_);
    problem_->advance(*at, inverse(-g), q);
    q_ = q;
  }
  return false;
}

bool Statics::look() {
  if (!settle()) return false;
  const auto at = problem_->placed_at(t_, q_);
  const Vector rest = Vector::Zero(n_.v);
  Entries mass, rows;
  problem_->mass(*at, mass);
  problem_->jacobian(*at, rows);
  const Matrix J = rows.dense(n_.rows(), n_.v);
  f_.resize(n_.v), ds_.resize(n_.s);
  problem_->force(*at, rest, s_, f_);
  if (n_.s > 0) problem_->auxiliary(*at, rest, s_, ds_);
  ds_ = ds_(felt_).eval();
  if (!f_.allFinite() || !ds_.allFinite()) return false;
  l_ = RowInverse(J, tolerance_).multipliers(force());
  Z_ = null_space(J, tolerance_);
  own_ = reduce_columns(Z_);

  Derivatives d;
  problem_->derivatives(*at, rest, s_, rest, l_, d);
  const Matrix K = d.K.dense(n_.v, n_.v), S = d.S.dense(n_.v, n_.s)(Eigen::all, felt_),
               k_q = d.k_q.dense(n_.s, n_.v)(felt_, Eigen::all), k_s = d.k_s.dense(n_.s, n_.s)(felt_, felt_);
  counting_ = d.k_v.dense(n_.s, n_.v);
  const auto states = static_cast<Eigen::Index>(felt_.size());
  const Eigen::Index free = Z_.cols(), n = free + states;
  tangent_.resize(n, n);
  tangent_ << Z_.transpose() * K * Z_, Z_.transpose() * S, -k_q * Z_, -k_s;
  const Matrix Z = Z_.cwiseAbs();
  doubt_ = Matrix::Zero(n, n);
  doubt_.topLeftCorner(free, free) = stiffness_rounding * Z.transpose() * without_signs(d.K, n_.v, n_.v) * Z;
  rate_size_ = dalembert::size_of_rates(*problem_, s_, rest, d.k_q.dense(n_.s, n_.v), counting_,
                                        d.k_s.dense(n_.s, n_.s))(felt_);
  inertia_ = Matrix::Identity(n, n);
  Matrix M = mass.dense(n_.v, n_.v);
  mass_ = Z_.transpose() * M * Z_;
  if (n_.v > 0) M.diagonal().array() += slender * M.diagonal().maxCoeff();
  inertia_.topLeftCorner(free, free) = Z_.transpose() * M * Z_;
  push_.resize(n);
  push_ << Z_.transpose() * force(), ds_ - kept_ * held_rates_;
  const Vector borne = J.cwiseAbs().transpose() * l_.cwiseAbs();
  const Vector from_states = S.cwiseAbs() * s_(felt_).cwiseAbs();  // pressures that cancel
  load_ = std::max({largest(f_), largest(borne), largest(from_states)});
  loads_ = Z.transpose() * (f_.cwiseAbs() + borne + from_states);
  noise_ = Vector::Zero(n);
  const Vector stretched = without_signs(d.K, n_.v, n_.v) * sizes_of_positions(*problem_, q_);
  noise_.head(free) =
      force_rounding * blurred(Z_.transpose(), 1) * (f_.cwiseAbs() + borne + from_states + stretched);
  return tangent_.allFinite();
}

Statics Statics::displaced(const Vector& y) const {
  Statics next = *this;
  const Vector u = displacement(y);
  problem_->advance(*problem_->placed_at(t_, q_), u, next.q_);
  for (const Eigen::Index i : problem_->turn_counters()) next.s_[i] += counting_.row(i).dot(u);
  next.s_(felt_) += y.tail(static_cast<Eigen::Index>(felt_.size()));
  return next;
}

void Statics::hold() {
  held_ = f_, held_rates_ = ds_;
  kept_ = 1;
}

Vector Statics::unborne() const {
  return Z_ * (Z_.transpose() * Z_).ldlt().solve(push_.head(Z_.cols()));
}

double Statics::unbalanced() const {
  return largest(push_.head(Z_.cols()));
}

double Statics::haste() const {
  return std::sqrt(std::max(0., push_.dot(inertia_.ldlt().solve(push_))));
}

double Statics::softest() const {
  const Eigen::Index free = Z_.cols();
  if (free == 0) return 0;
  const Matrix K = tangent_.topLeftCorner(free, free);
  const Eigen::LLT<Matrix> root(inertia_.topLeftCorner(free, free));
  if (root.info() != Eigen::Success) return 0;
  Matrix inner = root.matrixL().solve(K + K.transpose()) / 2;
  inner = root.matrixL().solve(inner.transpose()).eval();
  return Eigen::SelfAdjointEigenSolver<Matrix>(inner).eigenvalues()[0];
}

double Statics::unrest() const {
  return dalembert::unrest(push_.tail(rate_size_.size()), rate_size_);
}

double Statics::resilience() const {
  return largest(resiliences());
}

Vector Statics::resiliences() const {
  const Eigen::Index free = Z_.cols();
  return 1e-12 * (1 + largest(q_)) * tangent_.topLeftCorner(free, free).cwiseAbs().rowwise().sum();
}

State Statics::state() const {
  State all{t_, Vector::Zero(part_.size())};
  part_.q(all.y) = q_, part_.s(all.y) = s_, part_.multipliers(all.y) = l_;
  return all;
}

}  // namespace dalembert
