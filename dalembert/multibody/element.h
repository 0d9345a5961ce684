// What a mechanism is made of besides its bodies: rows that hold them together and forces that drive them. One object is
// a whole set of one kind, so that a thousand hinges are one loop.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/problem/mechanical.h"

namespace dalembert {

/// A row as people see it.
struct RowName {
  std::string label, unit;  ///< of its multiplier: "elbow.x", "N"
};

/// Constraint rows of one kind. Each writes into the rows that are its own and leaves all others alone.
class Rows {
 public:
  virtual ~Rows() = default;
  enum class Level { position, velocity };
  virtual Level level() const = 0;
  virtual bool conservative() const = 0;  ///< nothing is driven
  /// Rows of velocity level come after all holonomic ones: so many.
  Eigen::Index before = 0;

  virtual void g(const Placement&, Out residual) const = 0;       ///< holonomic rows only
  virtual void jacobian(const Placement&, Entries& J) const = 0;  ///< adds entries, in a fixed order
  virtual void velocity_bias(const Placement&, Out w) const = 0;
  virtual void bias(const Placement&, In v, Out bias) const = 0;
  virtual void geometric_stiffness(const Placement&, In l, Entries& K) const = 0;  ///< adds d(J'l)/dq N
  virtual void velocity_jacobian(const Placement&, In v, Entries& B) const = 0;    ///< adds d(J v + w)/dq N

  // Without matrices, as far as it can: see problem/motion_sums.h.
  virtual bool has_sums() const { return false; }
  /// Its rows become J v + w.
  virtual void rates(const Placement&, In /*v*/, Out /*rows*/) const {}
  /// Adds J'l to the motion; its rows become J a + bias.
  virtual void add_sums(const Placement&, In /*v*/, In /*a*/, In /*l*/, Out /*motion*/, Out /*rows*/) const {}
  virtual bool differentiates_rows() const { return false; }
  /// Adds d(J a + bias)/dq N where velocity_jacobian() adds its entries.
  virtual void row_derivatives(const Placement&, In /*v*/, In /*a*/, Entries& /*X*/) const {}
};

/// Forces of one kind. Each adds to what is there.
class Forces {
 public:
  virtual ~Forces() = default;
  virtual void force(const Placement&, In v, In s, Out f) const = 0;
  /// Adds -df/dq N to K, -df/dv to D, -df/ds to S, and the derivatives of its own states.
  virtual void derivatives(const Placement&, In v, In s, Derivatives&) const = 0;
  virtual void auxiliary(const Placement&, In /*v*/, In /*s*/, Out /*ds*/) const {}
  virtual void jump(const Placement& /*before*/, const Placement& /*after*/, Out /*s*/) const {}
  /// Adds the potentials whose rates, not they themselves, push states: of sources in loops of capacitors.
  virtual void imposed(const Placement&, std::vector<double>&) const {}
  /// Sizes below 1 of first-order states, as far as they are known (Problem::small_entries).
  virtual void state_sizes(const Placement&, In /*v*/, In /*s*/, Out /*sizes*/) const {}
  /// Of the force as far as it has a potential.
  virtual double potential(const Placement&) const { return 0; }
  /// The potential and what is kept in first-order states.
  virtual double energy(const Placement& at, In /*s*/) const { return potential(at); }
  /// Of the rest of it.
  virtual double power(const Placement&, In /*v*/, In /*s*/) const { return 0; }
  /// The part of it that becomes heat: that of forces which change their sign with v, unless somebody knows better.
  virtual double dissipation(const Placement&, In v, In s) const;
  virtual bool conservative() const = 0;
  /// Why it has no law here, if it has none.
  virtual std::string refusal(const Placement&, In /*s*/) const { return {}; }
};

/// A prescribed motion f(t) with its first two derivatives.
struct Motion {
  /// The motion and its derivatives at a time.
  struct Value {
    double f = 0, rate = 0, acceleration = 0;
  };
  std::function<Value(double t)> at;  ///< empty: f = 0 for ever
  Value operator()(double t) const { return at ? at(t) : Value{}; }
};

}  // namespace dalembert
