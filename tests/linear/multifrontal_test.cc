// Does the multifrontal elimination give what a dense factorisation gives, and does it notice when it cannot?
#include <gtest/gtest.h>

#include <tuple>

#include "tests/support/allocation_counter.h"
#include "tests/support/saddle_checks.h"

namespace dalembert {
namespace {

using namespace testing;

TEST(Multifrontal, IsChosenForManyLoops) {
  const SaddleSystem system = lattice(40);
  SaddlePoint saddle;
  saddle.bind(system.n, system.m, system.mass, system.G1, Symmetry::symmetric);
  EXPECT_EQ(saddle.elimination(), Elimination::multifrontal);
  EXPECT_EQ(expect_solved(system, Symmetry::symmetric).pivoted_solves, 0);
  saddle.bind(system.n, system.m, system.mass, system.G1, Symmetry::unsymmetric);
  EXPECT_EQ(saddle.elimination(), Elimination::sparse);
}

TEST(Multifrontal, SolvesMechanisms) {
  for (const SaddleSystem& system :
       {andrews(), planar_chain(1), planar_chain(40), spatial_chain(30, SpatialJoint::spherical),
        spatial_chain(30, SpatialJoint::revolute), four_bars(20), star(50), lattice(6), lattice(25)})
    EXPECT_EQ(expect_solved(system, Symmetry::symmetric, 1e-10, Elimination::multifrontal).pivoted_solves, 0);
}

TEST(Multifrontal, SolvesRandomBlocks) {
  Random random(7);
  int multifrontal = 0;
  for (int trial = 0; trial < 500; ++trial) {
    SCOPED_TRACE(trial);
    const SaddleSystem system = random_blocks(random, trial % 10 == 0 ? 15 : 8);
    const Vector singular_values = system.dense().bdcSvd().singularValues();
    if (singular_values.minCoeff() < 1e-7 * singular_values.maxCoeff()) continue;
    multifrontal +=
        expect_solved(system, Symmetry::symmetric, 1e-10, Elimination::multifrontal).pivoted_solves == 0 ? 1
                                                                                                         : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(multifrontal, 400);
}

// A joint that nearly repeats another: shares of 1e-8 are repaired by a step of refinement, of 1e-14 by row exchanges.
TEST(Multifrontal, NoticesRowsThatNearlyDepend) {
  for (const auto& [apart, refined, pivoted] :
       {std::tuple{1e-4, true, false}, std::tuple{1e-7, false, true}, std::tuple{.3, false, false}}) {
    Matrix G(2, 3);
    G << 1, .5, -1, 1, .5 + apart, -1;
    const SaddleSystem regular =
        small(3, 2, Matrix::Identity(3, 3), Matrix(Eigen::Matrix<double, 2, 3>{{1, .5, -1}, {1, -.5, -1}}));
    const SaddleSystem system = small(3, 2, Matrix::Identity(3, 3), G);
    SaddlePoint saddle;
    saddle.bind(3, 2, regular.mass, regular.G1, Symmetry::symmetric, Elimination::multifrontal);
    ASSERT_EQ(saddle.elimination(), Elimination::multifrontal);
    Statistics statistics;
    const Vector expected = some_solution(5);
    Vector x = system.dense() * expected;
    ASSERT_EQ(saddle.solve(system.mass, system.G1, system.G2, x, statistics), Outcome::ok);
    EXPECT_LT(largest(x - expected), 1e-14 / (apart * apart));
    EXPECT_EQ(statistics.refined_solves > 0, refined) << apart;
    EXPECT_EQ(statistics.pivoted_solves > 0, pivoted) << apart;
    x = system.dense() * expected;
    ASSERT_EQ(saddle.solve_again(x, statistics), Outcome::ok);
    EXPECT_LT(largest(x - expected), 1e-14 / (apart * apart));
  }
}

#if DALEMBERT_COUNTS_ALLOCATIONS
TEST(Multifrontal, AllocatesOnlyInBind) {
  const SaddleSystem system = lattice(25);
  SaddlePoint saddle;
  saddle.bind(system.n, system.m, system.mass, system.G1, Symmetry::symmetric, Elimination::multifrontal);
  ASSERT_EQ(saddle.elimination(), Elimination::multifrontal);
  Vector x = Vector::Ones(system.n + system.m);
  Statistics statistics;
  const long before = allocations;
  const Outcome outcome = saddle.solve(system.mass, system.G1, system.G2, x, statistics);
  const Outcome again = saddle.solve_again(x, statistics);
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(outcome, Outcome::ok);
  EXPECT_EQ(again, Outcome::ok);
}
#endif

}  // namespace
}  // namespace dalembert
