// index3: the equations of motion as they are written, constraints at the level they are given.
//
//   q' - N v = 0,   M v' - f + J'l = 0,   s' - k = 0,   g(t,q) = 0,   A v + b = 0
//
// q is of index 1, v of index 2, lambda (and mu beside it) of index 3 [HairerLubichRoche1989]. Methods that take second-order
// equations get the mechanical problem itself.
//
// The part of v along the rows of J follows from q by differentiation alone: of a method of order s it has s orders less than
// the rest, and no error test sees it [Jay1993]. What is delivered is v on its constraints, v - M^-1 J'm with J v + w = 0, which
// has the order of q; the method goes on from its own.
#include "dalembert/formulation/by_index/implicit_form.h"
#include "dalembert/formulation/unchanged.h"

namespace dalembert {

namespace {

class Index3 final : public ImplicitForm {
 public:
  Index3(const Mechanical& problem, const Parameters& options, Statistics& statistics)
      : ImplicitForm(problem, options, statistics), row_(Vector::Zero(n_.rows())) {
    // Errors of lambda reach mu through the mass matrix.
    const bool third = n_.holonomic > 0;
    add_blocks({.v = third ? 2 : 1, .lambda = 3, .mu = third ? 3 : 2});
    name_rows(Level::position, 0, n_.holonomic);
    name_rows(Level::velocity, n_.holonomic, n_.rows());
  }

  /// A first step h makes of an error of q along the rows one of 1/h in v and of 1/h^2 in lambda: q has none but rounding.
  void enter(const State& original, State& mine) const override {
    ImplicitForm::enter(original, mine);
    held_ = mine;
    const auto q = part_.q(held_.y);
    if (n_.holonomic > 0 && mechanics_.factor(mine.t, q) == Outcome::ok &&
        mechanics_.project(mine.t, q, part_.v(held_.y)) == Outcome::ok)
      mine.y = held_.y;
  }

  Outcome recover(const State& mine, State& original, Depth depth) const override {
    if (n_.holonomic == 0 || multipliers_ == Multipliers::own || depth == Depth::positions)
      return ImplicitForm::recover(mine, original, depth);
    held_ = mine;
    const auto q = part_.q(held_.y);
    if (mechanics_.factor(mine.t, q) == Outcome::ok) mechanics_.pull_velocity(mine.t, q, part_.v(held_.y));
    return ImplicitForm::recover(held_, original, depth);
  }

  bool keeps_entries() const override { return n_.holonomic == 0 || multipliers_ == Multipliers::own; }

  void F(double t, In y, In dy, Out residual) const override {
    place(t, part_.q(y));
    differential_residual(y, dy, part_.v(y), residual);
    auto rows = part_.multipliers(residual);
    velocity_residual(part_.v(y), row_);
    rows = row_;
    if (n_.holonomic > 0) original().g(*at_, rows.head(n_.holonomic));
  }

  void jacobians(double t, In y, In dy, Entries& F_y, Entries& F_dy) const override {
    place(t, part_.q(y));
    linearize(y, part_.v(dy), part_.multipliers(y), part_.v(y));
    F_y.begin();
    F_dy.begin();
    differential_blocks(F_y, F_dy);
    multiplier_block(F_y);
    position_rows(F_y, part_.differential());
    velocity_rows(F_y, part_.differential() + n_.holonomic, {n_.holonomic, n_.rows()});
    F_y.end();
    F_dy.end();
  }

 private:
  mutable Vector row_;
  mutable State held_;  // with v on its constraints
};

}  // namespace

std::vector<FormulationEntry> formulations_in_index3() {
  return {
      {.name = "index3",
       .summary = "the equations as they are written; velocity constraints follow from position constraints",
       .cite = "HairerLubichRoche1989",
       .from = Kind::mechanical,
       .to = Kind::implicit,
       .index = 3,
       .preference = 10,
       .drifts = false,
       .options = {ImplicitForm::multipliers_option()},
       .make = make_implicit<Index3>},
      {.name = "index3",
       .summary = "the equations as they are written, for methods that take them as they are",
       .cite = "",
       .from = Kind::mechanical,
       .to = Kind::mechanical,
       .drifts = false,
       .options = {},
       .make = [](const Problem& problem, const Parameters&, Statistics&) {
         return std::make_unique<Unchanged>(problem);
       }}};
}

}  // namespace dalembert
