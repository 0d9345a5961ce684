// All stages of a collocation step at once, by a simplified Newton iteration:
//
//   F(t_n + c_i h, y_n + Z_i, Y'_i) = 0,   Y'_i = (1/h) sum_j W_ij Z_j [+ d_i y'_n],   i = 1..s
//
// Because Y' comes from Z and not the other way round, nothing is divided by F_y': entries without a derivative, of any
// index, are treated like all others. One Jacobian, taken in the middle of the predicted step and kept as long as the
// iteration converges well, serves all stages; one real or complex matrix per eigenvalue of W is factored for each step size
// (collocation.h). The iteration ends when rate/(1-rate) times the last correction is small enough
// [HairerWanner1996, IV.8]. Fixed steps may be too long for it: there Newton's own iteration, with the Jacobian of every
// stage and one matrix for all of them, is tried last.
#pragma once

#include <optional>

#include "dalembert/core/outcome.h"
#include "dalembert/core/statistics.h"
#include "dalembert/linear/iteration_matrix.h"
#include "dalembert/method/collocation/collocation.h"
#include "dalembert/nonlinear/test_norm.h"

namespace dalembert {

class StageEquations {
 public:
  /// How large, in the norm, the remaining error should be, and may be if rounding allows no less.
  struct Accuracy {
    double wanted, bearable;
  };

  /// Makes room for every table that will be used; they must outlive the equations.
  void bind(const Implicit&, const Tolerance&, Precision, Statistics&,
            const std::vector<Collocation>& tables);

  /// As if just bound: forgets the run before.
  void reset();

  /// The Jacobian, whose matrices are factored again when it is put back, and how well it did.
  void remember(Memory&);

  /// Sets the scales of the norms for a step h from here.
  void aim(double h, In y) { norm_.aim(h, y, y); }
  /// Z holds a prediction and receives the solution; dY receives the slopes of the last iterate but one. `slope` is y'_n.
  Outcome solve(const Collocation&, const State& from, In slope, double h, Accuracy, Matrix& Z, Matrix& dY);
  /// x becomes (F_y + lambda/h F_y')^-1 x with the first eigenvalue of the last solve; for a complex one the real part.
  void filter(Out x);
  /// y += scale F_y' x
  void multiply_derivative_part(In x, double scale, Out y) const { F_dy_.multiply(x, scale, y); }

  /// The last attempt became a step: the Jacobian is no longer of this point, and is kept only if it served well.
  void advance();
  /// The next solve takes a new Jacobian.
  void forget();
  /// The Jacobian was taken since the last advance().
  bool fresh() const { return fresh_; }

  const TestNorm& norm() const { return norm_; }
  const Implicit& problem() const { return *problem_; }
  int iterations() const { return iterations_; }
  int most_iterations(const Collocation&) const;
  double rate() const { return rate_; }  ///< of convergence, in the last solve
  bool converges_well() const { return rate_ <= well; }
  /// After a failure: the equation with the largest residual (or the unknown without a pivot), and that residual.
  Eigen::Index culprit() const { return culprit_; }
  double residual() const { return residual_; }

 private:
  static constexpr double well = 0.001;  // a rate of convergence that is worth keeping the Jacobian for

  enum class Where { middle, start };
  /// From the start of a step, after its middle.
  struct Retry {
    int in_vain = 0, left_out = 0;
    bool worth_it() {
      const bool now = in_vain < 3 || left_out >= 7;
      left_out = now ? 0 : left_out + 1;
      return now;
    }
    void learn(Outcome outcome) { in_vain = outcome == Outcome::ok ? 0 : in_vain + 1; }
  };

  void fix_patterns();
  void renew(const Collocation&, const State& from, In slope, double h, const Matrix& Z, Where);
  Outcome factor_and_iterate(const Collocation&, const State& from, In slope, double h, Accuracy, Matrix& Z,
                             Matrix& dY);
  Outcome factor(const Collocation&, double h);
  Outcome iterate(const Collocation&, const State& from, In slope, double h, Accuracy, Matrix& Z, Matrix& dY);
  Outcome iterate_fully(const Collocation&, const State& from, In slope, double h, Matrix& Z, Matrix& dY);
  bool settled(double now, double last, double noise) const;
  Outcome residuals(const Collocation&, const State& from, In slope, double h, const Matrix& Z, Matrix& dY);
  double correct(const Collocation&, Matrix& Z);
  Outcome blame(Outcome, int s);

  const Implicit* problem_ = nullptr;
  const std::vector<Collocation>* tables_ = nullptr;  // all that will be used; they are the owner's
  Precision precision_ = Precision::tolerance;
  Statistics* statistics_ = nullptr;
  TestNorm norm_;
  std::vector<IterationMatrix> real_;
  std::vector<ComplexIterationMatrix> complex_;
  std::optional<IterationMatrix> all_;  // of all stages together, for fixed steps
  Entries F_y_, F_dy_;
  bool known_ = false, fresh_ = false;     // is there a Jacobian; is it of this step
  const Collocation* factored_ = nullptr;  // the table the factors are for; none: there are no factors
  double factored_h_ = 0;
  Matrix predicted_, F_, modes_, delta_;
  Vector weights_;  // W'/h: divided, not multiplied by 1/h, whose rounding is seen in multipliers at index 3
  Vector Y_, r_, r_all_;
  Retry retry_;
  int iterations_ = 0;
  double rate_ = 1, slowness_ = 1;
  Eigen::Index culprit_ = 0;
  double residual_ = 0;
};

}  // namespace dalembert
