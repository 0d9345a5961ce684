// Are algebraic entries of index 2 and 3 as accurate as the rest, where the constraints alone say how the rest moves?
#include "dalembert/nonlinear/hidden_entries.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

/// x = sin(10 t) is prescribed, and z = x'/w; w' = -sin(t) moves by itself.
std::shared_ptr<const Implicit> prescribed() {
  using std::sin;
  const auto equations = [](auto t, const auto& y, const auto& dy, auto&& r) {
    r[0] = dy[0] - y[1] * y[2];
    r[1] = dy[1] + sin(t);
    r[2] = y[0] - sin(10 * t);
  };
  return implicit(
      0, Vector{{0, 3, 10. / 3}}, equations,
      {.end = 2, .layout = Layout().add("y", 2, Role::differential, 1).add("z", 1, Role::algebraic, 2)});
}

double z_at(double t) {
  return 10 * std::cos(10 * t) / (2 + std::cos(t));
}

struct Worst final : Observer {
  explicit Worst(std::function<double(const State&)> of) : error_of(std::move(of)) {}
  void output(const State& state) override { error = std::max(error, error_of(state)); }
  std::function<double(const State&)> error_of;
  double error = 0;
};

/// The largest error at many times of a run, below `most` tolerances.
void expect_accurate(const std::shared_ptr<const Implicit>& problem, const std::vector<double>& tolerances,
                     double apart, double most, const std::function<double(const State&)>& error) {
  for (const char* method : {"radau", "radau5", "bdf"})
    for (const double tolerance : tolerances) {
      RunOptions options;
      options.request = {.formulation = "direct", .method = method};
      options.tolerance = {tolerance, tolerance};
      for (double t = .1; t <= problem->end(); t += apart) options.outputs.push_back(t);
      Worst worst(error);
      const Summary summary = run(problem, options, {&worst});
      SCOPED_TRACE(method + std::string(" ") + std::to_string(tolerance));
      ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
      EXPECT_LT(worst.error, most * tolerance + 1e-10);
    }
}

Layout of_index_3() {
  return Layout()
      .add("q", 1, Role::differential, 1)
      .add("v", 1, Role::differential, 2)
      .add("lambda", 1, Role::algebraic, 3);
}

TEST(HiddenEntries, AreAsAccurateAsTheRest) {
  expect_accurate(prescribed(), {1e-4, 1e-6, 1e-8, 1e-10}, .19, 10, [](const State& state) {
    return std::abs(state.y[2] - z_at(state.t)) / (1 + std::abs(z_at(state.t)));
  });
}

TEST(HiddenEntries, OfAStateAreFoundFromTheRest) {
  const auto problem = prescribed();
  HiddenEntries hidden(*problem);
  Vector y{{std::sin(7.), 2 + std::cos(.7), 1.1 * z_at(.7)}};
  ASSERT_TRUE(hidden.improve(.7, y));
  EXPECT_NEAR(y[2], z_at(.7), 1e-9);
}

std::shared_ptr<const Implicit> kink(Eigen::Index entries, double (*x)(double)) {
  if (entries == 2)
    return implicit(
        0, Vector{{x(0), 0}}, [x](double t, In y, In dy, Out r) { r << dy[0] - y[1], y[0] - x(t); },
        {.end = 1, .layout = Layout().add("y", 1, Role::differential, 1).add("z", 1, Role::algebraic, 2)});
  return implicit(0, Vector{{x(0), 0, 0}},
                  [x](double t, In y, In dy, Out r) { r << dy[0] - y[1], dy[1] - y[2], y[0] - x(t); },
                  {.end = 1, .layout = of_index_3()});
}

// Whatever y is measured in.
TEST(HiddenEntries, AreFoundInAnyUnits) {
  const Vector exact{{std::sin(.4), std::cos(.8), std::cos(.4)}};
  for (const Vector& units : {Vector{{1, 1, 1}}, Vector{{1e4, 1e5, 1e-4}}, Vector{{1e2, 1e5, 1e-4}},
                              Vector{{1e6, 1e-3, 10}}, Vector{{1e-6, 1e6, 1e-6}}}) {
    const auto problem = implicit(
        0, Vector(units.cwiseProduct(Vector{{0, 1, 1}})),
        [units](double t, In y, In dy, Out r) {
          const Vector u = y.cwiseQuotient(units), du = dy.cwiseQuotient(units);
          r[0] = du[0] - std::cos(t) + u[0] - std::sin(t) + u[2] - std::cos(t);
          r[1] = du[1] + 2 * std::sin(2 * t) + u[1] - std::cos(2 * t) + .5 * (u[2] - std::cos(t));
          r[2] = u[0] - std::sin(t) + .5 * (u[1] - std::cos(2 * t));
        },
        {.end = 1, .layout = Layout().add("y", 2, Role::differential, 1).add("z", 1, Role::algebraic, 2)});
    Vector y = exact.cwiseProduct(units);
    y[2] *= 1.1;
    ASSERT_TRUE(HiddenEntries(*problem).improve(.4, y)) << units.transpose();
    EXPECT_LT(largest(y.cwiseQuotient(units) - exact), 1e-8) << units.transpose();
  }
}

// At a kink there are two of them, and what the method has is left alone.
TEST(HiddenEntries, AreLeftAloneWhereAKinkIs) {
  const auto corner = kink(2, [](double t) { return std::abs(t - .5); });
  Vector y{{0, .25}};
  EXPECT_FALSE(HiddenEntries(*corner).improve(.5, y));
  EXPECT_EQ(y[1], .25);
  const auto bend = kink(3, [](double t) { return std::max(t - .5, 0.) * (t - .5); });
  Vector three{{0, 0, .25}};
  EXPECT_FALSE(HiddenEntries(*bend).improve(.5, three));
  EXPECT_EQ(three[2], .25);
  ASSERT_TRUE(HiddenEntries(*bend).improve(.5 + 1e-4, three = Vector{{1e-8, 2e-4, .25}}));
  EXPECT_NEAR(three[2], 2, 1e-4);
}

// A run that comes upon one says so.
TEST(HiddenEntries, ThatAreNotKnownAreNamed) {
  RunOptions options;
  options.request = {.formulation = "direct", .method = "radau"};
  options.tolerance = {1e-4, 1e-4};
  options.outputs = {.25, .5};
  const Summary summary = run(kink(3, [](double t) { return std::max(t - .5, 0.) * (t - .5); }), options);
  ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
  ASSERT_FALSE(summary.warnings.empty());
  EXPECT_NE(summary.warnings.front().find("index 3"), std::string::npos) << summary.warnings.front();
}

// Where only a sum of them is determined, the sum is right.
TEST(HiddenEntries, AreMovedNoFurtherThanTheEquationsAsk) {
  const auto sum = implicit(
      0, Vector{{0, 1, 0}},
      [](double t, In y, In dy, Out r) {
        r << dy[0] - y[1] - y[2], y[0] - std::sin(t), 2 * y[0] - 2 * std::sin(t);
      },
      {.end = 1, .layout = Layout().add("y", 1, Role::differential, 1).add("z", 2, Role::algebraic, 2)});
  Vector both{{std::sin(.5), .5, .4}};
  ASSERT_TRUE(HiddenEntries(*sum).improve(.5, both));
  EXPECT_NEAR(both[1] + both[2], std::cos(.5), 1e-10);
  EXPECT_NEAR(both[1] - both[2], .1, 1e-10);
}

// Its leading matrix turns with time, and both unknowns are of index 2.
TEST(HiddenEntries, MayBeAllOfThem) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    RunOptions options;
    options.request.method = "bdf";
    options.tolerance = {tolerance, tolerance};
    for (int k = 1; k < 8; ++k) options.outputs.push_back(k / 8.);
    Worst worst(
        [](const State& state) { return largest(state.y - Vector::Constant(2, std::exp(-state.t))); });
    ASSERT_EQ(run(make_problem("gear-petzold"), options, {&worst}).outcome, Outcome::ok);
    EXPECT_LT(worst.error, tolerance);
  }
}

// x = f(t), and its two derivatives are the other unknowns: nothing moves by itself.
TEST(HiddenEntries, OfIndexThreeAreAsAccurateAsTheRest) {
  const auto chain = implicit(
      0, Vector{{0, 0, 4}},
      [](double t, In y, In dy, Out r) { r << dy[0] - y[1], dy[1] - y[2], y[0] - std::sin(2 * t * t); },
      {.end = 2, .layout = of_index_3()});
  expect_accurate(chain, {1e-4, 1e-6, 1e-8}, .19, 30, [](const State& state) {
    const double t = state.t, s = std::sin(2 * t * t), c = std::cos(2 * t * t);
    return std::max({std::abs(state.y[0] - s) / 2, std::abs(state.y[1] - 4 * t * c) / (1 + 4 * t),
                     std::abs(state.y[2] - 4 * c + 16 * t * t * s) / (1 + 16 * t * t)});
  });
}

// The multiplier 2 is what two accelerations of up to 500 leave.
TEST(HiddenEntries, AreAsAccurateWhereLargeOnesCancel) {
  constexpr double w = 2.25;
  const auto driven = implicit(
      0, Vector{{0, 0, 2}},
      [](double t, In y, In dy, Out r) {
        const double acceleration = 2 * w * std::cos(w * t * t) - 4 * w * w * t * t * std::sin(w * t * t);
        r << dy[0] - y[1], dy[1] - acceleration - y[2] + 2, y[0] - std::sin(w * t * t);
      },
      {.end = 5, .layout = of_index_3()});
  expect_accurate(driven, {1e-4, 1e-6, 1e-8}, .1, 10,
                  [](const State& state) { return std::abs(state.y[2] - 2); });
}

}  // namespace
}  // namespace dalembert
