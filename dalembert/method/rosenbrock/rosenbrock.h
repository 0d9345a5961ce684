// Rosenbrock methods on y' = f(t,y,z), 0 = g(t,y,z): implicit in a linear way, with exact derivatives, one matrix and a fixed number of
// solutions per step [HairerWanner1996, IV.7 and VI.3].
//
//   Y_i = y0 + sum_{j<i} a_ij U_j                     Z_i likewise with W_j
//   U_i = h gamma (f(Y_i,Z_i) + sum_{j<i} c_ij/h U_j + f_y U_i + f_z W_i + h gamma_i f_t),   0 = g(Y_i,Z_i) + g_y U_i + g_z W_i + h gamma_i g_t
//   y1 = y0 + sum_i m_i U_i,   error U_s,             derivatives at (t0,y0,z0), Y_i at t0 + alpha_i h
//
// All here are stiffly accurate: m_i = a_si and m_s = 1, so that y1 = Y_s + U_s and z1 = Z_s + W_s. Between the ends
//
//   y(theta) = y0 + theta (y1 - y0 + (1 - theta) (D_1 + theta D_2 + theta^2 D_3)),   D_k = sum_i d_ki U_i
//
// An Ode that is not SemiExplicit is taken as one without z, with the matrix 1/(h gamma) - f_y.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dalembert/method/dense_rate.h"
#include "dalembert/method/linear_form.h"
#include "dalembert/method/local_tolerance.h"
#include "dalembert/method/method.h"
#include "dalembert/method/runge_kutta/combine.h"
#include "dalembert/problem/ode.h"
#include "dalembert/problem/semi_explicit.h"

namespace dalembert {

/// Coefficients for the U_i, as they are published.
struct RosenbrockTableau {
  std::string name;
  double gamma;
  Matrix a, c;         ///< below the diagonal
  Matrix dense;        ///< d_ki
  int embedded_order;  ///< of Y_s
};

/// The same for the increments k_i = h f(..) of the usual form.
struct RosenbrockCoefficients {
  explicit RosenbrockCoefficients(const RosenbrockTableau&);
  Matrix alpha, beta;  ///< beta = alpha + gamma
  Matrix gamma;        ///< of U_i = sum_j gamma_ij k_j, with the diagonal
  Vector b, embedded;  ///< weights of y1, and of Y_s
  Vector alpha_sum, gamma_sum;
};

class Rosenbrock : public Method, public HasLinearForm, public DenseRate {
 public:
  /// The tableau outlives the method.
  Rosenbrock(const RosenbrockTableau&, Strictness);
  ~Rosenbrock() override;

  const RosenbrockCoefficients& coefficients() const { return coefficients_; }

  void bind(const Problem&, const Setting&) override;
  Attempt attempt(const State& from, double h, State& to) override;
  void accept() override;
  void restart() override { known_ = linear_ = false; }
  bool reset() override;
  bool remember(Memory& memory) override;
  void interpolate(double theta, State&) override;
  void interpolate(double theta, State&, Vector& rate) override;
  LinearForm linear_form(const Parameters&) const override {
    return RungeKuttaForm{coefficients_.beta, coefficients_.b};
  }

 private:
  class Reduced;  ///< an Ode without z
  void fix_patterns(const State& start);
  bool linearize(const State& from, double h);
  void find_rates(const State& from, double h);
  void prepare_dense();

  const RosenbrockTableau& tableau_;
  RosenbrockCoefficients coefficients_;
  Strictness strictness_;
  std::vector<Row> stages_, slopes_;  // of a and c
  std::unique_ptr<Reduced> reduced_;
  const SemiExplicit* equations_ = nullptr;
  const Invariant* invariant_ = nullptr;
  Statistics* statistics_ = nullptr;
  ErrorScale tolerance_;  // of one step
  double share_ = 1;      // of the tolerance that was asked for
  double allowed_gap_ = 0;

  Vector z_;               // at the beginning of the step
  bool known_ = false;     // z_ belongs to it
  bool linear_ = false;    // derivatives are of there
  bool changing_ = false;  // with time
  double rates_over_ = 0;  // the step that this was found in
  Matrix U_, W_;
  Vector dy0_, g0_;    // f and g there
  Vector dy_t_, g_t_;  // and how they change with time
  Vector y0_, y1_, z1_, dy_, g_, a_, moved_;
  double t0_ = 0, h_ = 0;
  Matrix D_;
  bool dense_ready_ = false;
};

/// By the name of the method: rodas4, rodas5p.
const RosenbrockTableau& rosenbrock_tableau(const std::string& name);

}  // namespace dalembert
