// srm: sequential regularization by an invariant, without second derivatives of the constraints
// [AscherLin1997, (4.14)-(4.16), (5.3)-(5.4)].
//
//   q_s' = N (v_s - (1/eps) B E g),   M v_s' = f - W'l_s,   l_s = l_{s-1} + (1/eps) E (J v_s + w)
//
// With E = I nothing is inverted but M. Stiff with rates GBE/eps: an explicit method needs eps of the size of its step,
// and then about as many iterates as it has orders.
#include "dalembert/formulation/regularized/srm_mechanics.h"

namespace dalembert {

namespace {

class Srm final : public MechanicalRegularization {
 public:
  Srm(const Mechanical& problem, const Parameters& options, Statistics& statistics)
      : MechanicalRegularization(problem, options, statistics),
        weight_(weight_in(options)),
        e_(Vector::Zero(n_.rows())),
        u_(Vector::Zero(n_.v)) {}
  Eigen::Index carried_size() const override { return n_.rows(); }
  void evaluate(double t, In x, In before, Out dx, Out c) const override {
    place(t, x);
    weigh(weight_, w_, e_);
    c = before + e_ / eps_;
    weigh(weight_, g_, e_);
    direct(e_, u_);
    u_ = part_.v(x) - u_ / eps_;
    move(x, c, u_, dx);
  }
  Outcome algebraic(double, In, In c, Out z) const override {
    z = c;
    return Outcome::ok;
  }
  std::vector<std::complex<double>> spectrum() const override { return feedback_spectrum(weight_); }

 private:
  Weight weight_;
  mutable Vector e_, u_;
};

}  // namespace

std::vector<FormulationEntry> formulations_in_srm() {
  return srm_entries<Srm>(
      {.name = "srm",
       .summary = "sequential regularization: multipliers by an iteration over trajectories",
       .cite = "AscherLin1997",
       .from = Kind::mechanical,
       .to = Kind::ode,
       .directions = true,
       .drifts = false,
       .options = {weight_option()},
       .make = nullptr});
}

}  // namespace dalembert
