// index2: the constraints at velocity level, J v + w = 0 [GearLeimkuhlerGupta1985].
//
//   q' - N v = 0,   M v' - f + J'l = 0,   s' - k = 0,   J v + w = 0
//
// l is of index 2. Positions drift off g(t,q) = 0 unless projection holds them.
#include "dalembert/formulation/by_index/implicit_form.h"
#include "dalembert/formulation/by_index/velocity_level.h"

namespace dalembert {

namespace {

class Index2Form final : public ImplicitForm, private Invariant {
 public:
  Index2Form(const Mechanical& problem, const Parameters& options, Statistics& statistics)
      : ImplicitForm(problem, options, statistics) {
    add_blocks({.v = 1, .lambda = 2, .mu = 2});
    name_rows(Level::velocity, 0, n_.rows());
  }

  void F(double t, In y, In dy, Out residual) const override {
    place(t, part_.q(y));
    differential_residual(y, dy, part_.v(y), residual);
    velocity_residual(part_.v(y), part_.multipliers(residual));
  }

  void jacobians(double t, In y, In dy, Entries& F_y, Entries& F_dy) const override {
    place(t, part_.q(y));
    linearize(y, part_.v(dy), part_.multipliers(y), part_.v(y));
    F_y.begin();
    F_dy.begin();
    differential_blocks(F_y, F_dy);
    multiplier_block(F_y);
    velocity_rows(F_y, part_.differential(), {0, n_.rows()});
    F_y.end();
    F_dy.end();
  }

  const Invariant* invariant() const override { return n_.rows() > 0 ? this : nullptr; }
  /// With factors of here: those of an earlier point lead back along another direction.
  Outcome project(double t, Out y) const override {
    auto q = part_.q(y), v = part_.v(y);
    const Outcome outcome = mechanics_.factor(t, q);
    return outcome == Outcome::ok ? mechanics_.project(t, q, v) : outcome;
  }
};

}  // namespace

std::vector<FormulationEntry> formulations_in_index2() {
  return {{.name = "index2",
           .summary = "constraints at velocity level; positions held by projection",
           .cite = "GearLeimkuhlerGupta1985 BraseyHairer1993",
           .from = Kind::mechanical,
           .to = Kind::hessenberg,
           .drifts = true,
           .options = {},
           .make =
               [](const Problem& problem, const Parameters&, Statistics& statistics) {
                 return std::make_unique<Index2Formulation>(as<Mechanical>(problem), statistics);
               }},
          {.name = "index2",
           .summary = "constraints at velocity level; positions held by projection",
           .cite = "GearLeimkuhlerGupta1985",
           .from = Kind::mechanical,
           .to = Kind::implicit,
           .index = 2,
           .preference = 8,
           .drifts = true,
           .options = {ImplicitForm::multipliers_option()},
           .make = make_implicit<Index2Form>}};
}

}  // namespace dalembert
