// Records of runs: do they hold the rows, steps and readings of the run they were made of?
#include "dalembert/observe/run_record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

RunRecord recorded(const std::shared_ptr<const Problem>& problem, RunOptions options,
                   std::vector<Watch> watches = {}) {
  Monitor monitor(options.tolerance);
  RunRecorder recorder(*problem, std::move(watches), &monitor);
  const Summary summary = run(problem, options, {&monitor, &recorder});
  return recorder.take(summary);
}

std::int64_t count(const RunRecord& record, TriedStep::Fate fate) {
  return std::count_if(record.steps.begin(), record.steps.end(),
                       [&](const TriedStep& step) { return step.fate == fate; });
}

TEST(RunRecord, RowsAreTheOutputs) {
  const auto problem = make_problem("pendulum");
  RunOptions options;
  options.outputs = output_times(0, 10, 20);
  const Watch height{"height", "m", [](const State& state) { return state.y[1]; }};
  const RunRecord record = recorded(problem, options, {height});
  ASSERT_EQ(record.rows(), 21u);
  EXPECT_EQ(record.times, options.outputs);
  ASSERT_EQ(record.columns.size(), 6u);
  EXPECT_EQ(record.columns[1].name, "q.y");
  EXPECT_EQ(record.columns[1].unit, "m");
  EXPECT_EQ(record.columns[1].group, "q");
  EXPECT_EQ(record.find("height"), 5u);
  EXPECT_FALSE(record.find("width"));
  for (std::size_t row = 0; row < record.rows(); ++row) {
    EXPECT_EQ(record.value(row, 1), record.value(row, 5));
    EXPECT_NEAR(record.value(row, 1), problem->exact(record.times[row])->y[1], 1e-4);
  }
}

TEST(RunRecord, TimesOfItsOwnChangeNothing) {
  const auto problem = make_problem("pendulum");
  RunOptions options;
  options.request = {"index2", "radau"};  // steps onto output times
  const Summary plain = run(problem, options);
  RunRecorder recorder(*problem, {}, nullptr, output_times(0, 10, 100));
  const Summary watched = run(problem, options, {&recorder});
  const RunRecord record = recorder.take(watched);
  EXPECT_EQ(watched.statistics.steps, plain.statistics.steps);
  EXPECT_EQ(watched.state.y, plain.state.y);
  EXPECT_EQ(record.times, output_times(0, 10, 100));
  for (std::size_t row = 0; row < record.rows(); ++row)
    EXPECT_NEAR(record.value(row, 0), problem->exact(record.times[row])->y[0], 1e-3);
}

TEST(RunRecord, StepsFollowEachOther) {
  const RunRecord record = recorded(make_problem("andrews"), {});
  EXPECT_EQ(count(record, TriedStep::Fate::accepted), record.summary.statistics.steps);
  EXPECT_EQ(count(record, TriedStep::Fate::rejected), record.summary.statistics.rejected);
  EXPECT_GT(record.summary.statistics.rejected, 0);
  double t = 0;
  for (const TriedStep& step : record.steps) {
    EXPECT_NEAR(step.t, t, 1e-15);
    EXPECT_GT(step.h, 0);
    EXPECT_GE(step.order, 2);
    if (step.fate == TriedStep::Fate::rejected) continue;
    EXPECT_LE(step.error, 1);
    t += step.h;
  }
  EXPECT_NEAR(t, 0.03, 1e-15);
}

TEST(RunRecord, StepsOverSingularPositionsAreCrossings) {
  const RunRecord record = recorded(make_problem("four-bar"), {});
  EXPECT_EQ(count(record, TriedStep::Fate::crossing),
            static_cast<std::int64_t>(record.summary.crossings.size()));
  EXPECT_GT(record.summary.crossings.size(), 0u);
}

TEST(RunRecord, ReadingsHaveTheLargestDrift) {
  const RunRecord record = recorded(make_problem("andrews"), {});
  ASSERT_TRUE(record.drift && record.energy);
  double largest = 0;
  for (const Monitor::Reading& reading : record.readings) largest = std::max(largest, reading.position);
  EXPECT_EQ(largest, record.drift->position);
  EXPECT_EQ(record.readings.back().energy, record.energy->end);
  EXPECT_EQ(record.readings.back().t, record.summary.state.t);
}

TEST(RunRecord, BothSidesOfAnEvent) {
  const RunRecord record = recorded(make_problem("violin"), {});
  ASSERT_FALSE(record.summary.events.empty());
  EXPECT_TRUE(std::is_sorted(record.times.begin(), record.times.end()));
  for (const EventRecord& event : record.summary.events)
    EXPECT_GE(std::count(record.times.begin(), record.times.end(), event.t), 1) << event.t;
}

TEST(RunRecord, EndsWhereTheRunEnded) {
  RunOptions options;
  options.outputs = output_times(0, 10, 4);
  options.most_steps = 3;
  const RunRecord record = recorded(make_problem("pendulum"), options);
  EXPECT_EQ(record.summary.outcome, Outcome::too_many_steps);
  EXPECT_EQ(record.times.back(), record.summary.state.t);
}

}  // namespace
}  // namespace dalembert
