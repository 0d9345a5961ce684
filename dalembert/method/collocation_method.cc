#include "dalembert/method/collocation_method.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dalembert {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();
constexpr double safety = 0.9, least_factor = 0.125, most_factor = 8;

double leading(const Tolerance& tolerance) {
  return std::max(tolerance.relative > 0 ? tolerance.relative : tolerance.absolute, rounding);
}

}  // namespace

CollocationMethod::Defect CollocationMethod::defect_of(const Collocation& table, const Tolerance& tolerance) {
  const int s = table.stages();
  const auto inverse = [&] {
    return table.real_modes.empty() ? (1.0 / table.pairs.front().lambda).real()
                                    : 1 / table.real_modes.front().lambda;
  };
  Defect defect{.theta = 0, .kappa = 1, .values = Vector::Zero(s + 1), .slopes = Vector::Zero(s + 1)};
  if (table.carries_slope()) {
    double most = 0, integral = 0;
    const int grid = 1000;
    for (int k = 0; k < grid; ++k) {
      const double theta = (k + 0.5) / grid, size = std::abs(theta * (theta - table.c.array()).prod());
      integral += size / grid;
      if (size > most) most = size, defect.theta = theta;
    }
    defect.kappa = integral / (most * inverse());
  }
  table.values(defect.theta, defect.values);
  table.slopes(defect.theta, defect.slopes);
  defect.constant = inverse() * table.c.prod();
  // err = O(h^k) in one step, but the solution is of order p: errors are about tol if err is about tol^(k/p).
  const double k = s + (table.carries_slope() ? 2 : 1), tol = leading(tolerance);
  defect.exponent = 1 / k;
  defect.strictness = tol / (0.1 * std::pow(tol, k / table.order()));
  return defect;
}

void CollocationMethod::bind(const Problem& problem, const Setting& setting) {
  problem_ = &require<Implicit>(problem, name_);
  setting_ = setting;
  tables_ = family_(setting.options);
  equations_.bind(*problem_, setting.tolerance, setting.precision, *setting.statistics, tables_);
  const Layout layout = problem_->layout();
  const Eigen::Index n = layout.size();
  int stages = 0;
  defects_.clear();
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    stages = std::max(stages, tables_[k].stages());
    defects_.push_back(defect_of(tables_[k], setting.tolerance));
  }
  last_ = now_ = {nullptr, 0, 0, Vector::Zero(n), Vector::Zero(n), Matrix::Zero(n, stages)};
  slope_ = u_ = du_ = err_ = r_ = Vector::Zero(n);
  end_.y = Vector::Zero(n);
  dY_ = Matrix::Zero(n, stages);
  weights_ = Vector::Zero(stages + 1);
  // What the problem wants tested, and with their weights differential entries of index 2 and 3.
  error_tests_ = equations_.norm().error_tests();
  for (const auto& block : layout.blocks())
    if (block.role == Role::differential && block.index > 1)
      error_tests_.segment(block.offset, block.size).setOnes();
  alternation_.bind(tables_.front().carries_slope() ? layout : Layout());
  restart();
}

void CollocationMethod::restart() {
  alternation_.restart();
  started_ = continued_ = false;
  attempts_ = divergences_ = 0;
  table_ = steps_with_table_ = 0;
  equations_.forget();
}

/// Z from the polynomial of the step before, continued; at a start from the tangent.
void CollocationMethod::predict(const State& from, double h) {
  const Collocation& table = *now_.table;
  const int s = table.stages();
  if (continued_) {
    const Collocation& old = *last_.table;
    const int old_s = old.stages();
    for (int i = 0; i < s; ++i) {
      old.values(1 + table.c[i] * h / last_.h, weights_.head(old_s + 1));
      auto Z = now_.Z.col(i);
      Z = (weights_[old_s - 1] - 1) * last_.Z.col(old_s - 1);
      for (int j = 0; j < old_s - 1; ++j) Z += weights_[j] * last_.Z.col(j);
      if (old.carries_slope()) Z += (last_.h * weights_[old_s]) * last_.slope;
    }
  } else {
    for (int i = 0; i < s; ++i) now_.Z.col(i) = (table.c[i] * h) * slope_;
  }
  u_ = from.y + now_.Z.col(s - 1);
  du_ = table.d[s - 1] * slope_;
  for (int j = 0; j < s; ++j) du_ += (table.W(s - 1, j) / h) * now_.Z.col(j);
  problem_->prepare(from.t + h, u_, du_);
  now_.Z.col(s - 1) = u_ - from.y;
}

Attempt CollocationMethod::attempt(const State& from, double h, State& to) {
  if (!started_) {
    problem_->rate(from.t, from.y, slope_);
    if (!slope_.allFinite()) slope_.setZero();
    started_ = true;
  }
  if (attempts_ > 0) equations_.forget();  // the Jacobian was of another step, or of the middle of a longer one
  // A higher order whose equations could not be solved gives way.
  table_tried_ = divergences_ > 0 && table_ > 0 ? table_ - 1 : table_;
  ++attempts_;
  const Collocation& table = tables_[table_tried_];
  const int s = table.stages();
  now_.table = &table;
  now_.t = from.t;
  now_.h = h;
  copy(from.y, now_.y);
  copy(slope_, now_.slope);
  predict(from, h);
  equations_.aim(h, from.y);
  const double strict = defects_[table_tried_].strictness;
  const double tol = leading(setting_.tolerance) / strict;
  const double enough = std::max(10 * rounding / tol, std::min(0.03, std::sqrt(tol))) / strict;
  if (const Outcome outcome = equations_.solve(table, from, slope_, h, enough, now_.Z, dY_);
      outcome != Outcome::ok) {
    ++divergences_;
    if (const auto grown = alternation_.breaking())
      return {.outcome = Outcome::unstable, .trouble = grown};
    return failed(outcome);
  }
  to.t = from.t + h;
  to.y = from.y + now_.Z.col(s - 1);
  // Fixed steps are not judged.
  error_ = setting_.precision == Precision::rounding ? 0 : std::max(estimate(from, h) * strict, 1e-10);
  Attempt attempt{.error = error_, .exponent = defects_[table_tried_].exponent};
  if (!std::isfinite(error_)) return failed(Outcome::not_finite);
  if (error_ > 0) attempt.next = next_step(h, error_);
  if (error_ > 1) {
    const Eigen::Index worst = equations_.norm().worst_error(err_);
    attempt.trouble = Trouble{worst, std::abs(err_[worst])};
    return attempt;
  }
  if (setting_.projection == Projection::on && problem_->invariant() != nullptr) {
    ++setting_.statistics->projections;
    if (const Outcome outcome = problem_->invariant()->project(to.t, to.y); outcome != Outcome::ok)
      return failed(outcome);
    now_.Z.col(s - 1) = to.y - from.y;
  }
  if (const auto grown = alternation_.growing(to)) return {.outcome = Outcome::unstable, .trouble = grown};
  const Plan plan = other_order(h);
  table_next_ = plan.table;
  if (plan.table != table_tried_) attempt.next = plan.h;
  return attempt;
}

Attempt CollocationMethod::failed(Outcome outcome) const {
  return {.outcome = outcome,
          .exponent = defects_[table_tried_].exponent,
          .trouble = Trouble{equations_.culprit(), equations_.residual()}};
}

double CollocationMethod::estimate(const State& from, double h) {
  const Collocation& table = *now_.table;
  const Defect& defect = defects_[table_tried_];
  const int s = table.stages();
  u_ = from.y;
  du_.setZero();
  if (defect.theta > 0)
    for (int j = 0; j < s; ++j) u_ += defect.values[j] * now_.Z.col(j);
  for (int j = 0; j < s; ++j) du_ += (defect.slopes[j] / h) * now_.Z.col(j);
  if (table.carries_slope()) {
    u_ += (h * defect.values[s]) * slope_;
    du_ += defect.slopes[s] * slope_;
  }
  const auto filtered = [&] {
    problem_->F(from.t + defect.theta * h, u_, du_, r_);
    ++setting_.statistics->force_evaluations;
    if (table.carries_slope()) equations_.drop_algebraic(r_);
    err_ = -defect.kappa * r_;
    equations_.filter(err_);
    return error_norm(err_);
  };
  const double first = filtered();
  if (!(first * defects_[table_tried_].strictness > 1)) return first;
  u_ += err_;
  const double second = filtered();
  return std::isfinite(second) ? std::min(first, second) : first;
}

double CollocationMethod::error_norm(In err) const {
  const Vector& weight = const_cast<StageEquations&>(equations_).norm().weight();
  double sum = 0, count = 0;
  for (Eigen::Index i = 0; i < err.size(); ++i)
    if (error_tests_[i] != 0) {
      const double part = err[i] * weight[i];
      sum += part * part;
      count += 1;
    }
  return count == 0 ? 0.0 : std::sqrt(sum / count);
}

/// Predictive control [Gustafsson1991; HairerWanner1996, IV.8], less ambitious after many iterations; a step that
/// would grow only a little stays, and with it the factors.
double CollocationMethod::next_step(double h, double error) const {
  const double k = defects_[table_tried_].exponent;
  const double most = equations_.most_iterations(*now_.table);
  const double factor = std::min(safety, safety * (1 + 2 * most) / (equations_.iterations() + 2 * most));
  double shrink = std::clamp(std::pow(error, k) / factor, 1 / most_factor, 1 / least_factor);
  if (error > 1) return h / std::max(shrink, 1.1);
  if (continued_ && last_.table == now_.table) {
    const double predicted = last_.h / h * std::pow(error * error / last_error_, k) / safety;
    shrink = std::max(shrink, std::clamp(predicted, 1 / most_factor, 1 / least_factor));
  }
  double next = h / shrink;
  if (attempts_ > 1) next = std::min(next, h);  // just too large: do not grow at once
  return next >= h && next <= 1.2 * h ? h : next;
}

/// Another order if its steps per stage are clearly longer, or if Newton's iteration hardly converges.
CollocationMethod::Plan CollocationMethod::other_order(double h) {
  const std::size_t now = table_tried_;
  Plan best{now, h};
  if (tables_.size() == 1 || error_ == 0) return best;
  const double rate = equations_.iterations() > 1 ? equations_.rate() : 0;
  if (now > 0 && rate > 0.8) return {now - 1, h};
  if (steps_with_table_ < 3 || divergences_ > 0) return best;

  const Collocation& table = tables_[now];
  const int s = table.stages();
  err_.setZero();
  for (int j = 0; j < s; ++j) err_ += table.bend[j] * now_.Z.col(j);
  const double D_low = error_norm(err_), D_high = error_ / defects_[now].strictness / defects_[now].constant;
  const auto longest = [&](std::size_t k, double error) {
    return h * std::pow(std::max(error * defects_[k].strictness, 1e-10), -defects_[k].exponent);
  };
  const auto per_stage = [&](std::size_t k, double step) { return step / tables_[k].stages(); };
  double most = 1.2 * per_stage(now, longest(now, D_high * defects_[now].constant));
  const auto consider = [&](std::size_t k, double D) {
    const double step = longest(k, D * defects_[k].constant);
    if (rate * step > 0.3 * h || per_stage(k, step) <= most) return;
    most = per_stage(k, step);
    best = {k, std::min(safety * step, 3 * h)};
  };
  if (now > 0) consider(now - 1, D_low);
  if (now + 1 < tables_.size()) {
    const double fall = D_high / D_low * (s * (s + 1)) / ((s + 2) * (s + 3));
    consider(now + 1, D_high * std::min(fall, 1.0));
  }
  return best;
}

void CollocationMethod::accept() {
  const Collocation& table = *now_.table;
  const int s = table.stages();
  du_ = table.d[s - 1] * slope_;
  for (int j = 0; j < s; ++j) du_ += (table.W(s - 1, j) / now_.h) * now_.Z.col(j);
  std::swap(slope_, du_);
  if (table.carries_slope()) {
    end_.t = now_.t + now_.h;
    end_.y = now_.y + now_.Z.col(s - 1);
    alternation_.accept(end_);
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
  inside.y = now_.y + (now_.h * weights_[s]) * now_.slope;
  for (int j = 0; j < s; ++j) inside.y += weights_[j] * now_.Z.col(j);
}

}  // namespace dalembert
