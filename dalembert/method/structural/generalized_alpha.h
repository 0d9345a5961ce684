// One-step methods for second-order equations with constraints at position level, velocities and accelerations carried:
//
//   q_{n+1} = q_n o u,   u = h v_n + h^2 (b0 a_n + b1 a_{n+1}) - h G_n' eta
//   v_{n+1} = v_n + h (g0 a_n + g1 a_{n+1})
//   (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) v'_{n+1} + alpha_f v'_n
//   M v' = f - J'(lambda, mu),  0 = g(t,q),  0 = A v + b      at t_{n+1}
//
// o is advance(): rotations are moved in their tangent space [BruelsCardonaArnold2012]. First-order states s follow the
// formulas of v. eta = 0 gives the index-3 form; the stabilised form asks for G v + g_t = 0 as well and has eta for it
// [ArnoldBruelsCardona2015].
//
// The start. With delta = alpha_m - alpha_f the accelerations of a smooth numerical solution are a_n = v'(t_n + delta h).
// At index 3 its velocities are those that the first formula makes of displacements u along the constraints: across the
// constraints they differ from the true ones by O(h^2) (without rotations by h^2 (1/6 - b1 - delta (b0 + b1)) v''), and
// multipliers see each change of that offset divided by h [ArnoldBruelsCardona2015]. So velocities start with it, measured
// on a trial step; v'' is a difference of accelerations over h.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/linear/iteration_matrix.h"
#include "dalembert/method/alternation.h"
#include "dalembert/method/method.h"

namespace dalembert {

struct AlphaPlan {
  std::string name;
  double alpha_m = 0, alpha_f = 0;
  double b0 = 0, b1 = 1, g0 = 0, g1 = 1;
  enum class Form { index3, stabilised } form = Form::index3;
  enum class AtInfinity { damped, undamped } at_infinity = AtInfinity::damped;

  /// Chung and Hulbert's coefficients [ChungHulbert1993] for a spectral radius at infinity.
  static AlphaPlan tuned(double rho_inf);
};

class GeneralizedAlpha final : public Method {
 public:
  /// The plan may depend on options; it is asked for when the method is bound.
  explicit GeneralizedAlpha(std::function<AlphaPlan(const Parameters&)> make) : make_(std::move(make)) {}

  void bind(const Problem&, const Setting&) override;
  Attempt attempt(const State& from, double h, State& to) override;
  void accept() override;
  void restart() override;
  void interpolate(double theta, State&) override;

 private:
  /// Velocities or first-order states: value x, its derivative dx, and the auxiliary a with which it moves.
  struct Moving {
    Vector x, dx, a;
  };
  struct Scales;

  Outcome begin(const State& from, double h);
  Outcome solve(const Scales&, const State& from);
  Outcome iterate(const Scales&, double t);
  void move(In u, Out q);
  void evaluate(const Scales&, double t);  ///< now_v_, now_s_ and residual_ at the unknowns x_
  Outcome renew(const Scales&);
  Attempt failure(Outcome);
  bool stabilised() const { return plan_.form == AlphaPlan::Form::stabilised; }

  std::function<AlphaPlan(const Parameters&)> make_;
  AlphaPlan plan_;
  const Mechanical* problem_ = nullptr;
  Statistics* statistics_ = nullptr;
  Mechanical::Sizes n_;
  std::optional<Mechanics> mechanics_;
  std::optional<IterationMatrix> matrix_;
  Alternation alternation_;
  bool started_ = false, have_matrix_ = false, fresh_ = false;
  double matrix_h_ = 0;

  // Unknowns (u, [p], s, k (lambda, mu), [h eta]); p = u + h G_n' eta is what the accelerations see.
  Eigen::Index p_ = 0, s_ = 0, l_ = 0, eta_ = 0, rows_ = 0;  // where they begin; rows_: of constraints
  Vector x_, residual_, guess_;
  Moving v_, s_now_, next_v_, next_s_;  // at t_n and t_{n+1}
  Vector start_y_, end_y_, f_, row_, gap_, offset_, moved_, bend_, half_u_, half_q_;
  double t_ = 0, h_ = 0;
  std::unique_ptr<Placement> from_, at_, half_;
  Entries M_, J_, held_, G_, G_from_, B_;
  Derivatives d_;
  Eigen::Index culprit_ = 0;
};

}  // namespace dalembert
