// Direct-current motor behind a gear, with the current of its winding as state [Krause1986].
//
//   F = -n k i,   L i' = U(t, c, c') - R i - n k c'
//
// c = the angle behind the gear, n c = that of the rotor, k = torque per current and voltage per speed. The field keeps
// L i^2/2; the source puts in U i and the resistance takes out R i^2. The inertia J of the rotor is no force: n^2 J belongs
// to the inertia of the driven body if the motor sits on the ground, else the rotor is a body with a gear of its own.
// Along a length the same equations are those of a moving coil.
#pragma once

#include "dalembert/multibody/forces/force_element.h"
#include "dalembert/multibody/law.h"

namespace dalembert {

/// Turns with the torque of its current.
class Motor final : public ForceElement {
 public:
  /// What it is made of.
  struct Constants {
    double constant = 0;    ///< k, N m/A = V s/rad
    double resistance = 0;  ///< R, Ohm
    double inductance = 0;  ///< L, H
    double ratio = 1;       ///< n
    double current = 0;     ///< i at the start, A
  };
  /// U in V, of t, the measure and its rate.
  Motor(const Constants&, Law voltage);  ///< throws Error

  void respond(const Input& in, Response& out) const override {
    const double x[] = {in.t, in.c, in.rate}, nk = is_.ratio * is_.constant;
    double gradient[3] = {};
    const double U = voltage_(x, gradient);
    out.F = -nk * in.s[0];
    out.F_s[0] = -nk;
    out.k[0] = (U - is_.resistance * in.s[0] - nk * in.rate) / is_.inductance;
    out.k_c[0] = gradient[1] / is_.inductance;
    out.k_rate[0] = (gradient[2] - nk) / is_.inductance;
    out.k_s[0][0] = -is_.resistance / is_.inductance;
  }
  std::vector<StateName> states() const override { return {{"current", "A", is_.current}}; }
  double dissipation(const Input& in) const override { return is_.resistance * in.s[0] * in.s[0]; }
  Energy energy(const Input& in) const override {
    return {.value = is_.inductance * in.s[0] * in.s[0] / 2, .gradient_s = {is_.inductance * in.s[0]}};
  }

 private:
  Constants is_;
  Law voltage_;
};

}  // namespace dalembert
