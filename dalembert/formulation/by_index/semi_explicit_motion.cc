#include "dalembert/formulation/by_index/semi_explicit_motion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "dalembert/core/rounding.h"
#include "dalembert/problem/force_directions.h"

namespace dalembert {

namespace {

/// Entries of one matrix after those of another: in the same place where there is one, otherwise behind. Returns where each went.
std::vector<std::size_t> place_in(const Entries& more, std::vector<Entries::Place>& places,
                                  std::map<std::pair<int, int>, std::size_t>& known) {
  std::vector<std::size_t> went;
  for (std::size_t k = 0; k < more.size(); ++k) {
    const auto [at, fresh] = known.try_emplace({more.row(k), more.column(k)}, places.size());
    if (fresh) places.push_back({more.row(k), more.column(k)});
    went.push_back(at->second);
  }
  return went;
}

/// The places of a matrix that comes first, each of its entries in one of its own.
std::vector<Entries::Place> places_of(const Entries& first,
                                      std::map<std::pair<int, int>, std::size_t>& known) {
  std::vector<Entries::Place> places;
  for (std::size_t k = 0; k < first.size(); ++k) {
    known.try_emplace({first.row(k), first.column(k)}, k);
    places.push_back({first.row(k), first.column(k)});
  }
  return places;
}

void record(const std::vector<Entries::Place>& places, const Entries& first, Entries& to) {
  to = Entries{};
  to.begin();
  for (std::size_t k = 0; k < places.size(); ++k)
    to.add(places[k].row, places[k].column, k < first.size() ? first.value(k) : 0);
  to.end();
}

/// All values of `first`, then zeros; more is added where it belongs.
double* begin_with(const Entries& first, Entries& to) {
  to.begin();
  double* values = to.room(to.size());
  std::copy_n(first.values(), first.size(), values);
  std::fill(values + first.size(), values + to.size(), 0.);
  return values;
}

}  // namespace

bool SemiExplicitMotion::suits(const Mechanical& problem) {
  return problem.plain() && problem.sizes().s == 0 && as<ForceDirections>(&problem) == nullptr;
}

SemiExplicitMotion::SemiExplicitMotion(const Mechanical& problem, Statistics& statistics)
    : Equations(problem, Stabilisation{}, statistics), n_(problem.sizes()) {}

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
  if (!dense_) problem().derivatives(*at_, part_.v(start.y), part_.s(start.y), v_, rows_, near_);
  dJ_ = Vector::Zero(static_cast<Eigen::Index>(J_.size()));
  X_ = Y_ = Vector::Zero(static_cast<Eigen::Index>(d_.B.size()));

  std::map<std::pair<int, int>, std::size_t> known;
  std::vector<Entries::Place> places = places_of(M_, known);
  K_place_ = place_in(d_.K, places, known);
  D_place_ = place_in(d_.D, places, known);
  record(places, M_, left_);
  known.clear();
  places = places_of(J_, known);
  B_place_ = place_in(d_.B, places, known);
  record(places, J_, upper_);
  record(places, J_, lower_);
  matrix_.bind_in_order_of(mechanics_.saddle(), left_, upper_, Symmetry::unsymmetric);
}

void SemiExplicitMotion::move(double t, In q) const {
  if (t != at_->t || !std::equal(q.data(), q.data() + q.size(), at_->q.data()))
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
  problem().mass(*at_, near_M_);
  problem().jacobian(*at_, near_J_);
  auto motion = g.head(n_.v);
  auto rows = g.tail(n_.rows());
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
  if (dense_)
    differentiate_columns(t, y, z);
  else
    differentiate_rows(t, y, z);
  factored_ = false;
}

/// dB/dt and dJ/dt along the motion.
void SemiExplicitMotion::differentiate_rows(double t, In y, In z) const {
  const auto q = part_.q(y), v = part_.v(y);
  const auto a = z.head(n_.v), l = z.tail(n_.rows());
  const double size = 1 + largest(q), rate = std::max(largest(v) / size, std::sqrt(largest(a) / size));
  const double step = central_difference / std::max(1., rate);
  for (Eigen::Index i = 0; i < dJ_.size(); ++i) dJ_[i] = 0;
  for (Eigen::Index k = 0; k < X_.size(); ++k) X_[k] = 0, Y_[k] = d_.B.values()[k];
  for (const double sign : {1., -1.}) {
    q_ = q + sign * step * v;
    v_ = v + sign * step * a;
    problem().place_at(*moved_, t + sign * step, q_);
    problem().jacobian(*moved_, near_J_);
    problem().derivatives(*moved_, v_, part_.s(y), a, l, near_);
    const double weight = sign / (2 * step);
    const double *J = near_J_.values(), *B = near_.B.values();
    for (Eigen::Index i = 0; i < dJ_.size(); ++i) dJ_[i] += weight * J[i];
    for (Eigen::Index k = 0; k < X_.size(); ++k) X_[k] += weight * B[k];
  }
}

/// J a + bias with one coordinate after the other moved, and one velocity after the other.
void SemiExplicitMotion::differentiate_columns(double t, In y, In z) const {
  const auto q = part_.q(y), v = part_.v(y);
  const auto a = z.head(n_.v);
  const Eigen::Index m = n_.rows();
  // entries of B by columns, row after row, as Mechanical::derivatives() writes them, or in any other order
  const auto fill = [&](Vector& to, Eigen::Index column, double step) {
    for (std::size_t k = 0; k < d_.B.size(); ++k)
      if (d_.B.column(k) == column)
        to[static_cast<Eigen::Index>(k)] = (rows_[d_.B.row(k)] - more_[d_.B.row(k)]) / (2 * step);
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
  for (std::size_t k = 0; k < K_place_.size(); ++k) values[K_place_[k]] += eta_ * eta_ * d_.K.value(k);
  for (std::size_t k = 0; k < D_place_.size(); ++k) values[D_place_[k]] += eta_ * d_.D.value(k);
  left_.end();
  begin_with(J_, upper_);
  upper_.end();
  values = begin_with(J_, lower_);
  for (std::size_t k = 0; k < J_.size(); ++k) values[k] += eta_ * dJ_[static_cast<Eigen::Index>(k)];
  for (std::size_t k = 0; k < B_place_.size(); ++k)
    values[B_place_[k]] +=
        eta_ * (eta_ * X_[static_cast<Eigen::Index>(k)] + Y_[static_cast<Eigen::Index>(k)]);
  lower_.end();
}

Outcome SemiExplicitMotion::solve(In a, In b, Out u, Out w) const {
  const auto a_q = a.head(n_.q), a_v = a.tail(n_.v);
  auto u_q = u.head(n_.q), u_v = u.tail(n_.v);
  u_v = eta_ * a_v;
  u_q = eta_ * (a_q + u_v);
  // b + g_y (u without what w adds to it)
  x_ = b;
  d_.K.multiply(u_q, 1, x_.head(n_.v));
  d_.D.multiply(u_v, 1, x_.head(n_.v));
  double* rows = x_.data() + n_.v;
  for (std::size_t k = 0; k < B_place_.size(); ++k) {
    const int j = d_.B.column(k);
    const auto i = static_cast<Eigen::Index>(k);
    rows[d_.B.row(k)] += X_[i] * u_q[j] + Y_[i] * u_v[j];
  }
  if (!dense_)
    for (Eigen::Index k = 0; k < dJ_.size(); ++k)
      rows[J_.row(static_cast<std::size_t>(k))] += dJ_[k] * u_v[J_.column(static_cast<std::size_t>(k))];
  for (Eigen::Index i = 0; i < x_.size(); ++i) x_[i] = -x_[i];
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
  u_v += eta_ * x_.head(n_.v);
  u_q += eta_ * eta_ * x_.head(n_.v);
  return Outcome::ok;
}

double SemiExplicitMotion::gap(double t, In y) const {
  if (n_.rows() == 0) return 0;
  move(t, part_.q(y));  // the next step begins here, too
  auto g = rows_.head(n_.holonomic);
  problem().g(*at_, g);
  ++mechanics_.statistics().constraint_evaluations;
  const double position = largest(g);
  problem().jacobian(*at_, near_J_);
  problem().velocity_bias(*at_, rows_);
  near_J_.multiply(part_.v(y), 1, rows_);
  const double velocity = largest(rows_);
  return position <= velocity ? velocity : position;
}

Outcome SemiExplicitMotion::close(double t, Out y) const {
  if (n_.rows() == 0) return Outcome::ok;
  if (const Outcome outcome = mechanics_.factor(t, part_.q(y)); outcome != Outcome::ok) return outcome;
  return mechanics_.project(t, part_.q(y), part_.v(y));
}

}  // namespace dalembert
