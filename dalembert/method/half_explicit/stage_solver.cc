#include "dalembert/method/half_explicit/stage_solver.h"

#include <cmath>
#include <limits>
#include <utility>

#include "dalembert/constraints/hidden_constraint.h"
#include "dalembert/core/rounding.h"
#include "dalembert/formulation/by_index/velocity_level.h"

namespace dalembert {

namespace {

constexpr double rounding = 2 * machine_epsilon;  // of a residual: two operations on numbers of the size of y

class NewtonStage final : public StageSolver {
 public:
  NewtonStage(const Hessenberg& problem, Statistics& statistics)
      : problem_(problem),
        statistics_(statistics),
        hidden_(problem, statistics),
        product_(problem, statistics) {
    const Layout layout = problem.layout();
    residual_ = delta_ = Vector::Zero(layout.size() - differential_size(layout));
  }

  void reset() override {
    product_.reset();
    factored_ = false;
  }

  Outcome stage(double t, In Y, StageStart, double tbar, In base, double gamma, Out z, Out K,
                Out next) override {
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0;; ++round) {
      problem_.f(t, Y, z, K);
      ++statistics_.force_evaluations;
      next = base + gamma * K;
      if (z.size() == 0) return Outcome::ok;
      if (round == 25) return Outcome::newton_diverged;
      if (last <= 1e-14 * (1 + largest(z))) return Outcome::ok;
      problem_.g(tbar, next, residual_);
      ++statistics_.constraint_evaluations;
      if (largest(residual_) <= rounding * (1 + largest(next))) {  // a tiny gamma only blows it up
        if (!factored_) factor(t, Y, tbar, next, z);               // whoever pulls needs them
        return Outcome::ok;
      }
      residual_ /= gamma;
      factor(t, Y, tbar, next, z);
      product_.solve(residual_, delta_);
      const double size = largest(delta_);
      if (!std::isfinite(size)) return next.allFinite() ? Outcome::singular : Outcome::not_finite;
      if (size >= last) return last > 1e-8 * (1 + largest(z)) ? Outcome::newton_diverged : Outcome::ok;
      z -= delta_;
      last = size;
    }
  }

  Outcome derivative(double t, In y, Out z, Out dy) override { return hidden_.solve(t, y, z, dy); }

  // y -= f_z (g_y f_z)^-1 g: along the directions in which z acts.
  Outcome pull(double t, Out y) override {
    if (residual_.size() == 0) return Outcome::ok;
    problem_.g(t, y, residual_);
    ++statistics_.constraint_evaluations;
    product_.solve(residual_, delta_);
    product_.f_z().multiply(delta_, -1, y);
    return Outcome::ok;
  }

 private:
  void factor(double t, In Y, double tbar, In next, In z) {
    product_.place_g_y(tbar, next);
    product_.factor(t, Y, z);
    factored_ = true;
  }

  const Hessenberg& problem_;
  Statistics& statistics_;
  HiddenConstraint hidden_;
  ConstraintProduct product_;
  bool factored_ = false;  // once; factors of an earlier stage serve as well
  Vector residual_, delta_;
};

class SaddleStage final : public StageSolver {
 public:
  SaddleStage(const VelocityLevel& level, Statistics& statistics)
      : mechanics_(level.mechanics()),
        problem_(mechanics_.problem()),
        part_(level.parts()),
        statistics_(statistics) {
    const Mechanical::Sizes n = mechanics_.sizes();
    x_.resize(n.v + n.rows());
    const State start = problem_.start();  // record the patterns
    for (Point* point : {here_, next_}) {
      point->at = mechanics_.make_placement();
      mechanics_.problem().place_at(*point->at, start.t, start.y.head(n.q));
      problem_.jacobian(*point->at, point->J);
    }
    problem_.mass(*here_->at, M_);
  }

  Outcome stage(double t, In Y, StageStart start, double tbar, In base, double gamma, Out z, Out K,
                Out next) override {
    const Mechanical::Sizes& n = mechanics_.sizes();
    const auto v = part_.v(Y), s = part_.s(Y);
    if (start == StageStart::at_previous_next) {
      std::swap(here_, next_);
    } else {
      mechanics_.problem().place_at(*here_->at, t, part_.q(Y));
      problem_.jacobian(*here_->at, here_->J);
      ++statistics_.jacobians;
    }
    const Placement &here = *here_->at, &there = *next_->at;
    // The next position does not depend on z, so the constraint there is linear in v' and z.
    problem_.tangent(here, v, part_.q(K));
    part_.q(next) = part_.q(base) + gamma * part_.q(K);
    mechanics_.problem().place_at(*next_->at, tbar, part_.q(next));
    problem_.jacobian(there, next_->J);
    ++statistics_.jacobians;
    problem_.mass(here, M_);
    problem_.force(here, v, s, x_.head(n.v));
    ++statistics_.force_evaluations;
    auto r = x_.tail(n.rows());  // J2 (base + gamma v') + w = 0
    problem_.velocity_bias(there, r);
    next_->J.multiply(part_.v(base), 1, r);
    for (Eigen::Index i = n.v; i < x_.size(); ++i) x_[i] /= -gamma;
    const Outcome outcome = mechanics_.saddle().solve(M_, here_->J, next_->J, x_, statistics_);
    copy(x_.head(n.v), part_.v(K));
    copy(r, z);
    if (n.s > 0) {
      problem_.auxiliary(here, v, s, part_.s(K));
      part_.s(next) = part_.s(base) + gamma * part_.s(K);
    }
    part_.v(next) = part_.v(base) + gamma * part_.v(K);
    return outcome;
  }

  Outcome derivative(double t, In y, Out z, Out dy) override {
    const auto v = part_.v(y), s = part_.s(y);
    const Outcome outcome = mechanics_.accelerate(t, part_.q(y), v, s, {}, part_.v(dy), z);
    ++statistics_.force_evaluations;
    problem_.tangent(mechanics_.here(), v, part_.q(dy));
    if (s.size() > 0) problem_.auxiliary(mechanics_.here(), v, s, part_.s(dy));
    return outcome;
  }

  Outcome pull(double t, Out y) override { return mechanics_.pull_velocity(t, part_.q(y), part_.v(y)); }

 private:
  Mechanics& mechanics_;
  const Mechanical& problem_;
  MechanicalState part_;
  Statistics& statistics_;
  struct Point {
    std::unique_ptr<Placement> at;
    Entries J;
  };
  Point points_[2];
  Point *here_ = &points_[0], *next_ = &points_[1];  // J1 at the stage, J2 at the next point
  Entries M_;
  Vector x_;
};

}  // namespace

std::unique_ptr<StageSolver> StageSolver::make(const Hessenberg& problem, Statistics& statistics) {
  if (const auto* level = as<VelocityLevel>(&problem))
    return std::make_unique<SaddleStage>(*level, statistics);
  return std::make_unique<NewtonStage>(problem, statistics);
}

}  // namespace dalembert
