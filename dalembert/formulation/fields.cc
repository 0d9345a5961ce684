// fields: a partitioned problem as it stands, each field to be advanced on its own. Every formulation of mechanical
// problems takes it in one piece instead.
#include "dalembert/constraints/mechanics.h"
#include "dalembert/formulation/unchanged.h"
#include "dalembert/problem/partitioned.h"

namespace dalembert {

namespace {

/// Multipliers that are asked for are those of the whole at the positions and velocities found: between the nodes of a field they
/// would be read off polynomials, which nothing tests where a field has no freedom left.
class Fields final : public Unchanged {
 public:
  explicit Fields(const Partitioned& problem)
      : Unchanged(problem),
        part_(problem.whole()->sizes()),
        mechanics_(*problem.whole(), Symmetry::symmetric, apart_),
        a_(Vector::Zero(problem.whole()->sizes().v)),
        multipliers_(Vector::Zero(problem.whole()->sizes().rows())) {}
  Outcome recover(const State& rewritten, State& original, Depth depth) const override {
    original = rewritten;
    if (depth != Depth::multipliers || multipliers_.size() == 0) return Outcome::ok;
    Vector& y = original.y;
    if (mechanics_.accelerate(original.t, part_.q(y), part_.v(y), part_.s(y), {}, a_, multipliers_) ==
            Outcome::ok &&
        multipliers_.allFinite())
      part_.multipliers(y) = multipliers_;
    return Outcome::ok;
  }

 private:
  MechanicalState part_;
  mutable Statistics apart_;  // reporting is no effort of a field
  mutable Mechanics mechanics_;
  mutable Vector a_, multipliers_;
};

}  // namespace

std::vector<FormulationEntry> formulations_in_fields() {
  return {
      {.name = "fields",
       .summary =
           "a partitioned problem as it stands; all formulations of mechanical problems take it in one piece",
       .cite = "WangHouModnak2011",
       .from = Kind::partitioned,
       .to = Kind::partitioned,
       .preference = 1000,
       .drifts = true,
       .options = {},
       .make = [](const Problem& p, const Parameters&, Statistics&) {
         return std::make_unique<Fields>(as<Partitioned>(p));
       }}};
}

}  // namespace dalembert
