#include "dalembert/method/multistep/multistep.h"

#include <algorithm>
#include <cmath>

#include "dalembert/method/local_tolerance.h"

namespace dalembert {

double MultistepFormula::residual(int order, double r) const {
  return order == 1 ? (1 + alpha2 * r * r) / 2 - (beta0 - r * beta2)
                    : (1 - alpha2 * r * r * r) / 6 - (beta0 + r * r * beta2) / 2;
}

void Multistep::bind(const Problem& problem, const Setting& setting) {
  scheme_ = make_(setting.options);
  problem_ = &require<Implicit>(problem, scheme_.name);
  precision_ = setting.precision;
  statistics_ = setting.statistics;
  invariant_ = setting.projection == Projection::on ? problem_->invariant() : nullptr;
  // Errors of order p come from local ones of order p+1: what thousands of steps add up to is about tol if each is allowed
  // tol^(1 + 1/p); at order 1 that would be a million steps for six digits, and half of the way has to do.
  const Strictness strictness{0.3, 0.5};
  equation_.bind(*problem_, strictness.local(setting), setting.precision, *setting.statistics);
  const Layout layout = problem_->layout();
  // A mean of points on a manifold lies beside it: the one-leg form loses one index more.
  alternation_.bind(layout, scheme_.shape == MultistepScheme::Shape::one_leg ? 2 : 3);
  const Vector zero = Vector::Zero(layout.size());
  for (Point* p : {&points_[0], &points_[1], &points_[2], &start_, &now_, &trial_}) p->y = p->dy = zero;
  differential_ = position_ = velocity_ = offset_ = y_offset_ = dy_offset_ = zero;
  third_order_ = false;
  for (const auto& block : layout.blocks()) {
    third_order_ = third_order_ || block.index == 3;
    if (block.role != Role::differential) continue;
    differential_.segment(block.offset, block.size).setOnes();
    (block.index == 2 ? velocity_ : position_).segment(block.offset, block.size).setOnes();
  }
  restart();
}

bool Multistep::reset() {
  equation_.reset();
  restart();
  for (Vector* v : {&offset_, &y_offset_, &dy_offset_}) v->setZero();
  for (Point& point : points_) point.t = 0, point.y.setZero(), point.dy.setZero();
  return true;
}

bool Multistep::remember(Memory& memory) {
  memory(equation_, alternation_, points_, count_, start_, start_known_, offset_, y_offset_, dy_offset_);
  return true;
}

void Multistep::restart() {
  count_ = 0;
  start_known_ = false;
  alternation_.restart();
  equation_.forget();
}

MultistepFormula Multistep::first_formula() const {
  return scheme_.steps == 1 ? scheme_.formula(1) : MultistepFormula{-1, 0, .5, .5, 0};
}

Outcome Multistep::begin(const State& from, double h) {
  if (!start_known_ || start_.t != from.t || start_.y != from.y) {
    start_.t = from.t;
    start_.y = from.y;
    problem_->rate(from.t, start_.y, start_.dy);
    start_known_ = true;
  }
  points_[0].t = start_.t;
  points_[0].y = start_.y;
  points_[0].dy = start_.dy;
  if (!start_.dy.allFinite()) return Outcome::not_finite;
  const bool offset = third_order_ && scheme_.at_infinity == MultistepScheme::AtInfinity::damped &&
                      scheme_.shape == MultistepScheme::Shape::multistep;
  return offset ? offset_start(h) : Outcome::ok;
}

/// Leaves in points_[0] the start with the velocities of a smooth numerical solution.
Outcome Multistep::offset_start(double h) {
  const MultistepFormula formula = first_formula();
  Point& begin = points_[0];
  if (scheme_.order == 2) {
    if (const Outcome outcome = solve(formula, h / 2, now_); outcome != Outcome::ok) return outcome;
    trial_.y = now_.y;
  }
  if (const Outcome outcome = solve(formula, h, now_); outcome != Outcome::ok) return outcome;
  if (scheme_.order == 1)
    offset_ = 2 * ((now_.y - start_.y) / h - start_.dy);  // h y'' = 2 h [t0,t0,t1]y
  else                                                    // h^2 y''' = 6 h^2 [t0,t0,t0+h/2,t1]y
    offset_ = 6 * ((2 * (now_.y - trial_.y) - 2 * (trial_.y - start_.y)) / h -
                   2 * (2 * (trial_.y - start_.y) / h - start_.dy));
  offset_.array() *= position_.array();
  const double C = formula.residual(scheme_.order, 1) / formula.sum();
  trial_.y = start_.y;
  trial_.dy = start_.dy + C * offset_;
  if (const Outcome outcome =
          equation_.solve(start_.t, h, 1 / (h * formula.beta0), start_.y, trial_.y, trial_.dy);
      outcome != Outcome::ok)
    return outcome;
  begin.y.array() += velocity_.array() * (trial_.y - start_.y).array();
  problem_->rate(begin.t, begin.y, begin.dy);
  y_offset_ = (begin.y - start_.y) / C;
  dy_offset_.array() = position_.array() * (begin.dy - start_.dy).array() / C;
  return Outcome::ok;
}

void Multistep::predict(double h, Out y) const {
  const auto& [a, b, c] = points_;
  if (count_ < 2) {
    y.array() = a.y.array() + h * differential_.array() * a.dy.array();
    return;
  }
  const double r = ratio(h);
  if (scheme_.order == 1) {
    y = a.y + (a.y - b.y) / r;
  } else if (count_ == 2) {  // through a, b and the slope at b
    y.array() = a.y.array() + (a.y - b.y).array() / r +
                differential_.array() * ((1 + r) / r) * ((a.y - b.y) / r - h * b.dy).array();
  } else {
    const double r2 = (b.t - c.t) / h;
    y = a.y + (a.y - b.y) / r + ((1 + r) / (r + r2)) * ((a.y - b.y) / r - (b.y - c.y) / r2);
  }
}

Outcome Multistep::solve(const MultistepFormula& f, double h, Point& to) {
  const Point &a = points_[0], &b = points_[1];
  const double c = 1 / (h * f.beta0), S = f.sum();
  to.t = a.t + h;
  predict(h, to.y);
  if (scheme_.shape == MultistepScheme::Shape::multistep || count_ < scheme_.steps - 1) {
    to.dy = c * (to.y + f.alpha1 * a.y + f.alpha2 * b.y) - (f.beta1 / f.beta0) * a.dy -
            (f.beta2 / f.beta0) * b.dy;
    return equation_.solve(to.t, h, c, a.y, to.y, to.dy);
  }
  const double t = a.t + h * (f.beta0 - f.beta2 * ratio(h)) / S;
  to.dy = (to.y + f.alpha1 * a.y + f.alpha2 * b.y) / (h * S);
  to.y = (f.beta0 * to.y + f.beta1 * a.y + f.beta2 * b.y) / S;
  const Outcome outcome = equation_.solve(t, h, c, a.y, to.y, to.dy);
  to.y = (S * to.y - f.beta1 * a.y - f.beta2 * b.y) / f.beta0;
  return outcome;
}

Attempt Multistep::attempt(const State& from, double h, State& to) {
  if (count_ == 0)
    if (const Outcome outcome = begin(from, h); outcome != Outcome::ok) return failure(outcome);
  const bool uneven = scheme_.equal_steps && std::abs(ratio(h) - 1) > 1e-6;
  const MultistepFormula f = count_ == 0 || uneven ? first_formula() : scheme_.formula(ratio(h));
  if (const Outcome outcome = solve(f, h, now_); outcome != Outcome::ok) return failure(outcome);
  to.t = now_.t;
  to.y = now_.y;
  Attempt attempt = judge(f, h, to);
  if (invariant_ != nullptr && (attempt.error <= 1 || precision_ == Precision::rounding)) {
    ++statistics_->projections;
    if (const Outcome outcome = invariant_->project(to.t, to.y); outcome != Outcome::ok)
      return failure(outcome);
    now_.y = to.y;
  }
  if (scheme_.at_infinity == MultistepScheme::AtInfinity::undamped &&
      (attempt.error <= 1 || precision_ == Precision::rounding))
    if (const auto trouble = alternation_.growing(to))
      return {.outcome = Outcome::unstable, .trouble = trouble};
  return attempt;
}

Attempt Multistep::judge(const MultistepFormula& f, double h, State& to) {
  const double r = ratio(h), L = f.residual(scheme_.order, r);
  int order = scheme_.order;
  double factor = 0;
  if (scheme_.order == 1) {
    factor = count_ < 2 ? std::abs(L / (0.5 - L)) : std::abs(L) / ((1 + r) / 2);
  } else if (count_ < 2) {
    order = 1;  // nothing is known of y''': h^2 y'' is a bound for h^3 y''' as long as h is small
    factor = 1.0 / 6;
  } else {
    const double r2 = count_ == 2 ? 0 : (points_[1].t - points_[2].t) / h;
    factor = std::abs(L) / ((1 + r) * (1 + r + r2) / 6);
  }
  if (scheme_.shape == MultistepScheme::Shape::one_leg) factor *= f.sum() / f.beta0;  // from the mean to y_n
  TestNorm& norm = equation_.norm();
  norm.aim(h, points_[0].y, to.y);
  Attempt attempt{.error = factor * norm.error(equation_.correction()), .exponent = 1.0 / (order + 1)};
  const Eigen::Index worst = norm.worst_error(equation_.correction());
  attempt.trouble = Trouble{worst, factor * std::abs(equation_.correction()[worst])};
  if (attempt.error <= 1) {
    // Steps that stay the same keep the matrix, and the multipliers smooth.
    const double gain = 0.9 * std::pow(std::max(attempt.error, 1e-10), -attempt.exponent);
    attempt.next = h * (gain < 1 ? gain : gain < 1.2 ? 1 : std::min(gain, scheme_.growth));
  }
  return attempt;
}

Attempt Multistep::failure(Outcome outcome) const {
  if (scheme_.at_infinity == MultistepScheme::AtInfinity::undamped)
    if (const auto trouble = alternation_.breaking())
      return {.outcome = Outcome::unstable, .trouble = trouble};
  return {.outcome = outcome, .trouble = Trouble{equation_.culprit(), equation_.residual()}};
}

void Multistep::accept() {
  if (count_ == 0 && y_offset_.any() && scheme_.steps == 2) {
    // From the offset of the first formula to that of the method.
    const MultistepFormula f = scheme_.formula(1), g = first_formula();
    const double more = f.residual(scheme_.order, 1) / f.sum() - g.residual(scheme_.order, 1) / g.sum();
    for (Point* p : {&points_[0], &now_}) {
      p->y += more * y_offset_;
      p->dy += more * dy_offset_;
    }
  }
  alternation_.accept(now_.y);
  std::swap(points_[2], points_[1]);
  std::swap(points_[1], points_[0]);
  std::swap(points_[0], now_);
  count_ = count_ == 0 ? 2 : 3;
}

LinearForm Multistep::linear_form(const Parameters& options) const {
  const MultistepScheme scheme = make_(options);
  const MultistepFormula f = scheme.formula(1);
  MultistepForm form{.alpha = Eigen::Vector3d(1, f.alpha1, f.alpha2),
                     .beta = Eigen::Vector3d(f.beta0, f.beta1, f.beta2),
                     .shape = scheme.shape == MultistepScheme::Shape::one_leg
                                  ? MultistepForm::Shape::one_leg
                                  : MultistepForm::Shape::multistep};
  form.alpha.conservativeResize(scheme.steps + 1);
  form.beta.conservativeResize(scheme.steps + 1);
  return form;
}

void Multistep::interpolate(double theta, State& state) {
  const Point &a = points_[0], &b = points_[1];
  const double h = now_.t - a.t;
  state.t = a.t + theta * h;
  const double bend = theta * (1 - theta);
  if (count_ < 2) {
    state.y.array() = a.y.array() + theta * (now_.y - a.y).array() +
                      bend * differential_.array() * (h * a.dy - (now_.y - a.y)).array();
  } else {
    const double r = ratio(h);
    state.y = a.y + theta * (now_.y - a.y) - (bend / (1 + r)) * ((now_.y - a.y) - (a.y - b.y) / r);
  }
}

}  // namespace dalembert
