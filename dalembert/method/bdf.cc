// Backward differentiation formulas of order 1 to 5 with variable step, in fixed leading coefficient form.
//
//   predictor  w(t_n - psi_i) = y_{n-1-i}, i = 0..k       y0 = w(t_n) = sum phi*_i,   y0' = w'(t_n) = sum gamma_i phi*_i
//   corrector  F(t_n, y, y0' + c (y - y0)) = 0            c = (1 + 1/2 + .. + 1/k)/h
//   error      e = y - y0,   C |e|,   C = max(alpha_k, |alpha_k + sum_{i<k} alpha_i - sum_{i<=k} 1/i|)
//
//   psi_i = t_n - t_{n-1-i},   alpha_i = h/psi_i,   beta_i = prod_{j<i} psi_j(n)/psi_j(n-1),   phi*_i = beta_i phi_i,
//   sigma_i = i! prod_{1<=j<=i} alpha_j,   gamma_i = sum_{j<i} alpha_j/h
//
// phi_i are the modified divided differences of y at t_{n-1}; order and step follow from the differences of order k-2 to
// k+1, as in DASSL [Petzold1982; BrenanCampbellPetzold1996, 5.2]. Between steps the polynomial through the new and the k
// last values is the solution, with the order of the step.
//
// With fixed steps the order is max-order from the beginning: the first k steps are one block of collocation
// (nonlinear/collocation_block.h), after that formula and history are those of the order k.
#include <algorithm>
#include <array>
#include <cmath>

#include "dalembert/method/method.h"
#include "dalembert/nonlinear/collocation_block.h"
#include "dalembert/nonlinear/implicit_equation.h"

namespace dalembert {

namespace {

constexpr int highest = 5;

class Bdf final : public Method {
 public:
  void bind(const Problem& problem, const Setting& setting) override {
    problem_ = &require<Implicit>(problem, "bdf");
    fixed_ = setting.precision == Precision::rounding;
    most_ = setting.options.count("max-order", 1, highest);
    cold_ = setting.options.count("cold-start", 0, 1) == 1;
    invariant_ = setting.projection == Projection::on ? problem_->invariant() : nullptr;
    dassl_ = setting.options.count("dassl", 0, 1) == 1;
    ImplicitEquation::Options newton;
    if (dassl_) newton = {.weights = IndexWeights::none, .reuse = MatrixReuse::scale};
    equation_.bind(*problem_, setting.tolerance, setting.precision, *setting.statistics, newton);
    if (fixed_) block_.bind(*problem_, most_, *setting.statistics);
    const Layout layout = problem.layout();
    algebraic_ = Vector::Zero(layout.size());
    for (const auto& block : layout.blocks())
      if (block.role == Role::algebraic) algebraic_.segment(block.offset, block.size).setOnes();
    for (auto* differences : {&now_.phi, &next_.phi}) differences->fill(Vector::Zero(layout.size()));
    for (Vector* v : {&rate_, &y_, &dy_, &e_, &d_}) *v = Vector::Zero(layout.size());
    restart();
  }

  std::optional<double> first_step(const State& from, double end) override {
    start(from);
    const double h = 1e-3 * (end - from.t);
    equation_.norm().aim(h, from.y, from.y);
    const double speed = equation_.norm().newton(rate_);
    return speed * h > 0.5 ? 0.5 / speed : h;
  }

  Attempt attempt(const State& from, double h, State& to) override {
    t_ = from.t + h;
    h_ = h;
    to.t = t_;
    if (fixed_ && !now_.exists) return attempt_in_block(from, to);
    start(from);
    aim(h);
    predict();
    const double c = harmonic(plan_.order) / h;
    const Outcome outcome = equation_.solve(t_, h, c, now_.phi[0], y_, dy_);
    if (outcome != Outcome::ok) {
      plan_.rising = false;
      if (++plan_.divergences > 2 && !dassl_) plan_.order = 1;  // what the past says may be what is wrong
      return {.outcome = outcome, .trouble = Trouble{equation_.culprit(), equation_.residual()}};
    }
    copy(equation_.correction(), e_);
    const Estimates seen = estimate();
    Attempt result{.error = seen.constant * seen.size, .exponent = 1.0 / (plan_.order + 1)};
    if (!fixed_ && !(result.error <= 1)) {
      const Eigen::Index worst = equation_.norm().worst_error(e_);
      result.trouble = Trouble{worst, seen.constant * std::abs(e_[worst])};
      result.next = replan(seen);
      return result;
    }
    if (invariant_ != nullptr) {
      d_ = y_;
      if (const Outcome o = invariant_->project(t_, y_); o != Outcome::ok) return {.outcome = o};
      e_ += y_ - d_;  // the projected value enters the history
    }
    if (!fixed_) result.next = plan_after(seen);
    update_differences();
    copy(y_, to.y);
    return result;
  }

  void accept() override {
    if (fixed_ && !now_.exists) {
      if (block_.ends_at(t_)) take_block();
      return;
    }
    std::swap(now_, next_);
    if (!fixed_) plan_ = plan_next_;
  }

  void restart() override {
    now_.exists = started_ = false;
    now_.order = 0;
    now_.constant = 0;
    now_.h = 0;
    plan_ = {};
    if (fixed_) plan_.order = most_;
    block_.forget();
    equation_.forget();
  }

  void interpolate(double theta, State& state) override {
    state.t = t_ - (1 - theta) * h_;
    if (fixed_ && !now_.exists) {
      block_.interpolate(state.t, state.y);
      return;
    }
    // Newton's form of the polynomial through the values at t_n, .., t_{n-k}.
    const double x = state.t - t_;
    double product = 1, factor = x / next_.psi[0];
    copy(next_.phi[0], state.y);
    for (int i = 1; i <= next_.order; ++i) {
      product *= factor;
      factor = (x + next_.psi[at(i - 1)]) / next_.psi[at(i)];
      state.y += product * next_.phi[at(i)];
    }
  }

 private:
  using Coefficients = std::array<double, highest + 2>;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  /// What is known after a step.
  struct History {
    bool exists = false;
    std::array<Vector, highest + 2> phi;  // differences at the end of the step; one more than its order
    Coefficients psi{};
    int order = 0;  // of the step
    double h = 0;
    int constant = 0;  // steps of one length and order that end here
  };

  /// What is planned for the next try. Not history: a try that fails changes it (its order, and that steps are no longer
  /// doubled blindly), one that succeeds leaves it alone until it is accepted.
  struct Plan {
    int order = 1;
    bool rising = true;     // the start: order and step grow after each step
    int failures = 0;       // of the error test, in this step
    int divergences = 0;    // of Newton's iteration, in this step
    bool cautious = false;  // the step grows again after k+2 equal ones
    int settling = 0;       // steps for which the order is not lowered unless the error test fails
  };

  /// Norms of the difference e and of the local errors of neighbouring orders, times h^(j+1) y^(j+1) each.
  struct Estimates {
    double size = 0, constant = 0;
    double below = 0, here = 0, above = 0;  // of the orders k-1, k, k+1 (scaled by sigma)
    int lower = 0;                          // the order to which a failure, or better, leads: k or k-1
    double lower_error = 0;
  };

  static double harmonic(int k) {
    double sum = 0;
    for (int i = 1; i <= k; ++i) sum += 1.0 / i;
    return sum;
  }

  /// y' at a start, where there are no differences.
  void start(const State& from) {
    if (started_ || now_.exists) return;
    copy(from.y, now_.phi[0]);
    if (cold_) {
      now_.phi[0].array() *= 1 - algebraic_.array();
      rate_.setZero();
    } else {
      problem_->rate(from.t, from.y, rate_);
      if (!rate_.allFinite()) rate_.setZero();
    }
    started_ = true;
  }

  /// The coefficients of a step h of the planned order.
  void aim(double h) {
    const int k = plan_.order;
    if (!now_.exists) {  // as if a step h along y' had come before
      now_.psi[0] = h;
      now_.phi[1] = h * rate_;
    }
    next_.exists = true;
    next_.order = k;
    next_.h = h;
    next_.constant = h == now_.h && k == now_.order ? std::min(now_.constant + 1, now_.order + 2) : 1;
    next_.psi[0] = h;
    alpha_[0] = beta_[0] = sigma_[0] = 1;
    gamma_[0] = 0;
    for (int i = 1; i <= k; ++i) {
      const double before = now_.psi[at(i - 1)];
      next_.psi[at(i)] = before + h;
      alpha_[at(i)] = h / next_.psi[at(i)];
      beta_[at(i)] = beta_[at(i - 1)] * next_.psi[at(i - 1)] / before;
      sigma_[at(i)] = i * sigma_[at(i - 1)] * alpha_[at(i)];
      gamma_[at(i)] = gamma_[at(i - 1)] + alpha_[at(i - 1)] / h;
    }
  }

  void predict() {
    y_.setZero();
    dy_.setZero();
    for (int i = 0; i <= plan_.order; ++i) {
      y_ += beta_[at(i)] * now_.phi[at(i)];
      dy_ += (gamma_[at(i)] * beta_[at(i)]) * now_.phi[at(i)];
    }
  }

  Estimates estimate() {
    const int k = plan_.order;
    const TestNorm& norm = equation_.norm();
    Estimates seen;
    seen.size = norm.error(e_);
    double sum = 0;
    for (int i = 0; i < k; ++i) sum += alpha_[at(i)];
    seen.constant = std::max(alpha_[at(k)], std::abs(alpha_[at(k)] + sum - harmonic(k)));
    seen.here = sigma_[at(k)] * seen.size;
    seen.lower = k;
    seen.lower_error = seen.here;
    if (k > 1) {
      d_ = e_ + beta_[at(k)] * now_.phi[at(k)];
      seen.below = sigma_[at(k - 1)] * norm.error(d_);
      bool better = k * seen.below <= 0.5 * (k + 1) * seen.here;
      if (k > 2) {
        d_ += beta_[at(k - 1)] * now_.phi[at(k - 1)];
        const double twice_below = sigma_[at(k - 2)] * norm.error(d_);
        better = std::max(k * seen.below, (k - 1) * twice_below) <= (k + 1) * seen.here;
      }
      if (better) {
        seen.lower = k - 1;
        seen.lower_error = seen.below;
      }
    }
    return seen;
  }

  static double factor(double error, int order) { return std::pow(2 * error + 1e-4, -1.0 / (order + 1)); }

  /// After a failed error test: order and step of the next try.
  double replan(const Estimates& seen) {
    plan_.rising = false;
    plan_.cautious = !dassl_;
    ++plan_.failures;
    plan_.order = plan_.failures > 2 ? 1 : seen.lower;
    return h_ *
           (plan_.failures > 1 ? 0.25 : std::clamp(0.9 * factor(seen.lower_error, plan_.order), 0.25, 0.9));
  }

  /// If the step is accepted: order and step of the one that follows.
  double plan_after(const Estimates& seen) {
    const int k = plan_.order;
    plan_next_ = {.order = k,
                  .rising = plan_.rising && seen.lower == k && k < most_,
                  .cautious = plan_.cautious && next_.constant < k + 2,
                  .settling = std::max(0, plan_.settling - 1)};
    if (plan_next_.rising) {
      plan_next_.order = k + 1;
      return 2 * h_;
    }
    double error = seen.here;
    if (seen.lower < k && plan_.settling == 0) {
      plan_next_.order = k - 1;
      error = seen.below;
    } else if (seen.lower == k && k < most_ && k + 1 < next_.constant && k - now_.order != 1) {
      d_ = e_ - now_.phi[at(k + 1)];
      const double above = equation_.norm().error(d_) / (k + 2);
      const double here = (k + 1) * seen.here, rise = (k + 2) * above;
      if (k > 1 && plan_.settling == 0 && k * seen.below <= std::min(here, rise)) {
        plan_next_.order = k - 1;
        error = seen.below;
      } else if (rise < (k == 1 ? 0.5 * here : here)) {
        plan_next_.order = k + 1;
        error = above;
        plan_next_.cautious = !dassl_;
        plan_next_.settling = dassl_ ? 0 : 2 * (k + 3);
      }
    }
    const double r = factor(error, plan_next_.order);
    return r >= 2 ? (plan_next_.cautious ? h_ : 2 * h_) : r <= 1 ? h_ * std::clamp(r, 0.5, 0.9) : h_;
  }

  /// The differences at t_n, into the history that becomes true on acceptance.
  void update_differences() {
    const int k = plan_.order;
    next_.phi[at(k + 1)] = e_;
    next_.phi[at(k)] = e_ + beta_[at(k)] * now_.phi[at(k)];
    for (int i = k - 1; i >= 0; --i) next_.phi[at(i)] = next_.phi[at(i + 1)] + beta_[at(i)] * now_.phi[at(i)];
  }

  // Fixed steps: the block of the start.

  Attempt attempt_in_block(const State& from, State& to) {
    if (!block_.covers(from.t, t_)) {
      problem_->rate(from.t, from.y, rate_);
      if (const Outcome o = block_.solve(from.t, h_, from.y, rate_); o != Outcome::ok)
        return {.outcome = o, .trouble = Trouble{block_.culprit(), block_.residual()}};
      for (int j = 1; j <= most_ && invariant_ != nullptr; ++j)
        if (const Outcome o = invariant_->project(from.t + j * h_, block_.value(j)); o != Outcome::ok)
          return {.outcome = o};
    }
    block_.interpolate(t_, to.y);
    return {};
  }

  /// Backward differences of the values of the block are the modified divided differences of equal steps.
  void take_block() {
    const double h = block_.step();
    for (int i = 0; i <= most_; ++i) {
      copy(block_.value(most_), now_.phi[at(i)]);
      now_.psi[at(i)] = (i + 1) * h;
      for (int j = most_; j > i; --j) block_.value(j) -= block_.value(j - 1);
    }
    block_.forget();
    now_.exists = true;
    now_.order = most_;
    now_.h = h;
    now_.constant = most_ + 2;
  }

  const Implicit* problem_ = nullptr;
  const Invariant* invariant_ = nullptr;
  bool fixed_ = false, cold_ = false, dassl_ = false;
  int most_ = highest;
  ImplicitEquation equation_;
  CollocationBlock block_;
  Vector algebraic_;  // 1 for algebraic entries

  History now_, next_;  // next_: what accept() makes of now_
  bool started_ = false;
  Plan plan_, plan_next_;
  double t_ = 0, h_ = 0;
  Coefficients alpha_{}, beta_{}, sigma_{}, gamma_{};
  Vector rate_, y_, dy_, e_, d_;
};

}  // namespace

std::vector<MethodEntry> methods_in_bdf() {
  return {
      {.name = "bdf",
       .summary = "backward differentiation of order 1 to 5, variable step and order",
       .cite = "Gear1971 Petzold1982 BrenanCampbellPetzold1996",
       .claims = implicit_claims({{5}, {5, 5}, {5, 5, 4}}),
       .adaptive = true,
       .dense_order = highest,
       .options = {{"max-order", highest, "", "the highest order used; with fixed steps the order"},
                   {"cold-start", 0, "", "1: begin with y' = 0 and algebraic entries 0, consistent or not"},
                   {"dassl", 0, "",
                    "1: as DASSL: no index weights, matrices kept while c changes little, steps that may "
                    "grow right after a failed error test"}},
       .make = [] { return std::make_unique<Bdf>(); },
       .predicts = true}};
}

}  // namespace dalembert
