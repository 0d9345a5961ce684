// Null-space reduction: bases that are carried along keep the order of a method, all of them give one motion, and where
// the basis is not carried along the motion is wrong; charts, position corrections, dependent rows, no freedom left.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/constraints/position_correction.h"
#include "dalembert/constraints/row_rate.h"
#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/formulation/null_space/null_space_chart.h"
#include "dalembert/nonlinear/nearest_point.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/ode.h"
#include "tests/support/allocation_counter.h"

namespace dalembert {
namespace {

const std::vector<std::string> bases = {"maggi-lu", "maggi-qr", "maggi-svd", "maggi-zero-eigenvalue",
                                        "maggi-gram-schmidt"};
const std::vector<std::string> orthonormal_bases(bases.begin() + 1, bases.end());

Summary fixed(const std::shared_ptr<const Problem>& problem, const PairRequest& request, double end,
              double step, const std::map<std::string, double>& options = {}) {
  RunOptions run_options;
  run_options.request = request;
  run_options.control = Control::fixed;
  run_options.end = end;
  run_options.step = step;
  run_options.options = options;
  const Summary summary = run(problem, run_options);
  EXPECT_EQ(summary.outcome, Outcome::ok) << request.formulation << ": " << summary.message;
  return summary;
}

/// Least squares of log(error of q) over log(step), for whole numbers of steps from `fewest` to `most`.
double slope(const std::string& name, const PairRequest& request, double fewest, double most) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0;
  const auto problem = make_problem(name);
  for (double steps = fewest; steps <= most; steps *= 1.19) {
    const double h = 10 / std::round(steps);
    const double x = std::log(h), y = std::log(fixed(problem, request, 10, h).error.at("q"));
    sx += x, sy += y, sxx += x * x, sxy += x * y, n += 1;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

class FullOrder : public ::testing::TestWithParam<std::string> {};

TEST_P(FullOrder, OfRungeKuttaOnMovingBases) {
  for (const std::string name : {"spherical-pendulum", "pendulum-driven-length"}) {
    EXPECT_NEAR(slope(name, {GetParam(), "rk4"}, 1000, 4000), 4, .3) << GetParam() << " " << name;
    // Both problems are kinder to dop853 than its claim: its tableau is proven elsewhere.
    EXPECT_GT(slope(name, {GetParam(), "dop853"}, 100, 300), 8 - .5) << GetParam() << " " << name;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryBasis, FullOrder, ::testing::ValuesIn(bases), [](const auto& given) {
  std::string name = given.param;
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
});

TEST(Maggi, ABasisThatIsNotCarriedAlongGivesAWrongMotionAtEveryStep) {
  for (const std::string name : {"spherical-pendulum", "pendulum-driven-length"})
    for (const double h : {.01, .0025})
      EXPECT_GT(fixed(make_problem(name), {"maggi-qr", "rk4"}, 10, h, {{"aligned", 0}}).error.at("q"), .05)
          << name << " " << h;
}

TEST(Maggi, OrthonormalBasesGiveOneMotion) {
  for (const auto& [name, end] : {std::pair{"spherical-pendulum", 5.}, std::pair{"heavy-top", .2},
                                  std::pair{"manufactured", 3.}, std::pair{"triple-pendulum", 1.}}) {
    const auto problem = make_problem(name);
    const Vector y = fixed(problem, {"maggi-svd", "rk4"}, end, end / 400).state.y;
    for (const auto& basis : orthonormal_bases)
      EXPECT_LT(largest(fixed(problem, {basis, "rk4"}, end, end / 400).state.y - y), 1e-10 * (1 + largest(y)))
          << name << " " << basis;
  }
}

// J(t), w(t): smooth rows, and the derivatives of the chart along them.
Matrix rows_at(double t) {
  Matrix Jt(4, 2);
  Jt << 1 + .2 * std::sin(t), .3 * t, std::cos(2 * t), 1, .5, -std::sin(t), t, 2 - t * t;
  return Jt;
}
Vector drive_at(double t) {
  return Vector{{std::sin(3 * t), 1 + t}};
}

TEST(Chart, IsOrthonormalAlignedAndKnowsItsDerivative) {
  for (const auto by :
       {Orthonormal::qr, Orthonormal::svd, Orthonormal::zero_eigenvalue, Orthonormal::gram_schmidt}) {
    AlignedChart chart(4, 2, by, AlignedChart::Alignment::carried);
    ASSERT_EQ(chart.settle(rows_at(0)), Outcome::ok);
    const Matrix T0 = chart.T();
    const double t = .6, d = 1e-3;
    const auto T_at = [&](double time) -> Matrix {
      EXPECT_EQ(chart.move(rows_at(time)), Outcome::ok);
      return chart.T();
    };
    const auto shortest_at = [&](double time) {
      Vector v_p(4);
      chart.move(rows_at(time));
      chart.particular(drive_at(time), v_p);
      return Vector(-v_p);
    };
    const auto rate = [&](auto&& of) {  // order 6
      using Value = std::decay_t<decltype(of(0.))>;
      return Value((45 * (of(t + d) - of(t - d)) - 9 * (of(t + 2 * d) - of(t - 2 * d)) +
                    (of(t + 3 * d) - of(t - 3 * d))) /
                   (60 * d));
    };
    const Matrix dT = rate(T_at), dJt = rate(rows_at);
    const Vector dv_p = rate(shortest_at), e{{.7, -1.3}};
    const Matrix T = T_at(t), S = T.transpose() * T0;
    EXPECT_LT((rows_at(t).transpose() * T).norm(), 1e-14);
    EXPECT_LT((T.transpose() * T - Matrix::Identity(2, 2)).norm(), 1e-14);
    EXPECT_LT((S - S.transpose()).norm(), 1e-14);
    Vector x(2);
    ASSERT_TRUE(chart.turns(drive_at(t)));
    chart.turn(dJt, drive_at(t), e, x);
    EXPECT_GT((T.transpose() * dT * e).norm(), 1e-2);  // there is something to see
    EXPECT_GT((T.transpose() * dv_p).norm(), 1e-2);
    EXPECT_LT((T.transpose() * (dT * e + dv_p) - x).norm(), 1e-10);

    // A new origin changes neither T nor e.
    ASSERT_EQ(chart.settle(rows_at(t)), Outcome::ok);
    EXPECT_LT((chart.T() - T).norm(), 1e-14);
  }
}

TEST(Chart, IsWornFarFromItsOriginOnly) {
  const auto circle = [](double angle) { return Matrix(Vector{{std::cos(angle), std::sin(angle)}}); };
  AlignedChart aligned(2, 1, Orthonormal::qr, AlignedChart::Alignment::carried);
  CoordinateChart coordinates(2, 1, 2);
  for (NullSpaceChart* chart :
       {static_cast<NullSpaceChart*>(&aligned), static_cast<NullSpaceChart*>(&coordinates)}) {
    ASSERT_EQ(chart->settle(circle(0)), Outcome::ok);
    ASSERT_EQ(chart->move(circle(.4)), Outcome::ok);
    EXPECT_FALSE(chart->worn());
    ASSERT_EQ(chart->move(circle(1.2)), Outcome::ok);
    EXPECT_TRUE(chart->worn());
    ASSERT_EQ(chart->settle(circle(1.2)), Outcome::ok);
    EXPECT_FALSE(chart->worn());
  }
  EXPECT_EQ(aligned.move(circle(1.2 + 1.5)), Outcome::singular);
}

TEST(RowRate, IsTheDerivativeOfTheRowsAlongTheMotion) {
  for (const std::string name :
       {"spherical-pendulum", "car-axis", "andrews", "manufactured", "heavy-top", "sleigh"}) {
    const auto problem = std::dynamic_pointer_cast<const Mechanical>(make_problem(name));
    const auto n = problem->sizes();
    const State start = problem->start();
    const Vector v = start.y.segment(n.q, n.v).array() + .5;
    auto at = problem->placement(), moved = problem->placement();
    at->t = start.t + .1;
    at->q = start.y.head(n.q);
    problem->place(*at);
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

TEST(Maggi, BothCorrectionsHoldThePositionsInARun) {
  for (const double nearest : {0., 1.})
    for (const auto& basis : bases) {
      const Summary s =
          fixed(make_problem("spherical-pendulum"), {basis, "rk4"}, 5, .01, {{"nearest", nearest}});
      EXPECT_LT(std::abs(s.state.y.head(3).squaredNorm() - 1), 1e-14) << basis;
      EXPECT_LT(std::abs(s.state.y.head(3).dot(s.state.y.segment(3, 3))), 1e-13) << basis;
    }
}

/// A pendulum whose bar is written `copies` times.
class Repeated final : public Mechanical {
 public:
  explicit Repeated(Eigen::Index copies) : copies_(copies) {}
  Sizes sizes() const override { return {.q = 2, .v = 2, .holonomic = copies_}; }
  Layout layout() const override { return mechanical_layout({}); }
  State start() const override {
    State state{0, Vector::Zero(4 + copies_)};
    state.y[0] = 1;
    return state;
  }
  double end() const override { return 2; }
  void mass(const Placement&, Entries& M) const override { M.write<2>({{{0, 0}, {1, 1}}}, {1, 1}); }
  void force(const Placement&, In, In, Out f) const override { f << 0, -1; }
  void g(const Placement& at, Out r) const override { r.setConstant((at.q.squaredNorm() - 1) / 2); }
  void jacobian(const Placement& at, Entries& J) const override {
    J.begin();
    for (Eigen::Index i = 0; i < copies_; ++i) J.add(i, 0, at.q[0]), J.add(i, 1, at.q[1]);
    J.end();
  }
  void bias(const Placement&, In v, Out b) const override { b.setConstant(v.squaredNorm()); }

 private:
  Eigen::Index copies_;
};

/// The state after 200 steps of 0.01 by rk4, with the multipliers there. (A run would refuse to start with such rows.)
Vector walk(const Mechanical& problem, const std::string& basis) {
  Statistics statistics;
  const FormulationEntry entry = find_formulation(basis).front();
  const auto formulation = entry.make(problem, Parameters(entry.options, {}, basis), statistics);
  const auto method = find_method("rk4").make();
  method->bind(formulation->rewritten(),
               {.tolerance = {}, .projection = Projection::on, .options = {}, .statistics = &statistics});
  State state = problem.start(), from = formulation->rewritten().start(), to = from;
  formulation->enter(state, from);
  for (int k = 0; k < 200; ++k) {
    EXPECT_EQ(method->attempt(from, .01, to).outcome, Outcome::ok);
    method->accept();
    std::swap(from, to);
    if (formulation->renew(from)) method->restart();
  }
  EXPECT_EQ(formulation->recover(from, state, Depth::multipliers), Outcome::ok);
  return state.y;
}

TEST(Maggi, DependentRowsAreLeftAsideAndShareTheReaction) {
  for (const auto& basis : bases) {
    const Vector once = walk(Repeated(1), basis), thrice = walk(Repeated(3), basis);
    EXPECT_NEAR(once[4], make_problem("pendulum")->exact(2)->y[4], 1e-6);
    EXPECT_LT(largest(thrice.head(4) - once.head(4)), 1e-12) << basis;
    for (Eigen::Index i = 4; i < 7; ++i) EXPECT_NEAR(thrice[i], once[4] / 3, 1e-12) << basis;
  }
}

/// x = sin t and nothing else may move: m x'' = -lambda.
class Led final : public Mechanical {
 public:
  Sizes sizes() const override { return {.q = 1, .v = 1, .holonomic = 1}; }
  Layout layout() const override { return mechanical_layout({}); }
  State start() const override { return {0, Vector{{0, 1, 0}}}; }
  double end() const override { return 2; }
  void mass(const Placement&, Entries& M) const override { M.write<1>({{{0, 0}}}, {2}); }
  void force(const Placement&, In, In, Out f) const override { f[0] = 0; }
  void g(const Placement& at, Out r) const override { r[0] = at.q[0] - std::sin(at.t); }
  void jacobian(const Placement&, Entries& J) const override { J.write<1>({{{0, 0}}}, {1}); }
  void velocity_bias(const Placement& at, Out w) const override { w[0] = -std::cos(at.t); }
  void bias(const Placement& at, In, Out b) const override { b[0] = std::sin(at.t); }
};

TEST(Maggi, NoFreedomLeftIsAMotionToo) {
  for (const auto& basis : bases) {
    const Vector y = fixed(std::make_shared<Led>(), {basis, "rk4"}, 2, .1).state.y;
    EXPECT_NEAR(y[0], std::sin(2.), 1e-15) << basis;
    EXPECT_NEAR(y[1], std::cos(2.), 1e-15) << basis;
    EXPECT_NEAR(y[2], 2 * std::sin(2.), 1e-15) << basis;
  }
}

TEST(Maggi, LooseTolerancesDoNotLeaveTheChart) {
  // Steps of dop853 are then so long that a basis may turn by a right angle in one of them.
  for (const std::string name : {"pendulum", "spherical-pendulum", "heavy-top"})
    for (const auto& basis : {"maggi-lu", "maggi-qr"})
      for (const double tolerance : {1e-3, 1e-4}) {
        RunOptions options;
        options.end = name == "heavy-top" ? .5 : 10;
        options.tolerance = {1e-12, 1e-12};
        options.request = {"index1", "dop853"};
        const auto problem = make_problem(name);
        const Summary reference = run(problem, options);
        options.tolerance = {tolerance, tolerance};
        options.request = {basis, "dop853"};
        const Summary s = run(problem, options);
        ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
        EXPECT_LT(block_errors(*problem, s.state, s.layout, reference.state).at("q"), 300 * tolerance)
            << name << " " << basis << " at " << tolerance;
      }
}

TEST(Maggi, AStepTooLongForOneBasisIsNamed) {
  RunOptions options;
  options.request = {"maggi-qr", "rk4"};
  options.control = Control::fixed;
  options.step = 2;
  const Summary s = run(make_problem("spherical-pendulum"), options);
  EXPECT_EQ(s.outcome, Outcome::projection_failed);
  EXPECT_NE(s.message.find("farther within one step than one basis reaches"), std::string::npos) << s.message;
}

TEST(Maggi, AllocatesNothingWithSeveralDegreesOfFreedomAndNewCharts) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "the sanitizer owns malloc";
  for (const std::string name :
       {"spherical-pendulum", "heavy-top", "sleigh", "triple-pendulum", "car-axis", "violin"})
    for (const auto& basis : bases) {
      const auto problem = make_problem(name);
      Statistics statistics;
      const FormulationEntry entry = find_formulation(basis).front();
      const auto formulation = entry.make(*problem, Parameters(entry.options, {}, basis), statistics);
      State original = problem->start(), state = formulation->rewritten().start(), slope = state;
      const auto& ode = as<Ode>(formulation->rewritten());
      formulation->enter(original, state);
      int charts = 0;
      const long before = testing::allocations;
      for (int k = 0; k < 300; ++k) {  // a motion of some kind
        ode.f(state.t, state.y, slope.y);
        state.y += 2e-3 * (name == "heavy-top" ? .1 : 1.) * slope.y;
        state.t += 2e-3 * (name == "heavy-top" ? .1 : 1.);
        if (ode.invariant() != nullptr) ode.invariant()->project(state.t, state.y);
        charts += formulation->renew(state) ? 1 : 0;
        formulation->recover(state, original, Depth::multipliers);
      }
      EXPECT_EQ(testing::allocations - before, 0) << name << " " << basis;
      EXPECT_TRUE(original.y.allFinite()) << name << " " << basis;
      if (name == "spherical-pendulum") {
        EXPECT_GT(charts, 0) << name << " " << basis;
      }
    }
}

TEST(Maggi, RefusesOptionsThatMeanNothing) {
  RunOptions options;
  options.request = {"maggi-lu", "dopri5"};
  options.options = {{"switch", .5}};
  EXPECT_THROW(run(make_problem("pendulum"), options), Error);
  options.request = {"maggi-qr", "dopri5"};
  options.options = {{"aligned", 2}};
  EXPECT_THROW(run(make_problem("pendulum"), options), Error);
}

TEST(Maggi, EventsAndModesSwitchAsElsewhere) {
  RunOptions options;
  options.tolerance = {1e-9, 1e-9};
  options.request = {"index1", "dopri5"};
  const auto violin = make_problem("violin");
  const Summary reference = run(violin, options);
  for (const std::string basis : {"maggi-lu", "maggi-qr"}) {
    options.request = {basis, "dopri5"};
    const Summary s = run(violin, options);
    ASSERT_EQ(s.events.size(), reference.events.size()) << basis;
    for (std::size_t k = 0; k < s.events.size(); ++k)
      EXPECT_NEAR(s.events[k].t, reference.events[k].t, 1e-6) << basis;
  }
}

}  // namespace
}  // namespace dalembert
