#include "dalembert/method/collocation/stage_equations.h"

#include <cmath>
#include <limits>

#include "dalembert/core/rounding.h"
#include "dalembert/method/collocation/stage_sums.h"

namespace dalembert {

namespace {

void add(const double* __restrict a, const double* __restrict b, Eigen::Index n, double* __restrict sum) {
  for (Eigen::Index i = 0; i < n; ++i) sum[i] = a[i] + b[i];
}

bool all_finite(const double* x, Eigen::Index n) {
  double even = 0, odd = 0;  // two at a time: one instruction
  for (Eigen::Index i = 0; i + 1 < n; i += 2) even += 0 * x[i], odd += 0 * x[i + 1];
  return even + odd + (n > 0 ? 0 * x[n - 1] : 0) == 0;
}

}  // namespace

void StageEquations::bind(const Implicit& problem, const Tolerance& tolerance, Precision precision,
                          Statistics& statistics, const std::vector<Collocation>& tables) {
  problem_ = &problem;
  tables_ = &tables;
  precision_ = precision;
  statistics_ = &statistics;
  // Down to rounding, what counts is the size of the entries, whatever the tolerance is.
  norm_.bind(problem, tolerance, precision);
  const Eigen::Index n = problem.layout().size();
  Eigen::Index stages = 0;
  std::size_t reals = 0, pairs = 0;
  for (const Collocation& table : tables) {
    stages = std::max<Eigen::Index>(stages, table.stages());
    reals = std::max(reals, table.real_modes.size());
    pairs = std::max(pairs, table.pairs.size());
  }
  predicted_ = F_ = modes_ = delta_ = Matrix::Zero(n, stages);
  Y_ = r_ = Vector::Zero(n);
  weights_ = Vector::Zero(stages * stages);
  real_.clear(), complex_.clear();
  for (std::size_t k = 0; k < reals; ++k) real_.emplace_back(n);
  for (std::size_t k = 0; k < pairs; ++k) complex_.emplace_back(n);
  F_y_ = F_dy_ = Entries{};
  all_.reset();
  if (precision == Precision::rounding) {
    r_all_ = Vector::Zero(n * tables.front().stages());
    all_.emplace(r_all_.size());
  }
  reset();
}

void StageEquations::reset() {
  const std::vector<Collocation>& tables = *tables_;
  const State start = problem_->start();
  for (auto& matrix : real_) matrix.reset();
  for (auto& matrix : complex_) matrix.reset();
  norm_.reset();
  F_.setZero();
  Statistics unseen;  // one pass to fix patterns: nothing allocates later
  std::swap(unseen, *statistics_);
  norm_.aim(1, start.y, start.y);
  const Vector rest = Vector::Zero(start.y.size());
  renew(tables.front(), start, rest, 1, F_, Where::start);
  fix_patterns();
  if (all_) {
    all_->reset();
    Matrix Z = F_, dY = F_;
    iterate_fully(tables.front(), start, rest, 1, Z, dY);
  }
  std::swap(unseen, *statistics_);
  forget();
  retry_ = {};
  iterations_ = 0;
  rate_ = slowness_ = 1;
}

/// All matrices are made of the same blocks.
void StageEquations::fix_patterns() {
  const auto record = [&](auto& matrix) {
    matrix.begin();
    matrix.add(F_y_, 0, 0, 1);
    matrix.add(F_dy_, 0, 0, 1);
    matrix.fix_pattern();
  };
  const auto share = [&](const auto& first) {
    for (auto& matrix : real_) matrix.take_pattern(first);
    for (auto& matrix : complex_) matrix.take_pattern(first);
  };
  if (!real_.empty()) {
    record(real_.front());
    share(real_.front());
  } else {
    record(complex_.front());
    share(complex_.front());
  }
}

void StageEquations::remember(Memory& memory) {
  std::size_t table =
      factored_ == nullptr ? tables_->size() : static_cast<std::size_t>(factored_ - tables_->data());
  memory(norm_, F_y_, F_dy_, real_, complex_, known_, fresh_, table, factored_h_, retry_.in_vain,
         retry_.left_out, iterations_, rate_, slowness_);
  factored_ = table < tables_->size() ? &(*tables_)[table] : nullptr;
}

void StageEquations::forget() {
  known_ = fresh_ = false;
  factored_ = nullptr;
}

void StageEquations::advance() {
  fresh_ = false;
  if (!converges_well()) forget();
}

int StageEquations::most_iterations(const Collocation& table) const {
  return precision_ == Precision::rounding ? 100 : 8 + std::max(table.stages(), 2);
}

void StageEquations::renew(const Collocation& table, const State& from, In slope, double h, const Matrix& Z,
                           Where where) {
  Y_ = from.y;
  r_ = slope;
  if (where == Where::middle) {
    const int s = table.stages();
    r_ *= table.middle_slope[s];
    if (table.carries_slope()) Y_ += (h * table.middle[s]) * slope;
    for (int j = 0; j < s; ++j) {
      Y_ += table.middle[j] * Z.col(j);
      r_ += (table.middle_slope[j] / h) * Z.col(j);
    }
  }
  problem_->jacobians(where == Where::middle ? from.t + h / 2 : from.t, Y_, r_, F_y_, F_dy_);
  ++statistics_->jacobians;
  norm_.choose_tests();
  known_ = fresh_ = true;
  factored_ = nullptr;
}

Outcome StageEquations::factor(const Collocation& table, double h) {
  const auto one = [&](auto& matrix, auto scale) {
    matrix.begin();
    matrix.add(F_y_, 0, 0, 1);
    matrix.add(F_dy_, 0, 0, scale);
    const Outcome outcome = matrix.factor(*statistics_);
    if (outcome != Outcome::ok) culprit_ = matrix.culprit().value_or(0), residual_ = 0;
    return outcome;
  };
  factored_ = nullptr;
  for (std::size_t k = 0; k < table.real_modes.size(); ++k)
    if (const Outcome outcome = one(real_[k], table.real_modes[k].lambda / h); outcome != Outcome::ok)
      return outcome;
  for (std::size_t k = 0; k < table.pairs.size(); ++k) {
    if (k > 0)
      complex_[k].follow(complex_.front());
    else if (!table.real_modes.empty())
      complex_[k].follow(real_.front());
    if (const Outcome outcome = one(complex_[k], table.pairs[k].lambda / h); outcome != Outcome::ok)
      return outcome;
  }
  factored_ = &table;
  factored_h_ = h;
  return Outcome::ok;
}

Outcome StageEquations::solve(const Collocation& table, const State& from, In slope, double h,
                              Accuracy accuracy, Matrix& Z, Matrix& dY) {
  predicted_ = Z;
  if (known_) {
    const bool fresh = fresh_;
    const Outcome outcome = factor_and_iterate(table, from, slope, h, accuracy, Z, dY);
    if (outcome == Outcome::ok || fresh) return outcome;
    Z = predicted_;
  }
  // The prediction may be a bad place for a Jacobian, and to start from; the start of the step is a better one then.
  // Where that was in vain several times the step is too long for both, as before a switch, and it is tried only now and then.
  Outcome outcome = Outcome::ok;
  for (const Where where : {Where::middle, Where::start}) {
    if (where == Where::start && !retry_.worth_it()) break;
    renew(table, from, slope, h, predicted_, where);
    outcome = factor_and_iterate(table, from, slope, h, accuracy, Z, dY);
    if (where == Where::start) retry_.learn(outcome);
    if (outcome == Outcome::ok) return outcome;
    if (outcome == Outcome::newton_diverged && rate_ < 0.99 && iterations_ > 5) break;  // just too slow
    Z.setZero();
  }
  if (!all_) return outcome;
  Z = predicted_;
  return iterate_fully(table, from, slope, h, Z, dY);
}

Outcome StageEquations::factor_and_iterate(const Collocation& table, const State& from, In slope, double h,
                                           Accuracy accuracy, Matrix& Z, Matrix& dY) {
  if (factored_ != &table || factored_h_ != h)
    if (const Outcome outcome = factor(table, h); outcome != Outcome::ok) {
      forget();
      return outcome;
    }
  return iterate(table, from, slope, h, accuracy, Z, dY);
}

Outcome StageEquations::residuals(const Collocation& table, const State& from, In slope, double h,
                                  const Matrix& Z, Matrix& dY) {
  const int s = table.stages();
  const Eigen::Index n = Y_.size();
  sums_of_stages(Z, s, weights_.data(), dY);
  if (table.carries_slope())
    for (int i = 0; i < s; ++i) dY.col(i) += table.d[i] * slope;
  for (int i = 0; i < s; ++i) {
    add(from.y.data(), Z.data() + i * n, n, Y_.data());
    problem_->F(from.t + table.c[i] * h, Y_, dY.col(i), F_.col(i));
  }
  statistics_->force_evaluations += s;
  return all_finite(F_.data(), s * n) ? Outcome::ok : Outcome::not_finite;
}

/// One correction of all stages; returns its size.
double StageEquations::correct(const Collocation& table, Matrix& Z) {
  const int s = table.stages();
  sums_of_stages(F_, s, table.to_modes.data(), modes_);
  int k = 0;
  for (std::size_t each = 0; each < table.real_modes.size(); ++each, ++k)
    real_[each].solve(modes_.col(k), *statistics_);
  for (std::size_t each = 0; each < table.pairs.size(); ++each, k += 2)
    complex_[each].solve(modes_.col(k), modes_.col(k + 1), *statistics_);
  sums_of_stages(modes_, s, table.from_modes.data(), delta_);
  double* __restrict z = Z.data();
  const double* __restrict d = delta_.data();
  for (Eigen::Index i = 0, size = s * Z.rows(); i < size; ++i) z[i] -= d[i];
  return norm_.newton(delta_, s);
}

Outcome StageEquations::iterate(const Collocation& table, const State& from, In slope, double h,
                                Accuracy accuracy, Matrix& Z, Matrix& dY) {
  const bool to_rounding = precision_ == Precision::rounding;
  const int most = most_iterations(table);
  const double large = 1 + norm_.newton(from.y);
  weights_.head(table.W.size()) = table.W_transposed.reshaped() / h;
  // What the last step says about the first correction of this one. Never too much: a large correction may be of
  // another kind than those before.
  slowness_ = std::pow(std::max(slowness_, 0.003), 0.8);
  double last = 0, last_ratio = 0;
  rate_ = 0;
  for (iterations_ = 1; iterations_ <= most; ++iterations_) {
    if (const Outcome outcome = residuals(table, from, slope, h, Z, dY); outcome != Outcome::ok)
      return blame(outcome, table.stages());
    ++statistics_->newton_iterations;
    const double now = correct(table, Z);
    if (!std::isfinite(now)) return blame(Outcome::not_finite, table.stages());
    if (iterations_ > 1) {
      const double ratio = now / last;
      rate_ = iterations_ == 2 ? ratio : std::sqrt(ratio * last_ratio);
      last_ratio = ratio;
    }
    if (to_rounding) {
      if (now <= newton_floor * large || settled(now, last, 1e-12 * large)) return Outcome::ok;
      if (iterations_ > 10 && rate_ > 0.7) break;  // slow, or diverging
    } else {
      if (now <= newton_noise * large) return Outcome::ok;
      if (iterations_ > 1) {
        if (rate_ > 0.5 && settled(now, last, std::min(accuracy.bearable, 1e-10 * large))) return Outcome::ok;
        if (!(rate_ < 0.99)) break;
        slowness_ = rate_ / (1 - rate_);
        // What will be left at the last iteration, at this rate?
        if (iterations_ > 2 && slowness_ * now * std::pow(rate_, most - iterations_) > accuracy.wanted) break;
      }
      if (slowness_ * now <= accuracy.wanted) return Outcome::ok;
    }
    last = std::max(now, std::numeric_limits<double>::min());
  }
  slowness_ = 1;
  return blame(Outcome::newton_diverged, table.stages());
}

/// Corrections that are small and no longer shrink are the rounding of the residual, seen through the matrix.
bool StageEquations::settled(double now, double last, double noise) const {
  return iterations_ > 1 && now > 0.9 * last && now <= noise;
}

Outcome StageEquations::iterate_fully(const Collocation& table, const State& from, In slope, double h,
                                      Matrix& Z, Matrix& dY) {
  forget();
  const int s = table.stages();
  const Eigen::Index n = r_.size();
  const double large = 1 + norm_.newton(from.y);
  double last = 0;
  rate_ = 1;
  weights_.head(table.W.size()) = table.W_transposed.reshaped() / h;
  for (iterations_ = 1; iterations_ <= 30; ++iterations_) {
    if (const Outcome outcome = residuals(table, from, slope, h, Z, dY); outcome != Outcome::ok)
      return blame(outcome, s);
    ++statistics_->newton_iterations;
    all_->begin();
    for (int i = 0; i < s; ++i) {
      Y_ = from.y + Z.col(i);
      problem_->jacobians(from.t + table.c[i] * h, Y_, dY.col(i), F_y_, F_dy_);
      ++statistics_->jacobians;
      all_->add(F_y_, i * n, i * n, 1);
      for (int j = 0; j < s; ++j) all_->add(F_dy_, i * n, j * n, table.W(i, j) / h);
      r_all_.segment(i * n, n) = -F_.col(i);
    }
    if (const Outcome outcome = all_->factor(*statistics_); outcome != Outcome::ok) {
      culprit_ = all_->culprit().value_or(0) % n, residual_ = 0;
      return outcome;
    }
    all_->solve(r_all_, *statistics_);
    for (int i = 0; i < s; ++i) {
      delta_.col(i) = r_all_.segment(i * n, n);
      Z.col(i) += delta_.col(i);
    }
    const double now = norm_.newton(delta_, s);
    if (!std::isfinite(now)) return blame(Outcome::not_finite, s);
    // What converges quadratically stops shrinking for no other reason.
    if (now <= newton_floor * large || settled(now, last, 1e-9 * large)) return Outcome::ok;
    last = now;
  }
  return blame(Outcome::newton_diverged, s);
}

void StageEquations::filter(Out x) {
  if (!factored_->real_modes.empty()) {
    real_.front().solve(x, *statistics_);
    return;
  }
  r_.setZero();
  complex_.front().solve(x, r_, *statistics_);
}

Outcome StageEquations::blame(Outcome outcome, int s) {
  culprit_ = 0;
  residual_ = -1;
  for (int i = 0; i < s; ++i)
    for (Eigen::Index j = 0; j < F_.rows(); ++j)
      if (const double r = std::abs(F_(j, i)); !(r <= residual_)) {
        culprit_ = j, residual_ = r;
        if (!std::isfinite(r)) return outcome;
      }
  return outcome;
}

}  // namespace dalembert
