#include "dalembert/constraints/mechanics.h"

#include <algorithm>
#include <cmath>

#include "dalembert/constraints/correction_test.h"

namespace dalembert {

Mechanics::Mechanics(const Mechanical& problem, Symmetry symmetry, Statistics& statistics,
                     Elimination elimination)
    : problem_(problem),
      n_(problem.sizes()),
      statistics_(statistics),
      directions_(as<ForceDirections>(&problem)) {
  make_room();
  saddle_.bind(n_.v, n_.rows(), M_, J_, directions_ != nullptr ? Symmetry::unsymmetric : symmetry,
               elimination);
}

Mechanics::Mechanics(const Mechanical& problem, const SaddlePoint* planned, Statistics& statistics)
    : problem_(problem),
      n_(problem.sizes()),
      statistics_(statistics),
      directions_(as<ForceDirections>(&problem)) {
  make_room();
  const Symmetry symmetry = directions_ != nullptr ? Symmetry::unsymmetric : Symmetry::symmetric;
  if (planned != nullptr && planned->symmetry() == symmetry)
    saddle_.bind_like(*planned);
  else
    saddle_.bind(n_.v, n_.rows(), M_, J_, symmetry);
}

void Mechanics::make_room() {
  at_ = make_placement();
  place_at_start();
  if (directions_ != nullptr) directions_->directions(*at_, W_);
  x_.resize(n_.v + n_.rows());
  row_.resize(n_.rows());
  g_.resize(n_.holonomic);
  q_.resize(n_.q);
}

void Mechanics::reset() {
  place_at_start();
  saddle_.reset(M_, J_);
}

void Mechanics::place_at_start() {
  const State start = problem_.start();
  problem_.place_at(*at_, start.t, start.y.head(n_.q));
  problem_.mass(*at_, M_);
  problem_.jacobian(*at_, J_);
}

std::unique_ptr<Placement> Mechanics::make_placement() const {
  auto placement = problem_.placement();
  placement->q = Vector::Zero(n_.q);
  return placement;
}

// A projected point is evaluated next: its sines are at hand already.
void Mechanics::move_here(double t, In q) {
  if (t != at_->t || !std::equal(q.data(), q.data() + q.size(), at_->q.data())) problem_.place_at(*at_, t, q);
}

const Entries& Mechanics::place_forces() {
  if (directions_ == nullptr) return J_;
  directions_->directions(*at_, W_);
  return W_;
}

void Mechanics::velocity_residual(const Placement& at, const Entries& J, In v, Out r) const {
  problem_.velocity_bias(at, r);
  J.multiply(v, 1, r);
}

Outcome Mechanics::accelerate(double t, In q, In v, In s, Stabilisation feedback, Out a, Out multipliers) {
  move_here(t, q);
  problem_.mass(*at_, M_);
  problem_.jacobian(*at_, J_);
  problem_.force(*at_, v, s, x_.head(n_.v));
  problem_.bias(*at_, v, x_.tail(n_.rows()));
  for (Eigen::Index i = n_.v; i < x_.size(); ++i) x_[i] = -x_[i];
  if (n_.rows() > 0) ++statistics_.jacobians;
  if (feedback.alpha != 0 || feedback.beta != 0) {
    velocity_residual(*at_, J_, v, row_);
    problem_.g(*at_, g_);
    ++statistics_.constraint_evaluations;
    auto rhs = x_.tail(n_.rows());
    rhs.head(n_.holonomic) -=
        2 * feedback.alpha * row_.head(n_.holonomic) + feedback.beta * feedback.beta * g_;
    rhs.tail(n_.nonholonomic) -= feedback.alpha * row_.tail(n_.nonholonomic);
  }
  const Outcome outcome = saddle_.solve(M_, place_forces(), J_, x_, statistics_);
  copy(x_.head(n_.v), a);
  copy(x_.tail(n_.rows()), multipliers);
  return outcome;
}

Outcome Mechanics::factor(double t, In q) {
  move_here(t, q);
  problem_.mass(*at_, M_);
  problem_.jacobian(*at_, J_);
  ++statistics_.jacobians;
  x_.setZero();
  return saddle_.solve(M_, place_forces(), J_, x_, statistics_);
}

namespace {

constexpr double rounding = 1e-12;  // of corrections, relative to the positions or velocities
// Rounds for positions with which velocities take as many by the same factors. Beyond, factors of where positions arrive cost less:
// one round is enough with them.
constexpr int few_rounds = 2;

}  // namespace

// The iteration contracts with the distance between the factored point and this one, so two or three rounds reach
// rounding. It stops when the next correction (about size^2/last) would be rounding.
Outcome Mechanics::project(double t, Out q, Out v) {
  if (n_.rows() == 0) return Outcome::ok;
  ++statistics_.projections;
  CorrectionTest test(rounding);
  const double scale = 1 + largest(q);
  move_here(t, q);
  int round = 0;
  for (; n_.holonomic > 0; ++round) {
    problem_.g(*at_, g_);
    ++statistics_.constraint_evaluations;
    x_.setZero();
    x_.segment(n_.v, n_.holonomic) = -g_;
    if (const Outcome outcome = saddle_.solve_again(x_, statistics_); outcome != Outcome::ok) return outcome;
    const double size = largest(x_.head(n_.v));
    if (!std::isfinite(size)) return Outcome::not_finite;
    if (test.stalled(size)) {
      if (const Outcome outcome = test.end(scale); outcome != Outcome::ok) return outcome;
      break;
    }
    problem_.advance(*at_, x_.head(n_.v), q_);
    q = q_;
    move_here(t, q);
    if (test.enough(size, scale)) break;
    if (round == 20) return Outcome::projection_failed;
    test.made(size);
  }
  return correct_velocity(round >= few_rounds ? Factors::of_here : Factors::at_hand, v);
}

Outcome Mechanics::pull_velocity(double t, In q, Out v) {
  if (n_.rows() == 0) return Outcome::ok;
  move_here(t, q);
  problem_.jacobian(*at_, J_);
  ++statistics_.jacobians;
  velocity_residual(*at_, J_, v, row_);
  x_.head(n_.v).setZero();
  x_.tail(n_.rows()) = -row_;
  const Outcome outcome = saddle_.solve_again(x_, statistics_);
  v += x_.head(n_.v);
  return outcome;
}

// Rows are linear in v: with factors of here one round is enough, which what is left of the rows tells.
Outcome Mechanics::correct_velocity(Factors factors, Out v) {
  problem_.jacobian(*at_, J_);
  ++statistics_.jacobians;
  if (factors == Factors::of_here) problem_.mass(*at_, M_);
  CorrectionTest test(rounding);
  double left = 0;  // of the rows, before the last correction
  for (int round = 0; round < 20; ++round) {
    velocity_residual(*at_, J_, v, row_);
    const double missing = largest(row_), scale = 1 + largest(v);
    if (factors == Factors::of_here && round > 0 && test.enough_if(missing / left, scale)) return Outcome::ok;
    x_.head(n_.v).setZero();
    x_.tail(n_.rows()) = -row_;
    const bool to_be_factored = factors == Factors::of_here && round == 0;
    const Outcome outcome = to_be_factored ? saddle_.solve(M_, place_forces(), J_, x_, statistics_)
                                           : saddle_.solve_again(x_, statistics_);
    if (outcome != Outcome::ok) return outcome;
    const double size = largest(x_.head(n_.v));
    if (!std::isfinite(size)) return Outcome::not_finite;
    if (test.stalled(size)) return test.end(scale);
    v += x_.head(n_.v);
    if (test.enough(size, scale)) return Outcome::ok;
    test.made(size);
    left = missing;
  }
  return Outcome::projection_failed;
}

Mechanics::Residuals Mechanics::residuals(double t, In q, In v) {
  move_here(t, q);
  problem_.g(*at_, g_);
  problem_.jacobian(*at_, J_);
  velocity_residual(*at_, J_, v, row_);
  return {largest(g_), largest(row_)};
}

}  // namespace dalembert
