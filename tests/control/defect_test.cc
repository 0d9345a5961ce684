// What is the defect of a step that follows its velocities, and of one that went to another solution?
#include "dalembert/control/witness/defect.h"

#include <gtest/gtest.h>

#include "dalembert/problem/mechanical.h"
#include "tests/support/large_mechanisms.h"

namespace dalembert {
namespace {

/// A step along constant velocities, and its increment after one position has been moved.
Peak increment(const Mechanical& problem, double h, Eigen::Index moved, double jump) {
  const MechanicalState part(problem.sizes());
  State begin = problem.start();
  for (Eigen::Index i = 0; i < problem.sizes().v; ++i)
    part.v(begin.y)[i] = 0.1 + 0.01 * static_cast<double>(i);
  State end = begin;
  end.t += h;
  const Vector displacement = h * part.v(begin.y);
  problem.advance(*problem.placed_at(begin), displacement, part.q(end.y));
  end.y[moved] += jump;
  const Vector weights = Vector::Constant(begin.y.size(), 1e-6);
  return make_defect_measure(problem)->increment(h, begin, end, weights);
}

TEST(Defect, AStepToAnotherSolutionShowsInItsIncrement) {
  for (const auto& chain :
       {testing::planar_chain(3), testing::spatial_chain(2, testing::SpatialLink::revolute)}) {
    EXPECT_LT(increment(*chain, 1e-3, 0, 0).size, 1e-3);
    for (Eigen::Index i = 0; i < chain->sizes().q; ++i) {
      const Peak peak = increment(*chain, 1e-3, i, -1e-3);
      EXPECT_NEAR(peak.size, 1000, 1);
      EXPECT_EQ(peak.entry, i);
    }
  }
}

}  // namespace
}  // namespace dalembert
