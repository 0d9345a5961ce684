#include "dalembert/method/structural/generalized_alpha.h"

#include <cmath>
#include <limits>

namespace dalembert {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

/// Rows [first, last) of a matrix.
void take(const Entries& from, Eigen::Index first, Eigen::Index last, Entries& to) {
  to.begin();
  for (std::size_t k = 0; k < from.size(); ++k)
    if (from.row(k) >= first && from.row(k) < last)
      to.add(from.row(k) - first, from.column(k), from.value(k));
  to.end();
}

}  // namespace

AlphaPlan AlphaPlan::tuned(double rho) {
  AlphaPlan plan{.name = "generalized-alpha"};
  plan.alpha_m = (2 * rho - 1) / (rho + 1);
  plan.alpha_f = rho / (rho + 1);
  plan.g1 = 0.5 - plan.alpha_m + plan.alpha_f;
  plan.g0 = 1 - plan.g1;
  plan.b1 = (plan.g1 + 0.5) * (plan.g1 + 0.5) / 4;
  plan.b0 = 0.5 - plan.b1;
  plan.at_infinity = rho < 1 ? AtInfinity::damped : AtInfinity::undamped;
  return plan;
}

/// How the parts of a step depend on its unknowns, and the factors that bring all equations to one size.
struct GeneralizedAlpha::Scales {
  Scales(const AlphaPlan& c, double step) : h(step) {
    const double ratio = (1 - c.alpha_m) / (1 - c.alpha_f);
    v_u = c.g1 / (c.b1 * h);
    dv_u = ratio / (c.b1 * h * h);
    ds_s = ratio / (c.g1 * h);
    k = 1 / dv_u;
  }
  double h, v_u, dv_u, ds_s, k;
};

void GeneralizedAlpha::bind(const Problem& problem, const Setting& setting) {
  plan_ = make_(setting.options);
  problem_ = &require<Mechanical>(problem, plan_.name);
  statistics_ = setting.statistics;
  n_ = problem_->sizes();
  const Eigen::Index m = n_.rows(), extra = stabilised() ? n_.holonomic : 0;
  p_ = stabilised() ? n_.v : 0;
  s_ = p_ + n_.v;
  l_ = s_ + n_.s;
  eta_ = l_ + m;
  rows_ = m + extra;
  mechanics_.emplace(*problem_, Symmetry::symmetric, *statistics_);
  matrix_.emplace(l_ + rows_);
  alternation_.bind(problem_->layout());
  from_ = mechanics_->make_placement();
  at_ = mechanics_->make_placement();
  half_ = mechanics_->make_placement();
  x_ = residual_ = guess_ = Vector::Zero(l_ + rows_);
  for (Moving* part : {&v_, &next_v_}) part->x = part->dx = part->a = Vector::Zero(n_.v);
  for (Moving* part : {&s_now_, &next_s_}) part->x = part->dx = part->a = Vector::Zero(n_.s);
  f_ = moved_ = bend_ = half_u_ = Vector::Zero(n_.v);
  half_q_ = Vector::Zero(n_.q);
  row_ = Vector::Zero(m);
  gap_ = Vector::Zero(n_.holonomic);
  offset_ = Vector::Zero(n_.v + m);
  start_y_ = end_y_ = Vector::Zero(problem_->layout().size());
  M_ = J_ = held_ = G_ = G_from_ = B_ = Entries{};
  d_ = Derivatives{};
  restart();
  // One pass to fix patterns.
  const Statistics before = *statistics_;
  const State start = problem_->start();
  const MechanicalState part(n_);
  mechanics_->place(*from_, start.t, part.q(start.y));
  mechanics_->place(*at_, start.t, part.q(start.y));
  problem_->jacobian(*from_, held_);
  take(held_, 0, n_.holonomic, G_from_);
  next_v_.x = part.v(start.y);
  next_s_.x = part.s(start.y);
  problem_->mass(*at_, M_);
  problem_->jacobian(*at_, J_);
  renew(Scales(plan_, 1));
  have_matrix_ = false;
  *statistics_ = before;
}

void GeneralizedAlpha::restart() {
  started_ = have_matrix_ = false;
  alternation_.restart();
}

/// v_, s_now_ at the start: accelerations at t + delta h, velocities with their offset.
Outcome GeneralizedAlpha::begin(const State& from, double h) {
  const MechanicalState part(n_);
  const auto q = part.q(from.y);
  v_.x = part.v(from.y);
  s_now_.x = part.s(from.y);
  if (const Outcome outcome = mechanics_->accelerate(from.t, q, v_.x, s_now_.x, {}, v_.dx, row_);
      outcome != Outcome::ok)
    return outcome;
  if (n_.s > 0) problem_->auxiliary(mechanics_->here(), v_.x, s_now_.x, s_now_.dx);
  // v'' and s'' from the accelerations a step ahead, as far as two terms of the series reach.
  next_v_.x = v_.x + h * v_.dx;
  next_s_.x = s_now_.x + h * s_now_.dx;
  moved_ = h * v_.x + (h * h / 2) * v_.dx;
  move(moved_, at_->q);
  if (const Outcome outcome =
          mechanics_->accelerate(from.t + h, at_->q, next_v_.x, next_s_.x, {}, next_v_.dx, row_);
      outcome != Outcome::ok)
    return outcome;
  if (n_.s > 0) problem_->auxiliary(mechanics_->here(), next_v_.x, next_s_.x, next_s_.dx);
  const double delta = plan_.alpha_m - plan_.alpha_f;
  bend_ = next_v_.dx - v_.dx;  // h v''
  v_.a = v_.dx + delta * bend_;
  s_now_.a = s_now_.dx + delta * (next_s_.dx - s_now_.dx);
  if (stabilised() || n_.holonomic == 0 || plan_.at_infinity == AlphaPlan::AtInfinity::undamped)
    return Outcome::ok;
  // A trial step says which displacement u leads along the constraints; velocities are what the formula makes of it.
  const Scales scales(plan_, h);
  if (const Outcome outcome = solve(scales, from); outcome != Outcome::ok) return outcome;
  const double b = plan_.b0 + plan_.b1;
  moved_ = x_.head(n_.v) / h - v_.x - h * b * v_.dx - h * (plan_.b1 + delta * b) * bend_;
  // Its part across the holonomic rows, and along none of the others.
  if (const Outcome outcome = mechanics_->factor(from.t, q); outcome != Outcome::ok) return outcome;
  row_.setZero();
  held_.multiply(moved_, 1, row_);
  row_.tail(n_.nonholonomic).setZero();
  offset_.setZero();
  offset_.tail(n_.rows()) = row_;
  if (const Outcome outcome = mechanics_->saddle().solve_again(offset_, *statistics_); outcome != Outcome::ok)
    return outcome;
  v_.x += offset_.head(n_.v);
  return Outcome::ok;
}

Attempt GeneralizedAlpha::attempt(const State& from, double h, State& to) {
  const MechanicalState part(n_);
  mechanics_->place(*from_, from.t, part.q(from.y));
  problem_->jacobian(*from_, held_);
  take(held_, 0, n_.holonomic, G_from_);
  start_y_ = from.y;
  t_ = from.t;
  h_ = h;
  if (!started_)
    if (const Outcome outcome = begin(from, h); outcome != Outcome::ok) return failure(outcome);
  const Scales scales(plan_, h);
  if (const Outcome outcome = solve(scales, from); outcome != Outcome::ok) return failure(outcome);
  to.t = from.t + h;
  part.q(to.y) = at_->q;
  part.v(to.y) = next_v_.x;
  part.s(to.y) = next_s_.x;
  part.multipliers(to.y) = x_.segment(l_, n_.rows()) / scales.k;
  end_y_ = to.y;
  if (plan_.at_infinity == AlphaPlan::AtInfinity::undamped && !stabilised())
    if (const auto trouble = alternation_.growing(to))
      return {.outcome = Outcome::unstable, .trouble = trouble};
  return {};
}

Outcome GeneralizedAlpha::solve(const Scales& scales, const State& from) {
  const double h = scales.h;
  const MechanicalState part(n_);
  if (h != matrix_h_) have_matrix_ = false;
  // As if a went on unchanged.
  guess_.setZero();
  guess_.head(n_.v) = h * v_.x + h * h * (plan_.b0 + plan_.b1) * v_.a;
  if (stabilised()) guess_.segment(p_, n_.v) = guess_.head(n_.v);
  guess_.segment(s_, n_.s) = s_now_.x + h * s_now_.a;
  guess_.segment(l_, n_.rows()) = scales.k * part.multipliers(from.y);
  for (;;) {
    fresh_ = !have_matrix_;
    if (fresh_) {
      x_ = guess_;
      evaluate(scales, from.t + h);
      if (const Outcome outcome = renew(scales); outcome != Outcome::ok) return outcome;
      matrix_h_ = h;
    }
    const Outcome outcome = iterate(scales, from.t + h);
    if (outcome == Outcome::ok || fresh_) return outcome;
    have_matrix_ = false;  // once more, with a matrix of here
  }
}

/// q_n o u. advance() need not follow q' = N(q) u/h beyond first order: what two half displacements add to a whole one
/// is added once more. Rotations moved by their exponential are not changed by that.
void GeneralizedAlpha::move(In u, Out q) {
  problem_->advance(*from_, u, q);
  if (problem_->plain()) return;
  half_u_ = u / 2;
  problem_->advance(*from_, half_u_, half_->q);
  half_->t = from_->t;
  problem_->place(*half_);
  problem_->advance(*half_, half_u_, half_q_);
  q = 2 * half_q_ - q;
}

void GeneralizedAlpha::evaluate(const Scales& c, double t) {
  const double h = c.h;
  const auto carry = [&](Moving& next, const Moving& last) {
    next.dx = ((1 - plan_.alpha_m) * next.a + plan_.alpha_m * last.a - plan_.alpha_f * last.dx) /
              (1 - plan_.alpha_f);
  };
  next_v_.a = (x_.segment(p_, n_.v) - h * v_.x - (h * h * plan_.b0) * v_.a) / (h * h * plan_.b1);
  next_v_.x = v_.x + h * (plan_.g0 * v_.a + plan_.g1 * next_v_.a);
  carry(next_v_, v_);
  next_s_.x = x_.segment(s_, n_.s);
  next_s_.a = ((next_s_.x - s_now_.x) / h - plan_.g0 * s_now_.a) / plan_.g1;
  carry(next_s_, s_now_);
  moved_ = x_.head(n_.v);
  move(moved_, at_->q);
  at_->t = t;
  problem_->place(*at_);
  problem_->mass(*at_, M_);
  problem_->jacobian(*at_, J_);
  ++statistics_->force_evaluations;
  ++statistics_->constraint_evaluations;

  if (stabilised()) {  // u - p + h G_n' eta
    residual_.head(n_.v) = x_.head(n_.v) - x_.segment(p_, n_.v);
    G_from_.multiply_transposed(x_.segment(eta_, n_.holonomic), 1, residual_.head(n_.v));
  }
  problem_->force(*at_, next_v_.x, next_s_.x, f_);
  auto motion = residual_.segment(p_, n_.v);
  motion = -c.k * f_;
  M_.multiply(next_v_.dx, c.k, motion);
  J_.multiply_transposed(x_.segment(l_, n_.rows()), 1, motion);
  if (n_.s > 0) {
    auto rates = residual_.segment(s_, n_.s);
    problem_->auxiliary(*at_, next_v_.x, next_s_.x, rates);
    rates = (next_s_.dx - rates) / c.ds_s;
  }
  if (n_.rows() == 0) return;
  problem_->g(*at_, gap_);
  problem_->velocity_bias(*at_, row_);
  J_.multiply(next_v_.x, 1, row_);
  residual_.segment(l_, n_.holonomic) = gap_;
  if (stabilised())
    residual_.segment(l_ + n_.holonomic, n_.rows()) = row_ / c.v_u;
  else
    residual_.segment(l_ + n_.holonomic, n_.nonholonomic) = row_.tail(n_.nonholonomic) / c.v_u;
}

/// Derivatives of evaluate() at its last point; what u does beyond its first order is left to the iteration.
Outcome GeneralizedAlpha::renew(const Scales& c) {
  row_ = x_.segment(l_, n_.rows()) / c.k;
  problem_->derivatives(*at_, next_v_.x, next_s_.x, next_v_.dx, row_, d_);
  ++statistics_->jacobians;
  matrix_->begin();
  if (stabilised()) {
    matrix_->add_identity(0, 0, n_.v, 1);
    matrix_->add_identity(0, p_, n_.v, -1);
    matrix_->add(G_from_, 0, eta_, 1, Transposed::yes);
  }
  matrix_->add(d_.K, p_, 0, c.k);
  matrix_->add(d_.D, p_, p_, c.k * c.v_u);
  matrix_->add(M_, p_, p_, 1);
  matrix_->add(d_.S, p_, s_, c.k);
  matrix_->add(J_, p_, l_, 1, Transposed::yes);
  if (n_.s > 0) {
    matrix_->add(d_.k_q, s_, 0, -1 / c.ds_s);
    matrix_->add(d_.k_v, s_, p_, -c.v_u / c.ds_s);
    matrix_->add_identity(s_, s_, n_.s, 1);
    matrix_->add(d_.k_s, s_, s_, -1 / c.ds_s);
  }
  if (stabilised()) {
    take(J_, 0, n_.holonomic, G_);
    matrix_->add(G_, l_, 0, 1);
    matrix_->add(J_, l_ + n_.holonomic, p_, 1);
    matrix_->add(d_.B, l_ + n_.holonomic, 0, 1 / c.v_u);
  } else {
    take(d_.B, n_.holonomic, n_.rows(), B_);
    matrix_->add(J_, l_, 0, 1);
    matrix_->add(B_, l_ + n_.holonomic, 0, 1 / c.v_u);
  }
  const Outcome outcome = matrix_->factor(*statistics_);
  have_matrix_ = outcome == Outcome::ok;
  if (!have_matrix_) culprit_ = matrix_->culprit().value_or(0);
  return outcome;
}

/// Down to rounding: steps are fixed, no tolerance steers their error. Starts from the guess in guess_.
Outcome GeneralizedAlpha::iterate(const Scales& c, double t) {
  x_ = guess_;
  double last = 0;
  int still = 0;
  const double size = 1 + largest(guess_);
  for (int round = 0; round < 40; ++round) {
    evaluate(c, t);
    ++statistics_->newton_iterations;
    if (!residual_.allFinite()) return Outcome::not_finite;
    matrix_->solve(residual_, *statistics_);
    x_ -= residual_;
    const double now = largest(residual_);
    if (!std::isfinite(now)) return Outcome::not_finite;
    const bool done = now <= 4 * rounding * size || (round > 0 && now > 0.5 * last && now <= 1e-13 * size);
    still = round > 0 && now > 0.95 * last ? still + 1 : 0;
    if (done || (still > 1 && now <= 1e-9 * size)) {
      evaluate(c, t);
      return Outcome::ok;
    }
    if (round > 0 && !fresh_ && now > 0.3 * last) break;
    if (round > 1 && now > 2 * last) break;
    last = now;
  }
  return Outcome::newton_diverged;
}

Attempt GeneralizedAlpha::failure(Outcome outcome) {
  if (plan_.at_infinity == AlphaPlan::AtInfinity::undamped)
    if (const auto trouble = alternation_.breaking())
      return {.outcome = Outcome::unstable, .trouble = trouble};
  return {.outcome = outcome};
}

void GeneralizedAlpha::accept() {
  std::swap(v_, next_v_);
  std::swap(s_now_, next_s_);
  alternation_.accept(end_y_);
  started_ = true;
}

/// Cubic Hermite: displacements from q_n in its tangent space, v and s by their derivatives; multipliers linear.
void GeneralizedAlpha::interpolate(double theta, State& state) {
  const MechanicalState part(n_);
  state.t = t_ + theta * h_;
  state.y = start_y_ + theta * (end_y_ - start_y_);
  const double bend = theta * (1 - theta);
  const auto u = x_.head(n_.v);
  moved_ = theta * u + bend * ((1 - theta) * (h_ * v_.x - u) - theta * (h_ * next_v_.x - u));
  move(moved_, part.q(state.y));
  const auto bow = [&](auto&& to, const Moving& a, const Moving& b) {
    to += bend * ((1 - theta) * (h_ * a.dx - (b.x - a.x)) - theta * (h_ * b.dx - (b.x - a.x)));
  };
  bow(part.v(state.y), v_, next_v_);
  bow(part.s(state.y), s_now_, next_s_);
}

}  // namespace dalembert
