// Are constraint rows that follow from others found, named, and without any effect on the motion?
#include "dalembert/nonlinear/redundancy.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/nonlinear/consistent_start.h"
#include "dalembert/problem/catalogue.h"
#include "tests/repeated_rows.h"

namespace dalembert {
namespace {

using testing::MoreRow;
using testing::RepeatedRows;

using Indices = std::vector<Eigen::Index>;

/// M a + J'l = f, J a + bias = 0 at a state, for some a; and l has no part that J' does not see.
void expect_least_norm(const Mechanical& p, const State& state, double tolerance) {
  const Mechanical::Sizes n = p.sizes();
  const MechanicalState part(n);
  const auto at = p.placement();
  at->t = state.t;
  at->q = part.q(state.y);
  p.place(*at);
  Entries M, J;
  p.mass(*at, M);
  p.jacobian(*at, J);
  Vector f(n.v), bias(n.rows());
  p.force(*at, part.v(state.y), part.s(state.y), f);
  p.bias(*at, part.v(state.y), bias);
  const Vector l = part.multipliers(state.y);
  const Matrix rows = J.dense(n.rows(), n.v);
  const Vector a = M.dense(n.v, n.v).ldlt().solve(f - rows.transpose() * l);
  EXPECT_LE(largest(rows * a + bias), tolerance * (1 + largest(bias)));
  Eigen::BDCSVD<Matrix> svd(rows.transpose(), Eigen::ComputeThinU | Eigen::ComputeFullV);
  Eigen::Index rank = 0;
  while (rank < svd.singularValues().size() && svd.singularValues()[rank] > 1e-8 * svd.singularValues()[0])
    ++rank;
  ASSERT_LT(rank, n.rows());
  EXPECT_LE(largest(svd.matrixV().rightCols(n.rows() - rank).transpose() * l), tolerance * (1 + largest(l)));
}

/// A four-bar of two point masses: cranks of length 1 turn about (0,0) and (2,0), the coupler joins their ends.
class FourBar : public Mechanical {
 public:
  explicit FourBar(double coupler, double angle = 1) : c_(coupler), angle_(angle) {}
  Sizes sizes() const override { return {.q = 4, .v = 4, .holonomic = 3}; }
  Layout layout() const override {
    return mechanical_layout({.q = {"x1", "y1", "x2", "y2"},
                              .v = {"x1'", "y1'", "x2'", "y2'"},
                              .lambda = {"left", "coupler", "right"},
                              .q_units = {},
                              .v_units = {},
                              .lambda_units = {}});
  }
  State start() const override {  // exact for the parallelogram, near for others
    const double x = std::cos(angle_), y = std::sin(angle_);
    State state{0, Vector::Zero(11)};
    state.y.head(8) << x, y, 2 + x, y, -y, x, -y, x;
    return state;
  }
  double end() const override { return 1; }
  void mass(const Placement&, Entries& M) const override {
    M.begin();
    for (Eigen::Index i = 0; i < 4; ++i) M.add(i, i, i < 2 ? 1 : 2);
    M.end();
  }
  void force(const Placement&, In, In, Out f) const override { f << 0, -1, 0, -2; }
  void g(const Placement& at, Out r) const override {
    const auto [a, b, c] = bars(at.q);
    r << (a.squaredNorm() - 1) / 2, (b.squaredNorm() - c_ * c_) / 2, (c.squaredNorm() - 1) / 2;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    const auto [a, b, c] = bars(at.q);
    J.begin();
    for (Eigen::Index i = 0; i < 2; ++i) {
      J.add(0, i, a[i]);
      J.add(1, i, -b[i]);
      J.add(1, 2 + i, b[i]);
      J.add(2, 2 + i, c[i]);
    }
    J.end();
  }
  void bias(const Placement&, In v, Out r) const override {
    r << v.head(2).squaredNorm(), (v.tail(2) - v.head(2)).squaredNorm(), v.tail(2).squaredNorm();
  }

 private:
  static std::array<Eigen::Vector2d, 3> bars(const Vector& q) {
    const Eigen::Vector2d p = q.head(2), r = q.tail(2);
    return {p, r - p, r - Eigen::Vector2d(2, 0)};
  }
  double c_, angle_;
};

std::shared_ptr<const RepeatedRows> repeated(const std::string& name, std::vector<MoreRow> more) {
  return std::make_shared<const RepeatedRows>(make_problem(name), std::move(more));
}

TEST(DependentStart, DuplicatedBarOfThePendulum) {
  const auto problem = repeated("pendulum", {{"copy", {{0, 1}}}});
  State state = problem->start();
  state.y.head(4) << .8, -.6, .6, .8;
  const StartReport report = make_consistent(*problem, state);
  ASSERT_EQ(report.outcome, Outcome::ok) << report.message;
  EXPECT_EQ(report.dependent, 1);
  EXPECT_NEAR(state.y[4], state.y[5], 1e-14);
  EXPECT_NEAR(state.y[4] + state.y[5], 1 + .6, 1e-13);  // v^2/l^2 - g y/l^2
  expect_least_norm(*problem, state, 1e-12);
}

TEST(DependentStart, MovesAsItDoesWithoutTheCopy) {
  State one{0, Vector::Zero(5)}, two{0, Vector::Zero(7)};
  one.y.head(4) << 1.1, -.3, .2, .7;
  two.y.head(4) = one.y.head(4);
  const auto plain = make_problem("pendulum");
  const auto problem = repeated("pendulum", {{"copy", {{0, 1}}}, {"threefold", {{0, 3}}}});
  ASSERT_EQ(make_consistent(*plain, one).outcome, Outcome::ok);
  const StartReport report = make_consistent(*problem, two);
  ASSERT_EQ(report.outcome, Outcome::ok) << report.message;
  EXPECT_EQ(report.dependent, 2);
  EXPECT_LE(largest(one.y.head(4) - two.y.head(4)), 1e-12);
  EXPECT_NEAR(two.y[4] + two.y[5] + 3 * two.y[6], one.y[4], 1e-12);
  expect_least_norm(*problem, two, 1e-12);
}

TEST(DependentStart, ConflictIsRefusedByName) {
  const auto problem = repeated("pendulum", {{"shorter", {{0, 1}}, .1}});
  State state = problem->start();
  const StartReport report = make_consistent(*problem, state);
  EXPECT_EQ(report.outcome, Outcome::inconsistent_start);
  for (const char* word : {"position residual", "lambda.bar", "lambda.shorter", "depend on each other"})
    EXPECT_NE(report.message.find(word), std::string::npos) << word << " in " << report.message;
}

// All bars in one line: the rows lose rank there, and only there.
TEST(DependentStart, FourBarLyingFlat) {
  const FourBar flat(2, 0);
  State state = flat.start();
  const Vector given = state.y;
  const StartReport report = make_consistent(flat, state);
  ASSERT_EQ(report.outcome, Outcome::ok) << report.message;
  EXPECT_EQ(report.dependent, 1);
  EXPECT_EQ(state.y.head(8), given.head(8));
  expect_least_norm(flat, state, 1e-12);
  const Redundancy found = find_redundancy(flat, state);
  EXPECT_EQ(found.rank_here, 2);
  EXPECT_EQ(found.rank, 3);
  EXPECT_EQ(found.degrees_of_freedom(), 1);
  EXPECT_TRUE(found.dependent.empty());
  EXPECT_EQ(found.unique, (Indices{0, 1, 2}));
}

TEST(DependentStart, VelocitiesOnNoBranchAreRefused) {
  const FourBar flat(2, 0);
  State state = flat.start();
  state.y.segment(4, 4) << 0, 1, 0, .5;  // J v = 0, but no motion of the bars has it
  const StartReport report = make_consistent(flat, state);
  EXPECT_EQ(report.outcome, Outcome::inconsistent_start);
  EXPECT_NE(report.message.find("no branch"), std::string::npos) << report.message;
}

TEST(DependentStart, SingularAndRedundantAreToldApart) {
  const RepeatedRows problem(std::make_shared<const FourBar>(2, 0), {{"copy", {{1, 2}}}});
  State state = problem.start();
  const StartReport report = make_consistent(problem, state);
  ASSERT_EQ(report.outcome, Outcome::ok) << report.message;
  EXPECT_EQ(report.dependent, 2);
  const Redundancy found = find_redundancy(problem, state);
  EXPECT_EQ(found.rank_here, 2);
  EXPECT_EQ(found.rank, 3);
  ASSERT_EQ(found.dependent.size(), 1u);
  EXPECT_TRUE(found.dependent[0].row == 1 || found.dependent[0].row == 3);
  EXPECT_EQ(found.dependent[0].on, Indices{4 - found.dependent[0].row});
  EXPECT_EQ(found.unique, (Indices{0, 2}));
}

}  // namespace
}  // namespace dalembert
