// Fortran codes of Hairer, Wanner, Brasey and Murua, each for one integration from set-up to the end. Their sources are
// not in this tree: README.md says where they are, and -DDALEMBERT_FORTRAN=FOLDER where they were put.
#pragma once

#include "dalembert/problem/implicit.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert::bench {

struct FortranEnd {
  bool ok = false;
  Vector y;  ///< q and v of a mechanical problem, all entries of another
  long steps = 0, evaluations = 0, jacobians = 0, factorizations = 0;
};

/// DOP853 on index 1: accelerations by their own dense elimination (DEC and SOL). The first step is chosen here, as
/// described in [HairerNorsettWanner1993, II.4], because one version of the code in circulation has lost that result.
FortranEnd dop853(const Mechanical&, const State& start, double end, double tolerance);

/// HEM5 and PHEM56 on index 2, dense, with exact derivatives of the constraints and no projections but their own steps.
enum class HalfExplicit { hem5, phem56 };
FortranEnd half_explicit(HalfExplicit, const Mechanical&, const State& start, double end, double tolerance);

/// RADAU5 on a mechanical problem with its constraints as positions (index 3) or velocities (index 2), exact
/// Jacobians, errors of velocities and multipliers scaled by the step as it wants them, and second-order equations
/// eliminated (its M1 and M2). Unknowns are q, v, lambda where M is diagonal and constant, else q, v, v', lambda.
enum class Level { velocity, position };
enum class Mass { constant_diagonal, any };
FortranEnd radau5(const Mechanical&, Level, Mass, const State& start, double end, double tolerance);

/// RADAU5 on C y' = f(t,y), which is what 0 = F(t,y,y') has to be: linear in y' with a constant matrix. Matrices are
/// full, or banded with the bandwidth that the entries have.
enum class Storage { full, banded };
FortranEnd radau5(const Implicit&, Storage, const State& start, double end, double tolerance);

}  // namespace dalembert::bench
