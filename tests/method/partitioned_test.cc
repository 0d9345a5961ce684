// Partitioned iteration: splittings, relaxation, orders, false convergence, cuts, and the theory of contraction.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/analysis/contraction.h"
#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/method/partitioned/window_iteration.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

using Words = std::map<std::string, std::string>;

/// Fixed windows of length dt; options by the names of their choices.
RunOptions windows(double dt, std::vector<std::string> methods, const Words& words, Tolerance tolerance) {
  RunOptions options;
  options.request = {"fields", "window-iteration"};
  options.fields = std::move(methods);
  options.control = Control::fixed;
  options.step = dt;
  options.tolerance = tolerance;
  for (const auto& p : CouplingPlan::options())
    if (const auto given = words.find(p.name); given != words.end())
      options.options[p.name] = p.choices.empty() ? std::stod(given->second) : choice(p, given->second);
  return options;
}

const Words faithful = {{"relaxation", "none"}, {"guess", "constant"}};
const Tolerance absolute{0, 1e-6};

Summary run_model(double dt, const Words& words, double end = 10) {
  RunOptions options = windows(dt, {"trapezoid"}, words, absolute);
  options.end = end;
  options.projection = Projection::off;
  return run(make_problem("wang-hou-modnak"), options);
}

const Partitioned& fields_of(const std::shared_ptr<const Problem>& problem) {
  return as<Partitioned>(*problem);
}

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
  Words words = faithful;
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
  Words words = faithful;
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
    Words words = faithful;
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
                                     double dt, const Words& words = {}) {
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

TEST(Windows, DifferentMethodsOnDifferentMeshes) {
  for (const char* name : {"coupled-linear", "coupled-nonlinear"})
    for (const Words& words : {Words{}, Words{{"sweep", "jacobi"}}, Words{{"splitting", "first"}}})
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

TEST(Cut, AChainOfTwentyAgreesWithItselfInOnePiece) {
  RunOptions whole;
  whole.tolerance = {1e-11, 1e-11};
  const Summary reference = run(make_problem("chain"), whole);
  ASSERT_EQ(reference.outcome, Outcome::ok) << reference.message;
  const Summary cut = run(make_problem("chain-cut"), windows(.05, {"dopri5:8", "rk4:16"}, {}, {1e-8, 1e-8}));
  ASSERT_EQ(cut.outcome, Outcome::ok) << cut.message;
  EXPECT_LT(largest(cut.state.y - reference.state.y), 1e-6);
  ASSERT_EQ(cut.coupling.fields.size(), 2u);
  EXPECT_EQ(cut.coupling.fields[0].method, "dopri5");
  EXPECT_EQ(cut.coupling.fields[1].substeps, 16);
  for (const auto& field : cut.coupling.fields) {
    EXPECT_GT(field.statistics.force_evaluations, 1000);
    EXPECT_GT(field.seconds, 0);
  }
  EXPECT_LE(cut.coupling.most_iterations(), 25);
  std::printf(
      "chain of 20: %ld iterations in %zu windows, contraction at most %.2f, %ld + %ld evaluations against "
      "%ld in one piece\n",
      cut.coupling.sweeps, cut.coupling.windows.size(), cut.coupling.worst_contraction(),
      static_cast<long>(cut.coupling.fields[0].statistics.force_evaluations),
      static_cast<long>(cut.coupling.fields[1].statistics.force_evaluations),
      static_cast<long>(reference.statistics.force_evaluations));
}

/// The chain of `links` in fields of `size` masses each.
std::shared_ptr<const Partitioned> chain_in_pieces(Eigen::Index links, Eigen::Index size) {
  const auto whole =
      std::dynamic_pointer_cast<const Mechanical>(make_problem("chain", {{"n", static_cast<double>(links)}}));
  std::vector<Partitioned::Field> fields;
  for (Eigen::Index i = 0; i < 2 * links; ++i) {
    if (i % (2 * size) == 0)
      fields.push_back({.name = "piece " + std::to_string(fields.size() + 1), .q = {}, .v = {}});
    fields.back().q.push_back(i);
    fields.back().v.push_back(i);
  }
  return std::make_shared<const Partitioned>(whole, fields);
}

TEST(Cut, ThreeFieldsInARow) {
  const auto problem = chain_in_pieces(6, 2);
  EXPECT_EQ(problem->interface(), (std::vector<Eigen::Index>{2, 4}));
  RunOptions options;
  options.tolerance = {1e-11, 1e-11};
  options.end = .5;
  const Summary whole = run(problem->whole(), options);
  for (const char* sweep : {"gauss-seidel", "jacobi"}) {
    RunOptions pieces = windows(.05, {"rk4:10", "dopri5:5", "heun:80"}, {{"sweep", sweep}}, {1e-8, 1e-8});
    pieces.end = .5;
    const Summary s = run(problem, pieces);
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    EXPECT_LT(largest(s.state.y - whole.state.y), 1e-4) << sweep;
  }
}

TEST(Cut, FirstOrderStatesAndMassesMayCoupleFields) {
  // Every term of a mechanical problem: full mass matrix, rotating coordinates, a row of each kind, a state s.
  const auto whole = std::dynamic_pointer_cast<const Mechanical>(make_problem("manufactured"));
  const auto problem = std::make_shared<const Partitioned>(
      whole, std::vector<Partitioned::Field>{{.name = "a", .q = {0}, .v = {0}, .s = {}},
                                             {.name = "b", .q = {1, 2}, .v = {1, 2}, .s = {0}}});
  double coarse = 0;
  for (const double dt : {.05, .025}) {
    RunOptions options = windows(dt, {"rk4:4"}, {}, {1e-12, 1e-12});
    options.end = .5;
    const Summary s = run(problem, options);
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    const double error = largest(s.state.y - problem->exact(.5)->y);
    if (coarse > 0) {
      EXPECT_NEAR(std::log2(coarse / error), 4, .6);
    }
    coarse = error;
  }
  EXPECT_LT(coarse, 1e-6);
}

TEST(Cut, RefusesWhatIsNoPartition) {
  const auto whole = std::dynamic_pointer_cast<const Mechanical>(make_problem("chain", {{"n", 3}}));
  using ElementKeys = std::vector<Partitioned::Field>;
  const auto make = [&](ElementKeys fields) { Partitioned(whole, std::move(fields)); };
  EXPECT_THROW(make({{.name = "a", .q = {0, 1, 2, 3, 4, 5}, .v = {0, 1, 2, 3, 4, 5}}}), Error);
  EXPECT_THROW(make({{.name = "a", .q = {0, 1}, .v = {0, 1}}, {.name = "b", .q = {2, 3}, .v = {2, 3}}}),
               Error);
  EXPECT_THROW(make({{.name = "a", .q = {0, 1, 2}, .v = {0, 1, 2}},
                     {.name = "b", .q = {2, 3, 4, 5}, .v = {2, 3, 4, 5}}}),
               Error);
  EXPECT_THROW(cut_in_two(whole, 6), Error);
  EXPECT_THROW(make_problem("chain-cut", {{"cut", 20}}), Error);
  const auto violin = std::dynamic_pointer_cast<const Mechanical>(make_problem("violin"));
  EXPECT_THROW(cut_in_two(violin, 1), Error) << "has events";
}

TEST(Cut, RefusesMethodsThatDoNotFit) {
  const auto attempt = [](std::vector<std::string> methods) {
    run(make_problem("wang-hou-modnak"), windows(1, std::move(methods), {}, absolute));
  };
  EXPECT_THROW(attempt({"rk4", "rk4", "rk4"}), Error);
  EXPECT_THROW(attempt({"rk4:0"}), Error);
  EXPECT_THROW(attempt({"rk4:many"}), Error);
  EXPECT_THROW(attempt({"rk5"}), Error);
  EXPECT_THROW(attempt({"hem4"}), Error);
  RunOptions adaptive = windows(1, {"rk4"}, {}, absolute);
  adaptive.control = Control::pi;
  adaptive.step.reset();
  EXPECT_THROW(run(make_problem("wang-hou-modnak"), adaptive), Error) << "no error estimate";
  RunOptions both;
  both.request = {"index1", "dop853"};
  both.fields = {"rk4"};
  EXPECT_THROW(run(make_problem("wang-hou-modnak"), both), Error);
}

TEST(Cut, AFieldThatCannotBearItsRowsIsNamed) {
  // The stretched chain between the wall and a mass that goes its own way has no freedom along its links.
  RunOptions options = windows(.05, {"dopri5"}, {{"splitting", "first"}}, {1e-8, 1e-8});
  const Summary s = run(make_problem("chain-cut"), options);
  EXPECT_EQ(s.outcome, Outcome::singular);
  EXPECT_NE(s.message.find("field 'x' alone"), std::string::npos) << s.message;
  EXPECT_NE(s.message.find("splitting=last"), std::string::npos) << s.message;
}

TEST(ContractionTheory, OfTheModelProblem) {
  const auto problem = make_problem("wang-hou-modnak");
  const Partitioned& fields = fields_of(problem);
  const ContractionTheory t = contraction_theory(fields, fields.start());
  EXPECT_NEAR(t.last.factor, 4. / 11, 1e-12);
  EXPECT_NEAR(t.first.factor, 11. / 4, 1e-12);
  EXPECT_NEAR(t.last.omega, 11. / 15, 1e-12);
  EXPECT_NEAR(t.first.omega, 4. / 15, 1e-12);
  EXPECT_NEAR(t.last.relaxed, 0, 1e-12);
  EXPECT_NEAR(t.weight_from, 11. / 15, 1e-12);
  EXPECT_NEAR(t.best_weight, 121. / 105, 1e-12);
  const auto printed = window_theory(fields, Identity::as_printed).value(),
             correct = window_theory(fields, Identity::correct).value();
  EXPECT_NEAR(printed.E, 13. / 121, 1e-12);
  EXPECT_NEAR(printed.F, 4. / 11, 1e-12);
  EXPECT_NEAR(printed.beta0, 8, 1e-10);
  EXPECT_NEAR(printed.beta2, -1, 1e-10);
  EXPECT_NEAR(correct.beta2, -2, 1e-10);
  EXPECT_NEAR(correct.gamma0, 4. / 11, 1e-10);
  EXPECT_NEAR(correct.gamma2, .1302, 5e-5);
  EXPECT_FALSE(window_theory(fields_of(make_problem("coupled-nonlinear")), Identity::correct));
  EXPECT_FALSE(window_theory(fields_of(make_problem("coupled-linear")), Identity::correct));
}

TEST(ContractionTheory, MeasuredFactorsApproachIt) {
  for (const char* name : {"wang-hou-modnak", "coupled-linear", "coupled-nonlinear"}) {
    const auto problem = std::dynamic_pointer_cast<const Partitioned>(make_problem(name));
    const ContractionTheory t = contraction_theory(*problem, problem->start());
    EXPECT_NEAR(measure_contraction(problem, "last", {}, .002, 4).contraction / t.last.factor, 1, .03)
        << name;
    EXPECT_NEAR(measure_contraction(problem, "first", {}, .002, 4).contraction / t.first.factor, 1, .03)
        << name;
    EXPECT_LT(measure_contraction(problem, "last", t.last.omega, .002, 4).contraction, .1) << name;
  }
}

}  // namespace
}  // namespace dalembert
