// The command line as a person or a program meets it: what is printed where, and with which exit status.
#include <csignal>
#include <set>

#include "tests/support/program.h"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

using Cli = Program;

// Files.

TEST_F(Cli, OutputDirectoryMissing) {
  refused("run pendulum --out /nowhere/x.csv", {"cannot write '/nowhere/x.csv': No such file or directory"});
}
TEST_F(Cli, OutputOfAnotherKind) {
  refused("run pendulum --out x.docx", {"'.docx'", ".csv"});
}
TEST_F(Cli, WrongCallKeepsTheOldFile) {
  std::ofstream(file("old.csv")) << "precious\n";
  refused("run pendulum --option x=1 --out '" + file("old.csv") + "'", {"no option 'x'"});
  EXPECT_EQ(content(file("old.csv")), "precious\n");
}
TEST_F(Cli, DiskFull) {
  fs::create_symlink("/dev/full", file("full.csv"));
  const Json run = json("run pendulum --out '" + file("full.csv") + "'", 1);
  EXPECT_EQ(run["outcome"], "output_failed");
  EXPECT_NE(run["message"].get<std::string>().find("No space left on device"), std::string::npos);
}
TEST_F(Cli, StandardOutputFull) {
  EXPECT_EQ(std::system(("'" DALEMBERT_APP "' methods > /dev/full 2> '" + file("e") + "'").c_str()) >> 8, 1);
  EXPECT_NE(content(file("e")).find("standard output"), std::string::npos);
}
TEST_F(Cli, Csv) {
  EXPECT_EQ(call("run pendulum --output 4 --out '" + file("a.csv") + "'"), 0) << err;
  const auto a = lines(content(file("a.csv")));
  ASSERT_EQ(a.size(), 6u);
  EXPECT_EQ(a[0], "t [s],q.x [m],q.y [m],v.x' [m/s],v.y' [m/s],lambda.bar [N/m]");
  EXPECT_EQ(a[3].rfind("5,", 0), 0u) << a[3];
  EXPECT_EQ(call("run pendulum --output 0.5 --end 2.2 --quiet --out '" + file("b.csv") + "'"), 0) << err;
  EXPECT_EQ(out, "");
  EXPECT_EQ(lines(content(file("b.csv"))).size(), 7u);  // head, 0, 0.5, .. 2, 2.2
}

// Endings.

TEST_F(Cli, StartCorrected) {
  const Json run = json("run pendulum --start q.x=1.1");
  EXPECT_NE(run["start"].get<std::string>().find("corrected: positions by up to 0.1"), std::string::npos);
  EXPECT_TRUE(run["error"].empty());  // the reference belongs to another start
  EXPECT_EQ(call("run pendulum --start q.x=1.1"), 0);
  EXPECT_TRUE(printed("was corrected"));
}
TEST_F(Cli, StartRefused) {
  const Json run = json("run pendulum --start q.x=0", 1);
  EXPECT_EQ(run["outcome"], "inconsistent_start");
  EXPECT_NE(run["message"].get<std::string>().find("position residual 0.5"), std::string::npos);
  EXPECT_EQ(call("run pendulum --start q.x=0"), 1);
  EXPECT_TRUE(printed("inconsistent_start") && printed("cannot be made consistent"));
}
TEST_F(Cli, TooManySteps) {
  const Json run = json("run triple-pendulum --max-steps 10", 1);
  EXPECT_EQ(run["outcome"], "too_many_steps");
  EXPECT_EQ(run["statistics"]["steps"], 10);
  EXPECT_EQ(call("run triple-pendulum --max-steps 10 --quiet"), 1);
  EXPECT_EQ(out, "");
  EXPECT_NE(err.find("too_many_steps"), std::string::npos);
}

// By Ctrl-C, or as mpirun and batch systems do it before they kill.
TEST_F(Cli, RunsAreEndedFromOutside) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string csv = file("long" + std::to_string(signal) + ".csv"), report = file("report");
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      std::signal(signal, SIG_DFL);
      if (std::freopen(report.c_str(), "w", stdout) == nullptr) _exit(99);
      execl(DALEMBERT_APP, "dalembert", "run", "triple-pendulum", "--end", "1e6", "--max-steps", "1000000000",
            "--output", "0.5", "--out", csv.c_str(), "--json", nullptr);
      _exit(99);
    }
    for (int wait = 0; wait < 200 && lines(content(csv)).size() < 20; ++wait) ::usleep(50'000);
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 1);
    const Json run = Json::parse(content(report));
    EXPECT_EQ(run["outcome"], "interrupted");
    const std::string text = content(csv);
    ASSERT_FALSE(text.empty());
    EXPECT_EQ(text.back(), '\n');
    const auto rows = lines(text);
    EXPECT_GE(rows.size(), 20u);
    EXPECT_EQ(rows[0].rfind("t [s],", 0), 0u);
    for (const auto& row : rows) ASSERT_EQ(std::count(row.begin(), row.end(), ','), 15) << row;
    EXPECT_LE(std::stod(rows.back()), run["t"].get<double>());
  }
}

// What is promised to programs.

TEST_F(Cli, JsonOfRun) {
  const Json run = json("run andrews");
  for (const char* key : {"problem", "formulation", "method", "outcome", "message", "t", "state", "names",
                          "events", "passages", "drift", "energy", "error", "statistics", "seconds"})
    EXPECT_TRUE(run.contains(key)) << key;
  for (const char* key :
       {"steps", "rejected", "force_evaluations", "constraint_evaluations", "jacobians", "factorizations",
        "solves", "newton_iterations", "error_test_failures", "convergence_failures"})
    EXPECT_TRUE(run["statistics"].contains(key)) << key;
  EXPECT_EQ(run["outcome"], "ok");
  EXPECT_EQ(run["t"], 0.03);
  for (const char* block : {"q", "v", "lambda"}) {
    EXPECT_EQ(run["state"][block].size(), run["names"][block].size());
    EXPECT_LT(run["error"][block].get<double>(), 1e-2);
  }
  EXPECT_LT(run["drift"]["position"].get<double>(), 1e-9);
  EXPECT_NEAR(run["energy"]["start"].get<double>(), run["energy"]["end"].get<double>(), 1e-4);
  EXPECT_EQ(err, "");  // no bar where there is no terminal
}
TEST_F(Cli, JsonKeepsAllDigits) {
  EXPECT_EQ(call("run pendulum --json --output 1 --out '" + file("x.csv") + "'"), 0);
  const std::string last = lines(content(file("x.csv"))).back();
  EXPECT_EQ(std::stod(last.substr(last.find(',') + 1)), Json::parse(out)["state"]["q"][0].get<double>());
}
TEST_F(Cli, JsonOfWhatIsNotKnown) {
  const Json run = json("run exact-index2");
  EXPECT_TRUE(run["drift"]["position"].is_null());
  EXPECT_TRUE(run["energy"]["work"].is_null());
}
TEST_F(Cli, JsonOfEvents) {
  const Json run = json("run violin --end 3");
  ASSERT_GE(run["events"].size(), 2u);
  EXPECT_EQ(run["events"][0]["name"], "capture");
  EXPECT_GT(run["events"][0]["t"].get<double>(), 0);
}
TEST_F(Cli, JsonOfLists) {
  for (const std::string list : {"methods", "formulations", "problems", "papers"}) {
    const Json all = json(list);
    ASSERT_TRUE(all.contains(list));
    for (const auto& entry : all[list])
      for (const char* key : {"name", "summary", "cite"})
        EXPECT_TRUE(entry.contains(key)) << list << " " << key;
  }
  const Json all = json("methods");
  for (const auto& method : all["methods"]) {
    EXPECT_GT(method["order"].get<double>(), 0);
    EXPECT_FALSE(method["kinds"].empty());
    for (const auto& claim : method["claims"])
      for (const char* key : {"kind", "block", "order", "needs"}) EXPECT_TRUE(claim.contains(key)) << key;
  }
}
TEST_F(Cli, JsonOfPairs) {
  const Json all = json("pairs andrews");
  EXPECT_FALSE(all["pairs"].empty());
  for (const auto& pair : all["impossible"]) EXPECT_FALSE(pair["why"].get<std::string>().empty());
}
TEST_F(Cli, JsonOfPaper) {
  const Json all = json("paper brasey-hairer");
  EXPECT_EQ(all["paper"], "brasey-hairer");
  EXPECT_TRUE(all["unexpected"].empty());
  int not_printed = 0;
  for (const auto& table : all["tables"])
    for (const auto& row : table["rows"]) {
      EXPECT_EQ(row["printed"].is_null(), row["verdict"] == "not printed") << row;
      EXPECT_TRUE(row["verdict"] != "differs" || !row["why"].get<std::string>().empty()) << row;
      not_printed += row["verdict"] == "not printed" ? 1 : 0;
      if (!row["reference"].is_null())
        for (const char* key : {"value", "origin", "verdict"})
          EXPECT_TRUE(row["reference"].contains(key)) << key;
    }
  EXPECT_GT(not_printed, 30);
}
TEST_F(Cli, JsonOfOrderConditions) {
  const Json good = json("analyse order-conditions hem4");
  EXPECT_EQ(good["order"], 4);
  for (const auto& c : good["conditions"]) EXPECT_TRUE(c["holds"].get<bool>()) << c;
  const Json bad = json("analyse order-conditions rk4 --order 5");
  EXPECT_EQ(bad["order"], 4);
  EXPECT_FALSE(bad["conditions"].back()["holds"].get<bool>());
}
TEST_F(Cli, JsonOfSpectrum) {
  const Json s = json(
      "analyse spectrum pendulum --option alpha=20 --option beta=12 --start q.x=0 --start q.y=-1 --set "
      "g=9.81");
  ASSERT_EQ(s["modes"].size(), 4u);
  EXPECT_NEAR(std::abs(s["modes"][0]["value"][1].get<double>()), std::sqrt(9.81), 1e-10);
  EXPECT_EQ(s["modes"][0]["of"], "motion");
  EXPECT_NEAR(s["modes"][3]["value"][0].get<double>(), -36, 1e-4);
  EXPECT_EQ(s["modes"][3]["of"], "formulation");
  ASSERT_EQ(s["constraint_errors"].size(), 2u);
  EXPECT_NEAR(s["constraint_errors"][0]["theory"][0].get<double>(), -4, 1e-12);
  refused("analyse spectrum pendulum --formulation ggl", {"'ggl'", "baumgarte"});
  refused("analyse spectrum ring-modulator", {"mechanical"});
}
TEST_F(Cli, JsonOfBoundary) {
  const Json s = json("boundary ascher-lin-boundary");
  EXPECT_EQ(s["outcome"], "ok");
  ASSERT_EQ(s["iterates"].size(), 5u);
  EXPECT_LT(s["iterates"][4]["later_error"].get<double>(), 1.4e-6);
  EXPECT_EQ(json("boundary")["boundary_problems"].size(), 4u);
  ASSERT_EQ(call("boundary robot-arm --out '" + file("arm.csv") + "'"), 0) << err;
  EXPECT_NE(out.find("q.theta1 = sin 1 at the end"), std::string::npos) << out;
  EXPECT_TRUE(content(file("arm.csv")).starts_with("t [s],q.theta1"))
      << content(file("arm.csv")).substr(0, 80);
  refused("boundary pendulum-swnig", {"did you mean 'pendulum-swing'?"});
  refused("boundary pendulum-swing --matrix unit", {"--matrix", "identity"});
  refused("boundary robot-arm --eps 1e-6", {"stability interval of heun", "steps"});
}

// What is promised to people.

/// The commands that a help lists, in its order.
std::vector<std::string> listed(const std::vector<std::string>& help) {
  std::vector<std::string> all;
  auto line = std::find(help.begin(), help.end(), "Commands:");
  for (; line != help.end() && !line->empty(); ++line)
    if (line->starts_with("  ") && line->at(2) != ' ') all.push_back(line->substr(2, line->find(' ', 2) - 2));
  return all;
}

TEST_F(Cli, HelpHasExamples) {
  ASSERT_EQ(call("--help"), 0);
  std::vector<std::string> commands = listed(lines(out));
  EXPECT_GE(commands.size(), 22u);
  EXPECT_EQ(commands.at(0), "run");
  ASSERT_EQ(call("analyse --help"), 0);
  for (const auto& analysis : listed(lines(out))) commands.push_back("analyse " + analysis);
  EXPECT_GE(commands.size(), 26u);
  for (const auto& command : commands) {
    EXPECT_EQ(call(command + " --help"), 0);
    EXPECT_TRUE(printed("Examples:\n  dalembert " + command)) << out;
    EXPECT_TRUE(printed("  -h,--help                   print this help\n")) << out;
  }
}
TEST_F(Cli, NoCommandIsNoCall) {
  EXPECT_EQ(call(""), 2);
  EXPECT_EQ(out, "");
  EXPECT_NE(err.find("Usage"), std::string::npos);
}
TEST_F(Cli, Version) {
  EXPECT_EQ(call("--version"), 0);
  for (const char* words : {"dalembert 0.", "MPL-2.0", "LGPL", "MIT", "BSD"})
    EXPECT_TRUE(printed(words)) << words;
}
TEST_F(Cli, Pages) {
  EXPECT_EQ(call("methods hem4"), 0);
  EXPECT_TRUE(printed("claims") && printed("3/10 ") && printed("@article{BraseyHairer1993"));
  EXPECT_EQ(call("formulations direct"), 0);
  EXPECT_TRUE(printed("ode:") && printed("hessenberg:"));
  EXPECT_EQ(call("problems pendulum"), 0);
  EXPECT_TRUE(printed("length of the bar"));
  EXPECT_EQ(call("papers brasey-hairer"), 0);
  EXPECT_TRUE(printed("Table 1"));
}
TEST_F(Cli, SummaryForPeople) {
  EXPECT_EQ(call("run andrews --method hem4"), 0);
  for (const char* words : {"problem", "index2 chosen", "ok, t = 0.03", "steps", "force", "drift", "energy",
                            "error", "q.beta", "rad", "minus reference"})
    EXPECT_TRUE(printed(words)) << words;
}
TEST_F(Cli, FixedStep) {
  const Json run = json("run pendulum --method rk4 --step 0.01");
  EXPECT_EQ(run["statistics"]["steps"], 1000);
  EXPECT_LT(run["error"]["q"].get<double>(), 1e-6);
}
/// Every key that an entry cites is in the bibliography.
TEST_F(Cli, EverythingCitedIsKnown) {
  std::set<std::string> keys;
  for (const std::string list : {"methods", "formulations", "problems", "papers"}) {
    const Json all = json(list);
    for (const auto& entry : all[list])
      for (const auto& key : entry["cite"]) keys.insert(key.get<std::string>());
  }
  EXPECT_GT(keys.size(), 10u);
  for (const auto& key : keys) {
    EXPECT_EQ(call("cite " + key), 0) << err;
    EXPECT_TRUE(printed("{" + key + ",")) << out;
  }
}
TEST_F(Cli, CiteRun) {
  EXPECT_EQ(call("cite --run andrews --method hem4"), 0);
  EXPECT_TRUE(printed("{HairerWanner1996,") && printed("{BraseyHairer1993,")) << out;
}
TEST_F(Cli, CiteRunOfFields) {
  EXPECT_EQ(call("cite trapezoid"), 0);
  const std::string trapezoid = out;
  EXPECT_EQ(call("cite --run wang-hou-modnak --method trapezoid:10,rk4:20"), 0) << err;
  EXPECT_TRUE(printed(lines(trapezoid).at(0))) << out;
  EXPECT_TRUE(printed("{WangHouModnak")) << out;
}

}  // namespace
}  // namespace dalembert
