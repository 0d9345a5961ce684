// index1 with its accelerations and multipliers kept as unknowns, for methods that are implicit in a linear way:
//
//   q' = v,  v' = a,   0 = M a + J'l - f,   0 = J a + bias         y = (q, v),  z = (a, l)
//
// Linearised, with K = d(M a + J'l - f)/dq, D = -df/dv and X, Y the derivatives of the last row by q and v, increments of q and v
// are eliminated by hand and leave, with eta the step times a number of the method,
//
//   [ M + eta D + eta^2 K    J' ]
//   [ J + eta Y + eta^2 X    0  ]
//
// whose entries stand where those of [M J'; J 0] do unless forces couple bodies: the elimination is planned once for both. The last row
// is the time derivative of J v + w, so with B = d(J v + w)/dq
//
//   X = dB/dt,   Y = B + dJ/dt     along the motion,
//
// differences of two evaluations for any number of bodies, or exact where the problem has MotionSums. Where a problem gives dense
// derivatives (by differences itself), J a + bias is differentiated column by column. For problems with q' = v and without first-order states.
#pragma once

#include "dalembert/formulation/by_index/acceleration_level.h"
#include "dalembert/formulation/by_index/folded.h"
#include "dalembert/problem/motion_sums.h"
#include "dalembert/problem/semi_explicit.h"

namespace dalembert {

class SemiExplicitMotion final : public AccelerationLevel::Equations, public SemiExplicit {
 public:
  SemiExplicitMotion(const Mechanical&, Statistics&);
  /// Is the problem one of those?
  static bool suits(const Mechanical&);

  Eigen::Index algebraic() const override { return n_.v + n_.rows(); }
  Outcome complete(double t, In y, Out z) const override;
  void evaluate(double t, In y, In z, Out dy, Out g) const override;
  bool depends_on_time() const override { return sums_ == nullptr || sums_->depend_on_time(); }
  void linearize(double t, In y, In z) const override;
  void scale(double eta) const override;
  Outcome solve(In a, In b, Out u, Out w) const override;
  double gap(double t, In y) const override;
  Outcome close(double t, Out y) const override;

 private:
  void make_room() const;
  void assemble() const;
  void take_rows(In y, In z) const;
  void subtract_rows(In u_q, In u_v) const;
  void differentiate_rows(double t, In y, In z) const;
  void differentiate_columns(double t, In y, In z) const;
  void move(double t, In q) const;
  /// J a + bias at a placement.
  void rows_at(const Placement&, In v, In a, Out r) const;

  Mechanical::Sizes n_;
  const MotionSums* sums_;  // nullptr: terms are written down
  bool exact_;              // X and Y are
  // The work space of this run; nothing of it before a method asks for more than Ode does.
  mutable std::unique_ptr<Placement> at_, moved_;
  mutable Entries M_, J_;            // where linearize() was called
  mutable Entries near_M_, near_J_;  // elsewhere
  mutable Derivatives d_, near_;
  mutable Entries X_entries_;                  // where B has its entries
  mutable Vector X_, Y_;                       // X and Y, at the places of row_fold_
  mutable Entries left_, upper_, lower_;       // the matrix: top left, J', and below
  mutable Folded K_fold_, D_fold_, row_fold_;  // the last one of B, and of J where that changes otherwise
  mutable std::vector<RowRun> runs_;           // of row_fold_
  mutable Vector K_, D_;
  mutable bool dense_ = false;  // B is
  mutable SaddlePoint matrix_;
  mutable bool factored_ = false;
  mutable double eta_ = 0;
  mutable Vector x_, v_, q_, rows_, more_;
};

}  // namespace dalembert
