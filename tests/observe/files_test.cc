// Result files: does every format give back what a run had, and does nothing half-written pass for whole?
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/observe/files/run_file.h"
#include "dalembert/observe/files/run_result.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

class ResultFiles : public testing::Test {
 protected:
  ResultFiles() : folder_(fs::path(testing::TempDir()) / ("dalembert_files_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~ResultFiles() override { fs::remove_all(folder_); }
  fs::path file(const std::string& name) const { return folder_ / name; }
  static std::string content(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  fs::path folder_;
};

Layout layout_of(const std::vector<std::string>& labels) {
  Layout layout;
  layout.add("q", static_cast<Eigen::Index>(labels.size()), Role::differential, 1, labels,
             std::vector<std::string>(labels.size(), "m"));
  return layout;
}

template <class Number>
Number number_at(const std::string& bytes, std::size_t place) {
  Number value;
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

/// The arrays of an archive, by its directory at the end.
std::map<std::string, std::string> unzipped(const std::string& bytes) {
  std::map<std::string, std::string> all;
  const std::size_t end = bytes.rfind("PK\x05\x06");
  std::size_t at = number_at<std::uint32_t>(bytes, end + 16);
  for (int left = number_at<std::uint16_t>(bytes, end + 10); left > 0; --left) {
    const auto size = number_at<std::uint32_t>(bytes, at + 20),
               start = number_at<std::uint32_t>(bytes, at + 42);
    const auto length = number_at<std::uint16_t>(bytes, at + 28);
    EXPECT_EQ(bytes.substr(start, 4), "PK\x03\x04");
    all[bytes.substr(at + 46, length)] = bytes.substr(start + 30 + length, size);
    at += 46U + length;
  }
  return all;
}

std::vector<double> doubles(const std::string& bytes) {
  std::vector<double> all(bytes.size() / sizeof(double));
  std::memcpy(all.data(), bytes.data(), all.size() * sizeof(double));
  return all;
}

/// What stands behind the head of a NumPy array.
std::string array_data(const std::string& array) {
  EXPECT_EQ(array.substr(1, 5), "NUMPY");
  const std::size_t data = 10U + number_at<std::uint16_t>(array, 8);
  EXPECT_EQ(data % 64, 0u);
  return array.substr(data);
}

/// The variables of a MATLAB file: their data, by name.
std::map<std::string, std::string> variables(const std::string& bytes) {
  std::map<std::string, std::string> all;
  for (std::size_t at = 128; at < bytes.size();) {
    const std::size_t size = number_at<std::uint32_t>(bytes, at + 4);
    std::vector<std::string> parts;
    for (std::size_t inner = at + 8; inner < at + 8 + size;) {
      const std::size_t length = number_at<std::uint32_t>(bytes, inner + 4);
      parts.push_back(bytes.substr(inner + 8, length));
      inner += 8 + (length + 7) / 8 * 8;
    }
    EXPECT_EQ(parts.size(), 4u);
    all[parts[2]] = parts[3];
    at += 8 + size;
  }
  return all;
}

TEST_F(ResultFiles, NamesUnitsAndTheShortestDigits) {
  Layout layout;
  layout.add("q", 2, Role::differential, 1, {"x", "y"}, {"m", ""});
  FileWriter writer(file("a.csv"), layout);
  writer.output({0.05, Vector{{1.0 / 3, not_a_number}}});
  writer.end();
  EXPECT_EQ(content(file("a.csv")), "t [s],q.x [m],q.y\n0.05,0.3333333333333333,\n");
}

TEST_F(ResultFiles, EveryNumberReadsBackExactly) {
  const std::vector<double> numbers = {0.1, 1e-300,    5e-324, 1.7976931348623157e308, -0.0,
                                       3,   0.1 + 0.2, 1e22,   123456789.123};
  FileWriter writer(file("a.csv"), layout_of({"x"}));
  for (const double x : numbers) writer.output({0, Vector{{x}}});
  writer.end();
  std::ifstream stream(file("a.csv"));
  std::string line;
  std::getline(stream, line);
  for (const double x : numbers) {
    std::getline(stream, line);
    const auto read = number_in(line.substr(2));
    ASSERT_TRUE(read) << line;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*read), std::bit_cast<std::uint64_t>(x)) << line;
  }
}

TEST_F(ResultFiles, SafeNamesAreNames) {
  const auto names = safe_names({{"t", "s", ""},
                                 {"q.crank.angle", "rad", "q"},
                                 {"v.x'", "", "v"},
                                 {"lambda.K3.x", "", ""},
                                 {"lambda.K3 x", "", ""},
                                 {"2nd", "", ""},
                                 {std::string(80, 'a'), "", ""},
                                 {std::string(81, 'a'), "", ""},
                                 {"column_names", "", ""}});
  EXPECT_EQ(names,
            (std::vector<std::string>{"t", "q_crank_angle", "v_x_dot", "lambda_K3_x", "lambda_K3_x_2", "x2nd",
                                      std::string(63, 'a'), std::string(61, 'a') + "_2", "column_names_2"}));
}

TEST_F(ResultFiles, SafeNamesAndUnitsInALineOfTheirOwn) {
  Layout layout = layout_of({"crank.x"});
  const Summary none;
  FileOptions options;
  options.names = FileOptions::Names::safe;
  { FileWriter(file("a.csv"), layout, {}, options).conclude({none, ""}); }
  EXPECT_EQ(content(file("a.csv")), "t,q_crank_x\n");
  options.units = FileOptions::Units::second_line;
  { FileWriter(file("a.csv"), layout, {}, options).conclude({none, ""}); }
  EXPECT_EQ(content(file("a.csv")), "t,q_crank_x\ns,m\n");
  options.names = FileOptions::Names::full;
  { FileWriter(file("a.csv"), layout, {}, options).conclude({none, ""}); }
  EXPECT_EQ(content(file("a.csv")), "t,q.crank.x\ns,m\n");
}

TEST_F(ResultFiles, KeepAnOldFileUntilThereIsSomethingNew) {
  const Layout layout = make_problem("pendulum")->layout();
  for (const std::string name : {"old.csv", "old.h5", "old.npz", "old.mat"}) {
    std::ofstream(file(name)) << "precious\n";
    { FileWriter writer(file(name), layout); }
    EXPECT_EQ(content(file(name)), "precious\n") << name;
    FileWriter writer(file(name), layout);
    writer.end();  // of a call that was refused
    EXPECT_EQ(content(file(name)), "precious\n") << name;
    const Summary without_rows;
    writer.conclude({without_rows, ""});
    EXPECT_NE(content(file(name)), "precious\n") << name;
    EXPECT_FALSE(fs::exists(file(name + ".part"))) << name;
  }
}

TEST_F(ResultFiles, WhatCannotBeMadeIsRefused) {
  for (const std::string suffix : {".csv", ".h5", ".npz", ".mat"})
    EXPECT_THROW(FileWriter("/nowhere/at/all" + suffix, Layout{}), Error) << suffix;
  try {
    FileWriter("a.docx", Layout{});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.sentence(),
              "files of kind '.docx' are not written; end the name in one of .csv, .h5, .mat, .npz");
  }
}

TEST_F(ResultFiles, AFullDiskEndsTheRun) {
  for (const std::string suffix : {".csv", ".npz", ".mat"}) {
    fs::create_symlink("/dev/full", file("full" + suffix));
    const auto problem = make_problem("pendulum");
    FileWriter writer(file("full" + suffix), problem->report());
    RunOptions options;
    options.outputs = output_times(0, 10, 10);
    const Summary summary = run(problem, options, {&writer});
    EXPECT_EQ(writer.status(), Outcome::output_failed) << suffix;
    EXPECT_EQ(writer.trouble(),
              "cannot write '" + file("full" + suffix).string() + "': No space left on device");
    EXPECT_TRUE(fs::exists("/dev/full") && !fs::is_regular_file("/dev/full"));
    if (suffix == ".csv") {
      EXPECT_EQ(summary.outcome, Outcome::output_failed);
      EXPECT_LT(summary.state.t, 10);
    }
  }
  fs::create_symlink("/dev/full", file("full.h5"));
  EXPECT_THROW(FileWriter(file("full.h5"), Layout{}), Error);  // nothing takes the place of a device
}

TEST_F(ResultFiles, ArraysAndVariablesHoldTheColumns) {
  const std::vector<double> x = {1.0 / 3, 2, not_a_number}, t = {0, 0.1, 0.2};
  for (const std::string name : {"a.npz", "a.mat"}) {
    FileWriter writer(file(name), layout_of({"x", "y.z"}));
    for (std::size_t i = 0; i < x.size(); ++i) writer.output({t[i], Vector{{x[i], static_cast<double>(i)}}});
    writer.end();
    ASSERT_EQ(writer.trouble(), "");
  }
  const auto arrays = unzipped(content(file("a.npz")));
  ASSERT_EQ(arrays.size(), 5u);
  EXPECT_EQ(doubles(array_data(arrays.at("t.npy"))), t);
  EXPECT_EQ(doubles(array_data(arrays.at("q_y_z.npy"))), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(array_data(arrays.at("q_x.npy")), std::string(reinterpret_cast<const char*>(x.data()), 24));
  EXPECT_NE(arrays.at("column_names.npy").find("'<U5'"), std::string::npos);
  const auto found = variables(content(file("a.mat")));
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(doubles(found.at("t")), t);
  EXPECT_EQ(found.at("q_x"), std::string(reinterpret_cast<const char*>(x.data()), 24));
}

TEST_F(ResultFiles, Hdf5HoldsTheWholeRun) {
  const auto problem = make_problem("pendulum");
  RunHead head{.columns = columns_of(problem->report(), {}),
               .program = "dalembert 0",
               .subject = "pendulum",
               .title = "a bar and a mass",
               .arguments = {"run", "pendulum"},
               .folder = "/here",
               .sources = {{"a.toml", "x = 1\n"}},
               .settings = {{"rtol", "1e-06"}}};
  FileWriter writer(file("a.h5"), head, {}, {.seconds = 0});
  Monitor monitor;
  writer.watch(monitor);
  RunOptions options;
  options.outputs = output_times(0, 10, 1000);
  const Summary summary = run(problem, options, {&monitor, &writer});
  writer.conclude({summary, "{}"});
  ASSERT_EQ(writer.trouble(), "");
  const RunResult result = read_result(file("a.h5"));
  EXPECT_TRUE(result.ended);
  EXPECT_EQ(result.record.summary.outcome, Outcome::ok);
  EXPECT_EQ(result.report, "{}");
  EXPECT_EQ(result.head.subject, "pendulum");
  EXPECT_EQ(result.head.arguments, head.arguments);
  ASSERT_EQ(result.head.sources.size(), 1u);
  EXPECT_EQ(result.head.sources[0].text, "x = 1\n");
  ASSERT_EQ(result.head.columns.size(), 6u);
  EXPECT_EQ(result.head.columns[1].name, "q.x");
  EXPECT_EQ(result.head.columns[1].unit, "m");
  EXPECT_EQ(result.head.columns[5].group, "lambda");
  EXPECT_EQ(result.record.times, options.outputs);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(result.record.values[1000 * 5 + i], summary.state.y[static_cast<Eigen::Index>(i)]);
  EXPECT_EQ(result.record.summary.layout.label(4), "lambda.bar");
  EXPECT_EQ(result.record.summary.statistics.steps, summary.statistics.steps);
  EXPECT_EQ(std::count_if(result.record.steps.begin(), result.record.steps.end(),
                          [](const TriedStep& step) { return step.fate == TriedStep::Fate::accepted; }),
            summary.statistics.steps);
  EXPECT_EQ(result.record.readings.size(), static_cast<std::size_t>(summary.statistics.steps));
  ASSERT_TRUE(result.checkpoint);
  EXPECT_EQ(result.checkpoint_program, "dalembert 0");
}

/// From the file alone, with what the observers had measured.
TEST_F(ResultFiles, ARunGoesOnInItsFile) {
  const auto problem = make_problem("car-axis");
  RunOptions options;
  options.outputs = output_times(problem->start().t, problem->end(), 100);
  const RunHead head{.columns = columns_of(problem->report(), {})};
  Monitor whole;
  const Summary straight = run(problem, options, {&whole});
  std::atomic<bool> interrupt = false;
  /// Gives up after some steps.
  class GiveUp final : public Observer {
   public:
    explicit GiveUp(std::atomic<bool>& flag) : flag_(flag) {}
    void step(const StepView&) override { flag_ = ++steps_ >= 40; }

   private:
    std::atomic<bool>& flag_;
    int steps_ = 0;
  } give_up(interrupt);
  {
    Monitor monitor;
    FileWriter writer(file("a.h5"), head, {}, {.seconds = 0});
    writer.watch(monitor);
    options.interrupt = &interrupt;
    EXPECT_EQ(run(problem, options, {&monitor, &writer, &give_up}).outcome, Outcome::interrupted);
  }
  const RunResult half = read_result(file("a.h5"));
  ASSERT_TRUE(half.checkpoint);
  EXPECT_LT(half.record.times.size(), 100u);
  EXPECT_FALSE(half.ended);
  options.interrupt = nullptr;
  options.resume = std::make_shared<Checkpoint>(*half.checkpoint);
  Monitor monitor;
  FileWriter writer(file("a.h5"), head, {}, {.seconds = 0, .resume_after = half.checkpoint->t});
  writer.watch(monitor);
  writer.put_back(half.beside);
  const Summary summary = run(problem, options, {&monitor, &writer});
  EXPECT_EQ(summary.statistics.steps, straight.statistics.steps);
  EXPECT_LE((summary.state.y - straight.state.y).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(read_result(file("a.h5")).record.times, options.outputs);
  EXPECT_NEAR(monitor.energy()->work, whole.energy()->work, 1e-12);
  EXPECT_EQ(monitor.energy()->start, whole.energy()->start);
  EXPECT_EQ(monitor.drift()->position, whole.drift()->position);
}

TEST_F(ResultFiles, WhatIsNoResultIsSaid) {
  std::ofstream(file("text.h5")) << "no HDF5\n";
  for (const std::string name : {"text.h5", "absent.h5"})
    EXPECT_THROW(read_result(file(name)), Error) << name;
}

}  // namespace
}  // namespace dalembert
