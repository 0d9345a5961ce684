#include "dalembert/formulation/by_index/semi_explicit_motion.h"

#include <algorithm>
#include <cmath>

#include "dalembert/core/lanes.h"
#include "dalembert/core/rounding.h"
#include "dalembert/problem/force_directions.h"

namespace dalembert {

namespace {

/// All values of `first`, then zeros; more is added where it belongs.
double* begin_with(const Entries& first, Entries& to) {
  to.begin();
  double* values = to.room(to.size());
  std::copy_n(first.values(), first.size(), values);
  std::fill(values + first.size(), values + to.size(), 0.);
  return values;
}

/// r -= A x for values at places, row after row.
void subtract(const std::vector<Entries::Place>& places, const Vector& values, In x, double* r) {
  const double *A = values.data(), *of = x.data();
  const std::size_t size = places.size();
  for (std::size_t k = 0; k < size;) {
    const int row = places[k].row;
    double sum = r[row];
    for (; k < size && places[k].row == row; ++k) sum -= A[k] * of[places[k].column];
    r[row] = sum;
  }
}

// Arrays that do not overlap, so that several numbers are one operation.

/// u_v = eta a_v, u_q = eta (a_q + u_v)
[[gnu::always_inline]] inline void begin(double eta, const double* __restrict a_q,
                                         const double* __restrict a_v, Eigen::Index n, double* __restrict u_q,
                                         double* __restrict u_v) {
  for (Eigen::Index i = 0; i < n; ++i) {
    u_v[i] = eta * a_v[i];
    u_q[i] = eta * (a_q[i] + u_v[i]);
  }
}

/// What w adds to it.
[[gnu::always_inline]] inline void end(double eta, const double* __restrict w, Eigen::Index n,
                                       double* __restrict u_q, double* __restrict u_v) {
  for (Eigen::Index i = 0; i < n; ++i) {
    const double more = eta * w[i];
    u_v[i] += more;
    u_q[i] += eta * more;
  }
}

DALEMBERT_FOUR_LANES void begin_wide(double eta, const double* a_q, const double* a_v, Eigen::Index n,
                                     double* u_q, double* u_v) {
  begin(eta, a_q, a_v, n, u_q, u_v);
}
void begin_solution(double eta, const double* a_q, const double* a_v, Eigen::Index n, double* u_q,
                    double* u_v) {
  has_four_lanes() ? begin_wide(eta, a_q, a_v, n, u_q, u_v) : begin(eta, a_q, a_v, n, u_q, u_v);
}
DALEMBERT_FOUR_LANES void end_wide(double eta, const double* w, Eigen::Index n, double* u_q, double* u_v) {
  end(eta, w, n, u_q, u_v);
}
void end_solution(double eta, const double* w, Eigen::Index n, double* u_q, double* u_v) {
  has_four_lanes() ? end_wide(eta, w, n, u_q, u_v) : end(eta, w, n, u_q, u_v);
}

}  // namespace

bool SemiExplicitMotion::suits(const Mechanical& problem) {
  return problem.plain() && problem.sizes().s == 0 && as<ForceDirections>(&problem) == nullptr;
}

SemiExplicitMotion::SemiExplicitMotion(const Mechanical& problem, Statistics& statistics)
    : Equations(problem, Stabilisation{}, statistics), n_(problem.sizes()), sums_(as<MotionSums>(&problem)) {
  if (sums_ != nullptr && !sums_->has_sums()) sums_ = nullptr;
  exact_ = sums_ != nullptr && sums_->differentiates_rows();
}

void SemiExplicitMotion::make_room() const {
  if (at_) return;
  const State start = problem().start();
  at_ = mechanics_.make_placement();
  moved_ = mechanics_.make_placement();
  problem().place_at(*at_, start.t, part_.q(start.y));
  problem().mass(*at_, M_);
  problem().jacobian(*at_, J_);
  problem().mass(*at_, near_M_);
  problem().jacobian(*at_, near_J_);
  x_ = Vector::Zero(algebraic());
  v_ = q_ = Vector::Zero(n_.v);
  rows_ = more_ = Vector::Zero(n_.rows());
  problem().derivatives(*at_, part_.v(start.y), part_.s(start.y), v_, rows_, d_);
  dense_ = d_.B.size() > 0 && d_.B.size() == static_cast<std::size_t>(n_.v * n_.rows()) &&
           d_.K.size() == static_cast<std::size_t>(n_.v * n_.v);
  if (!dense_ && !exact_) problem().derivatives(*at_, part_.v(start.y), part_.s(start.y), v_, rows_, near_);
  if (exact_) sums_->row_derivatives(*at_, part_.v(start.y), v_, X_entries_);

  record(places_of(M_, {&d_.K, &d_.D}), M_, left_);
  const std::vector<Entries::Place> below = places_of(J_, {&d_.B});
  record(below, J_, upper_);
  record(below, J_, lower_);
  K_fold_ = fold(d_.K, nullptr, left_);
  D_fold_ = fold(d_.D, nullptr, left_);
  row_fold_ = fold(d_.B, exact_ || dense_ ? nullptr : &J_, lower_);
  runs_ = pair_rows(row_fold_);
  K_ = Vector::Zero(static_cast<Eigen::Index>(K_fold_.places.size()));
  D_ = Vector::Zero(static_cast<Eigen::Index>(D_fold_.places.size()));
  X_ = Y_ = Vector::Zero(static_cast<Eigen::Index>(row_fold_.places.size()));
  matrix_.bind_in_order_of(mechanics_.saddle(), left_, upper_, Symmetry::unsymmetric);
}

void SemiExplicitMotion::move(double t, In q) const {
  const bool there = std::equal(q.data(), q.data() + q.size(), at_->q.data());
  if (there && sums_ != nullptr)
    at_->t = t;
  else if (!there || t != at_->t)
    problem().place_at(*at_, t, q);
}

Outcome SemiExplicitMotion::complete(double t, In y, Out z) const {
  make_room();
  return mechanics_.accelerate(t, part_.q(y), part_.v(y), part_.s(y), {}, z.head(n_.v), z.tail(n_.rows()));
}

void SemiExplicitMotion::rows_at(const Placement& at, In v, In a, Out r) const {
  problem().bias(at, v, r);
  near_J_.multiply(a, 1, r);
}

void SemiExplicitMotion::evaluate(double t, In y, In z, Out dy, Out g) const {
  const auto q = part_.q(y), v = part_.v(y), s = part_.s(y);
  const auto a = z.head(n_.v), l = z.tail(n_.rows());
  copy(v, part_.q(dy));
  copy(a, part_.v(dy));
  move(t, q);
  auto motion = g.head(n_.v);
  auto rows = g.tail(n_.rows());
  if (sums_ != nullptr) return sums_->sums(*at_, v, s, a, l, motion, rows);
  problem().mass(*at_, near_M_);
  problem().jacobian(*at_, near_J_);
  problem().force(*at_, v, s, motion);
  for (Eigen::Index i = 0; i < n_.v; ++i) motion[i] = -motion[i];
  problem().bias(*at_, v, rows);
  near_M_.multiply(a, 1, motion);
  near_J_.multiply_transposed(l, 1, motion);
  near_J_.multiply(a, 1, rows);
}

void SemiExplicitMotion::linearize(double t, In y, In z) const {
  make_room();
  const auto a = z.head(n_.v), l = z.tail(n_.rows());
  move(t, part_.q(y));
  problem().mass(*at_, M_);
  problem().jacobian(*at_, J_);
  problem().derivatives(*at_, part_.v(y), part_.s(y), a, l, d_);
  gather(d_.K.values(), d_.K.size(), K_fold_.goes.data(), K_);
  gather(d_.D.values(), d_.D.size(), D_fold_.goes.data(), D_);
  if (exact_)
    take_rows(y, z);
  else if (dense_)
    differentiate_columns(t, y, z);
  else
    differentiate_rows(t, y, z);
  factored_ = false;
}

/// From the problem itself.
void SemiExplicitMotion::take_rows(In y, In z) const {
  sums_->row_derivatives(*at_, part_.v(y), z.head(n_.v), X_entries_);
  const std::size_t* goes = row_fold_.goes.data();
  gather(X_entries_.values(), X_entries_.size(), goes, X_);
  gather(d_.B.values(), d_.B.size(), goes, Y_);
  for (Eigen::Index k = 0; k < Y_.size(); ++k) Y_[k] *= 2;
}

/// dB/dt and dJ/dt along the motion.
void SemiExplicitMotion::differentiate_rows(double t, In y, In z) const {
  const auto q = part_.q(y), v = part_.v(y);
  const auto a = z.head(n_.v), l = z.tail(n_.rows());
  const double size = 1 + largest(q), rate = std::max(largest(v) / size, std::sqrt(largest(a) / size));
  const double step = central_difference / std::max(1., rate);
  const std::size_t *of_B = row_fold_.goes.data(), *of_J = of_B + d_.B.size();
  gather(d_.B.values(), d_.B.size(), of_B, Y_);
  for (Eigen::Index k = 0; k < X_.size(); ++k) X_[k] = 0;
  for (const double sign : {1., -1.}) {
    q_ = q + sign * step * v;
    v_ = v + sign * step * a;
    problem().place_at(*moved_, t + sign * step, q_);
    problem().jacobian(*moved_, near_J_);
    problem().derivatives(*moved_, v_, part_.s(y), a, l, near_);
    const double weight = sign / (2 * step);
    const double *J = near_J_.values(), *B = near_.B.values();
    for (std::size_t k = 0; k < J_.size(); ++k) Y_[static_cast<Eigen::Index>(of_J[k])] += weight * J[k];
    for (std::size_t k = 0; k < d_.B.size(); ++k) X_[static_cast<Eigen::Index>(of_B[k])] += weight * B[k];
  }
}

/// J a + bias with one coordinate after the other moved, and one velocity after the other.
void SemiExplicitMotion::differentiate_columns(double t, In y, In z) const {
  const auto q = part_.q(y), v = part_.v(y);
  const auto a = z.head(n_.v);
  const Eigen::Index m = n_.rows();
  const std::vector<Entries::Place>& places = row_fold_.places;
  const auto fill = [&](Vector& to, Eigen::Index column, double step) {
    for (std::size_t k = 0; k < places.size(); ++k)
      if (places[k].column == column)
        to[static_cast<Eigen::Index>(k)] = (rows_[places[k].row] - more_[places[k].row]) / (2 * step);
  };
  q_ = q;
  for (Eigen::Index j = 0; j < n_.v && m > 0; ++j) {
    const double step = central_difference * (1 + std::abs(q[j]));
    q_[j] = q[j] + step;
    problem().place_at(*moved_, t, q_);
    problem().jacobian(*moved_, near_J_);
    rows_at(*moved_, v, a, rows_);
    q_[j] = q[j] - step;
    problem().place_at(*moved_, t, q_);
    problem().jacobian(*moved_, near_J_);
    rows_at(*moved_, v, a, more_);
    q_[j] = q[j];
    fill(X_, j, step);
  }
  v_ = v;
  for (Eigen::Index j = 0; j < n_.v && m > 0; ++j) {
    const double step = central_difference * (1 + std::abs(v[j]));
    v_[j] = v[j] + step;
    problem().bias(*at_, v_, rows_);
    v_[j] = v[j] - step;
    problem().bias(*at_, v_, more_);
    v_[j] = v[j];
    fill(Y_, j, step);
  }
}

void SemiExplicitMotion::scale(double eta) const {
  eta_ = eta;
  factored_ = false;
}

void SemiExplicitMotion::assemble() const {
  double* values = begin_with(M_, left_);
  for (std::size_t k = 0; k < K_fold_.into.size(); ++k)
    values[K_fold_.into[k]] += eta_ * eta_ * K_[static_cast<Eigen::Index>(k)];
  for (std::size_t k = 0; k < D_fold_.into.size(); ++k)
    values[D_fold_.into[k]] += eta_ * D_[static_cast<Eigen::Index>(k)];
  left_.end();
  begin_with(J_, upper_);
  upper_.end();
  values = begin_with(J_, lower_);
  const double *X = X_.data(), *Y = Y_.data();
  for (std::size_t k = 0; k < row_fold_.into.size(); ++k)
    values[row_fold_.into[k]] += eta_ * (eta_ * X[k] + Y[k]);
  lower_.end();
}

Outcome SemiExplicitMotion::solve(In a, In b, Out u, Out w) const {
  const double *a_q = a.data(), *a_v = a_q + n_.q;
  auto u_q = u.head(n_.q), u_v = u.tail(n_.v);
  begin_solution(eta_, a_q, a_v, n_.v, u_q.data(), u_v.data());
  // -(b + g_y (u without what w adds to it))
  for (Eigen::Index i = 0; i < x_.size(); ++i) x_[i] = -b[i];
  subtract(K_fold_.places, K_, u_q, x_.data());
  subtract(D_fold_.places, D_, u_v, x_.data());
  subtract_rows(u_q, u_v);
  Outcome outcome;
  if (factored_) {
    outcome = matrix_.solve_again(x_, mechanics_.statistics());
  } else {
    assemble();
    outcome = matrix_.solve(left_, upper_, lower_, x_, mechanics_.statistics());
    factored_ = outcome == Outcome::ok;
  }
  if (outcome != Outcome::ok) return outcome;
  copy(x_, w);
  end_solution(eta_, x_.data(), n_.v, u_q.data(), u_v.data());
  return Outcome::ok;
}

/// X u_q + Y u_v, from the last part of x.
void SemiExplicitMotion::subtract_rows(In u_q, In u_v) const {
  using Pair = double __attribute__((vector_size(16)));
  using PairInMemory = double __attribute__((vector_size(16), aligned(8), may_alias));
  const auto pair = [](const double* p) { return *reinterpret_cast<const PairInMemory*>(p); };
  const double *X = X_.data(), *Y = Y_.data(), *q = u_q.data(), *v = u_v.data();
  const Entries::Place* place = row_fold_.places.data();
  for (const RowRun& run : runs_) {
    double* to = x_.data() + n_.v + run.row;
    if (run.rows == 2) {
      Pair sum = pair(to);
      for (int i = 0; i < run.columns; ++i, X += 2, Y += 2, place += 2)
        sum -= pair(X) * q[place->column] + pair(Y) * v[place->column];
      *reinterpret_cast<PairInMemory*>(to) = sum;
    } else {
      double sum = *to;
      for (int i = 0; i < run.columns; ++i, ++X, ++Y, ++place)
        sum -= *X * q[place->column] + *Y * v[place->column];
      *to = sum;
    }
  }
}

double SemiExplicitMotion::gap(double t, In y) const {
  if (n_.rows() == 0) return 0;
  move(t, part_.q(y));  // the next step begins here, too
  auto g = rows_.head(n_.holonomic);
  problem().g(*at_, g);
  ++mechanics_.statistics().constraint_evaluations;
  const double position = largest(g);
  if (sums_ != nullptr) {
    sums_->rates(*at_, part_.v(y), rows_);
  } else {
    problem().jacobian(*at_, near_J_);
    problem().velocity_bias(*at_, rows_);
    near_J_.multiply(part_.v(y), 1, rows_);
  }
  const double velocity = largest(rows_);
  return position <= velocity ? velocity : position;
}

Outcome SemiExplicitMotion::close(double t, Out y) const {
  if (n_.rows() == 0) return Outcome::ok;
  if (const Outcome outcome = mechanics_.factor(t, part_.q(y)); outcome != Outcome::ok) return outcome;
  return mechanics_.project(t, part_.q(y), part_.v(y));
}

}  // namespace dalembert
