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
#include <optional>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/method/alternation.h"
#include "dalembert/method/linear_form.h"
#include "dalembert/method/method.h"
#include "dalembert/method/structural/alpha_step.h"

namespace dalembert {

class GeneralizedAlpha final : public Method, public HasLinearForm {
 public:
  /// The scheme may depend on options; it is asked for when the method is bound.
  explicit GeneralizedAlpha(std::function<AlphaScheme(const Parameters&)> make) : make_(std::move(make)) {}

  void bind(const Problem&, const Setting&) override;
  Attempt attempt(const State& from, double h, State& to) override;
  void accept() override;
  void restart() override;
  bool reset() override;
  bool remember(Memory& memory) override {
    memory(step_, alternation_, started_);
    return true;
  }
  void interpolate(double theta, State&) override;
  LinearForm linear_form(const Parameters& options) const override;

 private:
  Outcome begin(const State& from, double h);
  Attempt failure(Outcome);
  bool stabilised() const { return scheme_.form == AlphaScheme::Form::stabilised; }

  std::function<AlphaScheme(const Parameters&)> make_;
  AlphaScheme scheme_;
  const Mechanical* problem_ = nullptr;
  Mechanical::Sizes n_;
  std::optional<Mechanics> mechanics_;
  AlphaStep step_;
  Alternation alternation_;
  bool started_ = false;
  Vector start_y_, end_y_;  // of the last attempt, which went from t_ over h_
  double t_ = 0, h_ = 0;
  Vector q_, row_, offset_, moved_, jerk_;  // of begin()
};

}  // namespace dalembert
