// Backward differentiation formulas of order 1 to 5 with variable step, in fixed leading coefficient form.
//
//   predictor  y0, y0' from the polynomial of degree k through the last k+1 values (divided_differences.h)
//   corrector  F(t_n, y, y0' + c (y - y0)) = 0,   c = (1 + 1/2 + .. + 1/k)/h
//   error      e = y - y0,   C |e|,   C = max(alpha_k, |alpha_k + sum_{i<k} alpha_i - sum_{i<=k} 1/i|)
//
// Order and step follow from the differences of order k-2 to k+1, as in DASSL [Petzold1982; BrenanCampbellPetzold1996,
// 5.2]. Between steps the polynomial through the new and the k last values is the solution, with the order of the step.
//
// With fixed steps the order is max-order from the beginning: the first k steps are one block of collocation
// (nonlinear/collocation_block.h), after that formula and history are those of the order k. At index 3 the values v of
// the block are better than those of the formula; until they have left its history, k steps, multipliers have the order
// k - 1 only [LotstedtPetzold1986].
//
// Differs from DASSL unless the option `dassl` says otherwise. Newton's iteration ends at 0.01 of the tolerance, not at
// 0.33: differences of order k+1 amplify what it leaves by 2^(k+1), and the error test then sees little else (the
// pendulum by ggl at 1e-8 takes a third of the steps, with fewer evaluations). A raised order finds a history whose
// errors are those of the lower one; where algebraic entries amplify them, e looks large for some steps, DASSL falls
// back, grows the step because it seems to go well, fails, and does so forever (the transistor amplifier at 1e-8: tens of
// thousands of failures). Here the step does not grow for k+2 steps and the order does not fall for 2(k+2) steps after a raise, the
// step does not grow for k+2 steps after a failed error test, and the order is 1 after three failed iterations.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/method/linear_form.h"
#include "dalembert/method/local_tolerance.h"
#include "dalembert/method/multistep/divided_differences.h"
#include "dalembert/nonlinear/collocation_block.h"
#include "dalembert/nonlinear/implicit_equation.h"

namespace dalembert {

namespace {

constexpr int highest = DividedDifferences::highest;

class Bdf final : public Method, public HasLinearForm {
 public:
  void bind(const Problem& problem, const Setting& setting) override {
    problem_ = &require<Implicit>(problem, "bdf");
    fixed_ = setting.precision == Precision::rounding;
    most_ = setting.options.count("max-order", 1, highest);
    cold_ = setting.options.count("cold-start", 0, 1) == 1;
    invariant_ = setting.projection == Projection::on ? problem_->invariant() : nullptr;
    dassl_ = setting.options.count("dassl", 0, 1) == 1;
    ImplicitEquation::Options newton{.enough = 0.01};
    if (dassl_) newton = {.weights = IndexWeights::none, .reuse = MatrixReuse::scale};
    const Strictness strictness = dassl_ ? Strictness{} : strictness_of(setting);
    share_ = strictness.share(setting.tolerance);
    local_ = share_ * std::max(setting.tolerance.relative, setting.tolerance.absolute);
    equation_.bind(*problem_, strictness.local(setting), setting.precision, *setting.statistics, newton);
    shortfall_ = setting.shortfall;
    at_first_ = shortfall_ != nullptr ? *shortfall_ : 1;
    if (fixed_) block_.bind(*problem_, most_, *setting.statistics);
    const Layout layout = problem.layout();
    algebraic_ = Vector::Zero(layout.size());
    for (const auto& block : layout.blocks())
      if (block.role == Role::algebraic) algebraic_.segment(block.offset, block.size).setOnes();
    past_.bind(layout.size());
    for (Vector* v : {&rate_, &y_, &dy_, &e_, &d_}) *v = Vector::Zero(layout.size());
    restart();
  }

  /// What a step may do. A local error of tol leaves a global one of about tol^(5/6) at order 5, times what thousands of
  /// steps add up to; tol^(6/5) makes errors of runs follow the tolerance. Rounding is the limit.
  static Strictness strictness_of(const Setting& setting) {
    constexpr double power = 0.2;
    const double tolerance = std::max(setting.tolerance.relative, setting.tolerance.absolute);
    const double all = std::pow(tolerance, -power);  // never looser than what was asked for
    // Differences of entries of the size of 1 do not see less than this, however small the entry that is held absolutely.
    constexpr double seen = 1e-14;
    const double absolute = setting.tolerance.absolute;
    const double floor = absolute > 0 ? seen / absolute * all : 0;
    return {std::min(std::max(1 / setting.options.positive("strictness"), floor), all), power, 5e-13};
  }

  std::optional<double> first_step(const State& from, double end) override {
    start(from);
    const double h = 1e-3 * (end - from.t);
    equation_.norm().aim(h, from.y, from.y);
    const double speed =
        share_ * equation_.norm().newton(rate_);  // in units of the tolerance that was asked for
    constexpr double told_apart = 1e3 * std::numeric_limits<double>::epsilon();  // times
    return speed * h > 0.5 ? std::min(h, std::max(0.5 / speed, told_apart * std::abs(from.t))) : h;
  }

  Attempt attempt(const State& from, double h, State& to) override {
    t_ = from.t + h;
    h_ = h;
    to.t = t_;
    if (fixed_ && !past_.exist()) return attempt_in_block(from, to);
    start(from);
    past_.aim(h, control_.order);
    past_.predict(y_, dy_);
    const double c = harmonic(control_.order) / h;
    const Outcome outcome = equation_.solve(t_, h, c, past_.last_value(), y_, dy_);
    if (outcome != Outcome::ok) {
      control_.rising = false;
      if (++control_.divergences > 2 && !dassl_ && !fixed_)
        control_.order = 1;  // what the past says may be what is wrong
      return {.outcome = outcome, .trouble = Trouble{equation_.culprit(), equation_.residual()}};
    }
    copy(equation_.correction(), e_);
    const Estimates seen = estimate();
    Attempt result{.error = seen.constant * seen.size, .exponent = 1.0 / (control_.order + 1)};
    const bool accurate = fixed_ || result.error <= 1;
    if (accurate && invariant_ != nullptr) {
      d_ = y_;
      if (const Outcome o = invariant_->project(t_, y_); o != Outcome::ok) return {.outcome = o};
      e_ += y_ - d_;  // the projected value enters the history
    }
    copy(y_, to.y);
    past_.update(e_);
    if (!accurate) {
      const Eigen::Index worst = equation_.norm().worst_error(e_);
      result.trouble = Trouble{worst, seen.constant * std::abs(e_[worst])};
    }
    if (!fixed_) result.next = accurate ? plan_after(seen) : replan(seen);
    return result;
  }

  void accept() override {
    if (fixed_ && !past_.exist()) {
      if (block_.ends_at(t_)) {
        past_.take(most_, block_.step(), [&](int j) -> Vector& { return block_.value(j); });
        block_.forget();
      }
      return;
    }
    if (control_.failures > 0) allow_for_rounding();
    past_.accept();
    if (!fixed_) control_ = plan_next_;
  }

  void restart() override {
    past_.forget();
    started_ = false;
    control_ = {};
    if (fixed_) control_.order = most_;
    block_.forget();
    equation_.forget();
  }

  bool reset() override {
    equation_.reset();
    if (fixed_) block_.reset();
    past_.bind(algebraic_.size());
    plan_next_ = {};
    relief_ = 1;
    if (shortfall_ != nullptr) *shortfall_ = at_first_;
    restart();
    return true;
  }

  bool remember(Memory& memory) override {
    memory(equation_, block_, past_, started_, control_, plan_next_, t_, h_, rate_, relief_);
    return true;
  }

  void interpolate(double theta, State& state) override {
    state.t = t_ - (1 - theta) * h_;
    if (fixed_ && !past_.exist()) {
      block_.interpolate(state.t, state.y);
      return;
    }
    past_.interpolate(state.t - t_, state.y);
  }

  /// Of the order max-order: sum_m (1/m) nabla^m y_n = h y'_n.
  LinearForm linear_form(const Parameters& options) const override {
    const int order = options.count("max-order", 1, highest);
    MultistepForm form{.alpha = Vector::Zero(order + 1), .beta = Vector::Zero(order + 1)};
    for (int m = 1; m <= order; ++m) {
      double binomial = 1.0 / m;  // (1/m) (-1)^j (m over j)
      for (int j = 0; j <= m; ++j) {
        form.alpha[j] += binomial;
        binomial *= -static_cast<double>(m - j) / (j + 1);
      }
    }
    form.beta[0] = 1 / form.alpha[0];
    form.alpha *= form.beta[0];
    return form;
  }

 private:
  /// What is planned for the next try. Not history: a try that fails changes it (its order, and that steps are no longer
  /// doubled blindly), one that succeeds leaves it alone until it is accepted.
  struct OrderControl {
    void remember(Memory& memory) { memory(order, rising, failures, divergences, cautious, settling); }
    int order = 1;
    bool rising = true;     // the start: order and step grow after each step
    int failures = 0;       // of the error test, in this step
    int divergences = 0;    // of Newton's iteration, in this step
    bool cautious = false;  // the step grows again after k+2 equal ones
    int settling = 0;       // steps for which the order is not lowered unless the error test fails
  };

  /// Norms: of e, and of the terms h^(j+1) y^(j+1) that belong to the orders j = k-1 and k.
  struct Estimates {
    double size = 0, constant = 0;
    double below = 0, here = 0;  // local errors of the orders k-1 and k
    int lower = 0;               // the order to which a failure, or better, leads: k or k-1
    double lower_error = 0;
  };

  static double harmonic(int k) {
    double sum = 0;
    for (int i = 1; i <= k; ++i) sum += 1.0 / i;
    return sum;
  }

  /// y' at a start, where there are no differences.
  void start(const State& from) {
    if (started_ || past_.exist()) return;
    copy(from.y, y_);
    if (cold_) {
      y_.array() *= 1 - algebraic_.array();
      rate_.setZero();
    } else {
      problem_->rate(from.t, from.y, rate_);
      if (!rate_.allFinite()) rate_.setZero();
    }
    past_.begin(y_, rate_);
    started_ = true;
  }

  /// Differences of order k+1 of values that are wrong by independent errors of size nu are wrong by about nu sqrt(2k+2 over k+1). Where
  /// that is as large as what is tested, no step is short enough; from then on it is tested for no more than rounding allows. (Measured
  /// where a step has become short enough: over long ones t alone may move everything.)
  void allow_for_rounding() {
    constexpr double highest_share = 0.4;
    constexpr double doubted = 1e-10;  // above, rounding is not met
    if (fixed_ || dassl_ || local_ > doubted) return;
    const int k = control_.order;
    double binomial = 1;
    for (int i = 1; i <= k + 1; ++i) binomial *= static_cast<double>(k + 1 + i) / i;
    const double nu = equation_.rounding(t_, harmonic(k) / h_, y_, dy_);
    relief_ = std::max(relief_, nu * std::sqrt(binomial) / (k + 1) / highest_share);
    if (shortfall_ != nullptr) *shortfall_ = std::max(*shortfall_, at_first_ * relief_);
  }
  double error_of(In d) { return equation_.norm().error(d) / relief_; }

  Estimates estimate() {
    const int k = control_.order;
    Estimates seen;
    seen.size = error_of(e_);
    double sum = 0;
    for (int i = 0; i < k; ++i) sum += past_.alpha(i);
    seen.constant = std::max(past_.alpha(k), std::abs(past_.alpha(k) + sum - harmonic(k)));
    seen.here = past_.sigma(k) * seen.size;
    seen.lower = k;
    seen.lower_error = seen.here;
    if (k > 1) {
      d_ = e_;
      past_.add(k, d_);
      seen.below = past_.sigma(k - 1) * error_of(d_);
      bool better = k * seen.below <= 0.5 * (k + 1) * seen.here;
      if (k > 2) {
        past_.add(k - 1, d_);
        const double twice_below = past_.sigma(k - 2) * error_of(d_);
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
    control_.rising = false;
    control_.cautious = !dassl_;
    ++control_.failures;
    control_.order = control_.failures > 2 ? 1 : seen.lower;
    plan_next_ = control_;
    plan_next_.failures = plan_next_.divergences = 0;
    return h_ * (control_.failures > 1
                     ? 0.25
                     : std::clamp(0.9 * factor(seen.lower_error, control_.order), 0.25, 0.9));
  }

  /// If the step is accepted: order and step of the one that follows.
  double plan_after(const Estimates& seen) {
    const int k = control_.order;
    plan_next_ = {.order = k,
                  .rising = control_.rising && seen.lower == k && k < most_,
                  .cautious = control_.cautious && past_.equal_steps() < k + 2,
                  .settling = std::max(0, control_.settling - 1)};
    if (plan_next_.rising) {
      plan_next_.order = k + 1;
      return 2 * h_;
    }
    double error = seen.here;
    if (seen.lower < k && control_.settling == 0) {
      plan_next_.order = k - 1;
      error = seen.below;
    } else if (seen.lower == k && k < most_ && k + 1 < past_.equal_steps() && k - past_.last_order() != 1) {
      d_ = e_ - past_.last_correction();
      const double above = error_of(d_) / (k + 2);
      const double here = (k + 1) * seen.here, rise = (k + 2) * above;
      if (k > 1 && control_.settling == 0 && k * seen.below <= std::min(here, rise)) {
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

  const Implicit* problem_ = nullptr;
  const Invariant* invariant_ = nullptr;
  bool fixed_ = false, cold_ = false, dassl_ = false;
  int most_ = highest;
  ImplicitEquation equation_;
  CollocationBlock block_;
  Vector algebraic_;  // 1 for algebraic entries

  DividedDifferences past_;
  bool started_ = false;
  OrderControl control_, plan_next_;
  double share_ = 1;   // of the tolerance that was asked for, in one step
  double local_ = 1;   // what that is
  double relief_ = 1;  // of it, where rounding is larger
  double* shortfall_ = nullptr;
  double at_first_ = 1;  // the shortfall, before a step was taken
  double t_ = 0, h_ = 0;
  Vector rate_, y_, dy_, e_, d_;
};

}  // namespace

std::vector<MethodEntry> methods_in_bdf() {
  return {
      {.name = "bdf",
       .summary = "backward differentiation of order 1 to 5, variable step and order",
       .cite = "Gear1971 Petzold1982 BrenanCampbellPetzold1996",
       .claims = implicit_claims({{2}, {2, 2}, {2, 2, 1}}, "max-order=2"),
       .adaptive = true,
       .dense_order = highest,
       .options = {{"max-order", highest, "", "the highest order used; with fixed steps the order"},
                   {"cold-start", 0, "", "1: begin with y' = 0 and algebraic entries 0, consistent or not"},
                   {"strictness", 75, "", "the error of a step is held below tol^1.2 over this"},
                   {"dassl", 0, "",
                    "1: as DASSL: strictness 1, no index weights, Newton to 0.33 of the tolerance, matrices "
                    "kept while c changes "
                    "little, orders and steps that may change right after a raise or a failed error test"}},
       .make = [] { return std::make_unique<Bdf>(); },
       .predicts = true,
       // At looser tolerances its errors add up to several times those of radau.
       .preferences = {{.kind = Kind::implicit, .weight = 99, .loosest = 1e-5}}}};
}

}  // namespace dalembert
