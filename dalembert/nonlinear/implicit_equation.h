// One implicit relation between y and y', solved by a simplified Newton iteration:
//
//   F(t, y, y') = 0  with  y' = dy0 + c (y - y0),     (F_y + c F_y') delta = -F
//
// (y0, dy0) is the predictor. The Jacobians are kept from step to step and renewed when c leaves [0.6, 1.667] times the c
// they were made for, or when the iteration fails with old ones [BrenanCampbellPetzold1996, 5.2.2]. In between the
// matrix is put together and factored again for each new c: to keep the old one and to scale corrections by
// 2/(1 + c/c_old), as DASSL does, saves factorisations, but where algebraic and differential parts are coupled strongly
// the first corrections then tell nothing about convergence, and what they leave spoils the error estimate.
#pragma once

#include <optional>

#include "dalembert/core/outcome.h"
#include "dalembert/core/statistics.h"
#include "dalembert/linear/iteration_matrix.h"
#include "dalembert/nonlinear/test_norm.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

/// What happens to the matrix when c changes a little.
enum class MatrixReuse {
  refactor,  ///< it is factored anew from the old Jacobians
  scale,     ///< it stays, and corrections are scaled
};

class ImplicitEquation {
 public:
  struct Options {
    Backend backend = Backend::automatic;
    IndexWeights weights = IndexWeights::by_index;
    MatrixReuse reuse = MatrixReuse::refactor;
    double enough = 0.33;  ///< of the tolerance, for the error of the iteration
  };
  void bind(const Implicit&, const Tolerance&, Precision, Statistics&, const Options&);
  void bind(const Implicit& problem, const Tolerance& tolerance, Precision precision,
            Statistics& statistics) {
    bind(problem, tolerance, precision, statistics, Options{});
  }

  /// As if just bound: forgets the run before.
  void reset();

  /// The Jacobians, whose matrix is factored again when they are put back, and how well it did.
  void remember(Memory&);

  /// y and dy hold the predictor and receive the solution; `from` is the state the step starts at (it sets scales).
  Outcome solve(double t, double h, double c, In from, Out y, Out dy);
  /// y - y0 of the last solve.
  const Vector& correction() const { return correction_; }
  /// d := (F_y + c F_y')^-1 c F_y' d with the matrix at hand: keeps what equations and constraints let through.
  void filter(Out d);
  /// By how much a solution moves if t and the state it comes from are rounded, in the norm of the error test: rounding of a few entries may
  /// be amplified in others.
  double rounding(double t, double c, In y, In dy);
  /// The next solve takes a new matrix.
  void forget() { made_for_.reset(); }
  TestNorm& norm() { return norm_; }
  const Implicit& problem() const { return *problem_; }

  /// After a failure: the equation with the largest residual (or the unknown without a pivot), and that residual.
  Eigen::Index culprit() const { return culprit_; }
  double residual() const { return residual_; }

 private:
  Outcome renew(double t, double c, In y, In dy);
  Outcome factor(double c);
  Outcome iterate(double t, double c, Out y, Out dy);
  Outcome iterate_to_rounding(double t, double c, Out y, Out dy);
  /// One correction; its size in the norm, or NaN.
  double correct(double t, double c, double scale, Out y, Out dy);
  Outcome blame(Outcome);

  const Implicit* problem_ = nullptr;
  Precision precision_ = Precision::tolerance;
  Statistics* statistics_ = nullptr;
  TestNorm norm_;
  std::optional<IterationMatrix> matrix_;
  Entries F_y_, F_dy_;
  MatrixReuse reuse_ = MatrixReuse::refactor;
  double enough_ = 0.33;
  std::optional<double> made_for_;  // the c the Jacobians were taken for; none: there are none
  double factored_for_ = 0;         // the c of the matrix
  bool fresh_ = false;              // was the matrix made for the solve at hand?
  double last_c_ = 0;
  double slowness_ = 100;  // rho/(1-rho) of the last rate of convergence; 100: none is known
  Vector y0_, dy0_, r_, delta_, correction_;
  Eigen::Index culprit_ = 0;
  double residual_ = 0;
};

}  // namespace dalembert
