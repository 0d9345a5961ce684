// Linear multistep and one-leg methods of one or two steps for F(t,y,y') = 0, steps of any size.
//
//   y_n + alpha1 y_{n-1} + alpha2 y_{n-2} = h (beta0 y'_n + beta1 y'_{n-1} + beta2 y'_{n-2}),  F(t_n, y_n, y'_n) = 0
//
// y' is carried along with y: in equations that are not solved for y' it is an unknown of its own. The one-leg form
// [Dahlquist1983] asks for F = 0 once per step, at the mean of the points, S = beta0 + beta1 + beta2:
//
//   F( sum beta_j t_{n-j}/S, sum beta_j y_{n-j}/S, sum alpha_j y_{n-j}/(h S) ) = 0
//
// Coefficients depend on the ratio r = h_{n-1}/h_n. Errors are estimated by Milne's device: the formula misses y(t_n) by
// L h^{p+1} y^(p+1), an extrapolation of order p of the points before is left behind by P h^{p+1} y^(p+1). The error those
// points carry already is smooth and extrapolated along, so the difference times |L/P| is the error of the step. (From
// exact values, in the first step, it is |L/(P-L)|.)
//
// The start. A first step over h is taken with the trapezoid rule (one-step formulas start themselves). At index 3 the
// derivatives q' of a smooth numerical solution are off by (L/S) h^p q^(p+1), which velocities obey and accelerations
// see divided by h as long as it changes: exact starting velocities make the first multipliers wrong by O(h^{p-1}).
// Therefore two trial steps, over h/2 and h, measure q^(p+1), and velocities start with the offset they will have anyway.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "dalembert/method/alternation.h"
#include "dalembert/method/linear_form.h"
#include "dalembert/method/method.h"
#include "dalembert/nonlinear/implicit_equation.h"

namespace dalembert {

/// One formula, for one ratio of steps; alpha0 = 1.
struct MultistepFormula {
  double alpha1, alpha2, beta0, beta1, beta2;

  double sum() const { return beta0 + beta1 + beta2; }  ///< S
  /// L: what is left of y' = p+1-st power, y(t_n) = formula + L h^{p+1} y^(p+1), p = 1 or 2.
  double residual(int order, double r) const;
};

/// (76)-(77) of [MantegazzaMasarati2012] for steps h/r and h: of order 2, with a double root -rho_inf at infinity for every r.
MultistepFormula tunable_formula(double rho_inf, double r);
/// The largest growth h_n/h_{n-1} that may be repeated for ever: |alpha2| <= 0.95, at most 2.
double largest_growth(double rho_inf);

/// What makes a method of the family.
struct MultistepScheme {
  std::string name;
  int steps = 1, order = 1;
  std::function<MultistepFormula(double r)> formula{};
  enum class Shape { multistep, one_leg } shape = Shape::multistep;
  enum class AtInfinity { damped, undamped } at_infinity = AtInfinity::damped;
  double growth = 2;  ///< of steps
  /// The formula is one for equal steps; where two are not (an end, an event) the first formula stands in.
  bool equal_steps = false;
};

class Multistep final : public Method, public HasLinearForm {
 public:
  /// The scheme may depend on options; it is asked for when the method is bound.
  explicit Multistep(std::function<MultistepScheme(const Parameters&)> make) : make_(std::move(make)) {}

  void bind(const Problem&, const Setting&) override;
  Attempt attempt(const State& from, double h, State& to) override;
  void accept() override;
  void restart() override;
  bool reset() override;
  bool remember(Memory&) override;
  void interpolate(double theta, State&) override;
  LinearForm linear_form(const Parameters& options) const override;

 private:
  struct Point {
    void remember(Memory& memory) { memory(t, y, dy); }
    double t = 0;
    Vector y, dy;
  };

  Outcome begin(const State& from, double h);
  Outcome offset_start(double h);
  void predict(double h, Out y) const;
  Outcome solve(const MultistepFormula&, double h, Point& to);
  Attempt judge(const MultistepFormula&, double h, State& to);
  Attempt failure(Outcome) const;
  double ratio(double h) const { return count_ > 1 ? (points_[0].t - points_[1].t) / h : 1; }
  MultistepFormula first_formula() const;

  std::function<MultistepScheme(const Parameters&)> make_;
  MultistepScheme scheme_;
  const Implicit* problem_ = nullptr;
  const Invariant* invariant_ = nullptr;
  Statistics* statistics_ = nullptr;
  Precision precision_ = Precision::tolerance;
  ImplicitEquation equation_;
  Alternation alternation_;
  std::array<Point, 3> points_;  // newest first; before the first accepted step the start
  int count_ = 0;                // of accepted points
  Point start_, now_, trial_;
  bool start_known_ = false, third_order_ = false;
  Vector differential_;                   // 1 where y' is known at the start, 0 for algebraic entries
  Vector position_, velocity_;            // 1 for the entries the offset is measured on, and put on
  Vector offset_, y_offset_, dy_offset_;  // per unit of L/S
};

}  // namespace dalembert
