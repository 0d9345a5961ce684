// Are the numbers of a sweep those of single runs, in order, whoever made them, with failures as rows?
#include "dalembert/sweep/sweep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dalembert/core/error.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

SweepTask of_catalogue(const std::string& name, std::vector<Variation> variations,
                       std::vector<Quantity> quantities) {
  SweepTask task;
  task.makers = [name] {
    return [name](const Values& set) { return SweepProblem{make_problem(name, set)}; };
  };
  task.design = grid(variations);
  task.quantities = std::move(quantities);
  return task;
}

SweepTask of_model(const std::string& file, std::vector<Variation> variations,
                   std::vector<Quantity> quantities) {
  SweepTask task;
  task.makers = [file]() -> ProblemMaker {
    const auto family =
        std::make_shared<ModelFamily>(ModelFamily::from_file(std::string(DALEMBERT_MODELS) + "/" + file));
    return [family](const Values& set) {
      Model model = family->model(set);
      return SweepProblem{model.mechanism, std::move(model.watches)};
    };
  };
  task.design = grid(variations);
  task.quantities = std::move(quantities);
  return task;
}

std::vector<SweepRow> rows_of(const SweepTask& task) {
  std::vector<SweepRow> rows;
  sweep(task, [&](const SweepRow& row) { rows.push_back(row); });
  return rows;
}

// Rows that were made before, and wait, are told in their turn and not made again.
TEST(Sweep, RowsThatWaitAreNotMadeAgain) {
  SweepTask task = of_catalogue("pendulum", {read_variation("l=0.5:2:6")}, {read_quantity("end(q.x)")});
  task.options.end = 0.5;
  const auto whole = rows_of(task);
  task.first = 1;
  for (const std::size_t k : {0UL, 1UL, 3UL, 5UL, 9UL}) {
    task.made[k] = {.number = k, .values = {-1.0 * static_cast<double>(k)}, .outcome = "ok", .message = {}};
  }
  for (const int threads : {1, 2}) {
    task.threads = threads;
    const auto rows = rows_of(task);
    ASSERT_EQ(rows.size(), 5U);
    for (const SweepRow& row : rows) {
      const bool waited = row.number % 2 == 1;
      EXPECT_EQ(row.values[0], waited ? -1.0 * static_cast<double>(row.number) : whole[row.number].values[0]);
    }
  }
}

// Whoever is asked to keep what waits is told of all that waits, and of nothing that was cut short.
TEST(Sweep, RowsThatWaitAreToldAtOnce) {
  SweepTask task = of_catalogue("pendulum", {read_variation("l=0.5:2:40")}, {read_quantity("end(q.x)")});
  task.options.end = 0.5;
  task.threads = 4;
  std::vector<std::size_t> told, ahead;
  task.ahead = [&](const SweepRow& row) {
    EXPECT_GT(row.number, told.size()) << "its turn has not come";
    ahead.push_back(row.number);
  };
  sweep(task, [&](const SweepRow& row) { told.push_back(row.number); });
  EXPECT_EQ(told.size(), 40U);
  EXPECT_LT(ahead.size(), 40U);
}

// The bar of a pendulum that falls from the horizontal carries 3 m g at the bottom: lambda = 3/l with unit data.
TEST(Sweep, LargestValuesLieBetweenTheSteps) {
  SweepTask task =
      of_catalogue("pendulum", {read_variation("l=0.5:2:4")},
                   {read_quantity("max(lambda.bar)"), read_quantity("min(q.y)"), read_quantity("max(q.y)")});
  task.options.tolerance = {1e-8, 1e-8};
  const auto rows = rows_of(task);
  ASSERT_EQ(rows.size(), 4U);
  for (const SweepRow& row : rows) {
    const double l = task.design.cases[row.number][0];
    EXPECT_NEAR(row.values[0], 3 / l, 1e-6) << l;
    EXPECT_NEAR(row.values[1], -l, 1e-6) << l;
    EXPECT_NEAR(row.values[2], 0, 1e-6) << l;
  }
}

TEST(Sweep, MeansAndEventsAreThoseOfTheMotion) {
  SweepTask task;
  ProblemOptions options{.end = 2 * std::numbers::pi};
  options.events = {{.name = "zero", .value = [](const State& s) { return s.y[0]; }}};
  task.makers = [options] {
    return [options](const Values& set) {
      const double a = set.empty() ? 1 : set.at("a");
      return SweepProblem{ode(
          0, Vector{{a, 0}}, [](auto, const auto& y, auto&& dy) { dy << y[1], -y[0]; }, options)};
    };
  };
  task.design = grid({read_variation("a=1,3")});
  task.options.tolerance = {1e-9, 1e-9};
  for (const char* text : {"mean(y.y1)", "max(y.y2)", "time(zero)", "count(zero)", "y.y1", "time(never)"})
    task.quantities.push_back(read_quantity(text));
  for (const SweepRow& row : rows_of(task)) {
    const double a = task.design.cases[row.number][0];
    EXPECT_NEAR(row.values[0], 0, 1e-7);
    EXPECT_NEAR(row.values[1], a, 1e-7);
    EXPECT_NEAR(row.values[2], std::numbers::pi / 2, 1e-7);
    EXPECT_EQ(row.values[3], 2);
    EXPECT_NEAR(row.values[4], a, 1e-7);
    EXPECT_TRUE(std::isnan(row.values[5]));
  }
}

// A body that spins freely is a straight line to the method, in one step; a point of it goes round thirteen times.
TEST(Sweep, WhatSwingsInsideOfAStepIsSeen) {
  SweepTask task;
  const std::string text = R"(
space = "planar"
gravity = [0, 0]
[parameters]
spin = 20
[[body]]
name = "A"
mass = 2
inertia = 0.1
velocity = [1, 0]
spin = "spin"
[[watch]]
name = "p"
point = { body = "A", at = [1, 0] }
[[watch]]
name = "square"
expression = "p.y^2"
)";
  task.makers = [text]() -> ProblemMaker {
    const auto family = std::make_shared<ModelFamily>(ModelFamily::from_text(text));
    return [family](const Values& set) {
      Model model = family->model(set);
      return SweepProblem{model.mechanism, std::move(model.watches)};
    };
  };
  task.design = grid({read_variation("spin=7,20,31.4159265358979,100")});
  task.options.end = 4;
  for (const char* name : {"max(p.y)", "min(p.y)", "mean(square)", "max(p.x)"})
    task.quantities.push_back(read_quantity(name));
  for (const SweepRow& row : rows_of(task)) {
    const double w = task.design.cases[row.number][0];
    EXPECT_NEAR(row.values[0], 1, 1e-6) << w;
    EXPECT_NEAR(row.values[1], -1, 1e-6) << w;
    EXPECT_NEAR(row.values[2], 0.5 - std::sin(8 * w) / (16 * w), 1e-6) << w;
    // 1 - w sin(w t) = 0 where t + cos(w t) is largest, last before the end.
    double largest = 0;
    for (int k = 0; k <= 4000000; ++k) largest = std::max(largest, 1e-6 * k + std::cos(w * 1e-6 * k));
    EXPECT_NEAR(row.values[3], largest, 1e-6) << w;
  }
}

TEST(Sweep, ThreadsDoNotChangeABit) {
  SweepTask task = of_model("four-bar.toml", {read_variation("a=0.1:0.2:12"), read_variation("rho=1,4")},
                            {read_quantity("max(bearing.norm)"), read_quantity("crank")});
  task.threads = 1;
  const auto alone = rows_of(task);
  task.threads = 3;
  const auto together = rows_of(task);
  ASSERT_EQ(alone.size(), 24U);
  ASSERT_EQ(together.size(), alone.size());
  for (std::size_t k = 0; k < alone.size(); ++k) {
    EXPECT_EQ(together[k].number, k);
    EXPECT_EQ(together[k].values, alone[k].values) << k;
    EXPECT_EQ(together[k].steps, alone[k].steps) << k;
  }
  task.first = 20;
  const auto rest = rows_of(task);
  ASSERT_EQ(rest.size(), 4U);
  EXPECT_EQ(rest.front().values, alone[20].values);
}

TEST(Sweep, FailuresAreRows) {
  const auto rows = rows_of(of_catalogue("pendulum", {read_variation("l=-1,1,0,2")}, {read_quantity("q.x")}));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].outcome, "refused");
  EXPECT_NE(rows[0].message.find("'l'"), std::string::npos);
  EXPECT_TRUE(std::isnan(rows[0].values[0]));
  EXPECT_TRUE(rows[1].good());
  EXPECT_FALSE(rows[2].good());
  EXPECT_TRUE(rows[3].good());
}

// A chain of another length is a problem of another structure, and initial values are varied by their names.
TEST(Sweep, StructureAndStartsMayChange) {
  const SweepTask lengths = of_catalogue("chain", {read_variation("n=2,3,2,4")}, {read_quantity("q.x1")});
  const auto rows = rows_of(lengths);
  for (const SweepRow& row : rows) ASSERT_TRUE(row.good()) << row.message;
  EXPECT_EQ(rows[0].values, rows[2].values);

  const SweepTask starts =
      of_catalogue("pendulum", {read_variation("v.x'=0:1:3")}, {read_quantity("q.x"), read_quantity("q.y")});
  for (const SweepRow& row : rows_of(starts)) {
    RunOptions options;
    options.start = {{"v.x'", starts.design.cases[row.number][0]}};
    const Summary alone = run(make_problem("pendulum"), options);
    EXPECT_NEAR(row.values[0], alone.state.y[0], 1e-12);
  }
}

TEST(Sweep, MistakesAreRefusedBeforeTheFirstRun) {
  SweepTask task = of_catalogue("pendulum", {read_variation("l=1,2")}, {read_quantity("max(q.z)")});
  EXPECT_THROW(rows_of(task), Error);
  task.quantities = {read_quantity("q.x")};
  task.design = {};
  EXPECT_THROW(rows_of(task), Error);
  for (const char* text : {"", "max()", "max(q.x", "median(q.x)", "(q.x)"})
    EXPECT_THROW(read_quantity(text), Error) << text;
}

TEST(Sweep, WhatTheListenerThrowsEndsIt) {
  SweepTask task = of_catalogue("pendulum", {read_variation("l=1:2:50")}, {read_quantity("q.x")});
  task.threads = 2;
  int told = 0;
  EXPECT_THROW(sweep(task,
                     [&](const SweepRow&) {
                       if (++told == 3) throw Error("enough");
                     }),
               Error);
  EXPECT_EQ(told, 3);
}

TEST(Sweep, AnInterruptLeavesWhatWasMade) {
  SweepTask task = of_catalogue("pendulum", {read_variation("l=1:2:200")}, {read_quantity("q.x")});
  std::atomic<bool> stop = false;
  task.options.interrupt = &stop;
  std::size_t told = 0;
  sweep(task, [&](const SweepRow& row) {
    EXPECT_EQ(row.number, told);
    EXPECT_TRUE(row.good());
    if (++told == 5) stop = true;
  });
  EXPECT_GE(told, 5U);
  EXPECT_LT(told, 200U);
}

}  // namespace
}  // namespace dalembert
