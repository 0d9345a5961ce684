// What acts along a measure c: springs, dampers, friction, motors, cylinders.
//
//   f = -F(t, c, c', s) dc/dq,   s' = k(t, c, c', s)
//
// F > 0 pulls the measure smaller, as a stretched spring does. A force element knows nothing about bodies, so one serves lengths
// and angles, in the plane and in space.
#pragma once

#include <string>
#include <vector>

#include "dalembert/multibody/element.h"
#include "dalembert/multibody/measure.h"

namespace dalembert {

/// A first-order state as people see it.
struct StateName {
  std::string label, unit;  ///< "current", "A"
  double start = 0;
  bool counts_turns = false;  ///< and nothing else (turn_counter.h)
};

/// A law along a measure, with states of its own if it needs some.
class ForceElement {
 public:
  static constexpr int most = 4;  ///< states
  /// What a law sees.
  struct Input {
    double t, c, rate;
    const double* s;  ///< its own states
  };
  /// Everything and its gradient. A force element without states leaves the second half alone.
  struct Response {
    double F = 0, F_c = 0, F_rate = 0, F_s[most] = {};
    double k[most] = {}, k_c[most] = {}, k_rate[most] = {}, k_s[most][most] = {};
  };
  virtual ~ForceElement() = default;
  virtual void respond(const Input&, Response&) const = 0;
  virtual std::vector<StateName> states() const { return {}; }
  /// What is kept in the measure and the states (of a spring, of the field of a winding), with its gradient. Neither t nor
  /// the rate may matter.
  struct Energy {
    double value = 0, gradient_c = 0, gradient_s[most] = {};
  };
  virtual Energy energy(const Input&) const { return {}; }
  /// What becomes heat, as power: of the part of F that changes its sign with the rate, unless the law knows better.
  virtual double dissipation(const Input&) const;
  virtual bool conservative() const { return false; }  ///< -F c' + d(energy)/dt = 0
  /// Does c itself matter, not only its rate? Then full turns of a cyclic measure are counted for it (turn_counter.h).
  virtual bool needs_value() const { return true; }
};

/// All force elements of a mechanism.
class ForceElements final : public Forces {
 public:
  /// A law, and the measure it acts along.
  struct Action {
    MeasurePtr measure;
    std::shared_ptr<const ForceElement> element;
    Eigen::Index state = 0;  ///< its first one
    Eigen::Index states = 0;
  };
  std::vector<Action> actions;

  void force(const Placement&, In v, In s, Out f) const override;
  void derivatives(const Placement&, In v, In s, Derivatives&) const override;
  void auxiliary(const Placement&, In v, In s, Out ds) const override;
  double energy(const Placement&, In s) const override;
  double power(const Placement&, In v, In s) const override;
  double dissipation(const Placement&, In v, In s) const override;
  bool conservative() const override;
};

/// Rows c(q) = f(t).
class DrivenRows final : public Rows {
 public:
  /// A measure, and the motion it follows.
  struct Drive {
    MeasurePtr measure;
    Motion f;
    Eigen::Index row;
  };
  std::vector<Drive> drives;

  Level level() const override { return Level::position; }
  bool conservative() const override { return drives.empty(); }
  void g(const Placement&, Out residual) const override;
  void jacobian(const Placement&, Entries& J) const override;
  void velocity_bias(const Placement&, Out w) const override;
  void bias(const Placement&, In v, Out bias) const override;
  void geometric_stiffness(const Placement&, In l, Entries& K) const override;
  void velocity_jacobian(const Placement&, In v, Entries& B) const override;
};

}  // namespace dalembert
