// Does the static elimination give what a dense factorisation gives, and does it notice when it cannot?
#include "dalembert/linear/saddle/saddle_point.h"

#include <gtest/gtest.h>

#include "tests/support/allocation_counter.h"
#include "tests/support/saddle_checks.h"

namespace dalembert {
namespace {

using namespace testing;

TEST(SaddlePoint, SolvesMechanisms) {
  const SaddleSystem systems[] = {andrews(),
                                  planar_chain(1),
                                  planar_chain(2),
                                  planar_chain(40),
                                  spatial_chain(30, SpatialJoint::spherical),
                                  spatial_chain(30, SpatialJoint::revolute),
                                  four_bars(1),
                                  four_bars(20),
                                  star(50),
                                  lattice(6)};
  for (const SaddleSystem& system : systems) {
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
      const Statistics statistics = expect_solved(system, symmetry);
      EXPECT_EQ(statistics.pivoted_solves, 0);
      EXPECT_EQ(statistics.refined_solves, 0);
    }
    expect_solved(system, Symmetry::symmetric, 1e-12, Elimination::dense);
    expect_solved(system, Symmetry::unsymmetric, 1e-11, Elimination::sparse);
  }
}

TEST(SaddlePoint, MatchesDenseSolution) {
  SaddleSystem system = four_bars(5);
  perturb(system.G2, 1e-2, 3);
  SaddlePoint saddle;
  saddle.bind(system.n, system.m, system.mass, system.G1, Symmetry::unsymmetric);
  Statistics statistics;
  Vector x = some_solution(system.n + system.m);
  const Vector expected = system.dense().fullPivLu().solve(x);
  ASSERT_EQ(saddle.solve(system.mass, system.G1, system.G2, x, statistics), Outcome::ok);
  EXPECT_LT(largest(x - expected), 1e-10 * largest(expected));
}

TEST(SaddlePoint, SolvesRandomBlocks) {
  Random random(42);
  Statistics sum;
  int solved = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    SCOPED_TRACE(trial);
    SaddleSystem system = random_blocks(random, trial % 10 == 0 ? 15 : 6);
    const Symmetry symmetry = trial % 2 == 0 ? Symmetry::symmetric : Symmetry::unsymmetric;
    if (symmetry == Symmetry::unsymmetric) perturb(system.G2, .05, static_cast<unsigned>(trial));
    const Vector singular_values = system.dense().bdcSvd().singularValues();
    if (singular_values.minCoeff() < 1e-7 * singular_values.maxCoeff()) continue;
    const Statistics statistics = expect_solved(system, symmetry, 1e-10);
    ++solved;
    sum.pivoted_solves += statistics.pivoted_solves;
    sum.refined_solves += statistics.refined_solves;
    if (HasFailure()) return;
  }
  EXPECT_GT(solved, 2000);
  EXPECT_LT(sum.pivoted_solves, 20);  // one per cent: the fallback is there, but not the rule
}

TEST(SaddlePoint, FollowsTheMatrix) {
  const SaddleSystem start = andrews();
  SaddlePoint saddle;
  saddle.bind(start.n, start.m, start.mass, start.G1, Symmetry::symmetric);
  Random random(5);
  Statistics statistics;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> q(7);
    for (double& angle : q) angle = random.number(-3.1, 3.1);
    const SaddleSystem moved = andrews(q);
    const Vector b = right_hand_side(moved, some_solution(13));
    Vector x = b;
    ASSERT_EQ(saddle.solve(moved.mass, moved.G1, moved.G2, x, statistics), Outcome::ok);
    ASSERT_LT(backward_error(moved, x, b), 1e-9) << trial;
  }
  EXPECT_GT(statistics.refined_solves, 0);
  EXPECT_EQ(statistics.factorizations, 2000);
}

TEST(SaddlePoint, NoticesAStaleOrder) {
  // The constraint shrinks by g, its pivot by g^2: first refined, then pivoted.
  const Matrix M = Matrix::Identity(2, 2);
  Matrix G(1, 2);
  G << 1, 1;
  const SaddleSystem start = small(2, 1, M, G);
  for (const double g : {1e-3, 1e-9, 1e-13}) {
    SaddleSystem now = start;
    rewrite(now.mass, [](double) { return 1.0; });
    rewrite(now.G1, [&](double) { return g; });
    rewrite(now.G2, [&](double) { return g; });
    SaddlePoint saddle;
    saddle.bind(2, 1, start.mass, start.G1, Symmetry::symmetric);
    const Vector b = right_hand_side(now, some_solution(3));
    Vector x = b;
    Statistics statistics;
    ASSERT_EQ(saddle.solve(now.mass, now.G1, now.G2, x, statistics), Outcome::ok);
    EXPECT_LT(backward_error(now, x, b), 1e-12);
    EXPECT_EQ(statistics.refined_solves + statistics.pivoted_solves, 1);
    Vector y = b;
    ASSERT_EQ(saddle.solve_again(y, statistics), Outcome::ok);
    EXPECT_LT(largest(x - y), 1e-12 * largest(x));
  }
}

TEST(SaddlePoint, SolvesWithoutConstraints) {
  Matrix M(2, 2);
  M << 2, 1, 1, 3;
  expect_solved(small(2, 0, M, Matrix(0, 2)), Symmetry::symmetric);
  expect_solved(small(2, 0, M, Matrix(0, 2)), Symmetry::unsymmetric, 1e-11, Elimination::sparse);
}

TEST(SaddlePoint, SolvesTheSmallest) {
  expect_solved(small(1, 1, Matrix::Constant(1, 1, 2), Matrix::Constant(1, 1, .5)), Symmetry::symmetric);
  expect_solved(small(1, 1, Matrix::Constant(1, 1, 2), Matrix::Constant(1, 1, .5)), Symmetry::unsymmetric);
}

TEST(SaddlePoint, TakesMassesLargerThanABlock) {
  Random random(8);
  Matrix B(17, 17), G(4, 17);
  for (double& b : B.reshaped()) b = random.number();
  for (double& g : G.reshaped()) g = random.number();
  const SaddleSystem system = small(17, 4, B * B.transpose() + Matrix::Identity(17, 17), G);
  EXPECT_EQ(expect_solved(system, Symmetry::symmetric).pivoted_solves, 0);
  EXPECT_EQ(expect_solved(system, Symmetry::unsymmetric).pivoted_solves, 0);
}

TEST(SaddlePoint, TakesScatteredCoordinates) {
  // Coordinates 0 and 2 are one body, 1 and 3 another.
  Entries mass, G;
  mass.begin();
  for (const auto& [i, j, v] : {std::tuple(0, 0, 2.),
                                {0, 2, .5},
                                {2, 0, .5},
                                {2, 2, 1.},
                                {1, 1, 3.},
                                {3, 3, 1.},
                                {1, 3, -.4},
                                {3, 1, -.4}})
    mass.add(i, j, v);
  mass.end();
  G.begin();
  for (int j = 0; j < 4; ++j) G.add(0, j, 1 + j);
  G.end();
  expect_solved({4, 1, mass, G, G}, Symmetry::symmetric);
  expect_solved({4, 1, mass, G, G}, Symmetry::unsymmetric);
}

TEST(SaddlePoint, AddsEntriesThatMeet) {
  const auto twice = [](const Entries& once) {
    Entries entries;
    entries.begin();
    for (std::size_t k = 0; k < once.size(); ++k)
      entries.add(once.row(k), once.column(k), .25 * once.value(k));
    for (std::size_t k = 0; k < once.size(); ++k)
      entries.add(once.row(k), once.column(k), .75 * once.value(k));
    entries.end();
    return entries;
  };
  const SaddleSystem once = andrews();
  const SaddleSystem system{7, 6, twice(once.mass), twice(once.G1), twice(once.G2)};
  for (const Elimination elimination : {Elimination::static_order, Elimination::dense, Elimination::sparse}) {
    expect_solved(system, Symmetry::symmetric, 1e-10, elimination);
    expect_solved(system, Symmetry::unsymmetric, 1e-10, elimination);
  }
}

TEST(SaddlePoint, TakesMasslessCoordinates) {
  // The second and third coordinate have no mass but are held by the constraints.
  SystemBuilder builder(3);
  builder.mass(0, Matrix::Constant(1, 1, 1));
  Matrix G(2, 3);
  G << 1, 1, .2, .5, -1, 1;
  builder.joint(2);
  builder.jacobian(0, 0, G);
  expect_solved(builder.build(), Symmetry::symmetric);
  expect_solved(builder.build(), Symmetry::unsymmetric);

  // A singular block of mass, and a row that holds what it does not.
  Matrix M(2, 2), row(1, 2);
  M << 1, 1, 1, 1;
  row << 1, -1;
  expect_solved(small(2, 1, M, row), Symmetry::symmetric);
}

TEST(SaddlePoint, NamesARedundantRow) {
  SystemBuilder builder(3);
  builder.mass(0, planar_mass(1, .1));
  Matrix G(3, 3);
  G << 1, 0, .3, 0, 1, -.2, 2, 0, .6;  // the third row is twice the first
  builder.joint(3);
  builder.jacobian(0, 0, G);
  const SaddleSystem system = builder.build();
  for (const Elimination elimination : {Elimination::static_order, Elimination::dense, Elimination::sparse}) {
    SaddlePoint saddle;
    saddle.bind(3, 3, system.mass, system.G1, Symmetry::symmetric, elimination);
    Vector x = Vector::Ones(6);
    Statistics statistics;
    EXPECT_EQ(saddle.solve(system.mass, system.G1, system.G2, x, statistics), Outcome::singular);
    ASSERT_TRUE(saddle.culprit());
    EXPECT_TRUE(*saddle.culprit() == 5 || *saddle.culprit() == 3) << *saddle.culprit();
    EXPECT_EQ(statistics.factorizations, 0);
    EXPECT_EQ(saddle.solve_again(x, statistics), Outcome::singular);
  }
}

TEST(SaddlePoint, NamesARowThatBecomesRedundant) {
  SaddleSystem system = planar_chain(3);
  SaddlePoint saddle;
  saddle.bind(system.n, system.m, system.mass, system.G1, Symmetry::symmetric);
  const auto vanish = [&](Entries& G) {  // the last row loses all its coefficients
    const Entries old = G;
    G.begin();
    for (std::size_t k = 0; k < old.size(); ++k)
      G.add(old.row(k), old.column(k), old.row(k) == 5 ? 0 : old.value(k));
    G.end();
  };
  vanish(system.G1);
  vanish(system.G2);
  Vector x = Vector::Ones(15);
  Statistics statistics;
  EXPECT_EQ(saddle.solve(system.mass, system.G1, system.G2, x, statistics), Outcome::singular);
  EXPECT_EQ(saddle.culprit(), std::optional<Eigen::Index>(14));
}

TEST(SaddlePoint, SaysNotFinite) {
  const SaddleSystem system = andrews();
  for (const Elimination elimination : {Elimination::static_order, Elimination::dense, Elimination::sparse}) {
    for (const double bad : {not_a_number, std::numeric_limits<double>::infinity()}) {
      SaddlePoint saddle;
      saddle.bind(7, 6, system.mass, system.G1, Symmetry::symmetric, elimination);
      Statistics statistics;
      SaddleSystem broken = system;
      int k = 0;
      rewrite(broken.mass, [&](double value) { return k++ == 5 ? bad : value; });
      Vector x = Vector::Ones(13);
      EXPECT_EQ(saddle.solve(broken.mass, system.G1, system.G2, x, statistics), Outcome::not_finite);
      broken = system;
      k = 0;
      rewrite(broken.G1, [&](double value) { return k++ == 7 ? bad : value; });
      x = Vector::Ones(13);
      EXPECT_EQ(saddle.solve(system.mass, broken.G1, broken.G1, x, statistics), Outcome::not_finite);
      x = Vector::Ones(13);
      x[4] = bad;
      EXPECT_EQ(saddle.solve(system.mass, system.G1, system.G2, x, statistics), Outcome::not_finite);
      x = Vector::Ones(13);
      EXPECT_EQ(saddle.solve(system.mass, system.G1, system.G2, x, statistics), Outcome::ok);
    }
  }
}

TEST(SaddlePoint, KeepsItsOrderFromRunToRun) {
  const SaddleSystem system = spatial_chain(20, SpatialJoint::revolute);
  Vector first;
  for (int run = 0; run < 3; ++run) {
    SaddlePoint saddle;
    saddle.bind(system.n, system.m, system.mass, system.G1, Symmetry::symmetric);
    Statistics statistics;
    Vector x = some_solution(system.n + system.m);
    ASSERT_EQ(saddle.solve(system.mass, system.G1, system.G2, x, statistics), Outcome::ok);
    if (run == 0) first = x;
    EXPECT_TRUE((x.array() == first.array()).all());
  }
}

#if DALEMBERT_COUNTS_ALLOCATIONS
TEST(SaddlePoint, AllocatesOnlyInBind) {
  const SaddleSystem small_one = andrews(), large_one = planar_chain(100);
  for (const SaddleSystem* system : {&small_one, &large_one}) {
    for (const Elimination elimination :
         {Elimination::static_order, Elimination::dense, Elimination::sparse}) {
      if (system == &large_one && elimination == Elimination::dense) continue;
      SaddlePoint saddle;
      saddle.bind(system->n, system->m, system->mass, system->G1, Symmetry::unsymmetric, elimination);
      SaddleSystem weak = *system;  // constraints scaled down: refined, then pivoted
      Vector x = Vector::Ones(system->n + system->m);
      Statistics statistics;
      for (const double shrink : {1.0, 1e-2, 1e-4, 1e-3}) {
        rewrite(weak.G1, [&](double value) { return shrink * value; });
        rewrite(weak.G2, [&](double value) { return shrink * value; });
        const long before = allocations;
        const Outcome outcome = saddle.solve(weak.mass, weak.G1, weak.G2, x, statistics);
        const Outcome again = saddle.solve_again(x, statistics);
        EXPECT_EQ(allocations, before) << shrink;
        EXPECT_EQ(outcome, Outcome::ok);
        EXPECT_EQ(again, Outcome::ok);
        x.setOnes();
      }
      EXPECT_EQ(statistics.pivoted_solves > 0, elimination == Elimination::static_order);
    }
  }
}
#endif

}  // namespace
}  // namespace dalembert
