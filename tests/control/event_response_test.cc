// What events of functions do: several at once, values that are fast, undefined or noise, responses that change too much.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

/// Balls of equal mass on a line, at q and with velocities v: where two meet they exchange their velocities.
std::shared_ptr<const Ode> balls(Vector q, Vector v) {
  const Eigen::Index n = q.size();
  ProblemOptions options{.end = 2};
  for (Eigen::Index i = 0; i + 1 < n; ++i)
    options.events.push_back({.name = "hit " + std::to_string(i),
                              .value = [i](const State& s) { return s.y[i + 1] - s.y[i]; },
                              .direction = Direction::falling,
                              .respond = [i, n](State& s) -> EventResponse {
                                std::swap(s.y[n + i], s.y[n + i + 1]);
                                return {.action = EventResponse::Action::restart, .next = {}};
                              }});
  Vector start(2 * n);
  start << q, v;
  return ode(
      0, start, [n](double, In y, Out dy) { dy << y.tail(n), Vector::Zero(n); }, options);
}

TEST(Events, AHitPassesThroughBallsThatTouch) {
  for (const char* method : {"dop853", "radau", "bdf"}) {
    const Summary summary = run(balls(Vector{{0, 1, 1, 1}}, Vector{{1, 0, 0, 0}}),
                                {.request = {"", method}, .tolerance = {1e-8, 1e-8}});
    ASSERT_EQ(summary.outcome, Outcome::ok) << method << summary.message;
    EXPECT_EQ(summary.events.size(), 3u) << method;
    EXPECT_LT((summary.state.y.head(4) - Vector{{1, 1, 1, 2}}).cwiseAbs().maxCoeff(), 1e-7) << method;
  }
}

/// Gaps that have never been anything but zero are rounding of positions, whatever steps begin with.
TEST(Events, AHitPassesThroughBallsThatTouchWithAnyStep) {
  for (const double strictness : {50., 55., 60., 65., 70., 75., 80., 90., 100.}) {
    RunOptions options;
    options.request.method = "bdf";
    options.options["strictness"] = strictness;
    options.tolerance = {1e-8, 1e-8};
    const Summary summary = run(balls(Vector{{0, 1, 1, 1}}, Vector{{1, 0, 0, 0}}), options);
    EXPECT_EQ(summary.outcome, Outcome::ok) << strictness << summary.message;
    EXPECT_EQ(summary.events.size(), 3u) << strictness;
  }
}

/// What is nearest to zero in six places of one step crosses it in the last of them only, by one part in a hundred.
TEST(Events, APeakAmongManyIsSeen) {
  for (const char* method : {"dop853", "radau", "bdf", "dopri5"})
    for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
      const auto still = ode(0, Vector{{0}}, [](double, In, Out dy) { dy[0] = 0; },
                             {.end = 2, .events = {{.name = "limit", .value = [](const State& s) {
                                                      return 4.867 - 4 * std::sin(18 * s.t) - .5 * s.t;
                                                    }}}});
      const Summary summary = run(still, {.request = {"", method}, .tolerance = {tolerance, tolerance}});
      ASSERT_EQ(summary.events.size(), 2u) << method << " " << tolerance;
      EXPECT_NEAR(summary.events[0].t, 1.8242433, 1e-7);
    }
}

/// It lies between the last two looks at a step, which ends shortly behind it.
TEST(Events, APeakAtTheEndOfAStepIsSeen) {
  for (int k = 0; k < 60; ++k) {
    const double end = 1.108 + .001 * k;
    const auto still = ode(0, Vector{{0}}, [](double, In, Out dy) { dy[0] = 0; },
                           {.end = end, .events = {{.name = "limit", .value = [](const State& s) {
                                                      return 10 - 10.001 * std::cos(2 * (s.t - 1.1));
                                                    }}}});
    EXPECT_EQ(run(still, {.request = {"", "dop853"}}).events.size(), 2u) << end;
  }
}

/// A wheel that turns far more often within a step than the step is looked at; at most places the looks repeat with its period.
TEST(Events, NoTurnOfAFastWheelIsLost) {
  for (const char* method : {"dop853", "radau", "bdf", "dopri5"})
    for (const double speed : {30.0, 100.0, 777.0, 4096.0}) {
      const auto wheel = ode(0, Vector{{.1}}, [=](double, In, Out dy) { dy[0] = speed; },
                             {.events = {{.name = "turn",
                                          .value = [](const State& s) { return std::sin(s.y[0]); },
                                          .direction = Direction::rising}}});
      const Summary summary = run(wheel, {.request = {"", method}});
      EXPECT_EQ(summary.outcome, Outcome::ok) << summary.message;
      EXPECT_EQ(summary.events.size(), static_cast<std::size_t>((speed + .1) / (2 * std::numbers::pi)))
          << method << " " << speed;
    }
}

TEST(Events, AValueThatIsNoNumberEndsTheRun) {
  const auto problem = ode(
      0, Vector{{0}}, [](double, In, Out dy) { dy[0] = 1; },
      {.events = {{.name = "root", .value = [](const State& s) { return std::sqrt(.5 - s.y[0]) - .1; }}}});
  const Summary summary = run(problem, {});
  EXPECT_EQ(summary.outcome, Outcome::not_finite) << summary.message;
  EXPECT_NE(summary.message.find("event 'root' is not a number"), std::string::npos) << summary.message;
  EXPECT_NEAR(summary.state.t, .5, 1e-6);
  ASSERT_EQ(summary.events.size(), 1u) << "what happened before is kept";
  EXPECT_NEAR(summary.events[0].t, .49, 1e-9);
}

TEST(Events, AValueOfNoiseIsRefused) {
  const auto problem =
      ode(0, Vector{{0}}, [](double, In, Out dy) { dy[0] = 1; },
          {.events = {{.name = "noise", .value = [](const State& s) { return std::sin(1e14 * s.y[0]); }}}});
  const Summary summary = run(problem, {});
  EXPECT_FALSE(good(summary.outcome));
  EXPECT_NE(summary.message.find("'noise'"), std::string::npos) << summary.message;
}

TEST(Events, AResponseThatChangesTheSizeIsRefused) {
  for (const Eigen::Index size : {1, 5}) {
    const auto problem = ode(0, Vector{{0, 0}}, [](double, In, Out dy) { dy << 1, 0; },
                             {.events = {{.name = "grow",
                                          .value = [](const State& s) { return s.y[0] - .5; },
                                          .respond = [size](State& s) -> EventResponse {
                                            s.y = Vector::Ones(size);
                                            return {.action = EventResponse::Action::restart, .next = {}};
                                          }}}});
    EXPECT_THROW(run(problem, {}), Error);
  }
}

/// A ball above the floor, and another event that notes the same instant.
TEST(Events, AChangeIsKeptWhateverHappensAtTheSameTime) {
  const EventFunction bounce{.name = "bounce",
                             .value = [](const State&s) { return s.y[0]; },
                             .direction = Direction::falling,
                             .respond = [](State&s) -> EventResponse {
                               s.y[1] *= -1;
                               return {.action = EventResponse::Action::restart, .next = {}};
                             }},
      note{.name = "floor", .value = [](const State&s) { return 2 * s.y[0]; }},
      silent{.name = "silent bounce",
             .value = [](const State&s) { return s.y[0]; },
             .direction = Direction::falling,
             .respond = [](State&s) -> EventResponse {
               s.y[1] *= -1;  // and does not say so
               return {};
             }};
  const std::vector<EventFunction> lists[] = {{bounce, note}, {note, bounce}, {silent, note}};
  for (const char* method : {"dop853", "radau", "bdf"})
    for (const auto& events : lists) {
      const auto ball =
          ode(0, Vector{{.5, 0}}, [](double, In y, Out dy) { dy << y[1], -1; }, {.end = 2, .events = events});
      const Summary summary = run(ball, {.request = {"", method}, .tolerance = {1e-8, 1e-8}});
      EXPECT_EQ(summary.outcome, Outcome::ok);
      EXPECT_EQ(summary.events.size(), 2u);
      EXPECT_NEAR(summary.state.y[0], .5, 1e-6) << method << " " << events.front().name;
    }
}

TEST(Events, StopStopsEvenIfAnotherModeIsGiven) {
  const auto other = ode(0, Vector{{0}}, [](double, In, Out dy) { dy[0] = -1; }, {.end = 2});
  const auto problem = ode(0, Vector{{0}}, [](double, In, Out dy) { dy[0] = 1; },
                           {.end = 2,
                            .events = {{.name = "half",
                                        .value = [](const State& s) { return s.y[0] - .5; },
                                        .respond = [other](State&) -> EventResponse {
                                          return {.action = EventResponse::Action::stop, .next = other};
                                        }}}});
  const Summary summary = run(problem, {});
  EXPECT_EQ(summary.outcome, Outcome::stopped);
  EXPECT_NEAR(summary.state.t, .5, 1e-9);
}

/// A response that changes something else, or slows the motion down, lets the value pass.
TEST(Events, WhatGoesOnThroughZeroHappensOnce) {
  for (const char* method : {"dop853", "radau", "bdf"})
    for (const double slower : {1.0, .5, .01}) {
      const auto problem = ode(0, Vector{{0, 1, 0}}, [](double, In y, Out dy) { dy << y[1], 0, 1; },
                               {.end = 2,
                                .events = {{.name = "half",
                                            .value = [](const State& s) { return s.y[0] - .5; },
                                            .direction = Direction::rising,
                                            .respond = [slower](State& s) -> EventResponse {
                                              s.y[1] *= slower;
                                              s.y[2] += 1;
                                              return {.action = EventResponse::Action::restart, .next = {}};
                                            }}}});
      const Summary summary = run(problem, {.request = {"", method}, .tolerance = {1e-8, 1e-8}});
      EXPECT_EQ(summary.outcome, Outcome::ok) << method << ": " << summary.message;
      EXPECT_EQ(summary.events.size(), 1u) << method;
      EXPECT_NEAR(summary.state.y[0], .5 + 1.5 * slower, 1e-6) << method;
      EXPECT_NEAR(summary.state.y[2], 3, 1e-6) << method;
    }
}

/// Bounces that become shorter than rounding: nothing falls through the floor.
TEST(Events, EndlesslyManyBouncesAreAStorm) {
  for (const char* method : {"dop853", "dopri5", "bs32", "radau", "bdf", "bdf2", "sdirk4"})
    for (const double restitution : {0.0, .1, .5, .7}) {
      const auto ball = ode(0, Vector{{1, 0}}, [](double, In y, Out dy) { dy << y[1], -9.81; },
                            {.end = 5,
                             .events = {{.name = "hit",
                                         .value = [](const State& s) { return s.y[0]; },
                                         .direction = Direction::falling,
                                         .respond = [restitution](State& s) -> EventResponse {
                                           s.y[1] *= -restitution;
                                           return {.action = EventResponse::Action::restart, .next = {}};
                                         }}}});
      const Summary summary = run(ball, {.request = {"", method}});
      EXPECT_EQ(summary.outcome, Outcome::event_storm)
          << method << " " << restitution << ": " << summary.message;
      EXPECT_NEAR(summary.state.y[0], 0, 1e-3) << method;
    }
}

/// x' = -x + z, x + y = 1 with y' = x z: a response that leaves the constraint is brought back to it.
TEST(Events, AResponseThatLeavesTheConstraintsIsCorrected) {
  const auto problem =
      implicit(0, Vector{{1, 0, 0}},
               [](auto, const auto& y, const auto& dy, auto&& r) {
                 r[0] = dy[0] - y[2];
                 r[1] = dy[1] - y[0];
                 r[2] = y[0] + y[1] - 1.0;
               },
               {.end = 2,
                .layout = Layout().add("y", 2, Role::differential, 1).add("z", 1, Role::algebraic, 2),
                .events = {{.name = "half",
                            .value = [](const State& s) { return s.y[0] - .5; },
                            .direction = Direction::falling,
                            .respond = [](State& s) -> EventResponse {
                              s.y[0] += 1;
                              return {.action = EventResponse::Action::restart, .next = {}};
                            }}}});
  for (const char* method : {"radau", "bdf"}) {
    const Summary summary = run(problem, {.request = {"", method}, .tolerance = {1e-8, 1e-8}});
    ASSERT_EQ(summary.outcome, Outcome::ok) << method << ": " << summary.message;
    EXPECT_NEAR(summary.state.y[0] + summary.state.y[1], 1, 1e-7);
    // (1.5, 0.5) is nearest to (1, 0) on the constraint; twice from 1 to 1/2 at exp(-t)
    EXPECT_NEAR(summary.state.y[0], std::exp(-(2 - 2 * std::numbers::ln2)), 1e-5) << method;
  }
}

TEST(Events, APoleIsNoZero) {
  const auto problem =
      ode(0, Vector{{0}}, [](double, In, Out dy) { dy[0] = 1; },
          {.end = 10,
           .events = {{.name = "pole", .value = [](const State& s) { return 1 / (s.t - 5); }},
                      {.name = "tangent", .value = [](const State& s) { return std::tan(s.y[0]); }}}});
  const Summary summary = run(problem, {});
  ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
  ASSERT_EQ(summary.events.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(summary.events[i].name, "tangent");
    EXPECT_NEAR(summary.events[i].t, static_cast<double>(i + 1) * std::numbers::pi, 1e-9);
  }
}

}  // namespace
}  // namespace dalembert
