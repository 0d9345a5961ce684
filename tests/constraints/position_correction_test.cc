// Do position corrections reach the constraints, the nearest point where they say so? And is the rate of rows their rate?
#include "dalembert/constraints/position_correction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/constraints/row_rate.h"
#include "dalembert/nonlinear/nearest_point.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

TEST(RowRate, IsTheDerivativeOfTheRowsAlongTheMotion) {
  for (const std::string name :
       {"spherical-pendulum", "car-axis", "andrews", "manufactured", "heavy-top", "sleigh"}) {
    const auto problem = std::dynamic_pointer_cast<const Mechanical>(make_problem(name));
    const auto n = problem->sizes();
    const State start = problem->start();
    const Vector v = start.y.segment(n.q, n.v).array() + .5;
    auto at = problem->placement(), moved = problem->placement();
    problem->place_at(*at, start.t + .1, start.y.head(n.q));
    moved->q = at->q;
    const double d = 1e-4 / (1 + largest(v));
    const auto rows = [&](double ahead) {
      Entries J;
      moved->t = at->t + ahead;
      problem->advance(*at, ahead * v, moved->q);
      problem->place(*moved);
      problem->jacobian(*moved, J);
      return J.dense(n.rows(), n.v);
    };
    const Matrix differenced = (8 * (rows(d) - rows(-d)) - (rows(2 * d) - rows(-2 * d))) / (12 * d);
    RowRate rate(*problem);
    EXPECT_LT((rate(*at, v) - differenced).norm(), 1e-8 * (1 + differenced.norm())) << name;
  }
}

/// A point on an ellipse x^2/4 + y^2 = 1.
class Ellipse final : public Mechanical {
 public:
  Sizes sizes() const override { return {.q = 2, .v = 2, .holonomic = 1}; }
  Layout layout() const override { return mechanical_layout({}); }
  State start() const override { return {0, Vector{{2, 0, 0, 0, 0}}}; }
  double end() const override { return 1; }
  void mass(const Placement&, Entries& M) const override { M.write<2>({{{0, 0}, {1, 1}}}, {1, 1}); }
  void force(const Placement&, In, In, Out f) const override { f.setZero(); }
  void g(const Placement& at, Out r) const override { r[0] = at.q[0] * at.q[0] / 4 + at.q[1] * at.q[1] - 1; }
  void jacobian(const Placement& at, Entries& J) const override {
    J.write<2>({{{0, 0}, {0, 1}}}, {at.q[0] / 2, 2 * at.q[1]});
  }
  void bias(const Placement&, In v, Out b) const override { b[0] = v[0] * v[0] / 2 + 2 * v[1] * v[1]; }
};

TEST(Correction, NearestIsNearestAndNewtonFartherByTheSquareOfTheDistance) {
  const Ellipse ellipse;
  Statistics statistics;
  PositionCorrection newton(ellipse, Correction::newton, statistics),
      nearest(ellipse, Correction::nearest, statistics);
  const Vector on{{2 * std::cos(.9), std::sin(.9)}}, normal = Vector{{on[0] / 2, 2 * on[1]}}.normalized();
  double last = 0;
  for (const double d : {.1, .05, .025}) {
    const Vector off = on + d * normal;
    Vector by_newton = off, by_nearest = off;
    ASSERT_EQ(newton.correct(0, by_newton), Outcome::ok);
    ASSERT_EQ(nearest.correct(0, by_nearest), Outcome::ok);
    for (const Vector& q : {by_newton, by_nearest}) EXPECT_NEAR(q[0] * q[0] / 4 + q[1] * q[1], 1, 1e-14);
    EXPECT_LT((by_nearest - on).norm(), 1e-12);
    const double gap = (by_newton - on).norm();
    EXPECT_GT(gap, .1 * d * d);
    if (last > 0) {
      EXPECT_NEAR(std::log2(last / gap), 2, .15);
    }
    last = gap;
  }
}

TEST(Correction, NearestAgreesWithTheGeneralSearch) {
  const Ellipse ellipse;
  Statistics statistics;
  PositionCorrection nearest(ellipse, Correction::nearest, statistics);
  const Vector off{{1.1, .95}};
  const Manifold manifold{
      .size = 2,
      .rows = 1,
      .value = [&](In u, Out c) { c[0] = std::pow(off[0] + u[0], 2) / 4 + std::pow(off[1] + u[1], 2) - 1; },
      .gradient =
          [&](In u, Entries& C) {
            C.write<2>({{{0, 0}, {0, 1}}}, {(off[0] + u[0]) / 2, 2 * (off[1] + u[1])});
          }};
  Entries K;
  K.write<2>({{{0, 0}, {1, 1}}}, {1, 1});
  const NearestPoint found = nearest_point(manifold, K, 1, 1e-12);
  ASSERT_EQ(found.outcome, Outcome::ok);
  Vector q = off;
  ASSERT_EQ(nearest.correct(0, q), Outcome::ok);
  EXPECT_LT((q - off - found.u).norm(), 1e-12);
}

}  // namespace
}  // namespace dalembert
