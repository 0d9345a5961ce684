// Dry friction along a measure c that sticks and slips, with events [ArmstrongHelouvry1994], [PfeifferGlocker1996].
//
//   slip    F = sigma F_k(t, c, |c'|),  sigma = sign c'      until c' = 0
//   stick   0 = c',  F = mu                                  as long as |mu| <= F_s(t, c)
//
// with F as in force_element.h: f = -F dc/dq. A mechanism with n of them has up to 3^n modes, each a mechanism of its own with one
// row of velocity level for each that sticks, made when it is entered. Where one comes to rest or gives way, all that are
// at rest are looked at together: all stick, unless that takes more than F_s somewhere; then the one with the largest
// |mu|/F_s slips with the sign of mu, and so on.
//
// Contacts that are tied to each other (more joints rub than there are degrees of freedom) have rows only for those that are independent;
// the others are bonded to them. What each holds is not determined; they give way when no shares hold the load any more, in the
// way that takes least (limit_load.h), and until then shares that are possible are reported.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dalembert/multibody/element.h"
#include "dalembert/multibody/law.h"
#include "dalembert/multibody/measure.h"

namespace dalembert {

/// Dry friction along a measure: what it bears at rest, and in motion.
struct StickSlip {
  enum class Regime {
    open,  ///< not yet decided: no friction
    stick,
    slip_up,    ///< c grows
    slip_down,  ///< c falls
    bonded      ///< at rest because others are that stick, and that it is tied to (ties.h)
  };
  std::string name{};
  MeasurePtr measure{};
  Law most{};     ///< F_s, of t and c: N, of an angle N m
  Law sliding{};  ///< F_k, of t, c and |c'|
  Regime now = Regime::open;

  /// sigma; 0 unless it slips
  double sign() const { return now == Regime::slip_up ? 1 : now == Regime::slip_down ? -1 : 0; }
  /// sigma F_k; 0 unless it slips
  double slip_force(double t, double c, double rate) const {
    const double sigma = sign(), x[] = {t, c, sigma * rate};
    return sigma == 0 ? 0 : sigma * sliding(x);
  }
  double limit(double t, double c) const {
    const double x[] = {t, c};
    return most(x);
  }
};

inline StickSlip::Regime slip_with(double sign) {
  return sign > 0 ? StickSlip::Regime::slip_up : StickSlip::Regime::slip_down;
}
inline bool slips(StickSlip::Regime now) {
  return now == StickSlip::Regime::slip_up || now == StickSlip::Regime::slip_down;
}
inline double sign_of(StickSlip::Regime slipping) {
  return slipping == StickSlip::Regime::slip_up ? 1 : -1;
}
/// Of its limit, what a contact that sticks bears until it slips; what is at rest already may slip when asked from a little less on:
/// whoever has just slipped is not put to rest again by rounding.
inline constexpr double until_slip = 1 + 2e-12, may_slip = 1 + 1e-12;
/// Slower than this is at rest.
inline double still(In v) {
  return 1e-9 * (1 + largest(v));
}

/// The rows c' = 0 of those that stick; the last ones of velocity level.
class StuckRows final : public Rows {
 public:
  /// A contact at rest.
  struct Stuck {
    MeasurePtr measure;
    Eigen::Index row;
  };
  std::vector<Stuck> stuck;

  Level level() const override { return Level::velocity; }
  bool conservative() const override { return true; }
  void g(const Placement&, Out) const override {}
  void jacobian(const Placement&, Entries& J) const override;
  void velocity_bias(const Placement&, Out w) const override;
  void bias(const Placement&, In v, Out bias) const override;
  void geometric_stiffness(const Placement&, In l, Entries& K) const override;
  void velocity_jacobian(const Placement&, In v, Entries& B) const override;
};

/// The friction of those that slip.
class SlipForces final : public Forces {
 public:
  std::vector<StickSlip> slipping;

  void force(const Placement&, In v, In s, Out f) const override;
  void derivatives(const Placement&, In v, In s, Derivatives&) const override;
  double power(const Placement&, In v, In s) const override;
  /// All of it: backwards it would be another mode, so that the sign of the force does not tell.
  double dissipation(const Placement& at, In v, In s) const override { return -power(at, v, s); }
  bool conservative() const override { return slipping.empty(); }
};

}  // namespace dalembert
