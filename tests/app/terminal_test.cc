// Does what people see fit their terminal, and does a pipe get what programs can search?
#include <cstdlib>
#include <set>

#include "dalembert/core/wrap.h"
#include "tests/support/program.h"

namespace dalembert {
namespace {

class Terminal : public Program {
 protected:
  ~Terminal() override { unsetenv("COLUMNS"); }

  void fits(const std::string& arguments, std::size_t width) {
    const int status = call(arguments);
    EXPECT_TRUE(status == 0 || status == 1) << arguments << "\n" << err;
    EXPECT_GT(lines(out).size(), 1u) << arguments;
    for (const auto& line : lines(out)) EXPECT_LE(columns(line), width) << arguments << "\n" << line;
  }

  const std::string models = DALEMBERT_MODELS;
  /// At least one call of each command that prints something for people.
  const std::vector<std::string> calls = {
      "help",
      "help run",
      "methods",
      "methods hem4",
      "methods dop853",
      "formulations",
      "formulations baumgarte",
      "problems",
      "problems andrews",
      "papers",
      "papers brasey-hairer",
      "pairs andrews",
      "pairs pendulum",
      "pairs wang-hou-modnak",
      "pairs " + models + "/rolling-disc.toml",
      "explain andrews",
      "explain " + models + "/flyball-governor.toml",
      "run andrews",
      "run four-bar --rtol 1e-8",
      "run bricard",
      "run wang-hou-modnak --method trapezoid:10,rk4:20 --step 0.5 --end 2",
      "run " + models + "/excavator.toml --end 0.2",
      "certify pendulum --end 1 --quiet",
      "models --quiet " + models + "/pendulum.toml " + models + "/spatial-slider-crank.toml",
      "compare car-axis --method radau,bdf --rtol 1e-4 --end 0.5 --quiet",
      "choice pendulum --method dopri5,radau --rtol 1e-4 --quiet",
      "boundary",
      "boundary pendulum-swing --iterations 2 --steps 100",
      "analyse order-conditions hem4",
      "analyse spectrum pendulum --formulation baumgarte",
      "analyse redundancy bricard",
      "analyse contraction wang-hou-modnak",
      "analyse growth pendulum --moments 2 --directions 1 --quiet",
      "analyse tolerance pendulum --pair dopri5 --rtol 1e-4,1e-5 --quiet",
      "check " + models + "/bricard.toml",
      "check " + models + "/excavator.toml",
      "paper brasey-hairer 1",
      "sweep pendulum --vary l=0.5:2:50",
      "sweep pendulum --vary l=0.5:2:3",
      "fit " + models + "/fit/drop-test.toml --vary k=5e3:1e5 --vary d=100:5000 --data " + models +
          "/fit/drop-test.csv",
      "minimize pendulum --end 2 --vary l=0.8:2 --objective 'end(q.x)=0'",
      "--version",
      "--help",
  };
};

TEST_F(Terminal, EveryCallFitsItsColumns) {
  for (const std::string width : {"80", "60"}) {
    setenv("COLUMNS", width.c_str(), 1);
    for (const auto& each : calls) fits(each, std::stoul(width));
  }
}

// Sentences stay whole in a pipe, but tables and what stands with them is as wide as on paper.
TEST_F(Terminal, TablesInAPipeHaveEightyColumns) {
  unsetenv("COLUMNS");
  for (const auto& each : calls) {
    const std::string name = each.substr(0, each.find(' '));
    if (!std::set<std::string>{"run", "sweep", "fit", "minimize", "explain", "check", "certify", "boundary"}
             .contains(name) &&
        each.find("redundancy") == std::string::npos && each.find("growth") == std::string::npos)
      fits(each, 80);
  }
  call("run bricard");
  for (const auto& line : lines(out))
    if (line.starts_with("  ") && line[2] != ' ') {
      EXPECT_LE(columns(line), 80u) << line;
    }
  EXPECT_TRUE(
      printed("index1 with dop853 chosen for a mechanical problem at rtol 1e-06: Dormand-Prince method"))
      << "a sentence is in one line";
}

TEST_F(Terminal, NoCommandIsForgottenHere) {
  ASSERT_EQ(call("help"), 0);
  // these print files, or nothing; the last two say what run says
  std::set<std::string> seen = {"init",       "convert", "cite",   "schema", "help",
                                "completion", "man",     "report", "resume"};
  for (const auto& each : calls) seen.insert(each.substr(0, each.find(' ')));
  bool below = false;
  for (const auto& line : lines(out)) {
    if (below && line.starts_with("  ") && line[2] != ' ') {
      EXPECT_TRUE(seen.contains(line.substr(2, line.find(' ', 2) - 2))) << line;
    }
    below = below || line.starts_with("Commands");
  }
  EXPECT_TRUE(below);
}

TEST_F(Terminal, WideTerminalsAreUsed) {
  setenv("COLUMNS", "200", 1);
  ASSERT_EQ(call("methods"), 0);
  std::size_t widest = 0;
  for (const auto& line : lines(out)) widest = std::max(widest, columns(line));
  EXPECT_GT(widest, 100u);
}

TEST_F(Terminal, ProgramsGetEverythingInOneLine) {
  setenv("COLUMNS", "40", 1);
  const Json all = json("methods");
  EXPECT_GT(all["methods"].size(), 20u);
  for (const auto& each : all["methods"])
    EXPECT_EQ(each["summary"].get<std::string>().find('\n'), std::string::npos);
}

TEST_F(Terminal, NothingIsColouredWhereNobodyLooks) {
  for (const char* arguments : {"run pendulum", "methods", "run pendulm"}) {
    call(arguments);
    EXPECT_EQ((out + err).find('\x1b'), std::string::npos) << arguments;
  }
}

/// On a terminal of its own, 80 columns wide.
class OnATerminal : public Program {
 protected:
  void SetUp() override {
    if (std::system("script -qec true /dev/null > /dev/null 2>&1 < /dev/null") != 0)
      GTEST_SKIP() << "there is no script(1), or no terminal that it could make";
  }
  std::string seen(const std::string& environment, const std::string& arguments) {
    const std::string to = file("typescript");
    std::system(("cd /tmp && env TERM=xterm " + environment +
                 " script -qec \"stty cols 80; '" DALEMBERT_APP "' " + arguments + "\" '" + to +
                 "' > /dev/null 2>&1 < /dev/null")
                    .c_str());
    return content(to);
  }
};

TEST_F(OnATerminal, EndingsAreColouredUnlessTheUserMinds) {
  EXPECT_NE(seen("", "run pendulum").find("\x1b[32m      ok\x1b[0m"), std::string::npos)
      << seen("", "run pendulum");
  const std::string plain = seen("NO_COLOR=1", "run pendulum --quiet; '" DALEMBERT_APP "' methods");
  EXPECT_EQ(plain.find("\x1b[3"), std::string::npos);
  EXPECT_NE(plain.find("dop853"), std::string::npos);
}

TEST_F(OnATerminal, ItsWidthIsThatOfTables) {
  for (const auto& line : lines(seen("NO_COLOR=1", "explain andrews")))
    if (!line.starts_with("Script")) {
      EXPECT_LE(columns(line), 81u) << line;  // with the carriage return
    }
}

TEST_F(OnATerminal, TheBarSaysHowFarAndHowLong) {
  const std::string all = seen("", "run chain --set n=2000 --end 3 --rtol 1e-9");
  EXPECT_NE(all.find("\r["), std::string::npos);
  EXPECT_NE(all.find(" of 3, "), std::string::npos);
  EXPECT_NE(all.find("/s, "), std::string::npos);
  EXPECT_NE(all.find(" left"), std::string::npos);
}

}  // namespace
}  // namespace dalembert
