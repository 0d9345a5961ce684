// The ordinary differential equations that shooting solves in place of a constrained motion.
//
// regularized, one for each iterate s with y = z or (lambda, mu) of the last one at hand [AscherLin1997]:
//
//   index2       x' = f(t,x,y_s),                        y_s = y_{s-1} + E g/eps                (2.4), (2.5), alpha1 = 0
//   mechanical   q' = N(v - M^-1 G'E g/eps),             y_s = y_{s-1} + E (J v + w)/eps        (5.3), (5.4)
//                M v' = f - J'y_s
//
// with E = I, (GB)' or (GB)^-1, where B is -f_z, or M^-1 J' (M^-1 G' beside g).
//
// direct: multipliers eliminated by differentiating, and steps projected onto the constraints.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dalembert/boundary/grid_function.h"
#include "dalembert/core/statistics.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

/// What multiple shooting integrates, and how its unknowns are made of states.
class ShootingEquations {
 public:
  virtual ~ShootingEquations() = default;
  /// May be followed with projection on its invariant.
  virtual const Ode& ode() const = 0;
  virtual Eigen::Index rows() const = 0;  ///< of h, which x(t0) has to satisfy
  virtual void constraint(double t, In x, Out h) const = 0;
  virtual Eigen::Index multipliers() const = 0;
  virtual Outcome multiplier(double t, In x, Out y) const = 0;
  /// The largest rate at which the equations themselves pull towards the constraints at a point.
  virtual double rate(double /*t*/, In /*x*/) const { return 0; }
};

/// How the equations are regularized: E and epsilon.
struct Regularization {
  enum class E { identity, transposed, inverse } e = E::identity;
  double eps = 5e-3;
};

/// `last` is y_{s-1}; whoever fills it changes the equations. Throws Error for problems of another kind, for those
/// whose velocities are not the rates of their positions, and for a singular mass matrix.
std::unique_ptr<ShootingEquations> regularized_equations(const Problem&, const Regularization&,
                                                         const GridFunction& last);
/// With multipliers eliminated by differentiating.
std::unique_ptr<ShootingEquations> direct_equations(const Problem&, Statistics&);

/// The sizes of x and y for a problem of a kind that shooting solves; throws Error otherwise.
struct ShootingSizes {
  Eigen::Index x, y, rows;
};
/// Those of a problem.
ShootingSizes shooting_sizes(const Problem&);

}  // namespace dalembert
