// Does a solver, or what watches it, remember what it should have forgotten: factors, tolerances of other names, another motion?
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/solver.h"
#include "dalembert/core/error.h"
#include "dalembert/observe/trajectory.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

// The multiplier of the start is right already, so that the first stage needs no factors.
std::shared_ptr<const Problem> turning() {
  return hessenberg(
      0, Vector{{1, 0}}, Vector{{0}},
      [](auto, const auto& y, const auto& z, auto&& dy) {
        dy[0] = y[1] - y[0] * z[0];
        dy[1] = -y[0] - y[1] * z[0];
      },
      [](auto, const auto& y, auto&& g) { g[0] = y[0] * y[0] + y[1] * y[1] - 1.; }, {.end = 2});
}

std::shared_ptr<const Mechanical> pendulum(std::vector<std::string> names) {
  return mechanical({.q = Vector{{.6, -.8}}, .v = Vector{{0, 0}}}, Vector{{1, 1}},
                    [](double, In, In, Out f) { f << 0, -9.81; },
                    {1, [](auto, const auto& q, auto&& g) { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.) / 2.; }},
                    {.end = 1, .names = std::move(names)});
}

TEST(SolverMemory, HalfExplicitStagesForgetTheirFactors) {
  for (const char* method : {"phem56", "hem4", "hem5", "mexx"})
    for (const double rtol : {1e-3, 1e-5, 1e-7}) {
      Solver solver(turning(), {.request = {"direct", method}, .tolerance = {rtol, rtol}});
      const Summary first = solver.run();
      solver.run({{"y.y1", std::cos(1.)}, {"y.y2", std::sin(1.)}});
      const Summary again = solver.run();
      EXPECT_EQ(first.state.y, again.state.y) << method << " " << rtol;
      EXPECT_EQ(first.statistics.steps, again.statistics.steps) << method << " " << rtol;
    }
}

TEST(SolverMemory, TolerancesGoWithTheNames) {
  RunOptions options{.request = {"index1", "dop853"}, .tolerance = {1e-4, 1e-4}};
  options.tolerance.named["q.x"] = 1e-11;
  const auto turned = pendulum({"y", "x", "y'", "x'", "rod"});
  Solver solver(pendulum({"x", "y", "x'", "y'", "rod"}), options);
  solver.run();
  solver.exchange(turned);
  EXPECT_EQ(solver.run().state.y, run(turned, options).state.y);
  EXPECT_THROW(solver.exchange(pendulum({"u", "w", "u'", "w'", "rod"})), Error);
}

TEST(SolverMemory, ATrajectoryOfARunThatCannotStartIsEmpty) {
  Trajectory motion;
  run(pendulum({}), {}, {&motion});
  EXPECT_EQ(motion.last(), 1);
  const auto impossible =
      mechanical({.q = Vector{{1, 1}}, .v = Vector{{0, 0}}}, Vector{{1, 1}},
                 [](double, In, In, Out f) { f.setZero(); }, {2, [](auto, const auto& q, auto&& g) {
                                                                g[0] = 1. * q[0];
                                                                g[1] = q[0] - 1.;
                                                              }});
  EXPECT_FALSE(good(run(impossible, {}, {&motion}).outcome));
  EXPECT_THROW(motion.first(), Error);
}

TEST(SolverMemory, WhatIsOutsideOfTheRunIsRefused) {
  const auto problem = pendulum({});
  EXPECT_THROW(run(problem, {.outputs = {0, 0.5, 1.5}}), Error);
  EXPECT_THROW(run(problem, {.outputs = {-1, 0.5}}), Error);
  EXPECT_THROW(run(problem, {.most_steps = -1}), Error);
  EXPECT_THROW(output_times(0, 1, 0), Error);
  EXPECT_THROW(output_times(0, std::nan(""), 5), Error);
  EXPECT_THROW(ode(0, Vector{{1}}, std::function<void(double, In, Out)>()), Error);
}

TEST(SolverMemory, AResponseLeavesTheTimeAlone) {
  ProblemOptions options{.end = 2};
  options.events = {{.name = "half",
                     .value = [](const State& s) { return s.t - 1; },
                     .respond =
                         [](State& s) {
                           s.t += 0.1;
                           return EventResponse{EventResponse::Action::restart};
                         }}};
  const auto falling = ode(
      0, Vector{{1}}, [](auto, const auto& y, auto&& dy) { dy[0] = -y[0]; }, options);
  EXPECT_THROW(run(falling, {}), Error);
}

}  // namespace
}  // namespace dalembert
