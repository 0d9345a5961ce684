// Are initial values made consistent by the smallest change, left alone where they are, and refused by name where they
// cannot be?
#include "dalembert/constraints/consistent_start.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/linear/rank.h"
#include "dalembert/nonlinear/nearest_point.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/hessenberg.h"
#include "dalembert/problem/implicit.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {
namespace {

constexpr double forever = std::numeric_limits<double>::infinity();
constexpr double a = 2, b = 1;  // half axes

/// A bead with mass diag(m1,m2) on the ellipse (x/a)^2 + (y/b)^2 = 1, and on the line x = line if there is one.
class Bead : public Mechanical {
 public:
  Bead(double m1, double m2, std::optional<double> line = {}) : m1_(m1), m2_(m2), line_(line) {}
  Sizes sizes() const override { return {.q = 2, .v = 2, .holonomic = line_ ? 2 : 1}; }
  Layout layout() const override {
    std::vector<std::string> rows = {"ellipse"};
    if (line_) rows.push_back("line");
    return mechanical_layout({.q = {"x", "y"},
                              .v = {"x'", "y'"},
                              .lambda = rows,
                              .q_units = {"", ""},
                              .v_units = {"", ""},
                              .lambda_units = std::vector<std::string>(rows.size(), "")});
  }
  State start() const override { return {0, Vector::Zero(layout().size())}; }
  double end() const override { return 1; }
  void mass(const Placement&, Entries& M) const override {
    M.begin();
    M.add(0, 0, m1_);
    M.add(1, 1, m2_);
    M.end();
  }
  void force(const Placement&, In, In, Out f) const override { f.setZero(); }
  void g(const Placement& at, Out r) const override {
    r[0] = at.q[0] * at.q[0] / (a * a) + at.q[1] * at.q[1] / (b * b) - 1;
    if (line_) r[1] = at.q[0] - *line_;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    J.begin();
    J.add(0, 0, 2 * at.q[0] / (a * a));
    J.add(0, 1, 2 * at.q[1] / (b * b));
    if (line_) J.add(1, 0, 1);
    J.end();
  }
  void bias(const Placement&, In v, Out r) const override {
    r.setZero();
    r[0] = 2 * v[0] * v[0] / (a * a) + 2 * v[1] * v[1] / (b * b);
  }

 private:
  double m1_, m2_;
  std::optional<double> line_;
};

State bead_at(double x, double y, double vx, double vy, Eigen::Index rows = 1) {
  State state{0, Vector::Zero(4 + rows)};
  state.y.head(4) << x, y, vx, vy;
  return state;
}

/// The point of the ellipse with the least m1 dx^2 + m2 dy^2, by bisection of the derivative in the angle.
Eigen::Vector2d nearest_on_ellipse(double x, double y, double m1, double m2) {
  const auto slope = [&](double angle) {
    return -m1 * (a * std::cos(angle) - x) * a * std::sin(angle) +
           m2 * (b * std::sin(angle) - y) * b * std::cos(angle);
  };
  double low = 0, high = std::acos(0.0);  // the first quadrant, where the given point is
  for (int k = 0; k < 200; ++k) {
    const double middle = (low + high) / 2;
    (slope(middle) < 0 ? low : high) = middle;
  }
  return {a * std::cos(low), b * std::sin(low)};
}

TEST(ConsistentStart, FindsTheNearestPointOfAnEllipse) {
  for (const auto& [x, y] : {std::pair(1.3, .9), {1.9, .7}, {.6, .5}, {4.0, 5.0}})
    for (const auto& [m1, m2] : {std::pair(1.0, 1.0), {1.0, 5.0}, {20.0, .5}}) {
      State state = bead_at(x, y, 0, 0);
      const StartReport report = make_consistent(Bead(m1, m2), state);
      ASSERT_EQ(report.outcome, Outcome::ok) << report.message;
      const Eigen::Vector2d truth = nearest_on_ellipse(x, y, m1, m2);
      EXPECT_LE((state.y.head(2) - truth).norm(), 1e-9) << x << " " << y << ", masses " << m1 << " " << m2;
      EXPECT_NEAR(report.position_change, (truth - Eigen::Vector2d(x, y)).cwiseAbs().maxCoeff(), 1e-9);
    }
}

// The iteration with the shortest steps ends elsewhere, by the square of the distance.
TEST(ConsistentStart, ShortestStepsAreNotTheShortestWay) {
  const Bead bead(1, 1);
  Statistics statistics;
  Mechanics mechanics(bead, Symmetry::symmetric, statistics);
  Vector q(2), v = Vector::Zero(2);
  q << 1.3, .9;
  mechanics.factor(0, q);
  ASSERT_EQ(mechanics.project(0, q, v), Outcome::ok);
  EXPECT_GE((q - nearest_on_ellipse(1.3, .9, 1, 1)).norm(), 1e-4);
}

TEST(ConsistentStart, MeasuresInEntriesIfAsked) {
  State state = bead_at(1.3, .9, 0, 0);
  make_consistent(Bead(1, 5), state, {.metric = StartOptions::Metric::entries});
  EXPECT_LE((state.y.head(2) - nearest_on_ellipse(1.3, .9, 1, 1)).norm(), 1e-9);
}

TEST(ConsistentStart, WeightsHoldEntriesBack) {
  const Bead bead(1, 1);
  const auto moved = [&](double weight) {
    State state = bead_at(1.3, .9, 0, 0);
    const StartReport report = make_consistent(bead, state, {.weights = {{"q.x", weight}}});
    EXPECT_EQ(report.outcome, Outcome::ok) << report.message;
    return state;
  };
  EXPECT_LE((moved(4).y.head(2) - nearest_on_ellipse(1.3, .9, 5, 1)).norm(), 1e-9);
  EXPECT_NEAR(moved(1e8).y[0], 1.3, 1e-7);
  const State kept = moved(forever);
  EXPECT_NEAR(kept.y[0], 1.3, 1e-14);
  EXPECT_NEAR(kept.y[1], std::sqrt(1 - 1.3 * 1.3 / 4), 1e-12);
}

TEST(ConsistentStart, MovesVelocitiesByTheLeastKineticEnergy) {
  const Bead bead(1, 5);
  const double x = a * std::cos(.7), y = b * std::sin(.7);
  State state = bead_at(x, y, 1, 1);
  const StartReport report = make_consistent(bead, state);
  ASSERT_EQ(report.outcome, Outcome::ok);
  EXPECT_EQ(report.position_change, 0);
  EXPECT_EQ(state.y[0], x);
  EXPECT_EQ(state.y[1], y);
  const Eigen::Vector2d J(2 * x / 4, 2 * y), v(state.y[2], state.y[3]), change = v - Eigen::Vector2d(1, 1);
  EXPECT_NEAR(J.dot(v), 0, 1e-12);
  EXPECT_NEAR(1 * change[0] * J[1] - 5 * change[1] * J[0], 0, 1e-12);  // M change is along J'
  EXPECT_NE(report.message.find("velocities by up to"), std::string::npos) << report.message;
  EXPECT_NE(report.message.find("(v.x')"), std::string::npos) << report.message;

  State kept = bead_at(x, y, 1, 1);
  ASSERT_EQ(make_consistent(bead, kept, {.weights = {{"v.x'", forever}}}).outcome, Outcome::ok);
  EXPECT_NEAR(kept.y[2], 1, 1e-14);
  EXPECT_NEAR(kept.y[3], -J[0] / J[1], 1e-12);
}

TEST(ConsistentStart, DoesNoHarm) {
  State state = bead_at(a * std::cos(.7) * (1 + 1e-11), b * std::sin(.7), 0, 0);
  const State given = state;
  const StartReport report = make_consistent(Bead(1, 5), state, {.weights = {{"q.y", 3}}});
  EXPECT_EQ(report.outcome, Outcome::ok);
  EXPECT_EQ(report.message, "");
  EXPECT_TRUE(state.y.head(4) == given.y.head(4));
  for (const std::string name : {"andrews", "car-axis", "manufactured", "sleigh", "triple-pendulum"}) {
    const auto problem = make_problem(name, {});
    State start = problem->start();
    const State before = start;
    EXPECT_EQ(make_consistent(*problem, start).message, "") << name;
    const auto n = as<Mechanical>(*problem).sizes();
    EXPECT_TRUE(start.y.head(n.q + n.v) == before.y.head(n.q + n.v)) << name;
  }
}

TEST(ConsistentStart, RefusesByName) {
  State state = bead_at(1, 1, 0, 0, 2);
  StartReport report = make_consistent(Bead(1, 1, 3.0), state);  // the line misses the ellipse
  EXPECT_EQ(report.outcome, Outcome::inconsistent_start);
  EXPECT_NE(report.message.find("position residual"), std::string::npos) << report.message;
  EXPECT_TRUE(report.message.find("in lambda.ellipse") != std::string::npos ||
              report.message.find("in lambda.line") != std::string::npos)
      << report.message;

  State far = bead_at(3, 1, 0, 0);
  report = make_consistent(Bead(1, 1), far, {.weights = {{"q.x", forever}}});
  EXPECT_EQ(report.outcome, Outcome::inconsistent_start);
  EXPECT_NE(report.message.find("with q.x kept (position residual 1.25 in lambda.ellipse"), std::string::npos)
      << report.message;

  State fast = bead_at(a * std::cos(.7), b * std::sin(.7), 1, 1);
  report = make_consistent(Bead(1, 1), fast, {.weights = {{"v.x'", forever}, {"v.y'", forever}}});
  EXPECT_EQ(report.outcome, Outcome::inconsistent_start);
  EXPECT_NE(report.message.find("velocity residual"), std::string::npos) << report.message;
  EXPECT_NE(report.message.find("in lambda.ellipse"), std::string::npos) << report.message;

  EXPECT_THROW(make_consistent(Bead(1, 1), far, {.weights = {{"q.z", 1}}}), Error);
  EXPECT_THROW(make_consistent(Bead(1, 1), far, {.weights = {{"q.x", -1}}}), Error);
}

// N is not I here, M is not constant, rows are driven and not holonomic: K u lies along the gradient at the solution.
TEST(ConsistentStart, IsNearestInOtherCoordinatesToo) {
  const auto problem = make_problem("manufactured", {});
  const auto& mechanical = as<Mechanical>(*problem);
  State state = problem->start();
  state.y.head(6) += (Vector(6) << .1, -.05, .2, .3, -.2, .1).finished();
  const State given = state;
  ASSERT_EQ(make_consistent(*problem, state).outcome, Outcome::ok);
  const auto at = [&](In q) {
    auto placement = mechanical.placement();
    placement->t = given.t, placement->q = q;
    mechanical.place(*placement);
    return placement;
  };
  const auto from = at(given.y.head(3)), to = at(state.y.head(3));
  Kinematics k_from, k_to;
  mechanical.kinematics(*from, Vector::Zero(3), k_from);
  mechanical.kinematics(*to, Vector::Zero(3), k_to);
  Entries M_from, M_to, J;
  mechanical.mass(*from, M_from);
  mechanical.mass(*to, M_to);
  mechanical.jacobian(*to, J);
  Vector g(1), w(2);
  mechanical.g(*to, g);
  EXPECT_LE(largest(g), 1e-12);
  const Matrix rows = J.dense(2, 3);
  const Matrix G = rows.topRows(1) * k_to.inverse.dense(3, 3) * k_from.N.dense(3, 3);
  const Vector u = k_from.inverse.dense(3, 3) * (state.y - given.y).head(3);
  EXPECT_GE(u.norm(), .05);
  EXPECT_LE(largest(null_space(G).transpose() * M_from.dense(3, 3) * u), 1e-8);
  mechanical.velocity_bias(*to, w);
  EXPECT_LE(largest(rows * state.y.segment(3, 3) + w), 1e-12);
  EXPECT_LE(largest(null_space(rows).transpose() * M_to.dense(3, 3) * (state.y - given.y).segment(3, 3)),
            1e-10);
}

/// y' = rotation + z y, on the ellipse.
class OnEllipse : public Hessenberg {
 public:
  Layout layout() const override {
    return Layout().add("y", 2, Role::differential, 1).add("z", 1, Role::algebraic, 2);
  }
  State start() const override { return {0, Vector::Zero(3)}; }
  double end() const override { return 1; }
  void f(double, In y, In z, Out dy) const override { dy << -y[1] + z[0] * y[0], y[0] + z[0] * y[1]; }
  void g(double, In y, Out r) const override { r[0] = y[0] * y[0] / (a * a) + y[1] * y[1] / (b * b) - 1; }
  void f_y(double, In, In z, Entries& e) const override {
    e.write<4>({{{0, 0}, {0, 1}, {1, 0}, {1, 1}}}, {z[0], -1, 1, z[0]});
  }
  void f_z(double, In y, In, Entries& e) const override { e.write<2>({{{0, 0}, {1, 0}}}, {y[0], y[1]}); }
  void g_y(double, In y, Entries& e) const override {
    e.write<2>({{{0, 0}, {0, 1}}}, {2 * y[0] / (a * a), 2 * y[1] / (b * b)});
  }
  void g_t(double, In, Out rate) const override { rate.setZero(); }
};

TEST(ConsistentStart, FindsTheNearestPointOfIndex2ProblemsToo) {
  State state{0, Vector(3)};
  state.y << 1.3, .9, 0;
  ASSERT_EQ(make_consistent(OnEllipse(), state).outcome, Outcome::ok);
  EXPECT_LE((state.y.head(2) - nearest_on_ellipse(1.3, .9, 1, 1)).norm(), 1e-9);
  state.y << 1.3, .9, 0;
  ASSERT_EQ(make_consistent(OnEllipse(), state, {.weights = {{"y.y2", forever}}}).outcome, Outcome::ok);
  EXPECT_NEAR(state.y[1], .9, 1e-14);
  EXPECT_NEAR(state.y[0], a * std::sqrt(1 - .81), 1e-12);
}

/// p' + r' + p = 0, p - 2 r + z^3 + z = 1, z^2 = floor + (p + r)/4: what is differentiated is p + r.
class Mixed : public Implicit {
 public:
  explicit Mixed(double floor) : floor_(floor) {}
  Layout layout() const override { return Layout().add("y", 3, Role::differential, 1, {"p", "r", "z"}); }
  State start() const override { return {0, Vector::Ones(3)}; }
  double end() const override { return 1; }
  void F(double, In y, In dy, Out r) const override {
    r[0] = dy[0] + dy[1] + y[0];
    r[1] = y[0] - 2 * y[1] + y[2] * y[2] * y[2] + y[2] - 1;
    r[2] = y[2] * y[2] - floor_ - (y[0] + y[1]) / 4;
  }
  void jacobians(double, In y, In, Entries& F_y, Entries& F_dy) const override {
    F_y.write<7>({{{0, 0}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}},
                 {1, 1, -2, 3 * y[2] * y[2] + 1, -.25, -.25, 2 * y[2]});
    F_dy.write<2>({{{0, 0}, {0, 1}}}, {1, 1});
  }

 private:
  double floor_;
};

TEST(ConsistentStart, MovesWhatAnImplicitProblemDoesNotDifferentiate) {
  const Mixed problem(1.5);  // z = sqrt(2) where p + r = 2
  State state = problem.start();
  const StartReport report = make_consistent(problem, state);
  ASSERT_EQ(report.outcome, Outcome::ok) << report.message;
  EXPECT_NEAR(state.y[0] + state.y[1], 2, 1e-14);
  EXPECT_NEAR(state.y[2], std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(state.y[0] - 2 * state.y[1], 1 - 3 * std::sqrt(2.0), 1e-12);
  EXPECT_NE(report.message.find("was corrected: values by up to"), std::string::npos) << report.message;

  const State once = state;
  EXPECT_EQ(make_consistent(problem, state).message, "");
  EXPECT_TRUE(state.y == once.y);
}

TEST(ConsistentStart, RefusesImplicitProblemsByEquation) {
  State state = Mixed(-2).start();  // z^2 = -1.5
  StartReport report = make_consistent(Mixed(-2), state);
  EXPECT_EQ(report.outcome, Outcome::inconsistent_start);
  EXPECT_NE(report.message.find("the equation of y.z: residual 1.5"), std::string::npos) << report.message;

  state = Mixed(1.5).start();
  report = make_consistent(Mixed(1.5), state, {.weights = {{"y.z", forever}}});
  EXPECT_EQ(report.outcome, Outcome::inconsistent_start);
  EXPECT_NE(report.message.find("with y.z kept"), std::string::npos) << report.message;
  EXPECT_NE(report.message.find("the equation of y.z: residual 1"), std::string::npos) << report.message;
}

TEST(ConsistentStart, RunsTellWhatToKeep) {
  RunOptions options;
  options.start = {{"q.x", 1.3}, {"q.y", .9}};
  options.consistent.weights = {{"q.y", forever}};
  options.end = 1e-3;
  const auto problem = std::make_shared<const Bead>(1, 1);
  const Summary summary = run(problem, options);
  EXPECT_EQ(summary.outcome, Outcome::ok) << summary.message;
  EXPECT_NE(summary.start_message.find("positions by up to"), std::string::npos) << summary.start_message;
  EXPECT_NEAR(summary.state.y[1], .9, 1e-12);  // at rest, no force
}

}  // namespace
}  // namespace dalembert
