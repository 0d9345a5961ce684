// invariant: index1 with the way back to the constraints added to the equations [AscherChinReich1994;
// AscherLin1997, (4.10)].
//
//   z' = f(z) - gamma F(z) h(z),   z = (q, v, s),   h = (g; J v + w),   F = D E
//
// With E = (H D)^-1 the errors obey h' = (h_2, 0) - gamma h: unlike Baumgarte's feedback this pulls positions and
// velocities back separately. The other choices (constraint_return.h) are cheaper or simpler; their rates vary along
// the motion.
#include "dalembert/core/error.h"
#include "dalembert/formulation/by_index/acceleration_level.h"
#include "dalembert/formulation/stabilised/constraint_return.h"

namespace dalembert {
namespace {

class Stabilised final : public AccelerationLevel::Equations {
 public:
  Stabilised(const Mechanical& problem, double gamma, ReturnChoice choice, Statistics& statistics)
      : Equations(problem, {}, statistics), gamma_(gamma), back_(problem, choice) {
    u_ = dv_ = Vector::Zero(problem.sizes().v);
    dq_ = Vector::Zero(problem.sizes().q);
  }

  void f(double t, In y, Out dy) const override {
    Equations::f(t, y, dy);
    if (mechanics_.sizes().rows() == 0) return;
    const Outcome outcome = back_(mechanics_, part_.v(y), part_.s(y), u_, dv_);
    problem().tangent(mechanics_.here(), u_, dq_);
    part_.q(dy) -= gamma_ * dq_;
    part_.v(dy) -= gamma_ * dv_;
    if (outcome != Outcome::ok) dy.setConstant(not_a_number);
  }

  /// At the start of the problem, where it is not -gamma throughout.
  std::vector<std::complex<double>> added_spectrum() const override {
    const State state = start();
    if (mechanics_.sizes().rows() == 0 || mechanics_.factor(state.t, part_.q(state.y)) != Outcome::ok)
      return {};
    return back_.spectrum(mechanics_, part_.v(state.y), part_.s(state.y), gamma_);
  }

 private:
  double gamma_;
  mutable ConstraintReturn back_;  // work space of this run, as mechanics_
  mutable Vector u_, dv_, dq_;
};

}  // namespace

std::vector<FormulationEntry> formulations_in_invariant_stabilisation() {
  return {{.name = "invariant",
           .summary = "index1 with the way back to the constraints added to the equations",
           .cite = "AscherChinReich1994 AscherLin1997",
           .from = Kind::mechanical,
           .to = Kind::ode,
           .preference = -1,
           .drifts = false,
           .options = {{"gamma", 5, "1/s", "rate at which errors of the constraints decay"},
                       {"D", 0, "", "directions: 0 M^-1 J', 1 J', 2 H'"},
                       {"E", 0, "", "weights: 0 (HD)^-1, 1 the same without g_qq, 2 identity, 3 (HD)'"}},
           .make = [](const Problem& problem, const Parameters& options, Statistics& statistics) {
             if (options["gamma"] < 0)
               throw Error("gamma must not be negative", "errors of the constraints would grow");
             const ReturnChoice choice{.d = static_cast<ReturnChoice::D>(options.count("D", 0, 2)),
                                       .e = static_cast<ReturnChoice::E>(options.count("E", 0, 3))};
             return std::make_unique<AccelerationLevel>(std::make_unique<const Stabilised>(
                 as<Mechanical>(problem), options["gamma"], choice, statistics));
           }}};
}

}  // namespace dalembert
