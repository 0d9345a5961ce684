// One step of collocation for F(t,y,y') = 0, with an error estimate, dense output, and a choice of order.
//
// The estimate is the defect of the collocation polynomial u where it was not asked to satisfy the equation,
//
//   err = -kappa (F_y + lambda/h F_y')^-1 F(t_n + theta h, u, u')
//
// Radau IIA: theta = 0, kappa = 1, lambda the real eigenvalue. For M y' = f this is the estimate of
// [HairerWanner1996, (IV.8.19)]: their embedded formula y_n + h (gamma_0 f(t_n,y_n) + sum b^_i f_i), gamma_0 = 1/lambda, of
// order s differs from y_(n+1) by gamma_0 h f(t_n,y_n) + sum e_i Z_i; it is exact for polynomials of degree s, so that
// sum e_i Z_i = -gamma_0 h u'(t_n), and the difference is gamma_0 h (f(t_n,y_n) - M u'(t_n)), filtered by the matrix.
// In this form y'_n, which F fixes only in part, is not needed. u'(t_n) - y'(t_n) = O(h^s), so that
// h^(index-1) err = O(h^(s+1)) for entries of any index. Where the estimate is too large it is filtered once more,
// with y_n + err in place of y_n, since stiff parts of the first one are too large by the factor h |F_y|.
//
// Methods that carry the slope have no defect at 0: theta is where |theta prod(theta - c_i)| is largest, and kappa
// makes err for y' = f(t) the integral of the modulus of the defect. Only equations with derivatives are looked at: the
// slope carried along is less accurate where it leaves the constraints.
//
// A method with several tables chooses the one with the largest step per stage. For y' = f(t) the estimate is
// K_s D_(s+1), K_s = gamma_0 prod c_i, D_k = h^k u^(k)/k!. Of one step D_(s+1) and D_(s-1) are known: with them the error
// of s-2 stages and, if D falls on as it did from s-1 to s+1, of s+2 stages.
#pragma once

#include <functional>

#include "dalembert/method/alternation.h"
#include "dalembert/method/method.h"
#include "dalembert/method/stage_equations.h"

namespace dalembert {

/// Which tables, by order; a method with several of them switches.
using CollocationFamily = std::function<std::vector<Collocation>(const Parameters&)>;

class CollocationMethod final : public Method {
 public:
  CollocationMethod(std::string name, CollocationFamily family)
      : name_(std::move(name)), family_(std::move(family)) {}

  void bind(const Problem&, const Setting&) override;
  Attempt attempt(const State& from, double h, State& to) override;
  void accept() override;
  void restart() override;
  void interpolate(double theta, State&) override;

 private:
  /// A polynomial over one step.
  struct Piece {
    const Collocation* table = nullptr;
    double t = 0, h = 0;
    Vector y, slope;  // at its start
    Matrix Z;
  };
  /// Where the defect is taken, and what it is multiplied with.
  struct Defect {
    double theta, kappa;
    Vector values, slopes;  // the weights of u and u' there
    double constant;        // K_s
    double strictness;      // what the norm is multiplied with in the error test
    double exponent;        // err = O(h^(1/exponent))
  };
  struct Plan {
    std::size_t table;
    double h;
  };

  static Defect defect_of(const Collocation&, const Tolerance&);
  void predict(const State& from, double h);
  Attempt failed(Outcome) const;
  double estimate(const State& from, double h);
  double error_norm(In err) const;
  double next_step(double h, double error) const;
  Plan other_order(double h);

  std::string name_;
  CollocationFamily family_;
  Setting setting_;
  const Implicit* problem_ = nullptr;
  std::vector<Collocation> tables_;
  std::vector<Defect> defects_;
  Vector error_tests_;
  StageEquations equations_;
  Alternation alternation_;  // of methods that carry the slope: they may lack damping

  // history
  bool started_ = false, continued_ = false;
  Piece last_, now_;  // the step before; the one tried
  Vector slope_;      // y'_n
  std::size_t table_ = 0, steps_with_table_ = 0;
  double last_error_ = 0;
  // of the attempts since the last step
  int attempts_ = 0, divergences_ = 0;
  double error_ = 0;
  std::size_t table_tried_ = 0, table_next_ = 0;

  Matrix dY_;
  Vector weights_, u_, du_, err_, r_;
  State end_;
};

}  // namespace dalembert
