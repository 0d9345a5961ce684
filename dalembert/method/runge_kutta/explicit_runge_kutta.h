// Explicit Runge-Kutta methods on an Ode, one engine for every tableau.
//
//   k_i = f(t0 + c_i h, y0 + h sum_j a_ij k_j),   y1 = y0 + h sum_i b_i k_i
//
// Where the Ode has an invariant and projection is on, y1 is brought back onto it before anything else uses it, so a
// last stage at y1 serves as the next first stage without being evaluated again.
#pragma once

#include "dalembert/method/dense_output.h"
#include "dalembert/method/dense_rate.h"
#include "dalembert/method/first_guess.h"
#include "dalembert/method/local_tolerance.h"
#include "dalembert/method/method.h"
#include "dalembert/method/runge_kutta/combine.h"
#include "dalembert/method/runge_kutta/tableau.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

class ExplicitRungeKutta : public Method, public DenseRate, public FirstGuess {
 public:
  /// The tableau outlives the method (Tableau::of). `exponent` is 1/(order of the embedded method + 1), 0 without an estimate.
  ExplicitRungeKutta(std::string name, const Tableau&, double exponent, Strictness = {});

  void bind(const Problem&, const Setting&) override;
  std::optional<double> guess_first_step(const State& from) override;
  Attempt attempt(const State& from, double h, State& to) override;
  void accept() override;
  void restart() override {
    first_known_ = awaited_ = false;
    used_ = 0;
  }
  bool reset() override;
  bool remember(Memory& memory) override {
    memory(K_, y0_, y1_, t0_, h_, used_, awaited_, first_known_, stage_);
    return true;
  }
  void interpolate(double theta, State&) override;
  void interpolate(double theta, State&, Vector& rate) override;
  double stability_used() const override { return used_; }

 protected:
  /// For the stages and the dense output, of n entries.
  virtual void make_room(Eigen::Index n);
  /// The estimate in the norm of the tolerance; K holds all stages, y0 and y1 the ends. May change the exponent that goes with
  /// it.
  virtual double estimate(double h, double& exponent);
  /// Prepares interpolation over the last attempt; dense() evaluates it.
  virtual void prepare_dense(double h);
  virtual void dense(double theta, Out y) const;
  virtual void dense(double theta, Out y, Out dy) const;  ///< with the derivative by theta

  void evaluate(double t, In y, Out dy);
  /// f at y1, evaluated once per attempt; accept() makes it the next first stage.
  const Vector& end_slope();

  const Tableau& tableau_;
  const Ode* ode_ = nullptr;
  ErrorScale tolerance_;  // of one step
  Statistics* statistics_ = nullptr;
  Matrix K_;
  Vector y0_, y1_, difference_;
  double t0_ = 0, h_ = 0;

 private:
  /// |f(y1) - f(Y)| / |y1 - Y| with Y the last stage, also at the end of the step, is about |lambda| where the problem is
  /// stiff [HairerWanner1996, IV.2].
  void measure_stability(In end_slope, In y1);

  /// What is made of a tableau, once per process: methods are made for every run, and this takes longer than many a step.
  struct Sweeps {
    explicit Sweeps(const Tableau&);
    Matrix A;
    Vector b, embedded;
    bool last_is_first;  ///< a_sj = b_j and b_s = 0: the last stage is evaluated at y1
    std::vector<Row> stages;
    Row weights, error;
    double bearable = 0;  ///< h |lambda| on the negative axis; 0: stiffness cannot be seen
  };
  static const Sweeps& sweeps_of(const Tableau&);

  std::string name_;
  double exponent_;
  Strictness strictness_;
  double share_ = 1;  // of the tolerance that was asked for
  const Sweeps& sweeps_;
  double used_ = 0;       // of it, by the last step
  bool awaited_ = false;  // the slope at the end of the last step, to see how much
  const Invariant* invariant_ = nullptr;
  bool first_known_ = false, dense_ready_ = false, last_known_ = false;
  Vector stage_, d1_, moved_;
  QuarticOutput quartic_;
};

}  // namespace dalembert
