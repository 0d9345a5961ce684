#include "dalembert/method/structural/alpha_step.h"

#include <cmath>
#include <utility>

#include "dalembert/core/rounding.h"

namespace dalembert {

namespace {

/// Rows [first, last) of a matrix.
void take(const Entries& from, Eigen::Index first, Eigen::Index last, Entries& to) {
  to.begin();
  for (std::size_t k = 0; k < from.size(); ++k)
    if (from.row(k) >= first && from.row(k) < last)
      to.add(from.row(k) - first, from.column(k), from.value(k));
  to.end();
}

}  // namespace

AlphaScheme AlphaScheme::tuned(double rho) {
  AlphaScheme scheme{.name = "generalized-alpha"};
  scheme.alpha_m = (2 * rho - 1) / (rho + 1);
  scheme.alpha_f = rho / (rho + 1);
  scheme.g1 = 0.5 - scheme.alpha_m + scheme.alpha_f;
  scheme.g0 = 1 - scheme.g1;
  scheme.b1 = (scheme.g1 + 0.5) * (scheme.g1 + 0.5) / 4;
  scheme.b0 = 0.5 - scheme.b1;
  scheme.at_infinity = rho < 1 ? AtInfinity::damped : AtInfinity::undamped;
  return scheme;
}

/// How the parts of a step depend on its unknowns, and the factors that bring all equations to one size.
struct AlphaStep::Scales {
  Scales(const AlphaScheme& c, double step) : h(step) {
    const double ratio = (1 - c.alpha_m) / (1 - c.alpha_f);
    v_u = c.g1 / (c.b1 * h);
    dv_u = ratio / (c.b1 * h * h);
    ds_s = ratio / (c.g1 * h);
    k = 1 / dv_u;
  }
  double h, v_u, dv_u, ds_s, k;
};

void AlphaStep::bind(const AlphaScheme& scheme, const Mechanical& problem, Statistics& statistics) {
  scheme_ = scheme;
  problem_ = &problem;
  statistics_ = &statistics;
  n_ = problem.sizes();
  at_x_.p = stabilised() ? n_.v : 0;
  at_x_.s = at_x_.p + n_.v;
  at_x_.l = at_x_.s + n_.s;
  at_x_.eta = at_x_.l + n_.rows();
  at_x_.size = at_x_.eta + (stabilised() ? n_.holonomic : 0);
  advance_.bind(problem);
  newton_ = {};
  newton_.matrix.emplace(at_x_.size);
  row_ = Vector::Zero(n_.rows());
  M_ = J_ = J_from_ = G_from_ = Entries{};
  from_ = problem.placed_at(problem.start());
  at_ = problem.placed_at(problem.start());
  reset();
}

void AlphaStep::reset() {
  newton_.matrix->reset();
  newton_.h = 0;
  x_ = residual_ = guess_ = Vector::Zero(at_x_.size);
  for (Motion* at : {&now_, &next_}) {
    at->v.x = at->v.dx = at->v.a = Vector::Zero(n_.v);
    at->s.x = at->s.dx = at->s.a = Vector::Zero(n_.s);
  }
  // One pass to fix patterns.
  const Statistics before = *statistics_;
  const State start = problem_->start();
  const MechanicalState part(n_);
  problem_->place_at(*at_, start.t, part.q(start.y));
  leave(start);
  next_.v.x = part.v(start.y);
  next_.s.x = part.s(start.y);
  problem_->mass(*at_, M_);
  problem_->jacobian(*at_, J_);
  renew(Scales(scheme_, 1));
  newton_.good = false;
  *statistics_ = before;
}

void AlphaStep::leave(const State& from) {
  problem_->place_at(*from_, from.t, from.y.head(n_.q));
  problem_->jacobian(*from_, J_from_);
  take(J_from_, 0, n_.holonomic, G_from_);
}

void AlphaStep::multipliers(double h, Out l) const {
  l = x_.segment(at_x_.l, n_.rows()) / Scales(scheme_, h).k;
}

Outcome AlphaStep::solve(double h, const State& from) {
  const Scales scales(scheme_, h);
  const MechanicalState part(n_);
  if (h != newton_.h) newton_.good = false;
  // As if a went on unchanged.
  guess_.setZero();
  guess_.head(n_.v) = h * now_.v.x + h * h * (scheme_.b0 + scheme_.b1) * now_.v.a;
  if (stabilised()) guess_.segment(at_x_.p, n_.v) = guess_.head(n_.v);
  guess_.segment(at_x_.s, n_.s) = now_.s.x + h * now_.s.a;
  guess_.segment(at_x_.l, n_.rows()) = scales.k * part.multipliers(from.y);
  for (;;) {
    const MatrixAge matrix = newton_.good ? MatrixAge::old : MatrixAge::fresh;
    if (matrix == MatrixAge::fresh) {
      x_ = guess_;
      evaluate(scales, from.t + h);
      if (const Outcome outcome = renew(scales); outcome != Outcome::ok) return outcome;
      newton_.h = h;
    }
    const Outcome outcome = iterate(scales, from.t + h, matrix);
    if (outcome == Outcome::ok || matrix == MatrixAge::fresh) return outcome;
    newton_.good = false;  // once more, with a matrix of here
  }
}

void AlphaStep::evaluate(const Scales& c, double t) {
  const double h = c.h;
  const auto carry = [&](Moving& next, const Moving& last) {
    next.dx = ((1 - scheme_.alpha_m) * next.a + scheme_.alpha_m * last.a - scheme_.alpha_f * last.dx) /
              (1 - scheme_.alpha_f);
  };
  next_.v.a =
      (x_.segment(at_x_.p, n_.v) - h * now_.v.x - (h * h * scheme_.b0) * now_.v.a) / (h * h * scheme_.b1);
  next_.v.x = now_.v.x + h * (scheme_.g0 * now_.v.a + scheme_.g1 * next_.v.a);
  carry(next_.v, now_.v);
  next_.s.x = x_.segment(at_x_.s, n_.s);
  next_.s.a = ((next_.s.x - now_.s.x) / h - scheme_.g0 * now_.s.a) / scheme_.g1;
  carry(next_.s, now_.s);
  move(x_.head(n_.v), at_->q);
  at_->t = t;
  problem_->place(*at_);
  problem_->mass(*at_, M_);
  problem_->jacobian(*at_, J_);
  ++statistics_->force_evaluations;
  ++statistics_->constraint_evaluations;

  if (stabilised()) {  // u - p + h G_n' eta
    residual_.head(n_.v) = x_.head(n_.v) - x_.segment(at_x_.p, n_.v);
    G_from_.multiply_transposed(x_.segment(at_x_.eta, n_.holonomic), 1, residual_.head(n_.v));
  }
  auto motion = residual_.segment(at_x_.p, n_.v);
  problem_->force(*at_, next_.v.x, next_.s.x, motion);
  motion *= -c.k;
  M_.multiply(next_.v.dx, c.k, motion);
  J_.multiply_transposed(x_.segment(at_x_.l, n_.rows()), 1, motion);
  if (n_.s > 0) {
    auto rates = residual_.segment(at_x_.s, n_.s);
    problem_->auxiliary(*at_, next_.v.x, next_.s.x, rates);
    rates = (next_.s.dx - rates) / c.ds_s;
  }
  if (n_.rows() == 0) return;
  problem_->velocity_bias(*at_, row_);
  J_.multiply(next_.v.x, 1, row_);
  problem_->g(*at_, residual_.segment(at_x_.l, n_.holonomic));
  if (stabilised())
    residual_.segment(at_x_.l + n_.holonomic, n_.rows()) = row_ / c.v_u;
  else
    residual_.segment(at_x_.l + n_.holonomic, n_.nonholonomic) = row_.tail(n_.nonholonomic) / c.v_u;
}

/// Derivatives of evaluate() at its last point; what u does beyond its first order is left to the iteration.
Outcome AlphaStep::renew(const Scales& c) {
  row_ = x_.segment(at_x_.l, n_.rows()) / c.k;
  problem_->derivatives(*at_, next_.v.x, next_.s.x, next_.v.dx, row_, newton_.d);
  ++statistics_->jacobians;
  newton_.matrix->begin();
  if (stabilised()) {
    newton_.matrix->add_identity(0, 0, n_.v, 1);
    newton_.matrix->add_identity(0, at_x_.p, n_.v, -1);
    newton_.matrix->add(G_from_, 0, at_x_.eta, 1, Transposed::yes);
  }
  newton_.matrix->add(newton_.d.K, at_x_.p, 0, c.k);
  newton_.matrix->add(newton_.d.D, at_x_.p, at_x_.p, c.k * c.v_u);
  newton_.matrix->add(M_, at_x_.p, at_x_.p, 1);
  newton_.matrix->add(newton_.d.S, at_x_.p, at_x_.s, c.k);
  newton_.matrix->add(J_, at_x_.p, at_x_.l, 1, Transposed::yes);
  if (n_.s > 0) {
    newton_.matrix->add(newton_.d.k_q, at_x_.s, 0, -1 / c.ds_s);
    newton_.matrix->add(newton_.d.k_v, at_x_.s, at_x_.p, -c.v_u / c.ds_s);
    newton_.matrix->add_identity(at_x_.s, at_x_.s, n_.s, 1);
    newton_.matrix->add(newton_.d.k_s, at_x_.s, at_x_.s, -1 / c.ds_s);
  }
  if (stabilised()) {
    take(J_, 0, n_.holonomic, newton_.G);
    newton_.matrix->add(newton_.G, at_x_.l, 0, 1);
    newton_.matrix->add(J_, at_x_.l + n_.holonomic, at_x_.p, 1);
    newton_.matrix->add(newton_.d.B, at_x_.l + n_.holonomic, 0, 1 / c.v_u);
  } else {
    take(newton_.d.B, n_.holonomic, n_.rows(), newton_.B);
    newton_.matrix->add(J_, at_x_.l, 0, 1);
    newton_.matrix->add(newton_.B, at_x_.l + n_.holonomic, 0, 1 / c.v_u);
  }
  const Outcome outcome = newton_.matrix->factor(*statistics_);
  newton_.good = outcome == Outcome::ok;
  return outcome;
}

/// Down to rounding: steps are fixed, no tolerance steers their error. Starts from the guess in guess_.
Outcome AlphaStep::iterate(const Scales& c, double t, MatrixAge matrix) {
  x_ = guess_;
  double last = 0;
  int still = 0;
  const double size = 1 + largest(guess_);
  for (int round = 0; round < 40; ++round) {
    evaluate(c, t);
    ++statistics_->newton_iterations;
    if (!residual_.allFinite()) return Outcome::not_finite;
    newton_.matrix->solve(residual_, *statistics_);
    x_ -= residual_;
    const double now = largest(residual_);
    if (!std::isfinite(now)) return Outcome::not_finite;
    const bool done = now <= newton_floor * size || (round > 0 && now > 0.5 * last && now <= 1e-13 * size);
    still = round > 0 && now > 0.95 * last ? still + 1 : 0;
    if (done || (still > 1 && now <= 1e-9 * size)) {
      evaluate(c, t);
      return Outcome::ok;
    }
    if (round > 0 && matrix == MatrixAge::old && now > 0.3 * last) break;
    if (round > 1 && now > 2 * last) break;
    last = now;
  }
  return Outcome::newton_diverged;
}

}  // namespace dalembert
