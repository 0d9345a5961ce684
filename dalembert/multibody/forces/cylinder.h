// Hydraulic cylinder with the pressures of its two chambers as states, fed by a valve [Merritt1967, ch. 5].
//
//   F = -(A pA - B pB) + seal + stops                      A pushes the ends apart, B pulls them together
//   pA' = E/(VA + A (c - shortest)) (QA - A c' - leak (pA - pB))
//   pB' = E/(VB + B (longest - c))  (QB + B c' + leak (pA - pB))
//   QA = K (a Q(ps - pA) - b Q(pA - pt)),  QB = K (b Q(ps - pB) - a Q(pB - pt)),  Q(d) = d/(d^2 + soft^2)^(1/4)
//   a, b = (sqrt(u^2 + e^2) +- u)/2                        openings at the spool u(t, c, c'), underlapped by e
//
// Q is the square root of an orifice, laminar below `soft`. The seal rubs as in friction.h; beyond shortest and longest a
// spring stops the piston.
//
// Energy: that of the stops, and V w(p) of the oil in each chamber, w = E (exp(p/E) - 1) - p, about p^2/2E: oil of density rho with
// p = E ln(rho/rho0), of which the equations above keep the mass, does the work p V' on the piston and brings (p + w) Q along as it flows. What is
// put in is the power of the supply, ps Qs, less that of the tank, pt Qt. What does not come to the chambers becomes heat in the valve, besides
// what leaks and rubs.
#pragma once

#include "dalembert/multibody/forces/force_element.h"
#include "dalembert/multibody/forces/friction.h"
#include "dalembert/multibody/law.h"

namespace dalembert {

/// Pushes with the pressures of its chambers.
class Cylinder final : public ForceElement {
 public:
  /// What it is made of.
  struct Constants {
    double area_a = 0, area_b = 0;      ///< m^2: of the piston, of its side with the rod
    double volume_a = 0, volume_b = 0;  ///< m^3: of the chambers at the ends of the stroke
    double shortest = 0, longest = 0;   ///< m: of the measure
    double bulk_modulus = 0;            ///< E, Pa
    double flow = 0;                    ///< K, m^3/(s Pa^.5) of the open valve
    double supply = 0, tank = 0;        ///< ps, pt, Pa
    double soft = 0;                    ///< Pa
    double underlap = 0;                ///< e, of the full stroke of the spool
    double leak = 0;                    ///< m^3/(s Pa) across the piston
    double stop = 0;                    ///< N/m
    double start_a = 0, start_b = 0;    ///< pressures at the start, Pa
  };
  /// The spool is a law of t, the measure and its rate; 1 is fully open.
  Cylinder(const Constants&, Law spool, const Friction::Constants& seal = {});  ///< throws Error

  void respond(const Input&, Response&) const override;
  std::vector<StateName> states() const override {
    return {{"pressure_a", "Pa", is_.start_a}, {"pressure_b", "Pa", is_.start_b}};
  }
  Energy energy(const Input&) const override;
  double dissipation(const Input&) const override;

 private:
  double volume_a(double c) const { return is_.volume_a + is_.area_a * (c - is_.shortest); }
  double volume_b(double c) const { return is_.volume_b + is_.area_b * (is_.longest - c); }
  /// w(p) and its derivative.
  struct Compression {
    double w, slope;
  };
  Compression compression(double p) const;
  double beyond(double c) const;  ///< how far outside of its stroke, with sign

  Constants is_;
  Law spool_;
  Friction seal_;
};

}  // namespace dalembert
