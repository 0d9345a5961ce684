// Do the rows of a sweep come back from its files as they were, and does it go on with them?
#include "dalembert/sweep/sweep_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

/// Six pendulums, one of which cannot be: its length is negative.
SweepResult pendulums(const std::string& varied = "l=0.5,-1,1,1.5,2,2.5") {
  SweepResult result{.subject = "pendulum", .program = "a test"};
  result.task.makers = [] {
    return [](const Values& values) { return SweepProblem{make_problem("pendulum", values)}; };
  };
  result.task.options.end = 0.5;
  result.task.quantities = {read_quantity("end(q.x)"), read_quantity("max(lambda.bar)")};
  result.task.design = grid({read_variation(varied)});
  result.task.threads = 1;
  result.units = units(result.task);
  return result;
}

void expect_same(const SweepRow& a, const SweepRow& b) {
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.steps, b.steps);
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i)  // bit by bit, what is not known too
    EXPECT_TRUE(a.values[i] == b.values[i] || (std::isnan(a.values[i]) && std::isnan(b.values[i])));
}

class SweepFiles : public ::testing::TestWithParam<const char*> {
 protected:
  const std::string path_ =
      (fs::temp_directory_path() / ("dalembert_sweep_file_test" + std::to_string(::getpid()) + GetParam()))
          .string();
  void SetUp() override { fs::remove(path_); }
  void TearDown() override { fs::remove(path_); }
};

TEST_P(SweepFiles, KeepRowsAndGoOn) {
  SweepResult whole = pendulums();
  sweep(whole.task, [&](const SweepRow& row) { whole.rows.push_back(row); });
  ASSERT_EQ(whole.rows.size(), 6u);
  EXPECT_EQ(whole.rows[1].outcome, "refused");

  SweepResult none = pendulums();
  read_rows(path_, none);
  EXPECT_TRUE(none.rows.empty()) << "there is no file yet";
  {
    const SweepResult first = pendulums();
    const auto file = open_sweep_file(path_, first);
    for (std::size_t i = 0; i < 4; ++i) file->write(whole.rows[i]);
    file->close();
  }
  SweepResult rest = pendulums();
  read_rows(path_, rest);
  ASSERT_EQ(rest.rows.size(), 4u);
  rest.task.first = 4;
  {
    const auto file = open_sweep_file(path_, rest);
    sweep(rest.task, [&](const SweepRow& row) {
      file->write(row);
      rest.rows.push_back(row);
    });
    file->close();
  }
  SweepResult all = pendulums();
  read_rows(path_, all);
  ASSERT_EQ(all.rows.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) expect_same(all.rows[i], whole.rows[i]);
}

TEST_P(SweepFiles, OfAnotherSweepAreRefused) {
  const SweepResult mine = pendulums();
  const auto file = open_sweep_file(path_, mine);
  file->write({.number = 0, .values = {1, 2}, .outcome = "ok", .message = {}, .steps = 3});
  file->close();
  for (const char* other : {"l=0.6,1,2", "m=0.5,1"}) {
    SweepResult theirs = pendulums(other);
    EXPECT_THROW(read_rows(path_, theirs), Error) << other;
  }
  std::ofstream(path_) << "something else";
  SweepResult again = pendulums();
  if (std::strcmp(GetParam(), ".h5") == 0) {
    EXPECT_THROW(read_rows(path_, again), Error);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, SweepFiles, ::testing::Values(".csv", ".h5"),
                         [](const auto& given) { return std::string(given.param).substr(1); });

}  // namespace
}  // namespace dalembert
