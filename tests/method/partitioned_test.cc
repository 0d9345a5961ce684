// Partitioned iteration: splittings, relaxation, orders, false convergence.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/analysis/contraction.h"
#include "dalembert/core/error.h"
#include "tests/support/windows.h"

namespace dalembert {
namespace {

using namespace testing;

TEST(Windows, ErrorsOfTheModelProblem) {
  const auto problem = make_problem("wang-hou-modnak");
  const double x2 = problem->exact(10)->y[1];
  for (const auto& [dt, error] :
       {std::pair{1., 15.04}, {.5, 3.753}, {.25, .9377}, {.1, .15001}, {.05, .03750}}) {
    const Summary s = run_model(dt, faithful);
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    EXPECT_NEAR(std::abs(s.state.y[1] - x2), error, .01 * error) << dt;
  }
}

TEST(Windows, TheProblemInOnePieceHasTheKnownDigits) {
  for (const double printed : {0., 1.}) {
    RunOptions options;
    options.request = {"index1", "dop853"};
    options.tolerance = {1e-12, 1e-12};
    const Summary s = run(make_problem("wang-hou-modnak", {{"printed", printed}}), options);
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    EXPECT_LT(s.error.at("q"), 1e-10);
    EXPECT_LT(s.error.at("lambda"), 1e-10);
    EXPECT_TRUE(s.coupling.fields.empty());
  }
}

TEST(Windows, QuasiNewtonNeedsAtMostSevenIterationsOnEitherField) {
  for (const char* splitting : {"last", "first"})
    for (const char* guess : {"constant", "extrapolated"})
      for (const double dt : {1., .5, .25, .125}) {
        const Summary s =
            run_model(dt, {{"relaxation", "quasi-newton"}, {"splitting", splitting}, {"guess", guess}});
        ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
        EXPECT_EQ(s.coupling.windows.size(), static_cast<std::size_t>(std::lround(10 / dt)));
        EXPECT_LE(s.coupling.most_iterations(), 7) << splitting << " " << guess << " " << dt;
        EXPECT_NEAR(s.error.at("q") / (dt * dt), 5.44e-3, 2e-5);
      }
}

TEST(Windows, AitkenConvergesOnEitherField) {
  for (const char* splitting : {"last", "first"})
    for (const double dt : {1., .125}) {
      const Summary s = run_model(dt, {{"relaxation", "aitken"}, {"splitting", splitting}});
      ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
      EXPECT_LE(s.coupling.most_iterations(), splitting == std::string("last") ? 10 : 20);
    }
}

TEST(Windows, RelaxationFromTheTheoryNeedsFiveAndSixIterations) {
  const auto count = [](const char* splitting, const char* omega) {
    const Summary s = run_model(
        1, {{"relaxation", "fixed"}, {"omega", omega}, {"splitting", splitting}, {"guess", "constant"}}, 2);
    EXPECT_EQ(s.outcome, Outcome::ok) << s.message;
    return s.coupling.most_iterations();
  };
  EXPECT_EQ(count("last", "0.7333333333"), 5);
  EXPECT_EQ(count("first", "0.2666666667"), 6);
  EXPECT_EQ(run_model(1, faithful, 2).coupling.most_iterations(), 18);
}

TEST(Windows, DivergenceIsAnOutcomeWithItsContractionAndARemedy) {
  WindowWords words = faithful;
  words["splitting"] = "first";
  for (const double dt : {1., .1}) {
    const Summary s = run_model(dt, words);
    EXPECT_EQ(s.outcome, Outcome::coupling_diverged);
    ASSERT_TRUE(s.coupling.failed);
    EXPECT_NEAR(s.coupling.failed->contraction, 2.7, .1);
    EXPECT_EQ(s.state.t, 0);
    for (const char* part : {"measured contraction 2.", "splitting=last contracts by 0.363636",
                             "omega=0.266667", "relaxation=quasi-newton"})
      EXPECT_NE(s.message.find(part), std::string::npos) << part << " in: " << s.message;
  }
  // Short windows do not help, so step control does not try them.
  RunOptions options = windows(1, {"dopri5"}, words, {1e-6, 1e-6});
  options.control = Control::pi;
  options.step.reset();
  const Summary s = run(make_problem("wang-hou-modnak"), options);
  EXPECT_EQ(s.outcome, Outcome::coupling_diverged) << s.message;
}

TEST(Windows, AlternatingSplittingsConvergeFalselyAndThatIsNamed) {
  WindowWords words = faithful;
  words["splitting"] = "alternating";
  for (const double dt : {1., .25}) {
    const Summary s = run_model(dt, words);
    EXPECT_EQ(s.outcome, Outcome::coupling_diverged);
    EXPECT_NE(s.message.find("false convergence"), std::string::npos) << s.message;
    EXPECT_NE(s.message.find("lambda.joint"), std::string::npos) << s.message;
    EXPECT_NE(s.message.find("undoes what the other one did"), std::string::npos) << s.message;
    ASSERT_TRUE(s.coupling.failed);
    EXPECT_LE(s.coupling.failed->iterations, 7);
  }
}

TEST(Windows, WeightedSplittingsContractAsTheMeanOfTheirFactors) {
  for (const auto& [theta, expected] : {std::pair{".5", 1.54}, {".75", .954}, {".9", .604}, {"1", .372}}) {
    WindowWords words = faithful;
    words["splitting"] = "weighted";
    words["theta"] = theta;
    const Summary s = run_model(1, words, 2);
    const WindowRecord& w = s.coupling.windows.size() > 1 ? s.coupling.windows[1] : *s.coupling.failed;
    EXPECT_NEAR(w.increments[6][0] / w.increments[5][0], expected, .02 * expected) << theta;
  }
}

TEST(Windows, LongWindowsConverge) {
  EXPECT_EQ(run_model(5, faithful).coupling.most_iterations(), 32);
  EXPECT_EQ(run_model(10, faithful).coupling.most_iterations(), 43);
}

/// The largest error per block at the ends of windows, where the solution is known: one that passes through zero hides
/// nothing.
class WorstError final : public Observer {
 public:
  void begin(const Problem& problem, const State&) override { problem_ = &problem; }
  void step(const StepView& view) override {
    if (const auto exact = problem_->exact(view.end()))
      for (const auto& [block, error] :
           block_errors(*problem_, view.at(view.end(), Depth::multipliers), problem_->layout(), *exact))
        worst[block] = std::max(worst[block], error);
  }
  std::map<std::string, double> worst;

 private:
  const Problem* problem_ = nullptr;
};

/// Orders per block, from windows of length dt and dt/2.
std::map<std::string, double> orders(const std::string& name, const std::vector<std::string>& methods,
                                     double dt, const WindowWords& words = {}) {
  WorstError coarse, fine;
  for (auto* watch : {&coarse, &fine}) {
    const Summary s = run(make_problem(name),
                          windows(watch == &coarse ? dt : dt / 2, methods, words, {1e-13, 1e-13}), {watch});
    EXPECT_EQ(s.outcome, Outcome::ok) << s.message;
  }
  std::map<std::string, double> all;
  for (const auto& [block, error] : coarse.worst) all[block] = std::log2(error / fine.worst.at(block));
  return all;
}

TEST(Windows, FieldsKeepTheOrderOfTheirMethods) {
  struct Trial {
    const char* method;
    double order, dt, above;  // how far interpolation may let the observed order exceed it
  };
  for (const auto& [method, order, dt, above] : {Trial{"trapezoid:10", 2, .25, .2},
                                                 {"rk4:8", 4, .25, .4},
                                                 {"dopri5:8", 5, .5, 1.2},
                                                 {"radau5:8", 5, .5, 1.2}})
    for (const char* name : {"wang-hou-modnak", "coupled-linear", "coupled-nonlinear"})
      for (const auto& [block, observed] : orders(name, {method}, dt)) {
        EXPECT_GT(observed, order - .4) << name << " " << method << " " << block;
        EXPECT_LT(observed, order + above) << name << " " << method << " " << block;
      }
}

/// Forces of the previous iterate [WangHouModnak2011, 6]: another way to the same answer.
TEST(Windows, ForcesOfThePreviousIterateLeadToTheSameMotion) {
  const auto problem = make_problem("coupled-nonlinear");
  const auto with = [&](const WindowWords& words) {
    RunOptions options = windows(.25, {"dopri5"}, words, {1e-11, 1e-11});
    options.end = 1;
    return run(problem, options);
  };
  const Summary now = with({}), previous = with({{"terms", "previous"}});
  ASSERT_EQ(previous.outcome, Outcome::ok) << previous.message;
  EXPECT_LT(largest(now.state.y - previous.state.y), 1e-9);
  EXPECT_LT(largest(previous.state.y - problem->exact(1)->y), 1e-8);
  const WindowWords once = {
      {"stop", "count"}, {"iterations", "1"}, {"guess", "constant"}, {"relaxation", "none"}};
  WindowWords once_before = once;
  once_before["terms"] = "previous";
  EXPECT_GT(largest(with(once).state.y - with(once_before).state.y), 1e-3) << "the way is another one";
}

TEST(Windows, DifferentMethodsOnDifferentMeshes) {
  for (const char* name : {"coupled-linear", "coupled-nonlinear"})
    for (const WindowWords& words :
         {WindowWords{}, WindowWords{{"sweep", "jacobi"}}, WindowWords{{"splitting", "first"}}})
      for (const auto& [block, observed] : orders(name, {"rk4:8", "dopri5:6"}, .25, words))
        EXPECT_GT(observed, 3.6) << name << " " << block;
  for (const auto& [block, observed] : orders("wang-hou-modnak", {"trapezoid:10", "heun:7"}, .25))
    EXPECT_NEAR(observed, 2, .2) << block;
}

TEST(Windows, StepControlFollowsTheTolerance) {
  for (const char* name : {"wang-hou-modnak", "coupled-linear", "coupled-nonlinear"})
    for (const double tolerance : {1e-5, 1e-8}) {
      RunOptions options;
      options.tolerance = {tolerance, tolerance};
      const Summary s = run(make_problem(name), options);
      ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
      EXPECT_EQ(s.method, "window-iteration");
      for (const auto& [block, error] : s.error) EXPECT_LT(error, 10 * tolerance) << name << " " << block;
    }
}

// Implicit methods judge their substeps too: the windows were as long as the iteration liked, at any tolerance.
TEST(Windows, ImplicitFieldsFollowTheTolerance) {
  const auto problem = make_problem("wang-hou-modnak");
  for (const char* method : {"radau", "sdirk4"})
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      const Summary s = run(problem, {.tolerance = {rtol, rtol}, .fields = {method}});
      ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
      EXPECT_LT(s.error.at("q"), rtol) << method;
    }
  EXPECT_THROW(run(problem, {.fields = {"bdf"}}), Error);  // begins with order 1 in every window
}

TEST(Windows, ARejectedAttemptLeavesNoTrace) {
  const auto problem = make_problem("coupled-nonlinear");
  const MethodEntry& entry = find_method("window-iteration");
  const auto walk = [&](bool with_detour) {
    Statistics statistics;
    const auto method = entry.make();
    method->bind(*problem, {.tolerance = {1e-10, 1e-10},
                            .precision = Precision::rounding,
                            .options = Parameters(entry.options, {}, ""),
                            .statistics = &statistics});
    State from = problem->start(), to = from;
    for (int k = 0; k < 4; ++k) {
      if (with_detour) method->attempt(from, .31, to);
      EXPECT_EQ(method->attempt(from, .3, to).outcome, Outcome::ok);
      method->accept();
      std::swap(from, to);
    }
    return from.y;
  };
  EXPECT_EQ(walk(false), walk(true));
}

TEST(Windows, DenseOutputHasTheOrderOfTheFields) {
  class Watch final : public Observer {
   public:
    void output(const State& s) override { worst = std::max(worst, largest(s.y - problem->exact(s.t)->y)); }
    std::shared_ptr<const Problem> problem = make_problem("coupled-nonlinear");
    double worst = 0;
  } watch;
  RunOptions options = windows(.25, {"dopri5"}, {}, {1e-12, 1e-12});
  options.outputs = output_times(0, 3, 97);
  ASSERT_EQ(run(watch.problem, options, {&watch}).outcome, Outcome::ok);
  EXPECT_LT(watch.worst, 1e-8);
}

}  // namespace
}  // namespace dalembert
