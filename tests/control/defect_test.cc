// What is the defect of a step that follows its velocities, and of one that went to another solution?
#include "dalembert/control/witness/defect.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"
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
  return make_defect_measure(problem, nullptr)->increment(h, begin, end, weights);
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

// A bump a millimetre wide, in steps of metres. Its slope looked like stiffness, which explains defects of implicit methods away; and
// where a step was thrown away for it, the next ones had other places to look at.
TEST(Witness, WhatIsNarrowIsNotTakenForStiffAndNotForgotten) {
  const Model model = Model::from_text(R"(
space = "planar"
gravity = [0, 0]
[[body]]
name = "m"
mass = 1
inertia = 1
velocity = [1, 0]
[[joint]]
name = "g"
kind = "prismatic"
bodies = ["ground", "m"]
at = [0, 0]
along = [1, 0]
[[force]]
name = "f"
kind = "force"
body = "m"
force = ["exp(-((x-7.3)/0.001)^2)/0.001*0.5", 0]
)",
                                       "bump.toml");
  for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6}) {
    RunOptions options;
    options.end = 10;
    options.tolerance = {tolerance, tolerance};
    const Summary s = run(model.mechanism, options);
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    EXPECT_NEAR(s.state.y[3], std::sqrt(1 + std::sqrt(std::numbers::pi)), 100 * tolerance) << tolerance;
    EXPECT_GT(s.testimony.rejected, 0) << tolerance;
  }
}

/// Long steps of next to no error are looked into in 600 places: each takes one solution for z, of matrices that are constant.
TEST(Defect, LooksAreCheapWhereMatricesAreConstant) {
  RunOptions options;
  options.request = {"direct", "phem56"};
  options.tolerance = {1e-6, 1e-6};
  const Summary s = run(make_problem("cavity-flow"), options);
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_LT(s.statistics.steps, 10);
  EXPECT_LT(s.statistics.solves, 600 * 3);
  EXPECT_LT(s.statistics.factorizations, 10);
}

}  // namespace
}  // namespace dalembert
