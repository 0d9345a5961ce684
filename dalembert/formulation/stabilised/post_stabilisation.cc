// post-stabilised: index1 whose steps end with one or two corrections towards the constraints instead of an iteration
// down to rounding [AscherChinPetzoldReich1995; AscherLin1997, (5.2)].
//
//   z <- z - F(z) h(z),   F = blockdiag(M^-1 J' (J M^-1 J')^-1, the same),   h = (g; J v + w)
//
// F leaves out g_qq, so one correction squares g but leaves J v + w of the size of the g it removed; the second one
// squares both.
#include "dalembert/formulation/by_index/acceleration_level.h"
#include "dalembert/formulation/stabilised/constraint_return.h"

namespace dalembert {
namespace {

class PostStabilised final : public AccelerationLevel::Equations {
 public:
  PostStabilised(const Mechanical& problem, int rounds, Statistics& statistics)
      : Equations(problem, {}, statistics),
        rounds_(rounds),
        back_(problem, {ReturnChoice::D::kinetic, ReturnChoice::E::blocks}) {
    u_ = dv_ = Vector::Zero(problem.sizes().v);
    q_ = Vector::Zero(problem.sizes().q);
  }

  Outcome project(double t, Out y) const override {
    ++mechanics_.statistics().projections;
    auto q = part_.q(y), v = part_.v(y);
    for (int round = 0; round < rounds_; ++round) {
      if (const Outcome outcome = mechanics_.factor(t, q); outcome != Outcome::ok) return outcome;
      if (const Outcome outcome = back_(mechanics_, v, part_.s(y), u_, dv_); outcome != Outcome::ok)
        return outcome;
      u_ = -u_;
      problem().advance(mechanics_.here(), u_, q_);
      q = q_;
      v -= dv_;
    }
    return y.allFinite() ? Outcome::ok : Outcome::not_finite;
  }

 private:
  int rounds_;
  mutable ConstraintReturn back_;  // work space of this run, as mechanics_
  mutable Vector u_, dv_, q_;
};

}  // namespace

std::vector<FormulationEntry> formulations_in_post_stabilisation() {
  return {{.name = "post-stabilised",
           .summary = "index1 corrected towards its constraints once or twice after each step",
           .cite = "AscherChinPetzoldReich1995 AscherLin1997",
           .from = Kind::mechanical,
           .to = Kind::ode,
           .preference = -1,
           .drifts = true,
           .options = {{"rounds", 2, "", "corrections after each step: 1 or 2"}},
           .make = [](const Problem& problem, const Parameters& options, Statistics& statistics) {
             return std::make_unique<AccelerationLevel>(std::make_unique<const PostStabilised>(
                 as<Mechanical>(problem), options.count("rounds", 1, 2), statistics));
           }}};
}

}  // namespace dalembert
