// One step of collocation for F(t,y,y') = 0, with an error estimate, dense output, and a choice of order.
//
// Where only the value is known at the start (Radau IIA) the estimate is the defect of the collocation polynomial u
// there, where it was not asked to satisfy the equation,
//
//   err = -(F_y + lambda/h F_y')^-1 F(t_n, y_n, u'(t_n)),   lambda the real eigenvalue of W.
//
// For M y' = f this is the estimate of [HairerWanner1996, IV.8]: their embedded formula
// y_n + h (gamma_0 f(t_n,y_n) + sum b^_i f_i), gamma_0 = 1/lambda, of order s differs from y_(n+1) by
// gamma_0 h f(t_n,y_n) + sum e_i Z_i. It is exact for polynomials of degree s, so that sum e_i Z_i = -gamma_0 h M u'(t_n),
// and the difference is gamma_0 h (f(t_n,y_n) - M u'(t_n)), filtered by the matrix. In this form y'_n, which F fixes only
// in part, is not needed. u'(t_n) - y'(t_n) = O(h^s), so that h^(index-1) err = O(h^(s+1)) for entries of any index. Where
// the estimate is too large it is filtered once more, with y_n + err in place of y_n, since stiff parts of the first one
// are too large by the factor h |F_y|.
//
// Where the slope is carried along, points {0, c, 1}, there is no defect at 0, and elsewhere u is spoilt by slopes of
// algebraic entries, which alternate undamped. But F_y' y' is safe: with the quadratic p through the slopes at
// c of the step before, 0 and 1 (in the first step the straight line through the latter two)
//
//   err = (b_c/g) Re (F_y + lambda/h F_y')^-1 F_y' (Y'_c - p(c)),   g = Re(1/lambda),  b_c = 1/(6 c (1-c)),
//
// which for y' = f(t) is what the quadrature formula says more than that with p(c) for Y'_c: O(h^4), first O(h^3).
//
// Without damping (c = 1/2) both eigenvalues of the method at infinity are 1: on equations of index 3 the error of
// multipliers grows from step to step and is a, -a/2, a at the points 0, c, 1. Hence alternation is watched from stage
// to stage.
//
// A method with several tables chooses the one with the longest step per stage. For y' = f(t) the estimate is
// K_s D_(s+1), K_s = gamma_0 prod c_i, D_k = h^k u^(k)/k!. Of one step D_(s+1) and D_(s-1) are known: with them the error
// of s-2 stages and, if D falls on as it did from s-1 to s+1, of s+2 stages.
#pragma once

#include <functional>
#include <memory>

#include "dalembert/method/alternation.h"
#include "dalembert/method/collocation/stage_equations.h"
#include "dalembert/method/dense_rate.h"
#include "dalembert/method/linear_form.h"
#include "dalembert/method/method.h"

namespace dalembert {

/// Which tables, by order; a method with several of them switches.
using CollocationTables = std::shared_ptr<const std::vector<Collocation>>;
using CollocationFamily = std::function<CollocationTables(const Parameters&)>;

class CollocationMethod final : public Method, public DenseRate, public HasLinearForm {
 public:
  CollocationMethod(std::string name, CollocationFamily family)
      : name_(std::move(name)), family_(std::move(family)) {}

  void bind(const Problem&, const Setting&) override;
  Attempt attempt(const State& from, double h, State& to) override;
  void accept() override;
  void restart() override;
  bool reset() override;
  bool remember(Memory&) override;
  void interpolate(double theta, State&) override;
  void interpolate(double theta, State&, Vector& rate) override;
  /// Of the first table: a method with several begins with it, and keeps it where steps are fixed.
  LinearForm linear_form(const Parameters& options) const override;
  double slack() const override { return 1 / estimates_[table_tried_].strictness; }

 private:
  /// A polynomial over one step.
  struct Piece {
    const Collocation* table = nullptr;
    double t = 0, h = 0;
    Vector y, slope;  // at its start
    Matrix Z;
  };
  /// What is known about the estimate of one table.
  struct Estimate {
    double exponent;    // err = O(h^(1/exponent))
    double strictness;  // what its norm is multiplied with in the error test
    double constant;    // K_s
    Vector slopes;      // the weights of h u'(t_n)
  };
  struct OrderChoice {
    std::size_t table;
    double h;
  };

  static Estimate estimate_of(const Collocation&, const Tolerance&);
  void begin(const State& from, double h);
  void predict(const State& from);
  Attempt judge(const State& from, State& to);
  Attempt failed(Outcome) const;
  double defect_at_start(const State& from);
  double change_of_slope();
  const std::vector<Collocation>& tables() const { return *shared_; }
  double error_norm(In err) const;
  double next_step(double error) const;
  OrderChoice other_order();
  void slope_at(int stage, Out dy) const;

  std::string name_;
  CollocationFamily family_;
  Setting setting_;
  const Implicit* problem_ = nullptr;
  CollocationTables shared_;
  std::vector<Estimate> estimates_;
  Vector also_tested_;  // differential entries of index 2 and 3, beside what the problem wants tested
  StageEquations equations_;
  Alternation alternation_;  // of undamped methods, from stage to stage
  std::optional<Trouble> grown_;

  // history
  bool started_ = false, continued_ = false;
  Piece last_;            // the step before
  Vector slope_, inner_;  // y'_n; the slope at c of the step before, where it is carried
  std::size_t table_ = 0, steps_with_table_ = 0;
  double last_error_ = 0;
  // the attempts since then
  Piece now_;
  Vector end_slope_, end_inner_;  // what slope_ and inner_ will be
  Vector moved_;                  // by a projection of its end
  int attempts_ = 0, divergences_ = 0;
  std::size_t table_tried_ = 0, table_next_ = 0;
  double error_ = 0;

  Matrix dY_;
  Vector weights_, u_, du_, err_;
};

}  // namespace dalembert
