// A mechanical problem together with the work space of one run: accelerations, and the way back onto constraints.
//
//   [M  J'] [ a      ]   [ f                                    ]
//   [J  0 ] [ lambda ] = [ -bias - 2 alpha (J v + w) - beta^2 g ]
//
// with W' in the place of J' for problems that have ForceDirections.
#pragma once

#include <memory>

#include "dalembert/core/outcome.h"
#include "dalembert/core/statistics.h"
#include "dalembert/linear/saddle/saddle_point.h"
#include "dalembert/problem/force_directions.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

/// Baumgarte's feedback [Baumgarte1972]; zero leaves the differentiated constraint as it is. Velocity-level rows have
/// no position error: they get alpha (A v + b).
struct Stabilisation {
  double alpha = 0, beta = 0;
};

class Mechanics {
 public:
  Mechanics(const Mechanical&, Symmetry, Statistics&, Elimination = Elimination::static_order);
  /// With what another one of the same problem has planned, if that is a symmetric elimination.
  Mechanics(const Mechanical&, const SaddlePoint* planned, Statistics&);

  /// As if just made: forgets the run before.
  void reset();

  const Mechanical& problem() const { return problem_; }
  const Mechanical::Sizes& sizes() const { return n_; }

  /// a and the multipliers at (t,q,v,s).
  Outcome accelerate(double t, In q, In v, In s, Stabilisation, Out a, Out multipliers);

  /// Moves q, then v, onto the constraints by the smallest change in the kinetic metric, with the factors at hand:
  /// a simplified Newton iteration whose matrix may be that of a nearby point. Where that converges slowly, v gets factors of the
  /// place where q arrives.
  Outcome project(double t, Out q, Out v);
  /// One round of the velocity part alone: enough for an error estimate.
  Outcome pull_velocity(double t, In q, Out v);
  /// By how much the multipliers, integrated over time, did that.
  Vector impulse() const { return x_.tail(n_.rows()); }

  /// The position of the last evaluation.
  const Placement& here() const { return *at_; }

  /// Largest residuals |g| and |J v + w|.
  struct Residuals {
    double position = 0, velocity = 0;
  };
  Residuals residuals(double t, In q, In v);

  /// Factors at (t,q), for projections that have no factors at hand yet.
  Outcome factor(double t, In q);

  // The parts, for methods that form the stage system (5.5) themselves.
  std::unique_ptr<Placement> make_placement() const;
  SaddlePoint& saddle() { return saddle_; }
  Statistics& statistics() { return statistics_; }

 private:
  void make_room();
  void place_at_start();
  const Entries& place_forces();   ///< W, or J, at here
  void move_here(double t, In q);  ///< places at_, unless it is there
  void velocity_residual(const Placement&, const Entries& J, In v, Out r) const;  ///< J v + w
  enum class Factors { at_hand, of_here };
  Outcome correct_velocity(Factors, Out v);

  const Mechanical& problem_;
  Mechanical::Sizes n_;
  Statistics& statistics_;
  SaddlePoint saddle_;
  std::unique_ptr<Placement> at_;
  const ForceDirections* directions_;  // nullptr: along J
  Entries M_, J_, W_;
  Vector x_, row_, g_, q_;
};

}  // namespace dalembert
