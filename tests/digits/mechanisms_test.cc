// Do runs of the mechanisms with rotations, drives and stiff parts reach their digits, with every explicit pair?
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

Summary finished(const std::string& problem, double tolerance, const PairRequest& request = {}) {
  RunOptions options;
  options.tolerance = {tolerance, tolerance};
  options.request = request;
  const Summary summary = run(make_problem(problem), options);
  EXPECT_EQ(summary.outcome, Outcome::ok) << problem << ": " << summary.message;
  return summary;
}

/// Errors stay below these multiples of the tolerance, at three tolerances.
void expect_digits(const std::string& problem, double q, double v, double lambda,
                   const PairRequest& request = {}) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    const Summary summary = finished(problem, tolerance, request);
    const std::string what = problem + " " + summary.formulation + "/" + summary.method + " " +
                             std::to_string(-std::log10(tolerance));
    ASSERT_EQ(summary.error.size(), 3u) << what;
    EXPECT_LE(summary.error.at("q"), q * tolerance) << what;
    EXPECT_LE(summary.error.at("v"), v * tolerance) << what;
    EXPECT_LE(summary.error.at("lambda"), lambda * tolerance) << what;
  }
}

// Multipliers carry the error of q times the stiffness across the constraint; undamped springs keep every error they
// were given, and their velocities have it times the frequency.
TEST(Mechanisms, ReachTheirDigitsByDefault) {
  expect_digits("circle-linear", .1, 2, 50);
  expect_digits("circle-spring", .1, 5, 1e-2);
  expect_digits("circle-spring-appended", .1, 5, 1e-2);
  expect_digits("circle-bushing", 1e-2, .1, 2);
  expect_digits("bushing-pendulum", .1, 2, 100);
  expect_digits("slider-crank-flexible", .05, 1e4, 1e4);
  expect_digits("heavy-top", 10, 20, 10);
  expect_digits("heavy-top-rotation-vector", 10, 20, 10);
}

TEST(HeavyTop, IsRunByEveryExplicitPair) {
  for (const std::string chart : {"heavy-top", "heavy-top-rotation-vector"})
    for (const PairRequest& request : {PairRequest{"index1", "dop853"}, PairRequest{"index1", "dopri5"},
                                       PairRequest{"baumgarte", "dop853"}, PairRequest{"baumgarte", "dopri5"},
                                       PairRequest{"index2", "phem56"}, PairRequest{"index2", "hem5"}})
      expect_digits(chart, 100, 300, 150, request);
}

TEST(HeavyTop, KeepsItsInvariants) {
  const Summary summary = finished("heavy-top", 1e-9);
  const auto problem = make_problem("heavy-top");
  const Vector start = problem->start().y, end = summary.state.y;
  EXPECT_NEAR(end.segment(3, 4).norm(), 1, 1e-9);
  EXPECT_NEAR(end[11], 150, 1e-7);  // spin
  EXPECT_LE((end.head(3) - start.head(3)).norm(), 2);
}

TEST(HeavyTop, TurnsItsRotationVectorRound) {
  const Summary summary = finished("heavy-top-rotation-vector", 1e-8);
  EXPECT_EQ(summary.events.size(), 24u);  // 150 rad of spin
  for (const auto& event : summary.events) EXPECT_EQ(event.name, "turn");
  EXPECT_LE(summary.state.y.segment(3, 3).norm(), 1.1 * std::numbers::pi + 1e-9);
}

TEST(FlexibleCrank, IsNotMovedAtTheStart) {
  EXPECT_EQ(finished("slider-crank-flexible", 1e-8).start_message, "");
}

}  // namespace
}  // namespace dalembert
