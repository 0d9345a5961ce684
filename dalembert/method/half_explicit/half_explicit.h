// Half-explicit Runge-Kutta methods for index 2: the differential part explicit, z from the constraint of the next point.
//
//   Y_i = y0 + h sum_{j<i} a_ij K_j,   K_i = f(Y_i, Z_i),   0 = g(y0 + h sum_{j<=i} abar_ij K_j)
//
// In the methods of Brasey and Hairer abar_i = a_{i+1}, the last row being b [BraseyHairer1993, (2.1)]. In those with a
// known first stage K_1 comes from the step before, and the constraint rows abar_i are coefficients of their own
// [Murua1997; ArnoldMurua1998]; their last stage sits at y1 and becomes the next first stage.
#pragma once

#include "dalembert/method/dense_output.h"
#include "dalembert/method/half_explicit/stage_solver.h"
#include "dalembert/method/linear_form.h"
#include "dalembert/method/local_tolerance.h"
#include "dalembert/method/method.h"
#include "dalembert/method/runge_kutta/combine.h"
#include "dalembert/method/runge_kutta/tableau.h"

namespace dalembert {

enum class FirstStage { solved, known };
enum class Estimator {
  last_stage,  ///< y1 - Y_s, both on the constraint [BraseyHairer1993, (6.1)]
  brasey,      ///< e1^2 / (e1 + e2/100) with e1 = |y1 - Y_8|, e2 = |y1 - y0 - h(5/2 K_7 - 3/2 K_8)|
  embedded,    ///< y1 - yhat with the embedded weights, yhat pulled onto the constraint once
};

struct HalfExplicitScheme {
  std::string name;
  const Tableau& tableau;
  std::vector<Vector> constraint_rows;  ///< abar_i of the solved stages, first to last
  FirstStage first;
  Estimator estimator;
  double exponent;
  Strictness strictness = {};

  static HalfExplicitScheme brasey_hairer(std::string name, const char* picture, Estimator, double exponent,
                                          Strictness = {});
  static HalfExplicitScheme known_first(std::string name, const char* picture,
                                        const std::vector<std::vector<const char*>>& rows, Strictness);
};

class HalfExplicit final : public Method, public HasLinearForm {
 public:
  explicit HalfExplicit(HalfExplicitScheme);

  void bind(const Problem&, const Setting&) override;
  Attempt attempt(const State& from, double h, State& to) override;
  void accept() override;
  void restart() override;
  bool reset() override;
  bool remember(Memory& memory) override {
    memory(K_, d0_, first_known_, d0_known_);
    return true;
  }
  void interpolate(double theta, State&) override;
  /// Where the constraints say nothing it is the explicit method of the tableau.
  LinearForm linear_form(const Parameters&) const override {
    return RungeKuttaForm{scheme_.tableau.A, scheme_.tableau.b};
  }

 private:
  Outcome stages(const State& from, double h);
  Outcome finish(double t1);  ///< projection, and the last stage of methods with a known first one
  Outcome solve_stage(Eigen::Index i, StageStart, double t0, double h, In y0);
  double estimate(double t1, double h);

  HalfExplicitScheme scheme_;
  std::vector<Row> explicit_rows_, constraint_rows_;  // constraint rows without their diagonal
  Vector diagonal_, nodes_, constraint_nodes_;
  Row error_;
  const Hessenberg* problem_ = nullptr;
  const Invariant* invariant_ = nullptr;
  std::unique_ptr<StageSolver> solver_;
  ErrorScale tolerance_;                     // of one step
  double share_ = 1;                         // of the tolerance that was asked for
  double moved_ = 0;                         // by the projection, in the norm of what was asked for
  Eigen::Index n_ = 0, m_ = 0, solved_ = 0;  // sizes of y and z, number of solved stages before y1
  Matrix K_, Y_;                             // derivatives and stage points, one column per stage
  Vector y0_, y1_, z_, base_, next_, other_, d0_, d1_;
  double t0_ = 0, h_ = 0;
  bool first_known_ = false, d0_known_ = false, d1_known_ = false, dense_ready_ = false;
  QuarticOutput quartic_;
};

}  // namespace dalembert
