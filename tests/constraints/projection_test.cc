// Does a projection reach the constraints from near and far, and move no more than it has to?
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

constexpr const char* names[] = {"andrews",  "car-axis", "pendulum", "spherical-pendulum",
                                 "four-bar", "sleigh"};

TEST(Projection, ReachesTheConstraintsFromNearAndFar) {
  for (const std::string name : names)
    for (const double off : {1e-8, 1e-4, 1e-2}) {
      const auto problem = std::dynamic_pointer_cast<const Mechanical>(make_problem(name));
      ASSERT_TRUE(problem) << name;
      Statistics statistics;
      Mechanics mechanics(*problem, Symmetry::symmetric, statistics);
      Nearby at(*problem, 0);
      ASSERT_EQ(mechanics.factor(at.t, at.q), Outcome::ok) << name;
      Nearby moved(*problem, off);  // the factors are those of another point
      ASSERT_EQ(mechanics.project(moved.t, moved.q, moved.v), Outcome::ok) << name << " " << off;
      const auto left = mechanics.residuals(moved.t, moved.q, moved.v);
      EXPECT_LT(left.position, 1e-12 * (1 + largest(moved.q))) << name << " " << off;
      EXPECT_LT(left.velocity, 1e-12 * (1 + largest(moved.v))) << name << " " << off;
    }
}

/// The smallest change in the kinetic metric is made by impulses along the rows: M (v - v0) = J'l. From far away velocities get factors
/// of their own for that.
TEST(Projection, VelocitiesMoveAlongTheirRows) {
  for (const std::string name : names) {
    const auto problem = std::dynamic_pointer_cast<const Mechanical>(make_problem(name));
    const auto n = problem->sizes();
    if (n.holonomic == 0) continue;  // nothing says that the factors are those of another point
    Statistics statistics;
    Mechanics mechanics(*problem, Symmetry::symmetric, statistics);
    const Nearby start(*problem, 0);
    ASSERT_EQ(mechanics.factor(start.t, start.q), Outcome::ok) << name;
    Nearby at(*problem, 1e-2);
    const Vector before = at.v;
    ASSERT_EQ(mechanics.project(at.t, at.q, at.v), Outcome::ok) << name;
    Entries M, J;
    problem->mass(mechanics.here(), M);
    problem->jacobian(mechanics.here(), J);
    Vector push = Vector::Zero(n.v);
    M.multiply(at.v - before, 1, push);
    const Matrix rows = J.dense(n.rows(), n.v).transpose();
    const Vector along = rows * rows.completeOrthogonalDecomposition().solve(push);
    EXPECT_LT((push - along).norm(), 1e-9 * push.norm()) << name;
  }
}

}  // namespace
}  // namespace dalembert
