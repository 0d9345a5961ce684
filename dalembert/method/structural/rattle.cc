// rattle: half a step of momenta, a step of positions, half a step of momenta, on constraints [Andersen1983; Jay1996].
//
//   M_n v_a = M_n v_n + h/2 (P(t_n, q_n, v_a) - J_n'l),   M_{n+1} v_b = M_n v_a
//   q_{n+1} = q_n o h (v_a + v_b)/2,                       0 = g(t_{n+1}, q_{n+1})
//   M_{n+1} v_{n+1} = M_n v_a + h/2 (P(t_{n+1}, q_{n+1}, v_b) - J_{n+1}'m),   0 = J_{n+1} v_{n+1} + w
//
// P = f + M'v is what changes the momentum M v, M' being the rate of M along v. Symmetric, of order 2; where forces have a
// potential and q' = v it is symplectic, so that the energy neither grows nor shrinks over long times. Where M is constant and
// forces do not depend on v it is central-differences. Velocity-level rows hold for (v_a + v_b)/2 at the middle of the step;
// s takes half a step with v_a and half a step with v_b.
#include <cmath>
#include <optional>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/core/rounding.h"
#include "dalembert/method/linear_form.h"
#include "dalembert/method/method.h"
#include "dalembert/method/structural/whole_step.h"

namespace dalembert {

namespace {

class Rattle final : public Method, public HasLinearForm {
 public:
  void bind(const Problem& problem, const Setting& setting) override {
    problem_ = &require<Mechanical>(problem, "rattle");
    n_ = problem_->sizes();
    mechanics_.emplace(*problem_, Symmetry::symmetric, *setting.statistics);
    for (auto* at : {&from_, &at_, &moved_}) *at = mechanics_->make_placement();
    step_.bind(*problem_);
    for (Vector* v : {&va_, &vb_, &v_, &p_, &P_, &d_, &r_}) *v = Vector::Zero(n_.v);
    s_ = ds_ = Vector::Zero(n_.s);
    l_ = row_ = Vector::Zero(n_.rows());
    x_ = Vector::Zero(n_.v + n_.rows());
    q_ = Vector::Zero(n_.q);
    dense_ = Matrix::Zero(n_.v, n_.v);
    cholesky_ = Eigen::LLT<Matrix>(n_.v);
    const State start = problem.start();  // one pass to fix the patterns
    problem_->place_at(*from_, start.t, start.y.head(n_.q));
    for (Entries* M : {&M_from_, &M_, &M_moved_}) problem_->mass(*from_, *M);
    directions_ = as<ForceDirections>(&problem);
    place_forces(*from_);
    problem_->jacobian(*from_, J_);
  }
  bool reset() override {
    mechanics_->reset();
    return true;
  }
  /// A step begins with its state alone.
  bool remember(Memory&) override { return true; }

  Attempt attempt(const State& from, double h, State& to) override {
    const MechanicalState part(n_);
    step_.begin(from);
    problem_->place_at(*from_, from.t, part.q(from.y));
    Outcome outcome =
        mechanics_->accelerate(from.t, part.q(from.y), part.v(from.y), part.s(from.y), {}, step_.a_start, l_);
    if (outcome == Outcome::ok) outcome = first_half(from, h);
    if (outcome == Outcome::ok) outcome = second_half(from.t + h, h);
    if (outcome != Outcome::ok) return {.outcome = outcome};
    step_.finish(from.t + h, q_, v_, s_, l_, to);
    return {};
  }
  void interpolate(double theta, State& state) override { step_.at(theta, *from_, state); }

  LinearForm linear_form(const Parameters&) const override {
    return SecondOrderForm{[](double k, double c) {  // v_a (1 + c/2) = v_n - k/2 q_n, v_b = v_a
      const double d = 1 + c / 2;
      SecondOrderForm::Step step{Matrix(2, 2), Matrix(2, 2)};
      step.L << 1, 0, k / 2, 1;
      step.R << 1 - k / 2 / d, 1 / d, -(1 - c / 2) / d * k / 2, (1 - c / 2) / d;
      return step;
    }};
  }

 private:
  /// Down to rounding, which rows know of positions, and velocities of that over h.
  static bool settled(int round, double change, double last, double h, const Vector& v) {
    const double size = 1 + largest(v);
    return change <= newton_floor * size ||
           (round > 0 && change > last / 2 && change * std::min(h, 1.) <= 1e-13 * size);
  }

  /// J' of the constraint forces.
  void place_forces(const Placement& at) {
    if (directions_ != nullptr)
      directions_->directions(at, J_from_);
    else
      problem_->jacobian(at, J_from_);
  }

  /// P at a placement whose mass is M. A mass that is the same a little further on is constant.
  void momentum_rate(const Placement& at, const Entries& M, In v) {
    problem_->force(at, v, s_, P_);
    ++mechanics_->statistics().force_evaluations;
    const double size = largest(v);
    if (!(size > 0)) return;
    const double e = central_difference / size;
    for (const double side : {1., -1.}) {
      d_ = side * e * v;
      problem_->advance(at, d_, q_);
      problem_->place_at(*moved_, at.t + side * e, q_);
      problem_->mass(*moved_, M_moved_);
      if (std::equal(M.values(), M.values() + M.size(), M_moved_.values())) return;
      M_moved_.multiply(v, side / (2 * e), P_);
    }
  }

  /// Moves to q_{n+1} with v_a; v_b is what has the same momentum there.
  Outcome arrive(double t, double h) {
    double last = 0;
    for (int round = 0; round < 30; ++round) {
      step_.u = h / 2 * (va_ + vb_);
      step_.move(*from_, step_.u, q_);
      problem_->place_at(*at_, t + h, q_);
      problem_->mass(*at_, M_);
      if (std::equal(M_from_.values(), M_from_.values() + M_from_.size(), M_.values())) {
        const bool there = vb_ == va_;
        vb_ = va_;
        if (there) return Outcome::ok;
        continue;
      }
      dense_.setZero();
      for (std::size_t k = 0; k < M_.size(); ++k) dense_(M_.row(k), M_.column(k)) += M_.value(k);
      cholesky_.compute(dense_);
      if (cholesky_.info() != Eigen::Success) return Outcome::singular;
      d_.setZero();
      M_from_.multiply(va_, 1, d_);
      cholesky_.solveInPlace(d_);
      const double change = (d_ - vb_).cwiseAbs().maxCoeff();
      vb_ = d_;
      if (!std::isfinite(change)) return Outcome::not_finite;
      if (settled(round, change, last, h, vb_)) return Outcome::ok;
      last = change;
    }
    return Outcome::newton_diverged;
  }

  /// What the rows still miss: g(q_{n+1})/h, and A v + b at the middle.
  void miss(double t, double h) {
    row_.setZero();
    if (n_.nonholonomic > 0) {
      d_ = step_.u / 2;
      step_.move(*from_, d_, q_);
      problem_->place_at(*moved_, t + h / 2, q_);
      problem_->jacobian(*moved_, J_);
      problem_->velocity_bias(*moved_, row_);
      d_ = step_.u / h;
      J_.multiply(d_, 1, row_);
    }
    problem_->g(*at_, row_.head(n_.holonomic));
    row_.head(n_.holonomic) /= h;
    ++mechanics_->statistics().constraint_evaluations;
  }

  /// v_a and the impulse l, by the matrix of mass and rows at q_n.
  Outcome first_half(const State& from, double h) {
    const MechanicalState part(n_);
    problem_->mass(*from_, M_from_);
    place_forces(*from_);
    va_ = vb_ = part.v(from.y) + h / 2 * step_.a_start;
    s_ = part.s(from.y);
    row_ = h / 2 * l_;  // as the multipliers of the start would do it
    l_ = row_;
    double last = 0;
    for (int round = 0; round < 60; ++round) {
      if (n_.s > 0) {
        problem_->auxiliary(*from_, va_, s_, ds_);
        s_ = part.s(from.y) + h / 2 * ds_;
      }
      momentum_rate(*from_, M_from_, va_);
      r_ = va_ - part.v(from.y);
      x_.setZero();
      M_from_.multiply(r_, -1, x_.head(n_.v));
      x_.head(n_.v) += h / 2 * P_;
      J_from_.multiply_transposed(l_, -1, x_.head(n_.v));
      if (const Outcome outcome = arrive(from.t, h); outcome != Outcome::ok) return outcome;
      if (n_.rows() > 0) {
        miss(from.t, h);
        x_.tail(n_.rows()) = -row_;
      }
      ++mechanics_->statistics().newton_iterations;
      if (const Outcome outcome = mechanics_->saddle().solve_again(x_, mechanics_->statistics());
          outcome != Outcome::ok)
        return outcome;
      va_ += x_.head(n_.v);
      l_ += x_.tail(n_.rows());
      const double now = largest(x_.head(n_.v));
      if (!std::isfinite(now)) return Outcome::not_finite;
      if (settled(round, now, last, h, va_)) return arrive(from.t, h);
      if (round > 2 && now > 2 * last && now * h > 1e-9 * (1 + largest(va_))) break;
      last = now;
    }
    return Outcome::newton_diverged;
  }

  /// v_{n+1} on its rows, and the multipliers that belong to the new point.
  Outcome second_half(double t, double h) {
    const Vector& q = at_->q;
    p_.setZero();
    M_from_.multiply(va_, 1, p_);
    momentum_rate(*at_, M_, vb_);
    p_ += h / 2 * P_;
    if (n_.s > 0) {
      problem_->auxiliary(*at_, vb_, s_, ds_);
      s_ += h / 2 * ds_;
    }
    q_ = q;
    if (const Outcome outcome = mechanics_->factor(t, q_); outcome != Outcome::ok) return outcome;
    x_.head(n_.v) = p_;
    if (n_.rows() > 0) {
      problem_->velocity_bias(*at_, row_);
      x_.tail(n_.rows()) = -row_;
    }
    if (const Outcome outcome = mechanics_->saddle().solve_again(x_, mechanics_->statistics());
        outcome != Outcome::ok)
      return outcome;
    v_ = x_.head(n_.v);
    return mechanics_->accelerate(t, q_, v_, s_, {}, step_.a_end, l_);
  }

  const Mechanical* problem_ = nullptr;
  const ForceDirections* directions_ = nullptr;
  Mechanical::Sizes n_;
  std::optional<Mechanics> mechanics_;
  std::unique_ptr<Placement> from_, at_, moved_;
  WholeStep step_;
  Entries M_from_, M_, M_moved_, J_from_, J_;
  Vector va_, vb_, v_, p_, P_, d_, r_, s_, ds_, l_, row_, x_, q_;
  Matrix dense_;
  Eigen::LLT<Matrix> cholesky_;
};

}  // namespace

std::vector<MethodEntry> methods_in_rattle() {
  return {{.name = "rattle",
           .summary =
               "symplectic on constraints where forces have a potential: energies stay near over long times",
           .cite = "Andersen1983 Jay1996",
           .claims = {{Kind::mechanical, "y", 2}, {Kind::mechanical, "z", 2}},
           .adaptive = false,
           .dense_order = 2,
           .options = {},
           .make = [] { return std::make_unique<Rattle>(); }}};
}

}  // namespace dalembert
