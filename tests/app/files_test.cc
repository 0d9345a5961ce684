// Files that a run leaves: do they survive what ends it, can it go on from them, and do other programs read them?
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "dalembert/observe/files/run_result.h"
#include "tests/support/program.h"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

using Files = Program;

/// max |a - b| / (1 + |b|) over all rows; the rows are the same ones.
double difference(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.record.times, b.record.times);
  EXPECT_EQ(a.record.values.size(), b.record.values.size());
  double most = 0;
  for (std::size_t i = 0; i < a.record.values.size() && i < b.record.values.size(); ++i)
    if (!(std::isnan(a.record.values[i]) && std::isnan(b.record.values[i])))
      most = std::max(most,
                      std::abs(a.record.values[i] - b.record.values[i]) / (1 + std::abs(b.record.values[i])));
  return most;
}

/// The program at work, with what it prints thrown away.
pid_t start(const std::vector<std::string>& arguments, const std::string& folder = "/") {
  std::cout << std::flush;
  const pid_t child = ::fork();
  if (child != 0) return child;
  std::vector<char*> words = {const_cast<char*>(DALEMBERT_APP)};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  const bool ready = ::chdir(folder.c_str()) == 0 && std::freopen("/dev/null", "w", stdout) != nullptr &&
                     std::freopen("/dev/null", "w", stderr) != nullptr;
  if (ready) ::execv(DALEMBERT_APP, words.data());
  ::_exit(127);
}

/// Which file is under this name: another one each time it is brought up to date.
std::string version_of(const std::string& path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) return "";
  return std::to_string(s.st_ino) + " " + std::to_string(s.st_ctim.tv_sec) + " " +
         std::to_string(s.st_ctim.tv_nsec);
}

/// Starts it, and kills it a few milliseconds after its file was brought up to date so many times; false if it had ended by then.
bool killed(const std::vector<std::string>& arguments, const std::string& path, int updates,
            int milliseconds) {
  std::string version = version_of(path);
  const pid_t child = start(arguments);
  int status = 0;
  for (int seen = 0; seen < updates;) {
    if (::waitpid(child, &status, WNOHANG) == child) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::string now = version_of(path);
    if (now != version) ++seen;
    version = now;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

struct LongRun {
  std::string name, what, pair;
};

class KilledRun : public Files, public ::testing::WithParamInterface<LongRun> {};

/// Killed at random moments, again and again, until it has come to its end.
TEST_P(KilledRun, LeavesAFileAndGoesOnAsIfNothingHadHappened) {
  const LongRun& c = GetParam();
  const std::string options = c.what + " " + c.pair + " --output 500 ";
  ASSERT_EQ(call("run " + options + "--out " + file("whole.h5")), 0) << out << err;
  std::vector<std::string> words = words_of("run " + options + " --checkpoint 0 --out " + file("a.h5"));

  std::mt19937 random(7);
  std::uniform_int_distribution<int> updates(5, 25), wait(0, 10);
  int kills = 0;
  std::size_t rows = 0;
  const RunResult whole = read_result(file("whole.h5"));
  for (; kills < 5 && killed(words, file("a.h5"), updates(random), wait(random)); ++kills) {
    const RunResult left = read_result(file("a.h5"));
    EXPECT_GE(left.record.times.size(), rows);
    rows = left.record.times.size();
    for (std::size_t i = 0; i < rows; ++i) ASSERT_EQ(left.record.times[i], whole.record.times[i]);
    ASSERT_TRUE(left.checkpoint) << "after " << kills << " kills";
    words = {"resume", file("a.h5")};
  }
  EXPECT_GT(kills, 0) << "nothing was interrupted";
  if (!read_result(file("a.h5")).ended) {
    ASSERT_EQ(call("resume " + file("a.h5")), 0) << out << err;
  }
  const RunResult end = read_result(file("a.h5"));
  EXPECT_EQ(end.record.summary.outcome, Outcome::ok);
  const double apart = difference(end, whole);
  EXPECT_LE(apart, 1e-12) << c.name;
  RecordProperty("kills", kills);
  RecordProperty("difference", std::to_string(apart));
  std::cout << c.name << ": killed " << kills << " times, " << apart << " from the run without a break\n";
  refused("resume " + file("a.h5"), {"has ended: ", "reached the end"});
}

INSTANTIATE_TEST_SUITE_P(
    Methods, KilledRun,
    ::testing::Values(
        LongRun{"explicit", "andrews --end 0.02", "--formulation index1 --method dopri5 --rtol 1e-9"},
        LongRun{"half_explicit", "andrews --end 0.02", "--formulation index2 --method hem5 --rtol 1e-9"},
        LongRun{"bdf", "andrews --end 0.02", "--formulation ggl --method bdf --rtol 1e-7"},
        LongRun{"radau", "andrews --end 0.02", "--formulation ggl --method radau --rtol 1e-9"}),
    [](const auto& given) { return given.param.name; });

TEST_F(Files, ResumeNeedsSomethingToGoOnFrom) {
  refused("resume " + file("absent.h5"), {"there is no file"});
  refused("resume " + write("text.h5", "no HDF5"), {"is no result of a run"});
  ASSERT_EQ(call("run pendulum --out " + file("a.h5")), 0) << err;
  refused("resume " + file("a.h5"), {"has ended", "nothing to resume"});
}

TEST_F(Files, InterruptedRunsGoOnInAllTheirFiles) {
  const std::string options = "andrews --end 0.03 --rtol 1e-8 --output 50 ";
  ASSERT_EQ(call("run " + options + "--out " + file("whole.csv")), 0) << err;
  const pid_t child =
      start(words_of("run " + options + "--out a.h5 --out a.csv --checkpoint 0 --quiet"), file(""));
  while (!fs::exists(file("a.h5"))) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ::kill(child, SIGINT);
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(read_result(file("a.h5")).record.summary.outcome, Outcome::interrupted);
  ASSERT_EQ(call("resume " + file("a.h5")), 0) << err;
  EXPECT_TRUE(printed("written      a.h5")) << out;
  EXPECT_EQ(content(file("a.csv")), content(file("whole.csv")));
}

TEST_F(Files, OfARunThatIsAliveAreLeftToIt) {
  const std::string path = file("alive.h5");
  const pid_t child =
      start(words_of("run andrews --end 0.3 --rtol 1e-10 --quiet --checkpoint 0 --out " + path));
  while (!fs::exists(path) || !read_result(path).checkpoint)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  refused("resume " + path, {"is being written by a run that has not ended"});
  refused("run pendulum --out " + path, {"is being written by a run that has not ended"});
  const RunRecord record = read_result(path).record;
  EXPECT_EQ(record.summary.outcome, Outcome::interrupted);
  EXPECT_NE(record.summary.message.find("was killed, or has not ended yet"), std::string::npos);
  EXPECT_GT(record.summary.statistics.steps, 0);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST_F(Files, AStateIsNoRun) {
  ASSERT_EQ(call("run pendulum --end 1 --quiet --save-state " + file("state.h5")), 0) << err;
  refused("resume " + file("state.h5"), {"holds a state alone, not a run"});
  refused("report " + file("state.h5"), {"holds a state alone, not a run"});
}

TEST_F(Files, ARefusedCallLosesNothing) {
  std::string outs;
  for (const std::string suffix : {".csv", ".h5", ".npz", ".mat"}) outs += " --out " + file("kept" + suffix);
  ASSERT_EQ(call("run pendulum --end 1 --quiet" + outs), 0) << err;
  std::vector<std::string> before;
  for (const std::string suffix : {".csv", ".h5", ".npz", ".mat"})
    before.push_back(content(file("kept" + suffix)));
  EXPECT_EQ(call("run pendulum --end 1 --keep nothing" + outs), 2);
  std::size_t i = 0;
  for (const std::string suffix : {".csv", ".h5", ".npz", ".mat"})
    EXPECT_EQ(content(file("kept" + suffix)), before[i++]) << suffix;
  EXPECT_EQ(call("run pendulum --end 1 --keep nothing --out " + file("new.csv")), 2);
  EXPECT_FALSE(fs::exists(file("new.csv")));
}

TEST_F(Files, UnitsOfAStateAreThoseOfTheRun) {
  refused("run pendulum --from-state " +
              write("mm.csv", "t [s],q.x [mm],q.y [m],v.x' [m/s],v.y' [m/s]\n0,800,0,0,0\n"),
          {"has q.x in 'mm', and the run takes it in 'm'"});
}

TEST_F(Files, AResultKnowsHowFarItCanBeTrusted) {
  ASSERT_EQ(call("run " DALEMBERT_MODELS "/bricard.toml --end 0.2 --quiet --out " + file("a.h5")), 0) << err;
  const RunRecord record = read_result(file("a.h5")).record;
  const Json report = Json::parse(read_result(file("a.h5")).report);
  ASSERT_TRUE(record.drift && record.energy && record.summary.redundancy);
  EXPECT_EQ(record.drift->position, report["drift"]["position"]);
  EXPECT_GT(record.summary.testimony.looks, 0);
  EXPECT_FALSE(record.summary.redundancy->dependent.empty());
}

TEST_F(Files, StatesAreHandedOver) {
  ASSERT_EQ(
      call("run pendulum --end 2 --save-state " + file("two.csv") + " --out " + file("a.h5") + " --output 4"),
      0)
      << err;
  EXPECT_TRUE(printed("two.csv")) << out;
  const auto two = lines(content(file("two.csv")));
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[1].rfind("2,", 0), 0u) << two[1];
  const Json whole = json("run pendulum --rtol 1e-10 --end 3");
  for (const std::string from : {"two.csv", "a.h5", "a.h5:2", "a.h5:1.5"}) {
    const Json rest = json("run pendulum --rtol 1e-10 --end 3 --from-state " + file(from));
    EXPECT_EQ(rest["t"], 3);
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(rest["state"]["q"][static_cast<std::size_t>(i)].get<double>(),
                  whole["state"]["q"][static_cast<std::size_t>(i)].get<double>(), 1e-4)
          << from;
  }
  ASSERT_EQ(call("run pendulum --end 2 --save-state " + file("one.csv") + ":1.25"), 0) << err;
  EXPECT_EQ(lines(content(file("one.csv"))).at(1).rfind("1.25,", 0), 0u);
  refused("run pendulum --end 2 --save-state " + file("x.csv") + ":3", {"goes from 0 to 2"});
  refused("run pendulum --end 3 --from-state " + file("a.h5") + ":1.7",
          {"no output at t = 1.7", "1.5 and 2"});
  refused("run andrews --from-state " + file("a.h5"), {"no column 'q.beta'", "another problem"});
  refused("run pendulum --from-state " + file("a.h5") + " --end 5 --out " + file("a.h5"),
          {"is what this call reads"});
  refused("run pendulum --from-state " + file("a.h5") + " --end 1", {"is not after the start 2"});
}

/// The watch began anew with the angle up to full turns: three turns were lost.
TEST_F(Files, TurnsOfAWatchGoOnFromAState) {
  const std::string wheel = write("wheel.toml", R"(
space = "spatial"
gravity = [0, 0, 0]
[[body]]
name = "w"
mass = 1
inertia = [0.1, 0.1, 0.2]
spin = [0, 0, 20]
[[joint]]
name = "h"
kind = "revolute"
bodies = ["ground", "w"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[watch]]
name = "c"
coordinate = "h"
)");
  for (const std::string left : {"left.csv", "left.h5"}) {
    ASSERT_EQ(call("run " + wheel + " --end 1 --save-state " + file(left)), 0) << err;
    const Json rest = json("run " + wheel + " --end 2 --from-state " + file(left));
    EXPECT_NEAR(rest["watches"]["c"].get<double>(), 40, 1e-4) << left;
  }
}

/// An event within rounding of the end left no step to show the last row, or none that was long enough.
TEST_F(Files, RowsReachTheEndBehindAnEvent) {
  const std::string slips = write("slips.toml", R"(
space = "planar"
gravity = [0, 0]
[[body]]
name = "m"
mass = 1
inertia = 1
[[joint]]
name = "r"
kind = "prismatic"
bodies = ["ground", "m"]
at = [0, 0]
along = [1, 0]
[[force]]
kind = "force"
body = "m"
force = ["t", 0]
[[force]]
kind = "stick-slip"
joint = "r"
most = 1
sliding = 0.9
)");
  for (const std::string end : {"1", "1.0000000000000002", "1.000000000000001", "1.00000000000001"}) {
    ASSERT_EQ(call("run " + slips + " --output 10 --end " + end + " --out " + file("rows.csv")), 0)
        << end << err;
    EXPECT_EQ(lines(content(file("rows.csv"))).size(), 12u) << end;
  }
}

TEST_F(Files, OutputsComeWhenTheyAreAskedFor) {
  const auto times = [&](const std::string& options) {
    EXPECT_EQ(call("run pendulum --end 2 --quiet " + options + " --out " + file("a.csv")), 0) << err;
    std::vector<std::string> all;
    for (const auto& line : lines(content(file("a.csv")))) all.push_back(line.substr(0, line.find(',')));
    all.erase(all.begin());
    return all;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(times("--at 0,0.1,0.25"), (Texts{"0", "0.1", "0.25"}));
  EXPECT_EQ(times("--at 0.25 --at 0.1,0.1"), (Texts{"0.1", "0.25"}));
  EXPECT_EQ(times("--output 1"), (Texts{"0", "2"}));
  EXPECT_EQ(times("--output 1.0"), times("--output 1"));
  EXPECT_EQ(times("--output 1s"), (Texts{"0", "1", "2"}));
  EXPECT_EQ(times("--output 500ms"), (Texts{"0", "0.5", "1", "1.5", "2"}));
  EXPECT_EQ(times("--output 0.5"), times("--output 500ms"));
  const Json run = json("run pendulum --end 2");
  EXPECT_EQ(times("--output step").size(), run["statistics"]["steps"].get<std::size_t>() + 1);
  refused("run pendulum --end 2 --at 0,3", {"the output time 3 is after the end 2"});
  refused("run pendulum --end 2 --at -1", {"the output time -1 is before the start 0"});
  refused("run pendulum --end 2 --at 1 --output 2", {"--output and --at"});
  refused("run pendulum --end 2 --output often", {"--output is 'often'", "step"});
}

/// As a full disk does, a limit stops files from growing.
TEST_F(Files, WhatDoesNotFitIsSaidAndWhatIsThereStays) {
  const std::string line = "ulimit -f 6000; '" DALEMBERT_APP
                           "' run pendulum --output 200000 --checkpoint 0.01 --out '" +
                           file("a.h5") + "' > '" + file("o") + "' 2> '" + file("e") + "'";
  const int status = std::system(("sh -c \"" + line + "\"").c_str());
  ASSERT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  const std::string said = content(file("o")) + content(file("e"));
  EXPECT_EQ(WEXITSTATUS(status), 1) << said;
  EXPECT_NE(said.find("cannot write '" + file("a.h5") + "': File too large"), std::string::npos) << said;
  EXPECT_EQ(said.find("written"), std::string::npos) << said;
  const RunResult left = read_result(file("a.h5"));
  EXPECT_GT(left.record.times.size(), 0u);
  EXPECT_LT(left.record.times.size(), 200001u);
  EXPECT_FALSE(fs::exists(file("a.h5.part")));
}

/// By the programs that people use; skipped where they are not installed.
TEST_F(Files, OtherProgramsReadThem) {
  if (std::system("/usr/bin/python3 -c 'import h5py, scipy.io, numpy' 2> /dev/null") != 0)
    GTEST_SKIP() << "python3-h5py and python3-scipy are not installed";
  ASSERT_EQ(call("run pendulum --output 4 --out " + file("a.csv") + " --out " + file("a.h5") + " --out " +
                 file("a.npz") + " --out " + file("a.mat")),
            0)
      << err;
  write("read.py", R"(
import csv, h5py, numpy, scipy.io
rows = list(csv.reader(open("a.csv")))
want = numpy.array([[float(x) for x in row] for row in rows[1:]])
names = [head.split(" [")[0] for head in rows[0]]
f = h5py.File("a.h5")
assert f.attrs["dalembert"] == "run" and f.attrs["state"] == "ended"
assert f["summary"].attrs["outcome"] == "ok"
assert f["summary/statistics"].attrs["steps"] > 10
assert list(f["outputs/names"].asstr()) == names[1:]
assert list(f["outputs/units"].asstr())[:3] == ["m", "m", "m/s"]
assert (f["outputs/t"][:] == want[:, 0]).all()
assert (f["outputs/values"][:] == want[:, 1:]).all()
assert list(f["arguments"].asstr())[:2] == ["run", "pendulum"]
z = numpy.load("a.npz")
m = scipy.io.loadmat("a.mat")
for data in (z, m):
    assert (data["t"].ravel() == want[:, 0]).all()
    assert (data["v_x_dot"].ravel() == want[:, 3]).all()
    assert [name.strip() for name in data["column_names"]] == names
)");
  EXPECT_EQ(std::system(("cd '" + file("") + "' && /usr/bin/python3 read.py").c_str()), 0);
}

}  // namespace
}  // namespace dalembert
