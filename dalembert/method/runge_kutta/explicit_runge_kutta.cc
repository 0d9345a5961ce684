#include "dalembert/method/runge_kutta/explicit_runge_kutta.h"

#include <cmath>
#include <deque>
#include <mutex>
#include <vector>

namespace dalembert {

namespace {

/// How far the method is stable on the negative axis: |R(-x)| <= 1, R(z) = 1 + b'1 z + b'A 1 z^2 + ... + b'A^(s-1) 1 z^s.
double stable_interval(const Tableau& tableau) {
  const Eigen::Index s = tableau.stages;
  std::vector<double> coefficients;
  Vector powers = Vector::Ones(s);  // A^k 1
  for (Eigen::Index k = 0; k < s; ++k) {
    coefficients.push_back(tableau.b.dot(powers));
    for (Eigen::Index i = s - 1; i >= 0; --i) powers[i] = tableau.A.row(i).head(i).dot(powers.head(i));
  }
  constexpr double step = 0.02, most = 50;
  for (double x = step; x < most; x += step) {
    double R = 0;
    for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) R = *c - x * R;
    if (std::abs(1 - x * R) > 1) return x - step;
  }
  return most;
}

}  // namespace

ExplicitRungeKutta::Sweeps::Sweeps(const Tableau& t) : A(t.A), b(t.b), embedded(t.embedded) {
  const Eigen::Index s = t.stages;
  last_is_first = b[s - 1] == 0 && A.row(s - 1) == b.transpose();
  for (Eigen::Index i = 0; i < s; ++i) stages.emplace_back(A.row(i).transpose());
  weights = Row(b);
  if (embedded.size() > 0) error = Row(b - embedded);
  const Eigen::Index last = last_is_first ? s - 2 : s - 1;
  if (last > 0 && t.c[last] == 1) bearable = stable_interval(t);
}

const ExplicitRungeKutta::Sweeps& ExplicitRungeKutta::sweeps_of(const Tableau& t) {
  static std::mutex one_at_a_time;
  static std::deque<Sweeps> all;
  const std::lock_guard lock(one_at_a_time);
  const auto same = [](const auto& a, const auto& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
  };
  for (const Sweeps& each : all)
    if (same(each.b, t.b) && same(each.embedded, t.embedded) && same(each.A, t.A)) return each;
  return all.emplace_back(t);
}

ExplicitRungeKutta::ExplicitRungeKutta(std::string name, const Tableau& tableau, double exponent,
                                       Strictness strictness)
    : tableau_(tableau),
      name_(std::move(name)),
      exponent_(exponent),
      strictness_(strictness),
      sweeps_(sweeps_of(tableau)) {}

void ExplicitRungeKutta::bind(const Problem& problem, const Setting& setting) {
  ode_ = &require<Ode>(problem, name_);
  const Layout layout = problem.layout();
  tolerance_ = strictness_.local(setting).on(layout);
  share_ = strictness_.share(setting.tolerance);
  statistics_ = setting.statistics;
  invariant_ = setting.projection == Projection::off ? nullptr : ode_->invariant();
  const Eigen::Index n = layout.size();
  for (Vector* v : {&y0_, &y1_, &difference_, &stage_, &d1_, &moved_}) *v = Vector::Zero(n);
  make_room(n);
  reset();
}

void ExplicitRungeKutta::make_room(Eigen::Index n) {
  K_ = Matrix::Zero(n, tableau_.stages);
  quartic_.bind(n);
}

bool ExplicitRungeKutta::reset() {
  K_.setZero();
  dense_ready_ = last_known_ = false;
  restart();
  return true;
}

void ExplicitRungeKutta::evaluate(double t, In y, Out dy) {
  ode_->f(t, y, dy);
  ++statistics_->force_evaluations;
}

/// With Euler's step of a hundredth of the state: h^(1/exponent) max(|y'|, |y''|) = 1/100 in the norm of the tolerance.
std::optional<double> ExplicitRungeKutta::guess_first_step(const State& from) {
  if (exponent_ == 0) return {};
  if (!first_known_) evaluate(from.t, from.y, K_.col(0));
  first_known_ = true;
  const double size = tolerance_.norm(from.y, from.y, from.y),
               rate = tolerance_.norm(K_.col(0), from.y, from.y);
  if (!(rate > 0) || !(size > 0) || !std::isfinite(rate)) return {};
  const double euler = .01 * size / rate;
  stage_ = from.y + euler * K_.col(0);
  evaluate(from.t + euler, stage_, d1_);
  d1_ -= K_.col(0);
  const double bend = tolerance_.norm(d1_, from.y, from.y) / euler;
  if (!std::isfinite(bend)) return {};
  return std::min(100 * euler, std::pow(.01 / std::max(rate, bend), exponent_));
}

Attempt ExplicitRungeKutta::attempt(const State& from, double h, State& to) {
  const Eigen::Index s = tableau_.stages;
  if (!first_known_) evaluate(from.t, from.y, K_.col(0));
  first_known_ = true;
  if (awaited_) measure_stability(K_.col(0), from.y);
  awaited_ = false;
  t0_ = from.t;
  h_ = h;
  y0_ = from.y;
  dense_ready_ = last_known_ = false;
  const Eigen::Index inner = sweeps_.last_is_first ? s - 1 : s;
  for (Eigen::Index i = 1; i < inner; ++i) {
    sweeps_.stages[static_cast<std::size_t>(i)].combine(from.y, h, K_, stage_);
    evaluate(from.t + tableau_.c[i] * h, stage_, K_.col(i));
  }
  sweeps_.weights.combine(from.y, h, K_, y1_);
  to.t = from.t + h;
  if (!y1_.allFinite()) return {.outcome = Outcome::not_finite};
  // Where the estimate does not need f(y1), a step it rejects is not worth projecting.
  const bool early = exponent_ > 0 && !sweeps_.last_is_first;
  double exponent = exponent_;
  double error = early ? estimate(h, exponent) : 0, moved = 0;
  if (invariant_ != nullptr && error <= 1) {
    moved_ = y1_;
    if (const Outcome outcome = invariant_->project(to.t, y1_); outcome != Outcome::ok)
      return {.outcome = outcome};
    // What the projection moves is an error of the step as any other.
    moved_ -= y1_;
    moved = share_ * tolerance_.norm(moved_, y0_, y1_);
  }
  if (sweeps_.last_is_first) evaluate(to.t, y1_, K_.col(s - 1));
  copy(y1_, to.y);
  if (exponent_ == 0) return {};
  if (!early) error = estimate(h, exponent);
  return {.outcome = std::isfinite(error) ? Outcome::ok : Outcome::not_finite,
          .error = std::max(error, moved),
          .exponent = exponent};
}

double ExplicitRungeKutta::estimate(double h, double&) {
  difference_.setZero();
  sweeps_.error.add(h, K_, difference_);
  return tolerance_.norm(difference_, y0_, y1_);
}

void ExplicitRungeKutta::measure_stability(In end_slope, In y1) {
  const Eigen::Index last = tableau_.stages - (sweeps_.last_is_first ? 2 : 1);
  difference_ = y1 - stage_;
  const double apart = tolerance_.norm(difference_, y1, y1);
  difference_ = end_slope - K_.col(last);
  used_ = apart > 0 ? h_ * tolerance_.norm(difference_, y1, y1) / apart / sweeps_.bearable : 0;
}

void ExplicitRungeKutta::accept() {
  awaited_ = sweeps_.bearable > 0 && !sweeps_.last_is_first && !last_known_;
  if (sweeps_.bearable > 0 && !awaited_) measure_stability(end_slope(), y1_);
  if (sweeps_.last_is_first)
    K_.col(0) = K_.col(tableau_.stages - 1);
  else if (last_known_)
    K_.col(0) = d1_;
  else
    first_known_ = false;
}

void ExplicitRungeKutta::interpolate(double theta, State& state) {
  if (!dense_ready_) prepare_dense(h_);
  dense_ready_ = true;
  state.t = t0_ + theta * h_;
  dense(theta, state.y);
}

void ExplicitRungeKutta::interpolate(double theta, State& state, Vector& rate) {
  if (!dense_ready_) prepare_dense(h_);
  dense_ready_ = true;
  state.t = t0_ + theta * h_;
  rate.resize(state.y.size());
  dense(theta, state.y, rate);
  rate /= h_;
}

const Vector& ExplicitRungeKutta::end_slope() {
  if (!last_known_) {
    if (sweeps_.last_is_first)
      d1_ = K_.col(tableau_.stages - 1);
    else
      evaluate(t0_ + h_, y1_, d1_);
  }
  last_known_ = true;
  return d1_;
}

void ExplicitRungeKutta::prepare_dense(double h) {
  quartic_.build(t0_, h, y0_, K_.col(0), y1_, end_slope(),
                 [&](double t, In y, Out dy) { evaluate(t, y, dy); });
}

void ExplicitRungeKutta::dense(double theta, Out y) const {
  quartic_(theta, y);
}

void ExplicitRungeKutta::dense(double theta, Out y, Out dy) const {
  quartic_(theta, y, dy);
}

}  // namespace dalembert
