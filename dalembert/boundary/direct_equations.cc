#include "dalembert/boundary/shooting_equations.h"
#include "dalembert/constraints/hidden_constraint.h"
#include "dalembert/formulation/by_index/acceleration_level.h"
#include "dalembert/problem/hessenberg.h"

namespace dalembert {

namespace {

/// x' = f(t,x,z) with z from g_x f + g_t = 0; projected by x <- x - f_z (g_x f_z)^-1 g.
class DirectIndex2 final : public ShootingEquations, private Ode, private Invariant {
 public:
  DirectIndex2(const Hessenberg& problem, Statistics& statistics)
      : problem_(problem),
        n_(shooting_sizes(problem)),
        hidden_(problem, statistics),
        product_(problem, statistics),
        z_(Vector::Zero(n_.y)),
        g_(Vector::Zero(n_.y)),
        dx_(Vector::Zero(n_.x)) {}

  const Ode& ode() const override { return *this; }
  Eigen::Index rows() const override { return n_.rows; }
  void constraint(double t, In x, Out h) const override { problem_.g(t, x, h); }
  Eigen::Index multipliers() const override { return n_.y; }
  Outcome multiplier(double t, In x, Out y) const override {
    y.setZero();
    return hidden_.solve(t, x, y, dx_);
  }

 private:
  Layout layout() const override { return Layout().add("x", n_.x, Role::differential, 0); }
  State start() const override { return {problem_.start().t, problem_.start().y.head(n_.x)}; }
  double end() const override { return problem_.end(); }
  void f(double t, In x, Out dx) const override {
    z_.setZero();
    if (hidden_.solve(t, x, z_, dx) != Outcome::ok) dx.setConstant(not_a_number);
  }
  const Invariant* invariant() const override { return this; }
  Outcome project(double t, Out x) const override {
    for (int round = 0; round < 20; ++round) {
      problem_.g(t, x, g_);
      if (largest(g_) <= 1e-14 * (1 + largest(x))) break;
      product_.place_g_y(t, x);
      product_.factor(t, x, z_);  // f is linear in z: any z
      product_.solve(g_, z_);
      product_.f_z().multiply(z_, -1, x);
    }
    return x.allFinite() ? Outcome::ok : Outcome::not_finite;
  }

  const Hessenberg& problem_;
  ShootingSizes n_;
  mutable HiddenConstraint hidden_;  // this and below: the work space of one solution
  mutable ConstraintProduct product_;
  mutable Vector z_, g_, dx_;
};

/// index1, with its projection.
class DirectMechanical final : public ShootingEquations {
 public:
  DirectMechanical(const Mechanical& problem, Statistics& statistics)
      : n_(problem.sizes()), part_(n_), ode_(problem, {}, statistics), at_(problem.placement()) {}

  const Ode& ode() const override { return ode_; }
  Eigen::Index rows() const override { return n_.holonomic + n_.rows(); }
  void constraint(double t, In x, Out h) const override {
    ode_.problem().place_at(*at_, t, part_.q(x));
    ode_.problem().g(*at_, h.head(n_.holonomic));
    Entries J;
    ode_.problem().jacobian(*at_, J);
    ode_.problem().velocity_bias(*at_, h.tail(n_.rows()));
    J.multiply(part_.v(x), 1, h.tail(n_.rows()));
  }
  Eigen::Index multipliers() const override { return n_.rows(); }
  Outcome multiplier(double t, In x, Out y) const override { return ode_.multipliers(t, x, y); }

 private:
  Mechanical::Sizes n_;
  MechanicalState part_;
  AccelerationLevel::Equations ode_;
  std::unique_ptr<Placement> at_;
};

}  // namespace

std::unique_ptr<ShootingEquations> direct_equations(const Problem& problem, Statistics& statistics) {
  shooting_sizes(problem);
  if (const auto* index2 = as<Hessenberg>(&problem))
    return std::make_unique<DirectIndex2>(*index2, statistics);
  return std::make_unique<DirectMechanical>(as<Mechanical>(problem), statistics);
}

}  // namespace dalembert
