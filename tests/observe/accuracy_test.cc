// Errors that are asked for, estimated and multiplied by the problem itself.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "dalembert/control/solver.h"
#include "dalembert/core/error.h"
#include "dalembert/model/model.h"
#include "dalembert/observe/accuracy/accurate_run.h"
#include "dalembert/observe/accuracy/deviation.h"
#include "dalembert/observe/accuracy/growth.h"
#include "dalembert/observe/accuracy/trusted_motion.h"
#include "dalembert/observe/trajectory.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

/// y' = rate y, whose errors are multiplied by exp(rate t).
std::shared_ptr<const Problem> exponential(double rate, double end, double start = 1e-3) {
  return ode(0, Vector{{start}}, [rate](auto, const auto& y, auto&& dy) { dy << rate * y[0]; },
             {.end = end, .names = {"x"}, .units = {""}});
}

TEST(Growth, IsThatOfTheExponential) {
  for (const double rate : {2., -2.}) {
    const Growth growth = measure_growth(exponential(rate, 2));
    ASSERT_EQ(growth.moments.size(), 9u) << growth.why_not;
    for (const auto& m : growth.moments) {
      // in units of 1 + |y|, which moves too
      const auto scale = [&](double t) { return 1 + 1e-3 * std::exp(rate * t); };
      EXPECT_NEAR(m.from_start * scale(m.t) / scale(0) / std::exp(rate * m.t), 1, 1e-3) << m.t;
      EXPECT_NEAR(m.to_end * scale(2) / scale(m.t) / std::exp(rate * (2 - m.t)), 1, 1e-3) << m.t;
    }
    EXPECT_FALSE(growth.saturated);
  }
}

// From its horizontal start the pendulum swings for ever: an error of the velocity changes its period, and what that makes
// grows in proportion to the time.
TEST(Growth, OfAPendulumIsLinearInTime) {
  const auto problem = make_problem("pendulum", {});
  GrowthOptions options;
  options.run.end = 10;
  const double ten = measure_growth(problem, options).from_start();
  options.run.end = 40;
  const double forty = measure_growth(problem, options).from_start();
  EXPECT_GT(ten, 2);
  EXPECT_GT(forty, 2 * ten);
  EXPECT_LT(forty, 8 * ten);
}

TEST(Growth, OfADrivenMechanismIsNone) {
  const Model model = Model::from_text(R"toml(
title = "driven"
space = "planar"
[[body]]
name = "crank"
mass = 1
inertia = 1
position = [0, 0]
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "crank"]
at = [0, 0]
[[drive]]
joint = "hinge"
motion = "sin(t)"
[run]
end = 3
)toml");
  const Growth growth = measure_growth(model.mechanism, {.run = {.end = 3.}});
  EXPECT_TRUE(growth.determined) << growth.why_not;
  EXPECT_NE(sentence(growth).find("no freedom"), std::string::npos);
}

TEST(Growth, SaysWhenErrorsAreNoLongerSmall) {
  const Growth growth = measure_growth(exponential(11, 1, 0), {.moments = 2, .directions = 1});
  EXPECT_TRUE(growth.saturated);
  EXPECT_NE(sentence(growth).find("at least"), std::string::npos);
  EXPECT_THROW(measure_growth(exponential(1, 1), {.moments = 0}), Error);
  EXPECT_THROW(measure_growth(exponential(1, 1), {.size = 1}), Error);
}

TEST(Growth, SaysWhyThereIsNone) {
  const auto blows_up = ode(0, Vector{{1}}, [](auto, const auto& y, auto&& dy) { dy << y[0] * y[0]; },
                            {.end = 2, .names = {"x"}, .units = {""}});
  const Growth growth = measure_growth(blows_up);
  EXPECT_FALSE(growth.why_not.empty());
  EXPECT_NE(sentence(growth).find("could not be measured"), std::string::npos);
}

TEST(Deviation, OfRotationsIsAnAngle) {
  const auto problem = Model::from_file(DALEMBERT_MODELS "/gyroscope.toml").mechanism;
  const Sample a{0, problem->start().y};
  Sample b = a;
  const Block& q = problem->layout()["q"];
  for (Eigen::Index i = q.offset; i < q.offset + q.size; ++i)
    if (problem->layout().label(i).ends_with("e0")) b.values.segment(i, 4) *= -1;  // the same rotation
  ASSERT_NE(a.values, b.values);
  EXPECT_NEAR(deviations(*problem, {1, 1}, b, a).at("q"), 0, 1e-12);
}

TEST(Deviation, EventsMustBeTheSameAndTheEndToo) {
  const auto problem = exponential(1, 1);
  const Recording a = record(problem, {.outputs = {.5}}, {}, 10);
  Recording b = a;
  EXPECT_EQ(largest_differential(*problem, deviations(*problem, {1, 1}, a, b)), 0);
  b.samples.front().values[0] += .1;
  EXPECT_EQ(largest_differential(*problem, end_deviations(*problem, {1, 1}, b, a)), 0);
  EXPECT_NEAR(largest_differential(*problem, deviations(*problem, {1, 1}, b, a)), .1, 1e-3);
  b.samples.back().t += 1;
  EXPECT_NEAR(end_deviations(*problem, {1, 1}, b, a).at("t"), .5, 1e-12);
  b = a;
  b.summary.events.push_back({.3, "bang"});
  EXPECT_TRUE(std::isinf(largest_differential(*problem, deviations(*problem, {1, 1}, a, b))));
}

TEST(TrustedMotion, IsTheOneThatTwoFamiliesAgreeOn) {
  const auto problem = make_problem("pendulum", {});
  const TrustedMotion motion = trusted_motion(problem, {.outputs = {3.7}}, 1e-10, 1e-6, 10);
  ASSERT_TRUE(motion.recording) << motion.why_not;
  EXPECT_EQ(motion.families.size(), 2u);
  EXPECT_LT(motion.doubt, 1e-10);
  for (const Sample& sample : motion.recording->samples)
    EXPECT_LT((sample.values - problem->exact(sample.t)->y).head(4).cwiseAbs().maxCoeff(), 1e-9);
  const TrustedMotion none = trusted_motion(problem, {}, 1e-17, 1e-17, 10);
  EXPECT_FALSE(none.recording);
  EXPECT_NE(none.why_not.find("from each other"), std::string::npos);
}

double error_of(const AccurateRun& run, const Problem& problem) {
  const State truth = *problem.exact(run.summary.state.t);
  const auto& blocks = block_errors(problem, run.summary.state, run.summary.layout, truth);
  return std::max(blocks.at("q"), blocks.at("v"));
}

TEST(AccurateRun, DeliversWhatIsAsked) {
  const auto problem = make_problem("pendulum", {});
  for (const char* method : {"auto", "radau", "hem5", "bdf", "sdirk4"})
    for (const double accuracy : {1e-4, 1e-6}) {
      const AccurateRun run = run_accurately(problem, {.request = {"auto", method}}, accuracy);
      EXPECT_TRUE(run.estimate.reached()) << method << ": " << sentence(run.estimate);
      EXPECT_LE(error_of(run, *problem), accuracy) << method;
      EXPECT_GE(run.estimate.tolerances.size(), 2u);
      EXPECT_GT(run.estimate.statistics.steps, run.summary.statistics.steps);
    }
}

// One run at this tolerance is wrong by far more: the problem multiplies errors by 3000.
TEST(AccurateRun, RunsAgainWhereErrorsGrow) {
  const auto problem = exponential(8, 1);
  const AccurateRun run = run_accurately(problem, {}, 1e-6);
  const double truth = 1e-3 * std::exp(8.);
  EXPECT_TRUE(run.estimate.reached());
  EXPECT_LE(std::abs(run.summary.state.y[0] - truth) / (1 + truth), 1e-6);
  EXPECT_NE(sentence(run.estimate).find("of the 1e-06 asked"), std::string::npos);
}

TEST(AccurateRun, SaysWhenItIsNotReached) {
  const auto problem = make_problem("double-pendulum", {});
  const AccurateRun run = run_accurately(problem, {.end = 60.}, 1e-6);  // chaotic: 30 s is all doubles can do
  EXPECT_TRUE(good(run.summary.outcome));
  EXPECT_FALSE(run.estimate.reached());
  EXPECT_GT(run.estimate.error, 1e-6);
}

TEST(AccurateRun, RunsThatDoNotEndWellHaveNoAccuracy) {
  const auto blows_up = ode(0, Vector{{1}}, [](auto, const auto& y, auto&& dy) { dy << y[0] * y[0]; },
                            {.end = 2, .names = {"x"}, .units = {""}});
  const AccurateRun run = run_accurately(blows_up, {}, 1e-6);
  EXPECT_FALSE(good(run.summary.outcome));
  EXPECT_FALSE(run.estimate.reached());
  EXPECT_EQ(run.estimate.tolerances.size(), 1u);
}

TEST(AccurateRun, AbsoluteTolerancesKeepTheirShare) {
  // 1e-3 long: as accurate as asked for only if the absolute part is that small, too
  const AccurateRun run = run_accurately(exponential(-1, 3), {.tolerance = {1e-6, 1e-12}}, 1e-6);
  const double truth = 1e-3 * std::exp(-3.);
  EXPECT_LE(std::abs(run.summary.state.y[0] - truth), 1e-6 * truth + 1e-12);
}

TEST(AccurateRun, ObserversAreMadeAnewForEachRun) {
  const auto problem = make_problem("pendulum", {});
  std::vector<Trajectory> all;
  all.reserve(5);
  const AccurateRun run = run_accurately(problem, {}, 1e-6, [&] {
    all.emplace_back();
    return std::vector<Observer*>{&all.back()};
  });
  EXPECT_EQ(all.size(), run.estimate.tolerances.size());
  EXPECT_EQ(all.back()(10).y, run.summary.state.y);
}

TEST(AccurateRun, MistakesAreRefused) {
  const auto problem = make_problem("pendulum", {});
  for (const double accuracy : {0., -1., 1., 1e-12, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(run_accurately(problem, {}, accuracy), Error) << accuracy;
  EXPECT_THROW(run_accurately(problem, {.request = {"index1", "rk4"}, .step = .01}, 1e-6), Error);
}

// A run may begin at another time, from a state that was there.
TEST(StartTime, ARunGoesOnFromThere) {
  const auto problem = make_problem("pendulum", {});
  const Tolerance tight{1e-11, 1e-11};
  const Summary half = run(problem, {.tolerance = tight, .end = 5.});
  std::map<std::string, double> start = {{"t", 5}};
  for (Eigen::Index i = 0; i < 4; ++i) start[half.layout.label(i)] = half.state.y[i];
  const Summary rest = run(problem, {.tolerance = tight, .end = 10., .start = start});
  EXPECT_LT((rest.state.y - problem->exact(10)->y).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_THROW(run(problem, {.end = 4., .start = start}), Error);
  Solver solver(problem, {.end = 4.});
  EXPECT_THROW(solver.run(start), Error);
}

/// A smooth force in one place, beside an oscillator: long steps may pass it, and agree with each other.
TEST(Accuracy, RunsThatMeetNothingDoNotConfirmEachOther) {
  for (const double width : {.01, .02, .04}) {
    const double height = .6 / (width * std::sqrt(std::numbers::pi));
    const auto problem = mechanical({.q = Vector{{0, 1}}, .v = Vector{{1, 0}}}, Vector{{1, 1}},
                                    [=](double, In q, In, Out f) {
                                      f << height * std::exp(-std::pow((q[0] - 4.3) / width, 2)), -4 * q[1];
                                    },
                                    {.end = 10});
    const AccurateRun found = run_accurately(problem, {}, 1e-6, {});
    ASSERT_TRUE(found.estimate.reached()) << width << ": " << found.estimate.why_not;
    EXPECT_NEAR(found.summary.state.y[2], std::sqrt(2.2), 1e-5) << width;
  }
}

}  // namespace
}  // namespace dalembert
