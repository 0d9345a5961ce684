// Does a projection reach the constraints, and are the factors that it leaves those of the place where it arrives?
#include <gtest/gtest.h>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

/// Positions and velocities near a motion, some of them off their rows.
struct Nearby {
  explicit Nearby(const Mechanical& problem, double off) : part(problem.sizes()) {
    const State start = problem.start();
    t = start.t;
    q = part.q(start.y);
    v = part.v(start.y);
    s = part.s(start.y);
    for (Eigen::Index i = 0; i < q.size(); ++i) q[i] += off * std::cos(1 + 2. * static_cast<double>(i));
    for (Eigen::Index i = 0; i < v.size(); ++i) v[i] += off * std::sin(1 + 3. * static_cast<double>(i));
  }
  MechanicalState part;
  double t = 0;
  Vector q, v, s;
};

struct Solved {
  explicit Solved(const Mechanical::Sizes& n) : a(n.v), multipliers(n.rows()) {}
  Outcome by(Mechanics& mechanics, const Nearby& at) {
    return mechanics.accelerate(at.t, at.q, at.v, at.s, {}, a, multipliers);
  }
  Vector a, multipliers;
};

constexpr const char* names[] = {"andrews",  "car-axis", "pendulum", "spherical-pendulum",
                                 "four-bar", "sleigh"};

TEST(Projection, LeavesTheFactorsOfWhereItArrives) {
  for (const std::string name : names) {
    const auto problem = std::dynamic_pointer_cast<const Mechanical>(make_problem(name));
    ASSERT_TRUE(problem) << name;
    Statistics statistics, others;
    Mechanics mechanics(*problem, Symmetry::symmetric, statistics),
        fresh(*problem, Symmetry::symmetric, others);
    Nearby at(*problem, 1e-4);
    ASSERT_EQ(mechanics.factor(at.t, at.q), Outcome::ok) << name;
    ASSERT_EQ(mechanics.project(at.t, at.q, at.v), Outcome::ok) << name;
    const auto left = mechanics.residuals(at.t, at.q, at.v);
    EXPECT_LT(left.position, 1e-13 * (1 + largest(at.q))) << name;
    EXPECT_LT(left.velocity, 1e-12 * (1 + largest(at.v))) << name;

    const auto made = statistics.factorizations;
    Solved mine(problem->sizes()), theirs(problem->sizes());
    ASSERT_EQ(mine.by(mechanics, at), Outcome::ok) << name;
    EXPECT_EQ(statistics.factorizations, made) << name << ": those of the projection serve";
    ASSERT_EQ(theirs.by(fresh, at), Outcome::ok) << name;
    EXPECT_EQ(mine.a, theirs.a) << name << ": to the last digit, or runs that go on from a file would differ";
    EXPECT_EQ(mine.multipliers, theirs.multipliers) << name;
  }
}

TEST(Projection, WhoFactorsInBetweenIsNoticed) {
  const auto problem = std::dynamic_pointer_cast<const Mechanical>(make_problem("andrews"));
  Statistics statistics;
  Mechanics mechanics(*problem, Symmetry::symmetric, statistics);
  Nearby at(*problem, 1e-4), elsewhere(*problem, 1e-2);
  Solved expected(problem->sizes()), found(problem->sizes());
  ASSERT_EQ(expected.by(mechanics, at), Outcome::ok);
  // By a step aside, and by others who take the solver itself.
  ASSERT_EQ(mechanics.factor(elsewhere.t, elsewhere.q), Outcome::ok);
  ASSERT_EQ(found.by(mechanics, at), Outcome::ok);
  EXPECT_EQ(found.a, expected.a);
  Entries M, J;
  const auto there = mechanics.make_placement();
  problem->place_at(*there, elsewhere.t, elsewhere.q);
  problem->mass(*there, M);
  problem->jacobian(*there, J);
  Vector x = Vector::Zero(problem->sizes().v + problem->sizes().rows());
  ASSERT_EQ(mechanics.saddle().solve(M, J, J, x, statistics), Outcome::ok);
  ASSERT_EQ(found.by(mechanics, at), Outcome::ok);
  EXPECT_EQ(found.a, expected.a);
}

}  // namespace
}  // namespace dalembert
