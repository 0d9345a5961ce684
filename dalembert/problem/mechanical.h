// Constrained mechanical systems, in the sign convention used everywhere:
//
//   q' = N(q) v
//   M(t,q) v' = f(t,q,v,s) - J(t,q)' (lambda, mu)
//   0 = g(t,q)                          holonomic rows
//   0 = A(t,q) v + b(t,q)               velocity-level (nonholonomic) rows
//   s' = k(t,q,v,s)                     first-order states: currents, pressures, controllers
//
// J = [G; A] with G = g_q N stacks all rows, holonomic first. At velocity level the rows read J v + w = 0
// with w = (g_t; b); differentiated once more J v' + bias = 0, where bias gathers all terms without v'.
#pragma once

#include <memory>
#include <vector>

#include "dalembert/linear/entries.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// A position q at time t, with whatever a problem wants to compute once per position and keep at hand (sines,
/// rotation matrices). Made by the problem, owned by the caller: evaluations stay pure, scratch is never shared.
struct Placement {
  virtual ~Placement() = default;
  double t = 0;
  Vector q;
};

/// First derivatives at (t,q,v,s) with accelerations a and multipliers l. What is differentiated with respect to q is
/// taken along the tangent: column j belongs to the displacement N e_j. What a problem does not have stays empty.
struct Derivatives {
  Entries K;              ///< d(M a + J'l - f)/dq N
  Entries D;              ///< -df/dv
  Entries S;              ///< -df/ds
  Entries B;              ///< d(J v + w)/dq N
  Entries k_q, k_v, k_s;  ///< of s' = k(t,q,v,s)

  /// Work space for differences, so that a caller who keeps this keeps that too.
  std::unique_ptr<Placement> moved{};
  Entries M{}, J{};
  Vector u{}, f{}, plus{}, minus{}, rows_plus{}, rows_minus{}, s_plus{}, s_minus{}, w{};
};

/// q' = N(q) v for coordinates whose rates are not their velocities.
struct Kinematics {
  Entries N;        ///< q x v
  Entries inverse;  ///< v x q: inverse N = I
  Entries Nv_q;     ///< d(N v)/dq, q x q

  std::unique_ptr<Placement> moved{};
  Vector u{}, plus{}, minus{};
  Matrix columns{}, gram{}, left_inverse{};
  Eigen::LLT<Matrix> factors{};
};

/// The equations above, term by term.
class Mechanical : public Problem {
 public:
  /// How many there are of each.
  struct Sizes {
    Eigen::Index q = 0, v = 0, s = 0;              ///< positions, velocities, first-order states
    Eigen::Index holonomic = 0, nonholonomic = 0;  ///< rows of g, rows of A
    Eigen::Index rows() const { return holonomic + nonholonomic; }
  };

  Kind kind() const final { return Kind::mechanical; }
  virtual Sizes sizes() const = 0;

  // Kinematics.
  virtual std::unique_ptr<Placement> placement() const;
  /// Computes what the placement keeps, from its t and q.
  virtual void place(Placement&) const {}
  /// Moves a placement to (t, q). Allocates nothing if its q has that size already.
  void place_at(Placement&, double t, In q) const;
  std::unique_ptr<Placement> placed_at(double t, In q) const;
  std::unique_ptr<Placement> placed_at(const State&) const;
  /// N(q) u; the plain copy for coordinates whose velocities are their derivatives.
  virtual void tangent(const Placement&, In u, Out dq) const { copy(u, dq); }
  /// q moved by a displacement u in velocity space (retraction; tangent-space arithmetic of rotations).
  virtual void advance(const Placement&, In u, Out q) const;
  /// The displacement u in velocity space that leads from one position to another: how errors of positions are
  /// measured. Unless the problem knows better to first order, N u = to - from. Not for the inside of a step.
  virtual void difference(In from, In to, Out u) const;

  // Dynamics.
  virtual void mass(const Placement&, Entries& M) const = 0;
  virtual void force(const Placement&, In v, In s, Out f) const = 0;
  virtual void auxiliary(const Placement&, In v, In s, Out ds) const;
  /// Where the equations jump from one time to the next one, s follows: voltages may, charges are kept.
  virtual void jump(const Placement& /*before*/, const Placement& /*after*/, Out /*s*/) const {}
  /// States that say which turn an angle is in, and nothing else: small changes of them change nothing.
  virtual std::vector<Eigen::Index> turn_counters() const { return {}; }

  // Constraints. All of them may be left alone by a problem without rows. One that has rows in some of its modes only is asked in the
  // others too, for results of size 0.
  virtual void g(const Placement&, Out residual) const;       ///< holonomic rows only
  virtual void jacobian(const Placement&, Entries& J) const;  ///< all rows
  virtual void velocity_bias(const Placement&, Out w) const;  ///< w = (g_t; b), all rows
  virtual void bias(const Placement&, In v, Out bias) const;  ///< (J v + w)' without J v', all rows

  // Energy. energy() is kinetic plus potential, if the problem knows it; power() is what forces outside the potential
  // put in. The power of driven constraints, lambda'w, is added by whoever keeps the balance.
  virtual std::optional<double> energy(const Placement&, In v, In s) const;
  virtual double power(const Placement&, In v, In s) const;
  /// Is nothing put in, neither by power() nor by driven rows? Then the balance need not be integrated.
  virtual bool conservative() const { return true; }

  // For implicit methods, by differences unless the problem knows better.
  virtual void derivatives(const Placement&, In v, In s, In a, In l, Derivatives&) const;
  /// Is q' = v? A problem that overrides tangent() says no.
  virtual bool plain() const { return true; }
  /// Asked only of problems that are not plain.
  virtual void kinematics(const Placement&, In v, Kinematics&) const;

  /// Finds not-finite terms, a singular mass matrix on the constraints, dependent rows; names them.
  Fault diagnose(double t, In y) const override;

 protected:
  /// Blocks q, v, s, lambda, mu (empty ones left out) with these labels and units.
  struct Names {
    std::vector<std::string> q{}, v{}, s{}, lambda{}, mu{};
    std::vector<std::string> q_units{}, v_units{}, s_units{}, lambda_units{}, mu_units{};
  };
  Layout mechanical_layout(Names names) const;
};

/// Where the parts of a mechanical state (q, v, s, lambda, mu) lie.
struct MechanicalState {
  explicit MechanicalState(const Mechanical::Sizes& n) : n_(n) {}
  auto q(auto& y) const { return y.segment(0, n_.q); }
  auto v(auto& y) const { return y.segment(n_.q, n_.v); }
  auto s(auto& y) const { return y.segment(n_.q + n_.v, n_.s); }
  auto multipliers(auto& y) const { return y.segment(n_.q + n_.v + n_.s, n_.rows()); }
  Eigen::Index differential() const { return n_.q + n_.v + n_.s; }
  Eigen::Index size() const { return differential() + n_.rows(); }

 private:
  Mechanical::Sizes n_;
};

}  // namespace dalembert
