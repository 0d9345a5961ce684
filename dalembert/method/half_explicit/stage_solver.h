// The implicit part of a half-explicit stage: z such that the constraint holds at the next point.
//
//   find Z:  0 = g(tbar, base + gamma f(t, Y, Z)),   K = f(t, Y, Z),   next = base + gamma K
//
// In general Newton's method in Z [BraseyHairer1993, (2.2)]; for the velocity level of a mechanical problem the linear
// system [M J1'; J2 0] with J1 at Y and J2 at the next point [BraseyHairer1993, (5.5)].
#pragma once

#include <memory>

#include "dalembert/core/outcome.h"
#include "dalembert/core/statistics.h"
#include "dalembert/problem/hessenberg.h"

namespace dalembert {

/// Where a stage starts: anywhere, or at the `next` of the stage before (whose Jacobian is then at hand).
enum class StageStart { anywhere, at_previous_next };

class StageSolver {
 public:
  virtual ~StageSolver() = default;
  /// As if just made; what a problem lends is reset with it.
  virtual void reset() {}
  /// z goes in as a guess and comes out as Z; K and next are written. Y and next must not overlap.
  virtual Outcome stage(double t, In Y, StageStart, double tbar, In base, double gamma, Out z, Out K,
                        Out next) = 0;
  /// y' and z on the solution through (t, y), from the constraint differentiated once [BraseyHairer1993, (3.6)].
  virtual Outcome derivative(double t, In y, Out z, Out dy) = 0;
  /// Moves the transversal part of y onto g = 0 in one Newton step with the factors of the last stage.
  virtual Outcome pull(double t, Out y) = 0;

  static std::unique_ptr<StageSolver> make(const Hessenberg&, Statistics&);
};

}  // namespace dalembert
