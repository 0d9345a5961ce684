// Are calls that nobody should make refused by name, and do files, terminals and memory stay whole?
#include "tests/support/program.h"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

class HostileCall : public Program {
 protected:
  const std::string pendulum =
      "title = \"a\\u001b[31mb\\u009bc\"\nspace = \"planar\"\n[run]\nend = 0.1\n[[body]]\nname = \"bob\"\n"
      "kind = \"point\"\nmass = 1\nposition = [1, 0]\n[[joint]]\nname = \"rod\"\nkind = \"distance\"\n"
      "from = { body = \"ground\", at = [0, 0] }\nto = { body = \"bob\" }\n";
};

TEST_F(HostileCall, AnEmptyArgumentIsNotALeftOutOne) {
  refused("run pendulum --end ''", {"--end is empty"});
  refused("run pendulum --method=''", {"--method"});
  refused("run ''", {"WHAT is empty"});
  refused("run pendulum --set ''", {"--set is empty"});
  refused("cite ''", {"NAME is empty"});
}

TEST_F(HostileCall, NumbersThatMeanNothing) {
  refused("compare pendulum --limit nan", {"--limit is nan", "larger than 0"});
  refused("compare pendulum --limit -1", {"--limit is -1"});
  refused("cite hem4 --rtol -1", {"--run"});
  refused("cite --run pendulum --rtol -1", {"rtol is -1"});
  refused("boundary pendulum-swing --eps inf", {"eps is inf"});
  refused("boundary pendulum-swing --first nan", {"the first multiplier is nan"});
  refused("run pendulum --end 1e-320", {"too near to the start"});
  const std::string model = write("short.toml", pendulum);
  refused("run " + model + " --end 1e-320", {"too near to the start"});
}

TEST_F(HostileCall, OutputsReplaceNoInputAndNothingOfAnotherKind) {
  const std::string model = write("mine.toml", pendulum), urdf = write("arm.urdf", "<robot/>");
  for (const std::string& call : std::vector<std::string>{
           "compare " + model + " --out " + model, "compare " + model + " --plot " + model,
           "run " + model + " --out " + model, "boundary pendulum-swing --out " + model,
           "compare pendulum --out a.svg", "convert " + urdf + " " + urdf, "convert " + urdf + " a.csv"})
    refused(call, {"are not written"});
  // through a link, whatever it is called
  fs::create_symlink(model, file("link.csv"));
  refused("run pendulum --out " + file("link.csv"), {"a file of another kind"});
  refused("compare " + model + " --out " + file("link.csv"), {"is what this call reads"});
  fs::create_hard_link(model, file("hard.csv"));
  refused("run " + model + " --out " + file("hard.csv"), {"is what this call reads"});
  fs::create_directory(file("folder.csv"));
  refused("run pendulum --out " + file("folder.csv"), {"is a folder"});
  refused("run pendulum --out " + file("a.csv") + " --out " + file("./a.csv"), {"written twice"});
  EXPECT_EQ(content(model), pendulum);
  EXPECT_EQ(content(urdf), "<robot/>");
}

TEST_F(HostileCall, AFullDiskIsSaid) {
  for (const std::string name : {"full.csv", "full.svg"}) fs::create_symlink("/dev/full", file(name));
  EXPECT_EQ(call("run pendulum --end 1 --out " + file("full.csv") + " --out " + file("good.csv")), 1);
  EXPECT_TRUE(printed("cannot write '" + file("full.csv"))) << out;
  EXPECT_FALSE(printed("written    " + file("full.csv"))) << out;
  const std::string compare = "compare pendulum --quiet --method dopri5 --formulation index1 --rtol 1e-4 ";
  for (const std::string option : {"--out full.csv", "--plot full.svg"}) {
    const std::string full = file(option.substr(option.find(' ') + 1));
    EXPECT_EQ(call(compare + option.substr(0, option.find(' ') + 1) + full), 1);
    EXPECT_TRUE(printed("dopri5")) << "the table is not lost";
    EXPECT_NE(err.find("cannot write '" + full), std::string::npos) << err;
  }
  EXPECT_EQ(call("boundary pendulum-swing --iterations 1 --steps 100 --out " + file("full.csv")), 1);
  EXPECT_NE(err.find("cannot write"), std::string::npos) << err;
}

TEST_F(HostileCall, NothingPrintedCommandsATerminal) {
  const std::string model = write("mine.toml", pendulum);
  for (const std::string& call :
       std::vector<std::string>{"run " + model, "check " + model, "models " + model, "run '\x1b[2J'",
                                "run '" + write("\x1b[2J.toml", "x = 1") + "'"}) {
    this->call(call);
    for (const char c : out + err) EXPECT_TRUE(c == '\n' || c == '\t' || c < 0 || c >= ' ') << call;
    EXPECT_EQ((out + err).find("\u009b"), std::string::npos) << call;
  }
  this->call("check " + model);
  EXPECT_TRUE(printed("a^[[31mb?c")) << out;
}

TEST_F(HostileCall, LinksThatLeadNowhere) {
  fs::create_symlink(file("b.toml"), file("a.toml"));
  fs::create_symlink(file("a.toml"), file("b.toml"));
  fs::create_symlink(file("loop"), file("loop"));
  write("good.toml", pendulum);
  EXPECT_EQ(call("models " + file("")), 0) << err;
  EXPECT_TRUE(printed("good")) << out;
  for (const std::string command : {"models ", "run ", "check ", "compare ", "convert a.urdf "})
    for (const std::string& name : {file("loop"), file("a.toml"), std::string(5000, 'x') + ".toml"}) {
      EXPECT_EQ(call(command + name), 2) << err;
      EXPECT_EQ((out + err).find("this should not happen"), std::string::npos) << err;
    }
}

TEST_F(HostileCall, OutOfMemoryIsAnEndingLikeOthers) {
  const std::string bounded = "ulimit -v 60000; '" DALEMBERT_APP "' run chain --set n=5000 > '" + file("o") +
                              "' 2> '" + file("e") + "'";
  const int status = std::system(bounded.c_str());
  ASSERT_TRUE(WIFEXITED(status)) << content(file("e"));
  EXPECT_EQ(WEXITSTATUS(status), 1) << content(file("e"));
  EXPECT_NE(content(file("e")).find("out of memory"), std::string::npos) << content(file("e"));
}

TEST_F(HostileCall, TheProgramIsHardened) {
  if (std::system("readelf --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no readelf";
  const std::string to = file("elf");
  std::system(("readelf -W -h -l -d --dyn-syms '" DALEMBERT_APP "' > '" + to + "'").c_str());
  const std::string elf = content(to);
  EXPECT_NE(elf.find("DYN (Position-Independent Executable"), std::string::npos);
  EXPECT_NE(elf.find("GNU_RELRO"), std::string::npos);
  EXPECT_NE(elf.find("NOW"), std::string::npos);
  EXPECT_NE(elf.find("__stack_chk_fail"), std::string::npos);
}

TEST_F(HostileCall, TheVersionNamesEveryLibrary) {
  setenv("COLUMNS", "200", 1);  // one line for each
  EXPECT_EQ(call("--version"), 0);
  unsetenv("COLUMNS");
  for (const std::string name : {"Eigen", "KLU", "AMD", "BTF", "GMP", "fmt", "CLI11", "nlohmann"})
    EXPECT_TRUE(printed(name)) << out;
  const auto all = lines(out);
  for (auto line = all.begin() + 4; line != all.end(); ++line)
    EXPECT_NE(line->find_first_of("0123456789"), std::string::npos) << "no version: " << *line;
}

}  // namespace
}  // namespace dalembert
