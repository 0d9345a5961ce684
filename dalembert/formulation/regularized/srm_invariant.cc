// srm-invariant: index1 as an equation with the invariant h = (g, J v + w), held by a regularized feedback
// [AscherLin1997, (4.11)-(4.12)].
//
//   q_s' = N (v_s - B p_s),   v_s' = a(t, q_s, v_s) - B r_s,   (p_s, r_s) = (p, r)_{s-1} + (1/eps) E (g, J v_s + w)
//
// a comes from the constraints differentiated twice; the exact p and r are zero, and that is where the iteration starts.
// differs from [AscherLin1997]: B = M^-1 J' instead of J' in front of p and r, so that units fit.
#include "dalembert/formulation/regularized/srm_mechanics.h"

namespace dalembert {

namespace {

class SrmInvariant final : public MechanicalRegularization {
 public:
  SrmInvariant(const Mechanical& problem, const Parameters& options, Statistics& statistics)
      : MechanicalRegularization(problem, options, statistics),
        weight_(weight_in(options)),
        l_(Vector::Zero(n_.rows())),
        e_(l_),
        u_(Vector::Zero(n_.v)) {}
  Eigen::Index carried_size() const override { return 2 * n_.rows(); }
  void first(const State&, Out c) const override { c.setZero(); }

  void evaluate(double t, In x, In before, Out dx, Out c) const override {
    const Eigen::Index m = n_.rows();
    place(t, x);
    weigh(weight_, g_, e_);
    c.head(m) = before.head(m) + e_ / eps_;
    weigh(weight_, w_, e_);
    c.tail(m) = before.tail(m) + e_ / eps_;
    multipliers(x, l_);
    l_ += c.tail(m);
    e_ = c.head(m);
    direct(e_, u_);
    u_ = part_.v(x) - u_;
    move(x, l_, u_, dx);
  }
  Outcome algebraic(double t, In x, In, Out z) const override {
    place(t, x);
    multipliers(x, z);
    return z.allFinite() ? Outcome::ok : Outcome::singular;
  }
  std::vector<std::complex<double>> spectrum() const override { return feedback_spectrum(weight_); }

 private:
  /// l = S^-1 (J M^-1 f + bias)
  void multipliers(In x, Out l) const {
    problem_.bias(*at_, part_.v(x), l);
    u_ = f_;
    solve_mass(u_);
    J_.multiply(u_, 1, l);
    solve_constraints(l);
  }

  Weight weight_;
  mutable Vector l_, e_, u_;
};

}  // namespace

std::vector<FormulationEntry> formulations_in_srm_invariant() {
  return srm_entries<SrmInvariant>(
      {.name = "srm-invariant",
       .summary = "index1 with a regularized feedback of position and velocity errors",
       .cite = "AscherLin1997",
       .from = Kind::mechanical,
       .to = Kind::ode,
       .directions = true,
       .drifts = false,
       .options = {weight_option()},
       .make = nullptr});
}

}  // namespace dalembert
