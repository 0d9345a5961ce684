// Diagonally implicit Runge-Kutta methods for F(t,y,y') = 0, stiffly accurate.
//
//   Y_i = y_n + h sum_{j<i} a_ij Y'_j + h a_ii Y'_i,   F(t_n + c_i h, Y_i, Y'_i) = 0,   y_{n+1} = Y_s
//
// Each stage is one relation y' = (Y_i - known)/(h a_ii). Errors are estimated by embedded weights,
//
//   e = h sum (b_i - bhat_i) Y'_i,   err = (F_y + c F_y')^-1 c F_y' e,   c = 1/(h a_ss),
//
// the matrix taking out what stiff components and constraints do not let through [HairerWanner1996, IV.8].
#pragma once

#include <string>

#include "dalembert/method/linear_form.h"
#include "dalembert/method/method.h"
#include "dalembert/nonlinear/implicit_equation.h"

namespace dalembert {

/// Lower triangular with nonzero diagonal; the last row of A holds the weights b.
struct DirkTableau {
  std::string name;
  Matrix A;
  Vector embedded;         ///< bhat
  int embedded_order = 1;  ///< of bhat
};
/// By the name of the method: sdirk2, sdirk3, sdirk4, dirk.
const DirkTableau& dirk_tableau(const std::string& name);

class Dirk final : public Method, public HasLinearForm {
 public:
  explicit Dirk(const DirkTableau& tableau) : tableau_(tableau) {}

  void bind(const Problem&, const Setting&) override;
  Attempt attempt(const State& from, double h, State& to) override;
  void accept() override;
  void restart() override;
  bool reset() override;
  bool remember(Memory& memory) override {
    memory(equation_, slopes_, slope_, slope_known_);
    return true;
  }
  void interpolate(double theta, State&) override;
  LinearForm linear_form(const Parameters&) const override {
    return RungeKuttaForm{tableau_.A, tableau_.A.bottomRows(1).transpose()};
  }

 private:
  const DirkTableau& tableau_;
  Vector c_, weights_;  // nodes; b - bhat
  const Implicit* problem_ = nullptr;
  const Invariant* invariant_ = nullptr;
  Statistics* statistics_ = nullptr;
  ImplicitEquation equation_;
  Matrix slopes_;  // Y'_i by columns
  Vector y_, dy_, base_, error_;
  Vector smooth_;             // 1 for entries whose slopes mean something: all of index 1
  Vector slope_;              // y' at the start of the step
  bool slope_known_ = false;  // slope_ belongs to the end of the last accepted step, or to start_
  State start_, to_;
  double h_ = 0;
};

}  // namespace dalembert
