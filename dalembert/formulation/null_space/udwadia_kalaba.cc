// udwadia-kalaba: accelerations by Gauss's principle of least constraint, without multipliers and without asking for
// independent rows or a regular mass matrix.
//
//   a = M^-1 f + M^-1/2 (J M^-1/2)^+ (-bias - J M^-1 f)       [UdwadiaKalaba1992]; M regular
//   a = [(I - J^+J) M; J]^+ (f; -bias)                        [UdwadiaPhohomsiri2006]; M regular where J a = 0
//
// Both are the one solution that least_constraint.h finds with a dense factorisation [MantegazzaMasarati2012, (13)].
// Positions and velocities drift off their constraints; projection is the same least change, by least squares too.
// Multipliers are those of least norm.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/constraints/redundancy.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/formulation/without_algebraic.h"
#include "dalembert/linear/least_constraint.h"
#include "dalembert/problem/mechanical.h"
#include "dalembert/problem/ode.h"

namespace dalembert {
namespace {

class DirectElimination final : public Formulation {
 public:
  DirectElimination(const Mechanical& problem, Statistics& statistics) : ode_(problem, statistics) {}
  const Problem& original() const override { return ode_.problem(); }
  const Problem& rewritten() const override { return ode_; }
  void enter(const State& original, State& rewritten) const override {
    enter_without_algebraic(original, rewritten);
  }
  Outcome recover(const State& rewritten, State& original, Depth depth) const override {
    return recover_algebraic(rewritten, original, depth,
                             [this](double t, In y, Out z) { return ode_.multipliers(t, y, z); });
  }
  bool reset() override {
    ode_.reset();
    return true;
  }
  bool remember(Memory&) override { return true; }

 private:
  class Equations final : public Ode, private Invariant {
   public:
    Equations(const Mechanical&, Statistics&);
    void reset();  ///< as if just made
    const Mechanical& problem() const { return problem_; }
    Layout layout() const override;
    State start() const override {
      const State full = problem_.start();
      return {full.t, full.y.head(part_.differential())};
    }
    double end() const override { return problem_.end(); }
    void f(double t, In y, Out dy) const override;
    const Invariant* invariant() const override { return n_.rows() > 0 ? this : nullptr; }
    Outcome project(double t, Out y) const override;
    Outcome multipliers(double t, In y, Out l) const;
    Fault diagnose(double t, In y) const override;

   private:
    void move(double t, In q) const;
    void pick_holonomic() const;               ///< G_ from J_
    Outcome accelerate(double t, In y) const;  ///< a_, with the factors at y
    Outcome meet_positions(double t, Out q) const;
    Outcome meet_velocities(Out v) const;

    const Mechanical& problem_;
    Statistics& statistics_;
    Mechanical::Sizes n_;
    MechanicalState part_;
    // The work space of this run.
    mutable std::unique_ptr<Placement> at_;
    mutable LeastConstraint least_, position_;  // of all rows; of the holonomic ones
    mutable Entries M_, J_, G_;
    mutable Vector f_, a_, b_, u_, q_, zero_;
  };

  Equations ode_;
};

DirectElimination::Equations::Equations(const Mechanical& problem, Statistics& statistics)
    : problem_(problem), statistics_(statistics), n_(problem.sizes()), part_(n_), at_(problem.placement()) {
  least_.bind(n_.v, n_.rows());
  position_.bind(n_.v, n_.holonomic);
  f_ = a_ = u_ = zero_ = Vector::Zero(n_.v);
  b_ = Vector::Zero(n_.rows());
  q_ = Vector::Zero(n_.q);
  reset();
}

void DirectElimination::Equations::reset() {
  const State start = problem_.start();
  at_->q = part_.q(start.y);
  move(start.t, at_->q);
  problem_.mass(*at_, M_);
  problem_.jacobian(*at_, J_);
  pick_holonomic();
  const Redundancy found = find_redundancy(problem_, start);
  least_.prefer(found.rank < n_.rows() ? found.independent() : std::vector<Eigen::Index>{});
}

Layout DirectElimination::Equations::layout() const {
  const Layout all = problem_.layout();
  Layout kept;
  for (const auto& block : all.blocks())
    if (block.role == Role::differential)
      kept.add(block.name, block.size, block.role, 0, block.labels, block.units);
  return kept;
}

void DirectElimination::Equations::move(double t, In q) const {
  problem_.place_at(*at_, t, q);
}

void DirectElimination::Equations::pick_holonomic() const {
  G_.begin();
  for (std::size_t k = 0; k < J_.size(); ++k)
    if (J_.row(k) < n_.holonomic) G_.add(J_.row(k), J_.column(k), J_.value(k));
  G_.end();
}

Outcome DirectElimination::Equations::accelerate(double t, In y) const {
  move(t, part_.q(y));
  problem_.mass(*at_, M_);
  problem_.jacobian(*at_, J_);
  problem_.force(*at_, part_.v(y), part_.s(y), f_);
  problem_.bias(*at_, part_.v(y), b_);
  b_ = -b_;
  if (n_.rows() > 0) ++statistics_.jacobians;
  if (const Outcome outcome = least_.factor(M_, J_); outcome != Outcome::ok) return outcome;
  ++statistics_.factorizations;
  ++statistics_.solves;
  least_.solve(f_, b_, a_);
  return Outcome::ok;
}

void DirectElimination::Equations::f(double t, In y, Out dy) const {
  if (accelerate(t, y) != Outcome::ok) {
    dy.setConstant(not_a_number);
    return;
  }
  problem_.tangent(*at_, part_.v(y), part_.q(dy));
  copy(a_, part_.v(dy));
  if (n_.s > 0) problem_.auxiliary(*at_, part_.v(y), part_.s(y), part_.s(dy));
}

Outcome DirectElimination::Equations::multipliers(double t, In y, Out l) const {
  if (const Outcome outcome = accelerate(t, y); outcome != Outcome::ok) return outcome;
  M_.multiply(a_, -1, f_);
  least_.multipliers(f_, l);
  return l.allFinite() ? Outcome::ok : Outcome::not_finite;
}

constexpr double rounding = 1e-12;  // relative to positions or velocities
constexpr double reached = 1e-9;    // residuals that corrections of the size of rounding may leave

/// Gauss-Newton with the rows of each round: nothing is known of the rank of those of another point.
Outcome DirectElimination::Equations::meet_positions(double t, Out q) const {
  const double scale = 1 + largest(q);
  move(t, q);
  for (int round = 0; n_.holonomic > 0 && round < 20; ++round) {
    problem_.g(*at_, b_.head(n_.holonomic));
    ++statistics_.constraint_evaluations;
    problem_.mass(*at_, M_);
    problem_.jacobian(*at_, J_);
    ++statistics_.jacobians;
    pick_holonomic();
    const double gap = largest(b_.head(n_.holonomic));
    if (!std::isfinite(gap)) return Outcome::not_finite;
    b_.head(n_.holonomic) = -b_.head(n_.holonomic);
    // Off the constraints, rows that follow from others stick out by about the gap.
    const double tolerance = std::clamp(10 * gap / scale, rank_tolerance, 1e-4);
    if (const Outcome outcome = position_.factor(M_, G_, tolerance); outcome != Outcome::ok) return outcome;
    ++statistics_.factorizations;
    position_.solve(zero_, b_.head(n_.holonomic), u_);
    const double size = largest(u_);
    if (size <= rounding * scale) return gap <= reached * scale ? Outcome::ok : Outcome::projection_failed;
    problem_.advance(*at_, u_, q_);
    copy(q_, q);
    move(t, q);
  }
  return n_.holonomic > 0 ? Outcome::projection_failed : Outcome::ok;
}

Outcome DirectElimination::Equations::meet_velocities(Out v) const {
  problem_.mass(*at_, M_);
  problem_.jacobian(*at_, J_);
  ++statistics_.jacobians;
  if (const Outcome outcome = least_.factor(M_, J_, 1e-8); outcome != Outcome::ok) return outcome;
  ++statistics_.factorizations;
  for (int round = 0; round < 2; ++round) {  // linear; the second one is for rounding
    problem_.velocity_bias(*at_, b_);
    J_.multiply(v, 1, b_);
    b_ = -b_;
    least_.solve(zero_, b_, u_);
    v += u_;
  }
  return largest(b_) <= reached * (1 + largest(v)) ? Outcome::ok : Outcome::projection_failed;
}

Outcome DirectElimination::Equations::project(double t, Out y) const {
  ++statistics_.projections;
  if (const Outcome outcome = meet_positions(t, part_.q(y)); outcome != Outcome::ok) return outcome;
  return meet_velocities(part_.v(y));
}

/// Rows that follow from others are no fault here.
Fault DirectElimination::Equations::diagnose(double t, In y) const {
  const Fault fault = problem_.diagnose(t, y);
  if (fault.outcome != Outcome::singular) return fault;
  const Outcome outcome = accelerate(t, y);
  return outcome == Outcome::ok ? Fault{} : fault;
}

}  // namespace

std::vector<FormulationEntry> formulations_in_udwadia_kalaba() {
  return {{.name = "udwadia-kalaba",
           .summary = "accelerations by pseudo-inverse: dependent rows and singular masses as they are",
           .cite = "UdwadiaKalaba1992 UdwadiaPhohomsiri2006",
           .from = Kind::mechanical,
           .to = Kind::ode,
           .preference = -1,
           .dependent_rows = true,
           .drifts = true,
           .options = {},
           .make = [](const Problem& problem, const Parameters&, Statistics& statistics) {
             return std::make_unique<DirectElimination>(as<Mechanical>(problem), statistics);
           }}};
}

}  // namespace dalembert
