// central-differences: explicit second differences (43)-(45) of [MantegazzaMasarati2012], kept on constraints.
//
//   M_n (v_{n+1/2} - v_{n-1/2})/h = f_n - J_n' l_n,   q_{n+1} = q_n o h v_{n+1/2},   0 = g(t_{n+1}, q_{n+1})
//
// taken from integer point to integer point: half a step of v before and half a step after the step of q, the first one
// with the l that puts q_{n+1} on its constraints [RyckaertCiccottiBerendsen1977], the second one with the l that puts
// v_{n+1} on J v + w = 0. Velocity-level rows hold for v_{n+1/2} at the middle of the step; s takes the midpoint rule.
// Order 2; stable for w h < 2 where w is the highest frequency: beyond, a root is below -1.
#include <cmath>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/method/linear_form.h"
#include "dalembert/method/method.h"
#include "dalembert/method/structural/whole_step.h"

namespace dalembert {

namespace {

class CentralDifferences final : public Method, public HasLinearForm {
 public:
  void bind(const Problem& problem, const Setting& setting) override {
    problem_ = &require<Mechanical>(problem, "central-differences");
    n_ = problem_->sizes();
    mechanics_.emplace(*problem_, Symmetry::symmetric, *setting.statistics);
    from_ = mechanics_->make_placement();
    at_ = mechanics_->make_placement();
    step_.bind(*problem_);
    v_half_ = v_ = u_ = Vector::Zero(n_.v);
    s_ = ds_ = ds_end_ = Vector::Zero(n_.s);
    l_ = row_ = Vector::Zero(n_.rows());
    x_ = Vector::Zero(n_.v + n_.rows());
    q_ = Vector::Zero(n_.q);
    const State start = problem.start();  // one pass to fix the pattern
    problem_->place_at(*from_, start.t, start.y.head(n_.q));
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
    const Outcome first =
        mechanics_->accelerate(from.t, part.q(from.y), part.v(from.y), part.s(from.y), {}, step_.a_start, l_);
    if (first != Outcome::ok) return {.outcome = first};
    if (n_.s > 0) problem_->auxiliary(*from_, part.v(from.y), part.s(from.y), ds_);
    v_half_ = part.v(from.y) + h / 2 * step_.a_start;
    s_ = part.s(from.y) + h / 2 * ds_;
    if (const Outcome outcome = meet_constraints(from.t, h); outcome != Outcome::ok)
      return {.outcome = outcome};
    if (n_.s > 0) {
      move_to(from.t + h / 2, h / 2);
      problem_->auxiliary(*at_, v_half_, s_, ds_end_);
      s_ = part.s(from.y) + h * ds_end_;
      move_to(from.t + h, h);
    }
    if (const Outcome outcome = finish(from.t, h); outcome != Outcome::ok) return {.outcome = outcome};
    step_.u = h * v_half_;
    step_.finish(from.t + h, q_, v_, s_, l_, to);
    return {};
  }

  void interpolate(double theta, State& state) override { step_.at(theta, *from_, state); }

  /// With w = x' + x''_n/2: x += w, and x' = w + x''_{n+1}/2, where x''_{n+1} sees the velocity w + x''_n/2.
  LinearForm linear_form(const Parameters&) const override {
    return SecondOrderForm{[](double k, double c) {
      SecondOrderForm::Step step{Matrix(2, 2), Matrix(2, 2)};
      step.L << 1, 0, k / 2, 1;
      step.R << 1 - k / 2, 1 - c / 2, -k / 2 + c * k / 2, 1 - c / 2 - c * (1 - c) / 2;
      return step;
    }};
  }

 private:
  void move_to(double t, double step) {
    u_ = step * v_half_;
    step_.move(*from_, u_, q_);
    problem_->place_at(*at_, t, q_);
  }

  /// Corrects v_half_ along M_n^-1 J_n' until q_{n+1} lies on g = 0 and the velocity-level rows hold in the middle.
  Outcome meet_constraints(double t, double h) {
    double last = 0;
    for (int round = 0; round < 40; ++round) {
      if (n_.rows() > 0 && n_.nonholonomic > 0) {
        move_to(t + h / 2, h / 2);
        problem_->jacobian(*at_, J_);
        problem_->velocity_bias(*at_, row_);
        J_.multiply(v_half_, 1, row_);
      }
      move_to(t + h, h);
      if (n_.rows() == 0) return Outcome::ok;
      problem_->g(*at_, row_.head(n_.holonomic));
      row_.head(n_.holonomic) /= h;
      ++mechanics_->statistics().constraint_evaluations;
      ++mechanics_->statistics().newton_iterations;
      x_.setZero();
      x_.tail(n_.rows()) = -row_;
      if (const Outcome outcome = mechanics_->saddle().solve_again(x_, mechanics_->statistics());
          outcome != Outcome::ok)
        return outcome;
      v_half_ += x_.head(n_.v);
      const double now = largest(x_.head(n_.v)), size = 1 + largest(v_half_);
      if (!std::isfinite(now)) return Outcome::not_finite;
      if (now <= 1e-15 * size || (round > 0 && now > last / 2 && now * h <= 1e-13 * size)) {
        move_to(t + h, h);
        return Outcome::ok;
      }
      if (round > 1 && now > 2 * last) break;
      last = now;
    }
    return Outcome::newton_diverged;
  }

  /// The second half of v, onto its constraints, and the multipliers that belong to the new point.
  Outcome finish(double t, double h) {
    v_ = v_half_ + h / 2 * step_.a_start;
    if (const Outcome outcome = mechanics_->accelerate(t + h, q_, v_, s_, {}, step_.a_end, l_);
        outcome != Outcome::ok)
      return outcome;
    v_ = v_half_ + h / 2 * step_.a_end;
    if (n_.rows() > 0) {
      problem_->jacobian(*at_, J_);
      problem_->velocity_bias(*at_, row_);
      J_.multiply(v_, 1, row_);
      x_.setZero();
      x_.tail(n_.rows()) = -row_;
      if (const Outcome outcome = mechanics_->saddle().solve_again(x_, mechanics_->statistics());
          outcome != Outcome::ok)
        return outcome;
      v_ += x_.head(n_.v);
    }
    return mechanics_->accelerate(t + h, q_, v_, s_, {}, step_.a_end, l_);
  }

  const Mechanical* problem_ = nullptr;
  Mechanical::Sizes n_;
  std::optional<Mechanics> mechanics_;
  std::unique_ptr<Placement> from_, at_;
  WholeStep step_;
  Entries J_;
  Vector v_half_, v_, u_, s_, ds_, ds_end_, l_, row_, x_, q_;
};

}  // namespace

std::vector<MethodEntry> methods_in_central_differences() {
  return {{.name = "central-differences",
           .summary = "explicit second differences (leapfrog), kept on constraints",
           .cite = "MantegazzaMasarati2012 RyckaertCiccottiBerendsen1977",
           .claims = {{Kind::mechanical, "y", 2}, {Kind::mechanical, "z", 2}},
           .adaptive = false,
           .dense_order = 2,
           .options = {},
           .make = [] { return std::make_unique<CentralDifferences>(); }}};
}

}  // namespace dalembert
