#include "dalembert/method/collocation/collocation_method.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/core/rounding.h"
#include "dalembert/method/collocation/stage_sums.h"

namespace dalembert {

namespace {

constexpr double safety = 0.9, least_factor = 0.125, most_factor = 8;

double leading(const Tolerance& tolerance) {
  return std::max(tolerance.relative > 0 ? tolerance.relative : tolerance.absolute, machine_epsilon);
}

/// What the filter of the estimate does to a residual of y' = f(t), divided by h.
double gain(const Collocation& table) {
  return table.real_modes.empty() ? (1.0 / table.pairs.front().lambda).real()
                                  : 1 / table.real_modes.front().lambda;
}

}  // namespace

CollocationMethod::Estimate CollocationMethod::estimate_of(const Collocation& table,
                                                           const Tolerance& tolerance) {
  const int s = table.stages();
  // err = O(h^k) in one step, but the solution is of order p: errors are about tol if err is about tol^(k/p). Stiff
  // parts converge with lower order than p: the highest orders are not trusted quite so far.
  const double k = s + (table.carries_slope() ? 2 : 1), tol = leading(tolerance);
  Estimate estimate{.exponent = 1 / k,
                    .strictness = tol / std::max(0.1 * std::pow(tol, std::max(k / table.order(), 0.85)),
                                                 1000 * machine_epsilon),
                    .constant = gain(table) * table.c.prod(),
                    .slopes = Vector::Zero(s + 1)};
  table.slopes(0, estimate.slopes);
  return estimate;
}

void CollocationMethod::bind(const Problem& problem, const Setting& setting) {
  problem_ = &require<Implicit>(problem, name_);
  setting_ = setting;
  shared_ = family_(setting.options);
  equations_.bind(*problem_, setting.tolerance, setting.precision, *setting.statistics, tables());
  const Layout layout = problem_->layout();
  const Eigen::Index n = layout.size();
  int stages = 0;
  estimates_.clear();
  for (const Collocation& table : tables()) {
    stages = std::max(stages, table.stages());
    estimates_.push_back(estimate_of(table, setting.tolerance));
  }
  last_ = now_ = {nullptr, 0, 0, Vector::Zero(n), Vector::Zero(n), Matrix::Zero(n, stages)};
  slope_ = inner_ = end_slope_ = end_inner_ = moved_ = u_ = du_ = err_ = also_tested_ = Vector::Zero(n);
  dY_ = Matrix::Zero(n, stages);
  weights_ = Vector::Zero(stages + 1);
  for (const auto& block : layout.blocks())
    if (block.role == Role::differential && block.index > 1)
      also_tested_.segment(block.offset, block.size).setOnes();
  const bool undamped = tables().front().carries_slope() && tables().front().c[0] < 0.51;
  alternation_.bind(undamped ? layout : Layout());
  restart();
}

LinearForm CollocationMethod::linear_form(const Parameters& options) const {
  const Collocation table = family_(options)->front();
  const Eigen::Index first = table.carries_slope() ? 1 : 0, s = table.stages() + first;
  RungeKuttaForm form{.A = Matrix::Zero(s, s), .b = {}};
  // h Y' = W Z + h d y'_n
  const Matrix inverse = table.W.inverse();
  form.A.bottomRightCorner(s - first, s - first) = inverse;
  if (first == 1) form.A.bottomLeftCorner(s - 1, 1) = -inverse * table.d;
  form.b = form.A.bottomRows(1).transpose();
  return form;
}

bool CollocationMethod::reset() {
  equations_.reset();
  restart();
  moved_.setZero();
  last_error_ = error_ = 0;
  table_tried_ = table_next_ = 0;
  return true;
}

bool CollocationMethod::remember(Memory& memory) {
  std::size_t last = last_.table == nullptr ? 0 : static_cast<std::size_t>(last_.table - tables().data());
  memory(equations_, alternation_, started_, continued_, last, last_.t, last_.h, last_.y, last_.slope,
         last_.Z, slope_, inner_, table_, steps_with_table_, last_error_, attempts_, divergences_, grown_);
  if (last >= tables().size() || table_ >= tables().size()) Memory::refuse();
  last_.table = &tables()[last];
  return true;
}

void CollocationMethod::restart() {
  started_ = continued_ = false;
  attempts_ = divergences_ = 0;
  table_ = steps_with_table_ = 0;
  alternation_.restart();
  grown_.reset();
  equations_.forget();
}

void CollocationMethod::begin(const State& from, double h) {
  if (!started_) {
    problem_->rate(from.t, from.y, slope_);
    if (!slope_.allFinite()) slope_.setZero();
    started_ = true;
  }
  if (attempts_ > 0) equations_.forget();  // the Jacobian was of another step, or of a longer one
  // A higher order whose equations could not be solved gives way.
  table_tried_ = divergences_ > 0 && table_ > 0 ? table_ - 1 : table_;
  ++attempts_;
  now_.table = &tables()[table_tried_];
  now_.t = from.t;
  now_.h = h;
  copy(from.y, now_.y);
  copy(slope_, now_.slope);
}

/// Z from the polynomial of the step before, continued; at a start from the tangent, and where a polynomial of high
/// degree would magnify what Newton's iteration has left.
void CollocationMethod::predict(const State& from) {
  const Collocation& table = *now_.table;
  const int s = table.stages();
  const bool far = continued_ && last_.table->stages() > 3 && now_.h > 1.8 * last_.h;
  for (int i = 0; i < s; ++i) {
    auto Z = now_.Z.col(i);
    if (!continued_ || far) {
      Z = (table.c[i] * now_.h) * slope_;
      continue;
    }
    const Collocation& old = *last_.table;
    const int end = old.stages() - 1;
    old.values(1 + table.c[i] * now_.h / last_.h, weights_.head(end + 2));
    weights_[end] -= 1;  // from its end on
    sum_of_stages(last_.Z, end + 1, weights_.data(), 1, Z.data());
    if (old.carries_slope()) Z += (last_.h * weights_[end + 1]) * last_.slope;
  }
  // What Newton's iteration does not look at has no history to rely on.
  for (int i = 0; i < s; ++i) now_.Z.col(i).array() *= equations_.norm().newton_tests().array();
  u_ = from.y + now_.Z.col(s - 1);
  slope_at(s - 1, du_);
  problem_->prepare(from.t + now_.h, u_, du_);
  now_.Z.col(s - 1) = u_ - from.y;
}

/// Y' at a stage of the step tried.
void CollocationMethod::slope_at(int stage, Out dy) const {
  const Collocation& table = *now_.table;
  sum_of_stages(now_.Z, table.stages(), table.W_transposed.col(stage).data(), now_.h, dy.data());
  if (table.carries_slope()) dy += table.d[stage] * now_.slope;
}

Attempt CollocationMethod::attempt(const State& from, double h, State& to) {
  if (grown_) return {.outcome = Outcome::unstable, .trouble = grown_};
  begin(from, h);
  predict(from);
  equations_.aim(h, from.y);
  const double strictness = estimates_[table_tried_].strictness;
  const double tol = leading(setting_.tolerance) / strictness;
  const double wanted = std::max(10 * machine_epsilon / tol, std::min(0.03, std::sqrt(tol)));
  const Outcome solved = equations_.solve(
      *now_.table, from, slope_, h, {wanted / strictness, std::min(0.1, 0.1 / strictness)}, now_.Z, dY_);
  if (solved != Outcome::ok) {
    ++divergences_;
    if (const auto grown = alternation_.breaking()) return {.outcome = Outcome::unstable, .trouble = grown};
    return failed(solved);
  }
  to.t = from.t + h;
  to.y = from.y + now_.Z.col(now_.table->stages() - 1);
  return judge(from, to);
}

Attempt CollocationMethod::judge(const State& from, State& to) {
  const Estimate& estimate = estimates_[table_tried_];
  const int s = now_.table->stages();
  Attempt attempt{.exponent = estimate.exponent};
  error_ = 0;
  if (setting_.precision == Precision::tolerance) {  // fixed steps are not judged
    const double size = now_.table->carries_slope() ? change_of_slope() : defect_at_start(from);
    if (!std::isfinite(size)) return failed(Outcome::not_finite);
    attempt.error = error_ = std::max(size * estimate.strictness, 1e-10);
    attempt.next = next_step(error_);
  }
  if (error_ > 1) {
    const Eigen::Index worst = equations_.norm().worst_error(err_);
    attempt.trouble = Trouble{worst, std::abs(err_[worst])};
    return attempt;
  }
  // Slopes belong to the equations; a projection must not bend the polynomial.
  slope_at(s - 1, end_slope_);
  if (now_.table->carries_slope()) slope_at(0, end_inner_);
  if (setting_.projection == Projection::on && problem_->invariant() != nullptr) {
    ++setting_.statistics->projections;
    moved_ = -to.y;
    if (const Outcome outcome = problem_->invariant()->project(to.t, to.y); outcome != Outcome::ok)
      return failed(outcome);
    moved_ += to.y;
  }
  const OrderChoice next = other_order();
  table_next_ = next.table;
  if (next.table != table_tried_) attempt.next = next.h;
  return attempt;
}

Attempt CollocationMethod::failed(Outcome outcome) const {
  return {.outcome = outcome,
          .exponent = estimates_[table_tried_].exponent,
          .trouble = Trouble{equations_.culprit(), equations_.residual()}};
}

double CollocationMethod::defect_at_start(const State& from) {
  const Estimate& estimate = estimates_[table_tried_];
  u_ = from.y;
  sum_of_stages(now_.Z, now_.table->stages(), estimate.slopes.data(), now_.h, du_.data());
  const auto filtered = [&] {
    problem_->F(from.t, u_, du_, err_);
    ++setting_.statistics->force_evaluations;
    err_ = -err_;
    equations_.filter(err_);
    return error_norm(err_);
  };
  const double first = filtered();
  if (!(first * estimate.strictness > 1)) return first;
  u_ += err_;
  const double second = filtered();
  return std::isfinite(second) ? std::min(first, second) : first;
}

double CollocationMethod::change_of_slope() {
  const double c = now_.table->c[0], b = 1 / (6 * c * (1 - c));
  slope_at(0, u_);
  slope_at(1, du_);
  // Lagrange's formula at c, with points before, 0, 1 in units of h.
  u_ -= (1 - c) * slope_ + c * du_;
  if (continued_) {
    const double before = -(1 - last_.table->c[0]) * last_.h / now_.h;
    const double weight = c * (c - 1) / (before * (before - 1));
    u_ -= weight * (inner_ - (1 - before) * slope_ - before * du_);
  }
  err_.setZero();
  equations_.multiply_derivative_part(u_, b / gain(*now_.table), err_);
  equations_.filter(err_);
  return error_norm(err_);
}

double CollocationMethod::error_norm(In err) const {
  const Vector& weight = equations_.norm().weight();
  const Vector& tested = equations_.norm().error_tests();
  double sum = 0, count = 0;
  for (Eigen::Index i = 0; i < err.size(); ++i)
    if (tested[i] != 0 || also_tested_[i] != 0) {
      const double part = err[i] * weight[i] * std::max(1., tested[i]);
      sum += part * part;
      count += 1;
    }
  return count == 0 ? 0.0 : std::sqrt(sum / count);
}

/// Predictive control [Gustafsson1991; HairerWanner1996, IV.8], less ambitious after many iterations; a step that
/// would grow only a little stays, and with it the factors.
double CollocationMethod::next_step(double error) const {
  const double k = estimates_[table_tried_].exponent, h = now_.h;
  const double most = equations_.most_iterations(*now_.table);
  const double factor = std::min(safety, safety * (1 + 2 * most) / (equations_.iterations() + 2 * most));
  double shrink = std::clamp(std::pow(error, k) / factor, 1 / most_factor, 1 / least_factor);
  if (error > 1) return h / std::max(shrink, 1.1);
  if (continued_ && last_.table == now_.table) {
    const double predicted = last_.h / h * std::pow(error * error / last_error_, k) / safety;
    shrink = std::max(shrink, std::clamp(predicted, 1 / most_factor, 1 / least_factor));
  }
  double next = h / shrink;
  // The rate of convergence grows with the step: leave room, rather than fail.
  if (equations_.iterations() > 1 && equations_.rate() > 0.05)
    next = std::min(next, h * std::max(0.5, 0.4 / equations_.rate()));
  if (attempts_ > 1) next = std::min(next, h);  // just too large: do not grow at once
  return next >= h && next <= 1.2 * h ? h : next;
}

/// Another order if its steps per stage are clearly longer, or if Newton's iteration hardly converges.
CollocationMethod::OrderChoice CollocationMethod::other_order() {
  const std::size_t now = table_tried_;
  const double h = now_.h;
  OrderChoice best{now, h};
  if (tables().size() == 1 || error_ == 0) return best;
  const double rate = equations_.iterations() > 1 ? equations_.rate() : 0;
  if (now > 0 && rate > 0.8) return {now - 1, h};
  if (steps_with_table_ < 3 || divergences_ > 0) return best;

  const Collocation& table = tables()[now];
  const int s = table.stages();
  u_.setZero();
  for (int j = 0; j < s; ++j) u_ += table.bend[j] * now_.Z.col(j);
  const double D_low = error_norm(u_),
               D_high = error_ / estimates_[now].strictness / estimates_[now].constant;
  const auto longest = [&](std::size_t k, double D) {
    const double error = D * estimates_[k].constant * estimates_[k].strictness;
    return h * std::pow(std::max(error, 1e-10), -estimates_[k].exponent);
  };
  double most = 1.2 * longest(now, D_high) / s;
  const auto consider = [&](std::size_t k, double D) {
    const double step = longest(k, D);
    if (rate * step > 0.3 * h || step / tables()[k].stages() <= most) return;
    most = step / tables()[k].stages();
    best = {k, std::min(safety * step, 3 * h)};
  };
  if (now > 0) consider(now - 1, D_low);
  if (now + 1 < tables().size()) {
    const double fall = D_high / D_low * (s * (s + 1)) / ((s + 2) * (s + 3));
    consider(now + 1, D_high * std::min(fall, 1.0));
  }
  return best;
}

void CollocationMethod::accept() {
  std::swap(slope_, end_slope_);
  std::swap(inner_, end_inner_);
  if (now_.table->carries_slope()) {
    for (int i = 0; i < now_.table->stages(); ++i) {
      u_ = now_.y + now_.Z.col(i);
      if (!grown_) grown_ = alternation_.growing(u_);
      alternation_.accept(u_);
    }
  }
  std::swap(last_, now_);
  continued_ = true;
  last_error_ = std::max(error_, 1e-2);
  steps_with_table_ = table_next_ == table_ ? steps_with_table_ + 1 : 0;
  table_ = table_next_;
  attempts_ = divergences_ = 0;
  equations_.advance();
}

void CollocationMethod::interpolate(double theta, State& inside) {
  const Collocation& table = *now_.table;
  const int s = table.stages();
  table.values(theta, weights_.head(s + 1));
  inside.t = now_.t + theta * now_.h;
  sum_of_stages(now_.Z, s, weights_.data(), 1, u_.data());
  inside.y = now_.y + theta * moved_ + u_;
  if (table.carries_slope()) inside.y += (now_.h * weights_[s]) * now_.slope;
}

void CollocationMethod::interpolate(double theta, State& inside, Vector& rate) {
  interpolate(theta, inside);
  const Collocation& table = *now_.table;
  const int s = table.stages();
  table.slopes(theta, weights_.head(s + 1));
  sum_of_stages(now_.Z, s, weights_.data(), now_.h, u_.data());
  rate = u_ + moved_ / now_.h;
  if (table.carries_slope()) rate += weights_[s] * now_.slope;
}

}  // namespace dalembert
