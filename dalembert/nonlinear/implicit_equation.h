// One implicit relation between y and y', solved by a simplified Newton iteration:
//
//   F(t, y, y') = 0  with  y' = dy0 + c (y - y0),     (F_y + c F_y') delta = -F
//
// (y0, dy0) is the predictor. The matrix is kept from step to step and renewed when c leaves [0.6, 1.667] times the c
// it was made for, or when the iteration fails with an old one; in between, corrections are scaled by 2/(1 + c/c_old)
// [BrenanCampbellPetzold1996, 5.2.2].
#pragma once

#include <optional>

#include "dalembert/core/outcome.h"
#include "dalembert/core/statistics.h"
#include "dalembert/linear/iteration_matrix.h"
#include "dalembert/nonlinear/test_norm.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

class ImplicitEquation {
 public:
  void bind(const Implicit&, const Tolerance&, Precision, Statistics&, Backend = Backend::automatic);

  /// y and dy hold the predictor and receive the solution; `from` is the state the step starts at (it sets scales).
  Outcome solve(double t, double h, double c, In from, Out y, Out dy);
  /// y - y0 of the last solve.
  const Vector& correction() const { return correction_; }
  /// d := (F_y + c F_y')^-1 c F_y' d with the matrix at hand: keeps what equations and constraints let through.
  void filter(Out d);
  /// The next solve takes a new matrix.
  void forget() { made_for_.reset(); }
  TestNorm& norm() { return norm_; }
  const Implicit& problem() const { return *problem_; }

  /// After a failure: the equation with the largest residual (or the unknown without a pivot), and that residual.
  Eigen::Index culprit() const { return culprit_; }
  double residual() const { return residual_; }

 private:
  Outcome renew(double t, double c, In y, In dy);
  Outcome iterate(double t, double c, Out y, Out dy);
  Outcome blame(Outcome);

  const Implicit* problem_ = nullptr;
  Precision precision_ = Precision::tolerance;
  Statistics* statistics_ = nullptr;
  TestNorm norm_;
  std::optional<IterationMatrix> matrix_;
  Entries F_y_, F_dy_;
  std::optional<double> made_for_;  // the c of the matrix; none: there is no matrix
  bool fresh_ = false;              // it was made in this solve
  double last_c_ = 0, slowness_ = 100;
  Vector y0_, dy0_, r_, delta_, correction_;
  Eigen::Index culprit_ = 0;
  double residual_ = 0;
};

}  // namespace dalembert
