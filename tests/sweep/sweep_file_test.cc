// Do the rows of a sweep come back from its files as they were, and does it go on with them?
#include "dalembert/sweep/sweep_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
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

/// As a full disk does, a limit stops files from growing; 0: there is none.
void limit_files(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit limit {};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes == 0 ? limit.rlim_max : bytes;
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

SweepRow row_of(std::size_t number) {
  return {.number = number, .values = {1, 2}, .outcome = "ok", .message = {}, .steps = 3};
}

TEST_P(SweepFiles, KeepsAsManyRowsAsThereIsRoomFor) {
  const std::size_t many = 4000;
  const SweepResult result = pendulums("l=1:2:4000");
  {
    const auto file = open_sweep_file(path_, result);
    limit_files(std::strcmp(GetParam(), ".h5") == 0 ? 3'000'000 : 20'000);
    EXPECT_THROW(
        {
          for (std::size_t i = 0; i < many; ++i) file->write(row_of(i));
          file->close();
        },
        Error);
    limit_files(0);
  }
  SweepResult left = pendulums("l=1:2:4000");
  read_rows(path_, left);
  EXPECT_GT(left.rows.size(), 100u) << "what fits stays";
  EXPECT_LT(left.rows.size(), many);
}

TEST_P(SweepFiles, LoseNothingWhereASweepGoesOnWithoutRoom) {
  SweepResult result = pendulums("l=1:2:4000");
  {
    const auto file = open_sweep_file(path_, result);
    for (std::size_t i = 0; i < 2000; ++i) file->write(row_of(i));
    file->close();
  }
  for (std::size_t i = 0; i < 2000; ++i) result.rows.push_back(row_of(i));
  limit_files(10'000);
  try {
    const auto file = open_sweep_file(path_, result);
    for (std::size_t i = 2000; i < 4000; ++i) file->write(row_of(i));
    file->close();
  } catch (const Error&) {
  }
  limit_files(0);
  SweepResult left = pendulums("l=1:2:4000");
  read_rows(path_, left);
  EXPECT_GE(left.rows.size(), 2000u);
}

TEST_P(SweepFiles, RowsAheadWaitBesideThem) {
  SweepResult result = pendulums();
  RowsAhead ahead(path_, result);
  EXPECT_TRUE(ahead.read().empty());
  ahead.add(row_of(3));
  ahead.add(
      {.number = 1, .values = {NAN, NAN}, .outcome = "refused", .message = "no, \"never\"", .steps = 0});
  std::ofstream(path_ + ".ahead", std::ios::app) << "6,2.5,1";  // cut off
  auto found = RowsAhead(path_, result).read();
  ASSERT_EQ(found.size(), 2u);
  expect_same(found.at(3), row_of(3));
  EXPECT_EQ(found.at(1).message, "no, \"never\"");
  result.rows = {row_of(0), found.at(1)};
  EXPECT_EQ(RowsAhead(path_, result).read().size(), 1u) << "those that are in their place do not wait";
  const SweepResult another = pendulums("l=0.1,0.2,0.3,0.4,0.6,0.7");
  EXPECT_TRUE(RowsAhead(path_, another).read().empty());
  ahead.forget();
  EXPECT_FALSE(fs::exists(path_ + ".ahead"));
}

INSTANTIATE_TEST_SUITE_P(Formats, SweepFiles, ::testing::Values(".csv", ".h5"),
                         [](const auto& given) { return std::string(given.param).substr(1); });

}  // namespace
}  // namespace dalembert
