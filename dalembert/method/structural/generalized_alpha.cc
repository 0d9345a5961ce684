#include "dalembert/method/structural/generalized_alpha.h"

namespace dalembert {

void GeneralizedAlpha::bind(const Problem& problem, const Setting& setting) {
  scheme_ = make_(setting.options);
  problem_ = &require<Mechanical>(problem, scheme_.name);
  n_ = problem_->sizes();
  mechanics_.emplace(*problem_, Symmetry::symmetric, *setting.statistics);
  alternation_.bind(problem_->layout());
  moved_ = jerk_ = Vector::Zero(n_.v);
  q_ = Vector::Zero(n_.q);
  row_ = Vector::Zero(n_.rows());
  offset_ = Vector::Zero(n_.v + n_.rows());
  start_y_ = end_y_ = Vector::Zero(problem_->layout().size());
  step_.bind(scheme_, *problem_, *setting.statistics);
  restart();
}

LinearForm GeneralizedAlpha::linear_form(const Parameters& options) const {
  const AlphaScheme s = make_(options);
  return SecondOrderForm{[s](double k, double c) {
    SecondOrderForm::Step step{Matrix(3, 3), Matrix(3, 3)};  // of x, x', a
    step.L << 1, 0, -s.b1,                                   //
        0, 1, -s.g1,                                         //
        (1 - s.alpha_f) * k, (1 - s.alpha_f) * c, 1 - s.alpha_m;
    step.R << 1, 1, s.b0,  //
        0, 1, s.g0,        //
        -s.alpha_f * k, -s.alpha_f * c, -s.alpha_m;
    return step;
  }};
}

bool GeneralizedAlpha::reset() {
  mechanics_->reset();
  step_.reset();
  restart();
  return true;
}

void GeneralizedAlpha::restart() {
  started_ = false;
  step_.forget_matrix();
  alternation_.restart();
}

/// The motion at the start: accelerations at t + delta h, velocities with their offset.
Outcome GeneralizedAlpha::begin(const State& from, double h) {
  const MechanicalState part(n_);
  auto& [v, s] = step_.now();
  auto& [next_v, next_s] = step_.next();
  const auto q = part.q(from.y);
  v.x = part.v(from.y);
  s.x = part.s(from.y);
  if (const Outcome outcome = mechanics_->accelerate(from.t, q, v.x, s.x, {}, v.dx, row_);
      outcome != Outcome::ok)
    return outcome;
  if (n_.s > 0) problem_->auxiliary(mechanics_->here(), v.x, s.x, s.dx);
  // v'' and s'' from the accelerations a step ahead, as far as two terms of the series reach.
  next_v.x = v.x + h * v.dx;
  next_s.x = s.x + h * s.dx;
  moved_ = h * v.x + (h * h / 2) * v.dx;
  step_.move(moved_, q_);
  if (const Outcome outcome = mechanics_->accelerate(from.t + h, q_, next_v.x, next_s.x, {}, next_v.dx, row_);
      outcome != Outcome::ok)
    return outcome;
  if (n_.s > 0) problem_->auxiliary(mechanics_->here(), next_v.x, next_s.x, next_s.dx);
  const double delta = scheme_.alpha_m - scheme_.alpha_f;
  jerk_ = next_v.dx - v.dx;  // h v''
  v.a = v.dx + delta * jerk_;
  s.a = s.dx + delta * (next_s.dx - s.dx);
  if (stabilised() || n_.holonomic == 0 || scheme_.at_infinity == AlphaScheme::AtInfinity::undamped)
    return Outcome::ok;
  // A trial step says which displacement u leads along the constraints; velocities are what the formula makes of it.
  if (const Outcome outcome = step_.solve(h, from); outcome != Outcome::ok) return outcome;
  const double b = scheme_.b0 + scheme_.b1;
  moved_ = step_.displacement() / h - v.x - h * b * v.dx - h * (scheme_.b1 + delta * b) * jerk_;
  // Its part across the holonomic rows, and along none of the others.
  if (const Outcome outcome = mechanics_->factor(from.t, q); outcome != Outcome::ok) return outcome;
  row_.setZero();
  step_.rows_at_start().multiply(moved_, 1, row_);
  row_.tail(n_.nonholonomic).setZero();
  offset_.setZero();
  offset_.tail(n_.rows()) = row_;
  if (const Outcome outcome = mechanics_->saddle().solve_again(offset_, mechanics_->statistics());
      outcome != Outcome::ok)
    return outcome;
  v.x += offset_.head(n_.v);
  return Outcome::ok;
}

Attempt GeneralizedAlpha::attempt(const State& from, double h, State& to) {
  const MechanicalState part(n_);
  step_.leave(from);
  start_y_ = from.y;
  t_ = from.t;
  h_ = h;
  if (!started_)
    if (const Outcome outcome = begin(from, h); outcome != Outcome::ok) return failure(outcome);
  if (const Outcome outcome = step_.solve(h, from); outcome != Outcome::ok) return failure(outcome);
  to.t = from.t + h;
  part.q(to.y) = step_.q();
  part.v(to.y) = step_.next().v.x;
  part.s(to.y) = step_.next().s.x;
  step_.multipliers(h, part.multipliers(to.y));
  end_y_ = to.y;
  if (scheme_.at_infinity == AlphaScheme::AtInfinity::undamped && !stabilised())
    if (const auto trouble = alternation_.growing(to))
      return {.outcome = Outcome::unstable, .trouble = trouble};
  return {};
}

Attempt GeneralizedAlpha::failure(Outcome outcome) {
  if (scheme_.at_infinity == AlphaScheme::AtInfinity::undamped)
    if (const auto trouble = alternation_.breaking())
      return {.outcome = Outcome::unstable, .trouble = trouble};
  return {.outcome = outcome};
}

void GeneralizedAlpha::accept() {
  step_.accept();
  alternation_.accept(end_y_);
  started_ = true;
}

/// Cubic Hermite: displacements from q_n in its tangent space, v and s by their derivatives; multipliers linear.
void GeneralizedAlpha::interpolate(double theta, State& state) {
  const MechanicalState part(n_);
  const auto& [v, s] = step_.now();
  const auto& [next_v, next_s] = step_.next();
  state.t = t_ + theta * h_;
  state.y = start_y_ + theta * (end_y_ - start_y_);
  const double bend = theta * (1 - theta);
  const auto u = step_.displacement();
  moved_ = theta * u + bend * ((1 - theta) * (h_ * v.x - u) - theta * (h_ * next_v.x - u));
  step_.move(moved_, part.q(state.y));
  const auto bow = [&](auto&& to, const AlphaStep::Moving& a, const AlphaStep::Moving& b) {
    to += bend * ((1 - theta) * (h_ * a.dx - (b.x - a.x)) - theta * (h_ * b.dx - (b.x - a.x)));
  };
  bow(part.v(state.y), v, next_v);
  bow(part.s(state.y), s, next_s);
}

}  // namespace dalembert
