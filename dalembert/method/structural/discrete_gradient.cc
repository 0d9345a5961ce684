// discrete-gradient: the implicit midpoint rule with the discrete gradient of the energy, kept on constraints.
//
//   M_m (v_b - v_n) = h f_m - J_m'l + h k u/|u|^2,   u = h (v_n + v_b)/2,   q_{n+1} = q_n o u,   0 = g(t_{n+1}, q_{n+1})
//   v_{n+1} = v_b - M^-1 J_{n+1}'m,   0 = J_{n+1} v_{n+1} + w
//
// with M, f, J at the middle, q_n o u/2. The number k is what closes the balance E(q_{n+1}, v_{n+1}) - E(q_n, v_n) = work of the
// forces outside of the potential and of driven rows in the step. Where M is constant and there are no constraints, that is
//
//   k = -(V(q_{n+1}) - V(q_n) - grad V(q_m)'u),
//
// Gonzalez' discrete gradient [Gonzalez1996]; his discrete derivative of constraints differs from J_m by a multiple of u as well,
// and is in k. Order 2; the energy of a conservative motion stays as it was to rounding, whatever the step. A problem that does not
// know its energy, or has first-order states, gets the midpoint rule itself, k = 0.
#include <cmath>
#include <optional>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/core/rounding.h"
#include "dalembert/linear/iteration_matrix.h"
#include "dalembert/method/method.h"
#include "dalembert/method/structural/whole_step.h"

namespace dalembert {

namespace {

class DiscreteGradient final : public Method {
 public:
  void bind(const Problem& problem, const Setting& setting) override {
    problem_ = &require<Mechanical>(problem, "discrete-gradient");
    directions_ = as<ForceDirections>(&problem);
    n_ = problem_->sizes();
    statistics_ = setting.statistics;
    mechanics_.emplace(*problem_, Symmetry::symmetric, *statistics_);
    for (auto* at : {&from_, &mid_, &to_}) *at = mechanics_->make_placement();
    step_.bind(*problem_);
    for (Vector* v : {&vb_, &vm_, &v_, &a_, &push_}) *v = Vector::Zero(n_.v);
    s_ = sm_ = ds_ = Vector::Zero(n_.s);
    l_ = row_ = Vector::Zero(n_.rows());
    q_ = Vector::Zero(n_.q);
    x_ = Vector::Zero(n_.v + n_.s + n_.rows());
    residual_ = x_;
    matrix_.emplace(x_.size());
    d_ = Derivatives{};
    M_ = J_ = W_ = B_ = Entries{};
    impulse_ = Vector::Zero(n_.v + n_.rows());
    reset();
  }

  bool reset() override {
    mechanics_->reset();
    matrix_->reset();
    const Statistics before = *statistics_;  // one pass to fix the patterns
    const MechanicalState part(n_);
    step_.start = problem_->start();
    for (double& y : step_.start.y)
      if (!std::isfinite(y)) y = 0;
    problem_->place_at(*from_, step_.start.t, part.q(step_.start.y));
    problem_->energy(*from_, part.v(step_.start.y), part.s(step_.start.y));
    x_.head(n_.v) = part.v(step_.start.y);
    x_.segment(n_.v, n_.s) = part.s(step_.start.y);
    x_.tail(n_.rows()).setZero();
    push_.setZero();
    evaluate(1e-6);
    renew(1e-6);
    good_ = false;
    *statistics_ = before;
    return true;
  }
  bool remember(Memory& memory) override {
    memory(*matrix_, good_, h_);
    return true;
  }

  Attempt attempt(const State& from, double h, State& to) override {
    const MechanicalState part(n_);
    step_.begin(from);
    problem_->place_at(*from_, from.t, part.q(from.y));
    Outcome outcome =
        mechanics_->accelerate(from.t, part.q(from.y), part.v(from.y), part.s(from.y), {}, step_.a_start, l_);
    if (outcome == Outcome::ok) outcome = step(from, h);
    if (outcome != Outcome::ok) return {.outcome = outcome};
    step_.finish(from.t + h, q_, v_, s_, l_, to);
    return {};
  }
  void interpolate(double theta, State& state) override { step_.at(theta, *from_, state); }

 private:
  /// k, by fixed point: one unit of it adds about one unit of energy.
  Outcome step(const State& from, double h) {
    const MechanicalState part(n_);
    x_.head(n_.v) = part.v(from.y) + h * step_.a_start;
    x_.segment(n_.v, n_.s) = part.s(from.y);
    x_.tail(n_.rows()) = h * l_;
    const auto before = n_.s == 0 ? problem_->energy(*from_, part.v(from.y), part.s(from.y)) : std::nullopt;
    const double at_start = before.value_or(0);
    double k = 0, last = 0;
    for (int round = 0;; ++round) {
      if (const Outcome outcome = solve(h, k); outcome != Outcome::ok) return outcome;
      if (const Outcome outcome = finish(from.t + h); outcome != Outcome::ok) return outcome;
      if (!before) break;
      const double defect = *problem_->energy(*to_, v_, s_) - at_start - work(h);
      if (!std::isfinite(defect)) return Outcome::not_finite;
      const double size = std::abs(at_start) + std::abs(0.5 * vb_.dot(a_));
      if (std::abs(defect) <= machine_epsilon * size || (round > 1 && std::abs(defect) > 0.5 * last) ||
          round == 12)
        break;
      last = std::abs(defect);
      k -= defect;
    }
    return mechanics_->accelerate(from.t + h, q_, v_, s_, {}, step_.a_end, l_);
  }

  /// Of forces outside of the potential and of driven rows; v_b - v_{n+1} is an impulse of the rows, too.
  double work(double h) {
    double sum = h * problem_->power(*mid_, vm_, sm_);
    if (n_.rows() == 0 || problem_->conservative()) return sum;
    problem_->velocity_bias(*mid_, row_);
    sum += x_.tail(n_.rows()).dot(row_);
    problem_->velocity_bias(*to_, row_);
    return sum + impulse_.tail(n_.rows()).dot(row_);
  }

  Outcome solve(double h, double k) {
    if (h != h_) good_ = false;
    for (;;) {
      const bool fresh = !good_;
      if (fresh) {
        push(h, k);
        evaluate(h);
        if (const Outcome outcome = renew(h); outcome != Outcome::ok) return outcome;
        h_ = h;
      }
      const Outcome outcome = iterate(h, k, fresh);
      if (outcome == Outcome::ok || fresh) return outcome;
      good_ = false;  // once more, with a matrix of here
    }
  }

  Outcome iterate(double h, double k, bool fresh) {
    double last = 0;
    for (int round = 0; round < 40; ++round) {
      push(h, k);
      evaluate(h);
      ++statistics_->newton_iterations;
      if (!residual_.allFinite()) return Outcome::not_finite;
      matrix_->solve(residual_, *statistics_);
      x_ -= residual_;
      const double now = largest(residual_.head(n_.v + n_.s)), size = 1 + largest(x_.head(n_.v + n_.s));
      if (!std::isfinite(now)) return Outcome::not_finite;
      // Rows are known to rounding of positions, and velocities to that over h.
      const bool rounding = now * std::min(h, 1.) <= 1e-13 * size;
      if (now <= newton_floor * size || (round > 0 && now > 0.5 * last && rounding)) {
        evaluate(h);
        return Outcome::ok;
      }
      if (!rounding && round > 0 && !fresh && now > 0.3 * last) break;
      if (!rounding && round > 2 && now > 2 * last) break;
      last = now;
    }
    return Outcome::newton_diverged;
  }

  /// h k u/|u|^2 for the unknowns at hand. Where the balance asks for more than the forces themselves the mechanism all but
  /// rests, and the balance is not one of displacements.
  void push(double h, double k) {
    push_ = h / 2 * (step_.start.y.segment(n_.q, n_.v) + x_.head(n_.v));  // u
    const double size = push_.squaredNorm();
    const double most = 0.5 * (a_.norm() + forces_);
    push_ *= size > 0 && std::abs(h * k) <= most * std::sqrt(size) ? h * k / size : 0;
  }

  /// The residual at the unknowns (v_b, s_{n+1}, l).
  void evaluate(double h) {
    const MechanicalState part(n_);
    const double t = step_.start.t;
    vb_ = x_.head(n_.v);
    s_ = x_.segment(n_.v, n_.s);
    vm_ = (part.v(step_.start.y) + vb_) / 2;
    sm_ = (part.s(step_.start.y) + s_) / 2;
    step_.u = h / 2 * vm_;
    step_.move(*from_, step_.u, q_);
    problem_->place_at(*mid_, t + h / 2, q_);
    step_.u = h * vm_;
    step_.move(*from_, step_.u, q_);
    problem_->place_at(*to_, t + h, q_);
    ++statistics_->force_evaluations;
    ++statistics_->constraint_evaluations;

    problem_->mass(*mid_, M_);
    problem_->jacobian(*mid_, J_);
    if (directions_ != nullptr) directions_->directions(*mid_, W_);
    auto motion = residual_.head(n_.v);
    problem_->force(*mid_, vm_, sm_, motion);
    forces_ = h * motion.norm();
    motion = -h * motion - push_;
    v_ = vb_ - part.v(step_.start.y);
    a_.setZero();
    M_.multiply(v_, 1, a_);
    motion += a_;
    (directions_ != nullptr ? W_ : J_).multiply_transposed(x_.tail(n_.rows()), 1, motion);
    if (n_.s > 0) {
      problem_->auxiliary(*mid_, vm_, sm_, ds_);
      residual_.segment(n_.v, n_.s) = s_ - part.s(step_.start.y) - h * ds_;
    }
    if (n_.rows() == 0) return;
    problem_->velocity_bias(*mid_, row_);
    J_.multiply(vm_, 1, row_);
    problem_->g(*to_, row_.head(n_.holonomic));
    row_.head(n_.holonomic) /= h;
    residual_.tail(n_.rows()) = row_;
  }

  /// Derivatives of evaluate() at its last point; rows at q_{n+1} are taken as those at the middle.
  Outcome renew(double h) {
    v_ /= h;
    row_ = x_.tail(n_.rows()) / h;
    problem_->derivatives(*mid_, vm_, sm_, v_, row_, d_);
    ++statistics_->jacobians;
    const Eigen::Index s = n_.v, l = n_.v + n_.s;
    B_.begin();  // velocity-level rows are met at the middle
    for (std::size_t k = 0; k < d_.B.size(); ++k)
      if (d_.B.row(k) >= n_.holonomic) B_.add(d_.B.row(k), d_.B.column(k), d_.B.value(k));
    B_.end();
    matrix_->begin();
    matrix_->add(M_, 0, 0, 1);
    matrix_->add(d_.D, 0, 0, h / 2);
    matrix_->add(d_.K, 0, 0, h * h / 4);
    matrix_->add(d_.S, 0, s, h / 2);
    matrix_->add(directions_ != nullptr ? W_ : J_, 0, l, 1, Transposed::yes);
    if (n_.s > 0) {
      matrix_->add(d_.k_q, s, 0, -h * h / 4);
      matrix_->add(d_.k_v, s, 0, -h / 2);
      matrix_->add_identity(s, s, n_.s, 1);
      matrix_->add(d_.k_s, s, s, -h / 2);
    }
    matrix_->add(J_, l, 0, 0.5);
    matrix_->add(B_, l, 0, h / 4);
    const Outcome outcome = matrix_->factor(*statistics_);
    good_ = outcome == Outcome::ok;
    return outcome;
  }

  /// v_{n+1} on its rows.
  Outcome finish(double t) {
    v_ = vb_;
    if (n_.rows() == 0) return Outcome::ok;
    if (const Outcome outcome = mechanics_->factor(t, q_); outcome != Outcome::ok) return outcome;
    problem_->jacobian(*to_, J_);
    problem_->velocity_bias(*to_, row_);
    J_.multiply(v_, 1, row_);
    impulse_.head(n_.v).setZero();
    impulse_.tail(n_.rows()) = -row_;
    const Outcome outcome = mechanics_->saddle().solve_again(impulse_, *statistics_);
    v_ += impulse_.head(n_.v);
    return outcome;
  }

  const Mechanical* problem_ = nullptr;
  const ForceDirections* directions_ = nullptr;
  Mechanical::Sizes n_;
  Statistics* statistics_ = nullptr;
  std::optional<Mechanics> mechanics_;
  std::optional<IterationMatrix> matrix_;
  bool good_ = false;
  double h_ = 0, forces_ = 0;
  std::unique_ptr<Placement> from_, mid_, to_;
  WholeStep step_;
  Derivatives d_;
  Entries M_, J_, W_, B_;
  Vector vb_, vm_, v_, a_, push_, s_, sm_, ds_, l_, row_, q_, x_, residual_;
  Vector impulse_;  // change of v that puts it on its rows, and the multipliers of it
};

}  // namespace

std::vector<MethodEntry> methods_in_discrete_gradient() {
  return {
      {.name = "discrete-gradient",
       .summary = "midpoint rule with a discrete gradient: keeps the energy to rounding, whatever the step",
       .cite = "Gonzalez1996",
       .claims = {{Kind::mechanical, "y", 2}, {Kind::mechanical, "z", 2}},
       .adaptive = false,
       .dense_order = 2,
       .options = {},
       .make = [] { return std::make_unique<DiscreteGradient>(); }}};
}

}  // namespace dalembert
