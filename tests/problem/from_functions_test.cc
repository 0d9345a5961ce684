// Problems from functions are the problems they describe: the same equations, derivatives and runs as a class gives.
#include "dalembert/problem/from_functions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/problem/catalogue.h"
#include "tests/support/catalogue_points.h"

namespace dalembert {
namespace {

RunOptions at_tolerance(double tolerance) {
  RunOptions options;
  options.tolerance = {tolerance, tolerance};
  return options;
}

const auto rod = [](auto t, const auto& x, auto&& r) {
  using std::exp, std::sin, std::sqrt;
  r << x.squaredNorm() - sin(3.0 * t) * x[1], exp(-x[0] * t) / sqrt(1.0 + x[1] * x[1]);
};

/// The derivatives of rod at (t,x) along (1,dx), by hand.
struct RodByHand {
  Matrix jacobian{2, 2};
  Vector rate{2}, second{2};
  RodByHand(double t, In x, In dx) {
    const double e = std::exp(-x[0] * t), root = std::sqrt(1 + x[1] * x[1]);
    jacobian << 2 * x[0], 2 * x[1] - std::sin(3 * t), -t * e / root, -e * x[1] / (root * root * root);
    rate << -3 * std::cos(3 * t) * x[1], -x[0] * e / root;
    // u = -x0 t, w = 1/root: (e^u w)'' = e^u (u'^2 w + u'' w + 2 u' w' + w'')
    const double u1 = -dx[0] * t - x[0], u2 = -2 * dx[0], w = 1 / root,
                 w1 = -x[1] * dx[1] / (root * root * root),
                 w2 = (3 * x[1] * x[1] / (root * root) - 1) * dx[1] * dx[1] / (root * root * root);
    second << 2 * dx.squaredNorm() + 9 * std::sin(3 * t) * x[1] - 6 * std::cos(3 * t) * dx[1],
        e * (u1 * u1 * w + u2 * w + 2 * u1 * w1 + w2);
  }
};

TEST(FromFunctions, DerivativesOfFunctionsWithAutoAreExact) {
  const double t = .7;
  const Vector x{{.3, -1.2}}, dx{{2, .5}};
  const RodByHand known(t, x, dx);
  const Differentiable f = rod;
  Matrix J(2, 2);
  Vector r(2);
  f.jacobian(t, x, J);
  EXPECT_LT(largest((J - known.jacobian).reshaped()), 1e-15);
  f.rate(t, x, r);
  EXPECT_LT(largest(r - known.rate), 1e-15);
  f.second(t, x, dx, r);
  EXPECT_LT(largest(r - known.second), 4e-15);
}

TEST(FromFunctions, DifferencesKeepTheDigitsTheyPromise) {
  const double t = .7;
  const Vector x{{.3, -1.2}}, dx{{2, .5}};
  const RodByHand known(t, x, dx);
  const Differentiable f = [](double time, In at, Out r) { rod(time, at, r); };
  const Differentiable half = [](double time, const auto& at, auto&& r) { rod(time, at, r); };
  Matrix J(2, 2);
  Vector r(2);
  f.jacobian(t, x, J);
  EXPECT_LT(largest((J - known.jacobian).reshaped()), 1e-12);
  EXPECT_NE(J, known.jacobian);
  f.rate(t, x, r);
  EXPECT_LT(largest(r - known.rate), 1e-12);
  f.second(t, x, dx, r);
  EXPECT_LT(largest(r - known.second), 1e-9);
  half.jacobian(t, x, J);
  EXPECT_LT(largest((J - known.jacobian).reshaped()), 1e-15);
  half.rate(t, x, r);
  EXPECT_LT(largest(r - known.rate), 1e-12);
}

// A wire y = L/2 sin((x - x0)/L): far from the origin, and of any size, its slope at 0.3 L is the same.
TEST(Differences, FollowWhatChangesOverShortLengths) {
  for (const auto& [x0, L] :
       {std::pair{0., 1.}, {10., 1.}, {100., 1.}, {1000., 1.}, {0., 1e-2}, {0., 1e-3}, {3., 1e-3}}) {
    const Differentiable f = [x0 = x0, L = L](double t, In x, Out r) {
      r[0] = x[1] - L / 2 * std::sin((x[0] - x0) / L) + L * std::sin(t / L);
    };
    SCOPED_TRACE(testing::Message() << x0 << " " << L);
    const Vector x{{x0 + .3 * L, .2 * L}}, dx{{L, 0}};
    Matrix slope(1, 2);
    f.jacobian(.3 * L, x, slope);
    EXPECT_NEAR(slope(0, 0), -std::cos(.3) / 2, 1e-8);
    EXPECT_NEAR(slope(0, 1), 1, 1e-8);
    Vector rate(1), second(1);
    f.rate(.3 * L, x, rate);
    EXPECT_NEAR(rate[0], std::cos(.3), 1e-8);
    f.second(.3 * L, x, dx, second);
    EXPECT_NEAR(second[0] * L, -std::sin(.3) + L * L * std::sin(.3) / 2, 1e-5);
  }
}

TEST(FromFunctions, Ode) {
  const auto oscillator =
      ode(1, Vector{{std::sin(1.), std::cos(1.)}}, [](auto, const auto& y, auto&& dy) { dy << y[1], -y[0]; },
          {.end = 8, .names = {"x", "x'"}, .units = {"m", "m/s"}, .exact = [](double t) {
             return Vector{{std::sin(t), std::cos(t)}};
           }});
  EXPECT_EQ(oscillator->layout().label(1), "y.x'");
  EXPECT_EQ(oscillator->layout()["y"].units[1], "m/s");
  for (const char* method : {"", "dopri5", "radau", "bdf"}) {
    RunOptions options = at_tolerance(1e-9);
    options.request.method = method;
    const Summary summary = run(oscillator, options);
    ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
    EXPECT_EQ(summary.state.t, 8);
    EXPECT_LT(summary.error.at("y"), 1e-6) << method;
  }
}

TEST(FromFunctions, WithoutAnEndARunTakesOneUnitOfTime) {
  const auto decay = ode(2, Vector{{1}}, [](double, In y, Out dy) { dy = -y; });
  EXPECT_NEAR(run(decay, {}).state.y[0], std::exp(-1.), 1e-5);
  RunOptions options;
  options.end = 5;
  EXPECT_NEAR(run(decay, options).state.y[0], std::exp(-3.), 1e-5);
}

/// (q,v,lambda), as the class of the catalogue has it.
std::shared_ptr<const Mechanical> pendulum(Constraints constraints, MechanicalOptions options = {}) {
  options.end = 10;
  options.exact = [known = make_problem("pendulum")](double t) { return known->exact(t)->y; };
  options.names = {"x", "y", "x'", "y'", "bar"};
  options.units = {"m", "m", "m/s", "m/s", "N/m"};
  options.energy = [](double, In q, In v) { return v.squaredNorm() / 2 + q[1]; };
  return mechanical(
      {.q = Vector{{1, 0}}, .v = Vector{{0, 0}}}, Vector{{1, 1}}, [](double, In, In, Out f) { f << 0, -1; },
      std::move(constraints), std::move(options));
}
const auto bar = [](auto, const auto& q, auto&& r) { r[0] = (q.squaredNorm() - 1.0) / 2.0; };

TEST(FromFunctions, MechanicalIsTheClassOfTheCatalogue) {
  const auto ours = pendulum({1, bar});
  const auto truth = make_problem("pendulum");
  const auto& known = dynamic_cast<const Mechanical&>(*truth);
  const Layout our_layout = ours->layout(), their_layout = known.layout();
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(our_layout.blocks()[i].labels, their_layout.blocks()[i].labels);
    EXPECT_EQ(our_layout.blocks()[i].units, their_layout.blocks()[i].units);
  }
  for (const State& state : states_near_start(known)) {
    const Point a = point(*ours, state), b = point(known, state);
    EXPECT_EQ(a.M, b.M);
    EXPECT_EQ(a.f, b.f);
    EXPECT_LT(largest((a.J - b.J).reshaped()), 1e-15);
    EXPECT_LT(largest(a.g - b.g), 1e-15);
    EXPECT_LT(largest(a.w - b.w), 1e-15);
    EXPECT_LT(largest(a.bias - b.bias), 1e-15);
    EXPECT_EQ(a.energy(), b.energy());
  }
  for (const auto& [formulation, method] :
       {std::pair{"", ""}, std::pair{"index1", "dopri5"}, std::pair{"ggl", "radau"}, std::pair{"", "hem5"}}) {
    RunOptions options = at_tolerance(1e-8);
    options.request = {formulation, method};
    Monitor monitor;
    const Summary a = run(ours, options, {&monitor}), b = run(truth, options);
    ASSERT_EQ(a.outcome, Outcome::ok) << a.message;
    EXPECT_EQ(a.statistics.steps, b.statistics.steps) << method;
    EXPECT_LT(largest(a.state.y - b.state.y), 1e-8) << method;
    EXPECT_LT(a.error.at("q"), 1e-5);
    EXPECT_LT(std::abs(monitor.energy()->error()), 1e-5);
  }
}

TEST(FromFunctions, MechanicalByDifferences) {
  const auto ours = pendulum({1, [](double t, In q, Out r) { bar(t, q, r); }});
  const Summary a = run(ours, at_tolerance(1e-8)), b = run(make_problem("pendulum"), at_tolerance(1e-8));
  ASSERT_EQ(a.outcome, Outcome::ok) << a.message;
  EXPECT_LT(a.error.at("q"), 1e-6);
  EXPECT_NEAR(static_cast<double>(a.statistics.steps), static_cast<double>(b.statistics.steps), 3);
}

TEST(FromFunctions, MechanicalWithDerivativesOfItsOwn) {
  const auto ours = pendulum({1, [](double t, In q, Out r) { bar(t, q, r); }},
                             {.jacobian = [](double, In q, Matrix& G) { G = q.transpose(); },
                              .velocity_bias = [](double, In, Out w) { w[0] = 0; },
                              .bias = [](double, In, In v, Out bias) { bias[0] = v.squaredNorm(); }});
  const Summary a = run(ours, at_tolerance(1e-9)), b = run(make_problem("pendulum"), at_tolerance(1e-9));
  EXPECT_LT(largest(a.state.y - b.state.y), 1e-12);
}

/// The length of the bar is driven: g depends on time.
TEST(FromFunctions, DrivenConstraints) {
  const auto truth = make_problem("pendulum-driven-length");
  const auto& known = dynamic_cast<const Mechanical&>(*truth);
  const State start = known.start();
  const auto ours = mechanical(
      {.t = start.t, .q = start.y.head(2), .v = start.y.segment(2, 2)},
      [](double, In, Matrix& M) { M.setIdentity(); }, [](double, In, In, Out f) { f << 0, -9.81; },
      {1,
       [](auto t, const auto& q, auto&& r) {
         using std::sin;
         const auto length = 1.0 + .3 * sin(2.0 * t);
         r[0] = (q.squaredNorm() - length * length) / 2.0;
       }},
      {.end = known.end()});
  EXPECT_FALSE(ours->conservative());
  for (const State& state : states_near_start(known)) {
    const Point a = point(*ours, state), b = point(known, state);
    EXPECT_EQ(a.M, b.M);
    EXPECT_LT(largest(a.g - b.g), 1e-14);
    EXPECT_LT(largest(a.w - b.w), 1e-14);
    EXPECT_LT(largest(a.bias - b.bias), 1e-14);
  }
  const Summary a = run(ours, at_tolerance(1e-8)), b = run(truth, at_tolerance(1e-8));
  ASSERT_EQ(a.outcome, Outcome::ok);
  EXPECT_LT(largest(a.state.y - b.state.y), 1e-7);
}

TEST(FromFunctions, HessenbergIsTheClassOfTheCatalogue) {
  const auto truth = make_problem("exact-index2");
  const auto& known = dynamic_cast<const Hessenberg&>(*truth);
  const State start = known.start();
  const Eigen::Index n = differential_size(known.layout());
  // The equations of exact-index2, see its file.
  const auto ours = hessenberg(
      start.t, start.y.head(n), start.y.tail(1),
      [](auto, const auto& y, const auto& z, auto&& dy) {
        dy << y[0] * y[1] * y[1] * z[0] * z[0], y[0] * y[0] * y[1] * y[1] - 3.0 * y[1] * y[1] * z[0];
      },
      [](auto, const auto& y, auto&& r) { r[0] = y[0] * y[0] * y[1] - 1.0; },
      {.end = truth->end(), .names = {"a", "b", "c"}, .exact = [&](double t) { return truth->exact(t)->y; }});
  EXPECT_EQ(ours->layout().label(2), "z.c");
  Entries theirs_y, ours_y, theirs_z, ours_z, theirs_g, ours_g;
  const Vector y = start.y.head(n), z = start.y.tail(1);
  known.f_y(0, y, z, theirs_y), ours->f_y(0, y, z, ours_y);
  known.f_z(0, y, z, theirs_z), ours->f_z(0, y, z, ours_z);
  known.g_y(0, y, theirs_g), ours->g_y(0, y, ours_g);
  EXPECT_LT(largest((theirs_y.dense(n, n) - ours_y.dense(n, n)).reshaped()), 1e-14);
  EXPECT_LT(largest((theirs_z.dense(n, 1) - ours_z.dense(n, 1)).reshaped()), 1e-14);
  EXPECT_LT(largest((theirs_g.dense(1, n) - ours_g.dense(1, n)).reshaped()), 1e-14);
  for (const char* method : {"", "hem5", "radau"}) {
    RunOptions options = at_tolerance(1e-8);
    options.request.method = method;
    const Summary a = run(ours, options), b = run(truth, options);
    ASSERT_EQ(a.outcome, Outcome::ok) << method << a.message;
    EXPECT_LT(largest(a.state.y - b.state.y), 1e-9) << method;
  }
}

/// The pendulum as F(t,y,y') = 0 of index 3, by both kinds of Jacobians.
TEST(FromFunctions, ImplicitOfIndexThree) {
  const auto equations = [](double, const auto& y, const auto& dy, auto&& r) {
    r << dy[0] - y[2], dy[1] - y[3], dy[2] + y[4] * y[0], dy[3] + 1.0 + y[4] * y[1],
        (y[0] * y[0] + y[1] * y[1] - 1.0) / 2.0;
  };
  const ImplicitOptions options{
      .end = 2,
      .layout = Layout()
                    .add("q", 2, Role::differential, 1, {"x", "y"}, {"m", "m"})
                    .add("v", 2, Role::differential, 2)
                    .add("lambda", 1, Role::algebraic, 3),
      .exact = [known = make_problem("pendulum")](double t) { return known->exact(t)->y; }};
  const Vector start{{1, 0, 0, 0, 0}};
  const auto exact = implicit(0, start, equations, options);
  const auto differenced = implicit(
      0, start, [&](double t, In y, In dy, Out r) { equations(t, y, dy, r); }, options);
  Entries a_y, a_dy, b_y, b_dy;
  const Vector y{{.6, -.8, .1, .2, .3}}, dy{{1, 2, 3, 4, 5}};
  exact->jacobians(0, y, dy, a_y, a_dy);
  differenced->jacobians(0, y, dy, b_y, b_dy);
  Matrix known(5, 5);
  known << 0, 0, -1, 0, 0, 0, 0, 0, -1, 0, .3, 0, 0, 0, .6, 0, .3, 0, 0, -.8, .6, -.8, 0, 0, 0;
  EXPECT_LT(largest((a_y.dense(5, 5) - known).reshaped()), 1e-15);
  EXPECT_LT(largest((b_y.dense(5, 5) - known).reshaped()), 1e-7);
  EXPECT_EQ(a_dy.size(), 4u);
  for (const auto& problem : {exact, differenced}) {
    RunOptions how = at_tolerance(1e-8);
    how.request.method = "radau";
    const Summary summary = run(problem, how);
    ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
    EXPECT_LT(summary.error.at("q"), 1e-6);
  }
}

/// A ball that bounces twice and is then caught.
TEST(FromFunctions, Events) {
  int bounces = 0;
  const auto ball = ode(0, Vector{{1, 0}}, [](auto, const auto& y, auto&& dy) { dy << y[1], -2.0; },
                        {.end = 10,
                         .events = {{.name = "ground",
                                     .value = [](const State& s) { return s.y[0]; },
                                     .direction = Direction::falling,
                                     .respond = [&](State& s) -> EventResponse {
                                       if (++bounces == 3)
                                         return {.action = EventResponse::Action::stop, .next = {}};
                                       s.y[1] *= -1;
                                       return {.action = EventResponse::Action::restart, .next = {}};
                                     }},
                                    {.name = "top", .value = [](const State& s) { return s.y[1]; }}}});
  const Summary summary = run(ball, at_tolerance(1e-9));
  EXPECT_EQ(summary.outcome, Outcome::stopped);
  ASSERT_EQ(summary.events.size(), 5u);
  const double expected[] = {1, 2, 3, 4, 5};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(summary.events[i].t, expected[i], 1e-8);
  EXPECT_EQ(summary.events[1].name, "top");
}

// x' = 1 and z = -(1 + t^2) x': the rate of z is that of the mass, times an x' that a first round does not know.
TEST(FromFunctions, RatesOfImplicitEquationsWithAMassThatChanges) {
  const auto problem = implicit(1, Vector{{0, -2}}, [](auto t, const auto& y, const auto& dy, auto&& r) {
    r[0] = dy[0] - 1;
    r[1] = (1 + t * t) * dy[0] + y[1];
  });
  Vector rate(2);
  problem->rate(1, Vector{{0, -2}}, rate);
  EXPECT_NEAR(rate[0], 1, 1e-12);
  EXPECT_NEAR(rate[1], -2, 1e-6) << "F_t is a difference";
}

TEST(FromFunctions, WrongSizesAreSaid) {
  const auto f = [](double, In y, Out dy) { dy = y; };
  EXPECT_THROW(ode(0, Vector{{1, 2}}, f, {.names = {"x"}}), Error);
  EXPECT_THROW(implicit(0, Vector{{1, 2}}, [](double, In y, In, Out r) { r = y; },
                        {.layout = Layout().add("y", 3, Role::differential, 1)}),
               Error);
  const Force none = [](double, In, In, Out force) { force.setZero(); };
  EXPECT_THROW(mechanical({.q = Vector{{1, 2}}, .v = Vector{{1}}}, Vector{{1, 1}}, none), Error);
  EXPECT_THROW(mechanical({.q = Vector{{1, 2}}, .v = Vector{{1, 1}}}, Vector{{1}}, none), Error);
  EXPECT_THROW(mechanical({.q = Vector{{1, 2}}, .v = Vector{{1, 1}}}, Matrix(Matrix::Identity(2, 1)), none),
               Error);
  EXPECT_THROW(ode(0, Vector{{1}}, f, {.events = {{.name = "nothing", .value = {}}}}), Error);
}

TEST(FromFunctions, WhatIsNotWrittenIsSaid) {
  const Force none = [](double, In, In, Out force) { force.setZero(); };
  const MechanicalStart start{.q = Vector{{1, 2}}, .v = Vector{{0, 0}}};
  EXPECT_THROW(ode(0, Vector{{1, 2}}, [](double, In, Out dy) { dy[0] = 1; }), Error);
  EXPECT_THROW(mechanical(start, Vector{{1, 1}}, none, {2, [](double, In q, Out g) { g[0] = q[0] - 1; }}),
               Error);
  EXPECT_THROW(mechanical(start, Vector{{1, 1}}, [](double, In, In, Out f) { f[1] = 1; }), Error);
  EXPECT_THROW(mechanical(start, Vector{{1, 1}}, none, {-1, [](double, In, Out) {}}), Error);
  EXPECT_NO_THROW(ode(0, Vector{{1, 2}}, [](double, In, Out dy) { dy << 0, 1; }));
  EXPECT_THROW(ode(0, Vector{{1}}, [](double, In y, Out dy) { dy -= y; }), Error) << "adds to what was there";
  EXPECT_THROW(implicit(0, Vector{{1}}, [](double, In y, In dy, Out r) { r += dy + y; }), Error);
}

TEST(FromFunctions, MatricesKeepTheirSize) {
  const Force none = [](double, In, In, Out force) { force.setZero(); };
  const MechanicalStart start{.q = Vector{{1, 2}}, .v = Vector{{0, 0}}};
  EXPECT_THROW(mechanical(
                   start, [](double, In, Matrix& M) { M = Matrix::Identity(3, 3); }, none),
               Error);
  EXPECT_THROW(mechanical(start, Vector{{1, 1}}, none, {1, [](double, In q, Out g) { g[0] = q[0] - 1; }},
                          {.jacobian = [](double, In, Matrix& G) { G = Matrix::Ones(1, 3); }}),
               Error);
  EXPECT_THROW(mechanical(start, Vector{{1, 1}}, Force()), Error);
  EXPECT_THROW(mechanical(start, std::function<void(double, In, Matrix&)>(), none), Error);
  EXPECT_THROW(implicit(0, Vector{{1, 2}}, [](double, In, In dy, Out r) { r = dy; },
                        {.typical_sizes = Vector{{1, 2, 3}}}),
               Error);
}

}  // namespace
}  // namespace dalembert
