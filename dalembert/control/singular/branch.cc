#include "dalembert/control/singular/branch.h"

#include <algorithm>
#include <cmath>

namespace dalembert {

namespace {
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();
/// Of 1/sigma^2, between two rounds: vectors are then known to its root, and next to dependent rows far better.
constexpr double settled = 1e-3;
}  // namespace

double RankCheck::ahead() const {
  if (sigma == 0) return 0;
  return rate == 0 ? infinity : -sigma / rate;
}

Branch::Branch(const Mechanical& problem, Statistics& statistics, const State& start,
               const SaddlePoint* planned)
    : problem_(problem),
      n_(problem.sizes()),
      statistics_(statistics),
      at_(problem.placement()),
      moved_(problem.placement()) {
  at_->t = start.t;
  at_->q = start.y.head(n_.q);
  problem_.place(*at_);
  moved_->q = at_->q;
  problem_.mass(*at_, M_);
  problem_.jacobian(*at_, J_);
  problem_.jacobian(*at_, moved_J_);
  if (planned != nullptr && planned->symmetry() == Symmetry::symmetric)
    saddle_.bind_like(*planned);
  else
    saddle_.bind(n_.v, n_.rows(), M_, J_, Symmetry::symmetric);
  inverse_root_mass_ = Vector::Zero(n_.v);
  raised_here_.assign(static_cast<std::size_t>(n_.v), false);
  scale_ = row_length_ = row_entry_ = row_ = row_sums_ = Vector::Zero(n_.rows());
  column_sums_ = difference_ = Vector::Zero(n_.v);
  x_ = right_ = residual_ = Vector::Zero(n_.v + n_.rows());
  q_ = Vector::Zero(n_.q);
  g_ = Vector::Zero(n_.holonomic);
  generic_.resize(n_.rows());
  for (Eigen::Index i = 0; i < generic_.size(); ++i)
    generic_[i] = 1.5 + std::sin(1.7 * static_cast<double>(i * i));
  generic_.normalize();
  u_ = generic_;
  remembered_.assign(J_.size(), 0);
  slope_ = remembered_;
  measure_rows(start);
}

/// Rows that vanish at the start get the length they have along a line through it.
void Branch::measure_rows(const State& start) {
  const MechanicalState part(n_);
  Vector direction = part.v(start.y);
  if (largest(direction) == 0 || !direction.allFinite())
    for (Eigen::Index j = 0; j < direction.size(); ++j)
      direction[j] = std::cos(1 + 2.3 * static_cast<double>(j));
  direction /= largest(direction);
  for (const double far : {-.7, -.2, .2, .7, 0.}) {
    problem_.advance(*at_, far * direction, q_);
    moved_->t = start.t;
    copy(q_, moved_->q);
    problem_.place(*moved_);
    problem_.jacobian(*moved_, J_);
    if (std::all_of(J_.values(), J_.values() + J_.size(), [](double x) { return std::isfinite(x); }))
      rescale();
  }
  problem_.jacobian(*at_, J_);
}

/// A row that vanishes somewhere keeps the length it had elsewhere.
void Branch::rescale() {
  balance();
  row_.setZero();
  for (std::size_t k = 0; k < J_.size(); ++k) {
    const double entry = J_.value(k) * inverse_root_mass_[J_.column(k)];
    row_[J_.row(k)] += entry * entry;
    row_entry_[J_.row(k)] = std::max(row_entry_[J_.row(k)], std::abs(J_.value(k)));
  }
  for (Eigen::Index i = 0; i < row_.size(); ++i) {
    if (scale_[i] != 0 && !(row_[i] > row_length_[i] * row_length_[i])) continue;
    row_length_[i] = std::max(row_length_[i], std::sqrt(row_[i]));
    scale_[i] = row_length_[i] > 0 ? 1 / row_length_[i] : 1;
  }
}

// M_jj over the square of column j of the scaled rows has one unit for all j: where it is small, little is asked of a
// coordinate that yields too easily. What is added stays what it is where the motion begins: sigma must change with the position alone.
void Branch::balance() {
  constexpr double least = .1;  // of the largest; within, kinetic energy is a good measure as it is
  inverse_root_mass_.setZero();
  for (std::size_t k = 0; k < M_.size(); ++k)
    if (M_.row(k) == M_.column(k)) inverse_root_mass_[M_.row(k)] += M_.value(k);
  if (added_.size() == 0) {
    Vector length = Vector::Zero(n_.v);  // squared, of the columns
    for (std::size_t k = 0; k < J_.size(); ++k) {
      const double entry = scale_[J_.row(k)] * J_.value(k);
      length[J_.column(k)] += entry * entry;
    }
    double most = 0;
    for (Eigen::Index j = 0; j < n_.v; ++j)
      if (length[j] > 0) most = std::max(most, inverse_root_mass_[j] / length[j]);
    added_ = (least * most * length - inverse_root_mass_).cwiseMax(0);
    raised_ = largest(added_) > 0;
  }
  if (raised_) {
    std::fill(raised_here_.begin(), raised_here_.end(), false);
    K_.begin();
    for (std::size_t k = 0; k < M_.size(); ++k) {
      const int i = M_.row(k), j = M_.column(k);
      // Once, though an entry may be written in several parts.
      const bool first = i == j && !raised_here_[static_cast<std::size_t>(j)];
      if (first) raised_here_[static_cast<std::size_t>(j)] = true;
      K_.add(i, j, M_.value(k) + (first ? added_[j] : 0));
    }
    K_.end();
    inverse_root_mass_ += added_;
  }
  const double largest_mass = largest(inverse_root_mass_);
  for (double& m : inverse_root_mass_)
    m = 1 / std::sqrt(std::max(m, 1e-6 * (largest_mass > 0 ? largest_mass : 1)));
}

double Branch::noise() const {
  double most = 0;
  for (Eigen::Index i = 0; i < scale_.size(); ++i) most = std::max(most, scale_[i] * row_entry_[i]);
  return epsilon * (1 + largest(at_->q)) * (most > 0 ? most : 1);
}

void Branch::move(double t, In q) {
  if (visited_ && moved_->t == t && moved_->q == q) {  // how far it is was asked before
    std::swap(at_, moved_);
    std::swap(J_, moved_J_);
  } else {
    at_->t = t;
    copy(q, at_->q);
    problem_.place(*at_);
    problem_.jacobian(*at_, J_);
    ++statistics_.jacobians;
  }
  visited_ = false;
  problem_.mass(*at_, M_);
  rescale();
}

Outcome Branch::factor(double t, In q) {
  move(t, q);
  x_.setZero();
  return factored_ = saddle_.solve(metric(), J_, J_, x_, statistics_);
}

Outcome Branch::solve(Out x, Metric by) {
  if (factored_ != Outcome::ok) return factored_;
  right_ = x;
  const Entries& K = by == Metric::balanced ? metric() : M_;
  if (const Outcome outcome = saddle_.solve_again(x, statistics_); outcome != Outcome::ok) return outcome;
  residual_ = right_;
  K.multiply(x.head(n_.v), -1, residual_.head(n_.v));
  J_.multiply_transposed(x.tail(n_.rows()), -1, residual_.head(n_.v));
  J_.multiply(x.head(n_.v), -1, residual_.tail(n_.rows()));
  if (const Outcome outcome = saddle_.solve_again(residual_, statistics_); outcome != Outcome::ok)
    return outcome;
  x += residual_;
  return std::isfinite(largest(x)) ? Outcome::ok : Outcome::not_finite;
}

void Branch::check(In v, RankCheck& seen) {
  iterate(Factors::at_hand, v, seen);
}

void Branch::check(double t, In q, In v, RankCheck& seen) {
  move(t, q);
  iterate(Factors::to_be_made, v, seen);
}

// Every solution with (0, u/D) gives S^-1 u in the multipliers and K^-1 J'D of it in the accelerations.
void Branch::iterate(Factors factors, In v, RankCheck& seen) {
  seen.t = at_->t;
  seen.sigma = 0;
  seen.rate = 0;
  seen.u = u_;
  seen.w.setZero(n_.v);
  if (factors == Factors::at_hand && factored_ != Outcome::ok) return;
  // Another singular value may have become the smallest, and its vector be orthogonal to the one that was.
  u_ += (u_.dot(generic_) < 0 ? -.3 : .3) * generic_;
  u_.normalize();
  const int rounds = warm_ ? 4 : 8;
  double last = 0;
  for (int round = 0; round < rounds; ++round) {
    x_.head(n_.v).setZero();
    x_.tail(n_.rows()) = u_.cwiseQuotient(scale_);
    if (factors == Factors::to_be_made && round == 0) {
      factored_ = saddle_.solve(metric(), J_, J_, x_, statistics_);
      if (factored_ != Outcome::ok) {
        u_ = seen.u;
        return;
      }
    } else if (saddle_.solve_again(x_, statistics_) != Outcome::ok) {
      return;
    }
    row_ = -x_.tail(n_.rows()).cwiseQuotient(scale_);
    const double size = row_.norm();
    if (!(size > 0) || !std::isfinite(size)) return;
    u_ = row_ / size;
    seen.w = x_.head(n_.v) / size;
    if (warm_ && std::abs(size - last) < settled * size) break;
    last = size;
  }
  difference_.setZero();
  metric().multiply(seen.w, 1, difference_);
  const double square = seen.w.dot(difference_);
  seen.sigma = square > 0 ? std::sqrt(square) : 0;
  if (seen.sigma == 0) return;
  seen.w /= seen.sigma;
  seen.spread = (seen.w.array().abs() / (1 + v.array().abs())).maxCoeff();
  seen.u = u_;
  seen.rate = rate(v, seen.u, seen.w);
  seen.pace = size(slope_);
  warm_ = true;
}

/// Of the rows along the motion, by a difference from here: exact to about 1e-6 of itself.
double Branch::rate(In v, In u, In w) {
  const double step = 1e-6 / std::max(largest(v), 1e-2);
  visited_ = false;
  difference_ = step * v;
  problem_.advance(*at_, difference_, q_);
  moved_->t = at_->t + step;
  copy(q_, moved_->q);
  problem_.place(*moved_);
  problem_.jacobian(*moved_, moved_J_);
  ++statistics_.jacobians;
  double sum = 0;
  for (std::size_t k = 0; k < slope_.size(); ++k) {
    slope_[k] = (moved_J_.value(k) - J_.value(k)) / step;
    sum += u[J_.row(k)] * scale_[J_.row(k)] * slope_[k] * w[J_.column(k)];
  }
  return sum;
}

int Branch::orientation(const RankCheck& a, const RankCheck& b) {
  if (a.u.size() != b.u.size() || a.w.size() != b.w.size()) return 0;
  difference_.setZero();
  metric().multiply(b.w, 1, difference_);
  const double left = a.u.dot(b.u), right = a.w.dot(difference_);
  if (std::abs(left) < 0.5 || std::abs(right) < 0.5) return 0;
  return left * right > 0 ? 1 : -1;
}

Outcome Branch::project_position(double t, Out q, double* moved) {
  if (const Outcome outcome = factor(t, q); outcome != Outcome::ok) return outcome;
  double sum = 0, last = infinity, last_residual = infinity;
  const double floor = 1.4 * noise();
  for (int round = 0; n_.holonomic > 0; ++round) {
    visited_ = false;
    moved_->t = t;
    copy(q, moved_->q);
    problem_.place(*moved_);
    problem_.g(*moved_, g_);
    ++statistics_.constraint_evaluations;
    const double residual = largest(g_.cwiseProduct(scale_.head(n_.holonomic)));
    if (!std::isfinite(residual)) return Outcome::not_finite;
    if (residual <= floor || (round > 1 && residual < 8 * floor && residual > 0.3 * last_residual)) break;
    if (round == 12) {
      if (residual < 30 * floor) break;
      return Outcome::projection_failed;
    }
    x_.setZero();
    x_.segment(n_.v, n_.holonomic) = -g_;
    if (const Outcome outcome = solve(x_); outcome != Outcome::ok) return outcome;
    const double size = largest(x_.head(n_.v));
    // Not contracting: too close to the dependent rows for this start.
    if (residual > 100 * floor && ((round == 1 && size > 0.35 * last) || (round > 1 && size > 0.9 * last)))
      return Outcome::projection_failed;
    problem_.advance(*moved_, x_.head(n_.v), q_);
    copy(q_, q);
    sum += size;
    if (round > 0 && size > 0.1 * last && residual > 100 * floor)
      if (const Outcome outcome = factor(t, q); outcome != Outcome::ok) return outcome;
    last = size;
    last_residual = residual;
  }
  if (moved != nullptr) *moved = sum;
  return factor(t, q);
}

Outcome Branch::project_velocity(Out v) {
  for (int round = 0; round < 2; ++round) {
    problem_.velocity_bias(*at_, row_);
    J_.multiply(v, 1, row_);
    x_.head(n_.v).setZero();
    x_.tail(n_.rows()) = -row_;
    if (const Outcome outcome = solve(x_); outcome != Outcome::ok) return outcome;
    v += x_.head(n_.v);
  }
  return Outcome::ok;
}

Outcome Branch::accelerate(In v, In s, Out a, Out multipliers) {
  problem_.force(*at_, v, s, x_.head(n_.v));
  problem_.bias(*at_, v, row_);
  ++statistics_.force_evaluations;
  x_.tail(n_.rows()) = -row_;
  if (raised_) {  // a motion needs the factors of M
    right_ = Vector::Zero(x_.size());
    if (const Outcome outcome = saddle_.solve(M_, J_, J_, right_, statistics_); outcome != Outcome::ok)
      return outcome;
  }
  const Outcome outcome = solve(x_, Metric::kinetic);
  copy(x_.head(n_.v), a);
  copy(x_.tail(n_.rows()), multipliers);
  if (raised_) {
    right_.setZero();
    factored_ = saddle_.solve(metric(), J_, J_, right_, statistics_);
  }
  return outcome;
}

/// moved_J_ there, the factors left alone.
void Branch::visit_rows(double t, In q) {
  visited_ = true;
  moved_->t = t;
  copy(q, moved_->q);
  problem_.place(*moved_);
  problem_.jacobian(*moved_, moved_J_);
  ++statistics_.jacobians;
}

void Branch::remember(double t, In q) {
  if (at_->t == t && at_->q == q) {  // where the factors are, so are the rows
    std::copy_n(J_.values(), J_.size(), remembered_.begin());
    return;
  }
  visit_rows(t, q);
  std::copy_n(moved_J_.values(), moved_J_.size(), remembered_.begin());
}

void Branch::remember(Memory& memory) {
  memory(at_->t, at_->q, M_, K_, J_, factored_, warm_, raised_, scale_, row_length_, row_entry_,
         inverse_root_mass_, added_, u_, remembered_);
  if (!memory.reading()) return;
  problem_.place(*at_);
  if (factored_ != Outcome::ok) return;
  Statistics unseen;
  right_.setZero();
  factored_ = saddle_.solve(metric(), J_, J_, right_, unseen);
}

// |B|_2^2 <= |B|_1 |B|_inf
double Branch::size(const std::vector<double>& entries) {
  row_sums_.setZero();
  column_sums_.setZero();
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const int i = J_.row(k), j = J_.column(k);
    const double part = std::abs(entries[k]) * scale_[i] * inverse_root_mass_[j];
    row_sums_[i] += part;
    column_sums_[j] += part;
  }
  return std::sqrt(largest(row_sums_) * largest(column_sums_));
}

double Branch::change(double t, In q) {
  visit_rows(t, q);
  for (std::size_t k = 0; k < slope_.size(); ++k) slope_[k] = moved_J_.value(k) - remembered_[k];
  return size(slope_);
}

}  // namespace dalembert
