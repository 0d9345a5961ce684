// Initial values of implicit problems of index 2 and 3: hidden constraints are seen, and entries move only as far as need be.
#include "dalembert/nonlinear/hidden_start.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

/// A pendulum in x, y at index 3.
std::shared_ptr<const Implicit> pendulum(const Vector& start) {
  return implicit(0, start,
                  [](auto, const auto& y, const auto& dy, auto&& r) {
                    r[0] = dy[0] - y[2];
                    r[1] = dy[1] - y[3];
                    r[2] = dy[2] + 2.0 * y[4] * y[0];
                    r[3] = dy[3] + 2.0 * y[4] * y[1] + 9.81;
                    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
                  },
                  {.end = 1,
                   .layout = Layout()
                                 .add("q", 2, Role::differential, 1, {"x", "y"})
                                 .add("v", 2, Role::differential, 2, {"x", "y"})
                                 .add("lambda", 1, Role::algebraic, 3, {"rod"})});
}

double tension(const Vector& y) {
  return (y[2] * y[2] + y[3] * y[3] - 9.81 * y[1]) / 2;
}

TEST(HiddenStart, EachIndexMovesOnlyIfItMust) {
  struct Case {
    Vector given, expected;
  };
  const Case cases[] = {
      {Vector{{.6, -.8, .8, .6, 4.424}}, Vector{{.6, -.8, .8, .6, 4.424}}},  // nothing to do
      {Vector{{.6, -.8, .8, .6, 0}}, Vector{{.6, -.8, .8, .6, 4.424}}},      // the multiplier follows
      {Vector{{1, 0, .3, 1, 7}}, Vector{{1, 0, 0, 1, .5}}},    // the velocity along the rod goes
      {Vector{{1.2, 0, .3, 1, 7}}, Vector{{1, 0, 0, 1, .5}}},  // so does the error of the length
  };
  for (const Case& c : cases) {
    const auto problem = pendulum(c.given);
    State state = problem->start();
    const StartReport report = make_consistent(*problem, state);
    EXPECT_EQ(report.outcome, Outcome::ok);
    EXPECT_EQ(report.message.empty(), c.given == c.expected) << report.message;
    EXPECT_LT((state.y - c.expected).cwiseAbs().maxCoeff(), 1e-8) << state.y.transpose();
  }
}

TEST(HiddenStart, RunsFromAnInconsistentStartAreThoseOfTheCorrectedOne) {
  for (const char* method : {"radau", "bdf"}) {
    const RunOptions options{.request = {"direct", method}, .tolerance = {1e-6, 1e-6}};
    const Summary wrong = run(pendulum(Vector{{1, 0, .3, 1, 7}}), options),
                  right = run(pendulum(Vector{{1, 0, 0, 1, .5}}), options);
    ASSERT_EQ(wrong.outcome, Outcome::ok);
    EXPECT_NE(wrong.start_message.find("corrected"), std::string::npos);
    EXPECT_LT((wrong.state.y - right.state.y).cwiseAbs().maxCoeff(), 1e-3) << method;
    EXPECT_NEAR(wrong.state.y[4], tension(wrong.state.y), 1e-2) << method;
  }
}

/// Steps of differences that are long compared with what the equations do find other starts: they are not believed.
TEST(HiddenStart, FastEquationsAreSeenAtTheirOwnPace) {
  for (const double speed : {1.0, 30.0, 1e3, 1e5})
    for (const double z : {speed, 7 * speed, 0.0}) {
      const auto problem =
          implicit(0, Vector{{0, z}},
                   [speed](auto t, const auto& y, const auto& dy, auto&& r) {
                     using std::sin;
                     r[0] = dy[0] - y[1];
                     r[1] = y[0] - sin(speed * t);
                   },
                   {.layout = Layout().add("x", 1, Role::differential, 1).add("z", 1, Role::algebraic, 2)});
      State state = problem->start();
      EXPECT_EQ(make_consistent(*problem, state).message.empty(), z == speed) << speed << " " << z;
      EXPECT_NEAR(state.y[1] / speed, 1, 1e-6) << speed << " " << z;
    }
}

TEST(HiddenStart, WhatIsKeptAndCannotBeIsRefused) {
  const auto problem = pendulum(Vector{{1, 0, .3, 1, .5}});
  State state = problem->start();
  const double infinite = std::numeric_limits<double>::infinity();
  const StartReport report = make_consistent(
      *problem, state, {.weights = {{"v.x", infinite}, {"q.x", infinite}, {"q.y", infinite}}});
  EXPECT_EQ(report.outcome, Outcome::inconsistent_start) << report.message;
}

TEST(HiddenStart, ACornerAtTheStartIsNotLookedBehind) {
  const auto problem =
      implicit(0, Vector{{0, 2}},
               [](double t, In y, In dy, Out r) {
                 r[0] = dy[0] - y[1];
                 r[1] = y[0] - (t < 0 ? 5 * t : 2 * t);
               },
               {.layout = Layout().add("x", 1, Role::differential, 1).add("z", 1, Role::algebraic, 2)});
  State state = problem->start();
  EXPECT_TRUE(make_consistent(*problem, state).message.empty());
  EXPECT_EQ(state.y[1], 2);
}

}  // namespace
}  // namespace dalembert
