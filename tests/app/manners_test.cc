// Helps for people and shells: help, completions, manual pages, a first model, mistakes as JSON, units on the command line.
#include "tests/support/program.h"

namespace dalembert {
namespace {

class Manners : public Program {
 protected:
  bool there_is(const std::string& tool) const {
    return std::system(("command -v " + tool + " > /dev/null 2>&1").c_str()) == 0;
  }
  int shell(const std::string& line) {
    const int status =
        std::system((line + " > '" + file("stdout") + "' 2> '" + file("stderr") + "'").c_str());
    out = content(file("stdout"));
    err = content(file("stderr"));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(Manners, HelpIsWhatTheFlagSays) {
  for (const std::string command : {"run", "analyse spectrum", "analyse", "pairs"}) {
    ASSERT_EQ(call("help " + command), 0) << err;
    const std::string asked = out;
    ASSERT_EQ(call(command + " --help"), 0) << err;
    EXPECT_EQ(asked, out);
    EXPECT_TRUE(printed("Usage: dalembert " + command)) << out;
  }
  refused("help rum", {"unknown command 'rum'", "did you mean 'run'?"});
  refused("help run pendulum", {"one word too many"});
}

TEST_F(Manners, OutcomesNameOptionsAsTheyAreTyped) {
  const std::string ends = "from = {body = \"ground\", at = [0, 0]}\nto = {body = \"bar\", at = [1, 0]}\n";
  const std::string rods =
      write("rods.toml",
            "space = \"planar\"\n[[body]]\nname = \"bar\"\nmass = 1\ninertia = 1\nposition = [1, 0]\n"
            "[[joint]]\nname = \"one\"\nkind = \"distance\"\n" +
                ends + "[[joint]]\nname = \"two\"\nkind = \"distance\"\nlength = 1.001\n" + ends);
  const Json run = json("run " + rods + " --end 1", 1);
  EXPECT_EQ(run["outcome"], "inconsistent_start");
  const std::string message = run["message"];
  EXPECT_NE(message.find("say so with --dependent=1e-3"), std::string::npos) << message;
}

TEST_F(Manners, MistakesAreJsonWhereItIsAskedFor) {
  const Json wrong = json("run pendulm", 2);
  EXPECT_EQ(wrong["error"]["message"], "unknown problem 'pendulm'");
  EXPECT_EQ(wrong["error"]["hint"], "did you mean 'pendulum'?");
  EXPECT_EQ(json("run pendulum --rtoll 1", 2)["error"]["hint"], "did you mean '--rtol'?");
  EXPECT_EQ(json("compare pendulum --cost money", 2)["error"]["message"], "unknown cost 'money'");
  const std::string bad =
      write("bad.toml", "space = \"planar\"\n[[body]]\nname = \"b\"\nmass = \"1 mm\"\ninertia = 1\n");
  for (const std::string command :
       {"run ", "check ", "pairs ", "explain ", "certify ", "models ", "compare "}) {
    const Json all = json(command + bad, 2);
    const Json& found = all["error"];
    EXPECT_EQ(found["file"], bad) << command;
    EXPECT_EQ(found["line"], 4) << command;
    EXPECT_GT(found["column"], 8) << command;
    EXPECT_EQ(found["complaints"].size(), 1u);
    EXPECT_EQ(found["message"], "mass is in mm");
  }
}

TEST_F(Manners, ATitleAfterASectionIsExplained) {
  const std::string bad = write(
      "late.toml", "space = \"planar\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\ntitle = \"late\"\n");
  EXPECT_EQ(call("check " + bad), 2);
  EXPECT_TRUE(printed("title belongs to the whole file")) << out;
}

TEST_F(Manners, CompletionsKnowEveryCommandAndItsOptions) {
  for (const std::string name : {"bash", "zsh", "fish"}) {
    ASSERT_EQ(call("completion " + name), 0) << err;
    for (const char* word : {"--accuracy", "dop853", "andrews", "brasey-hairer", "spectrum", "watch", "toml"})
      EXPECT_TRUE(name == "fish" && std::string(word) == "toml" ? true : printed(word))
          << name << " " << word;
    const std::string script = write("script." + name, out);
    if (there_is(name)) {
      EXPECT_EQ(shell(name + " -n '" + script + "'"), 0) << name << err;
    }
  }
  refused("completion tcsh", {"unknown shell 'tcsh'"});
}

TEST_F(Manners, BashCompletes) {
  if (!there_is("bash")) GTEST_SKIP() << "there is no bash";
  call("completion bash");
  const std::string script = write("script.bash", out);
  const auto completed = [&](const std::string& words, int at) {
    shell("bash -c \"source '" + script + "'; COMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(at) +
          "; _dalembert; echo \\${COMPREPLY[@]}\"");
    return out;
  };
  EXPECT_EQ(completed("dalembert ru", 1), "run\n");
  EXPECT_EQ(completed("dalembert analyse sp", 2), "spectrum\n");
  EXPECT_EQ(completed("dalembert run andrews --method dop", 4), "dop853 dopri5\n");
  EXPECT_EQ(completed("dalembert run andr", 2), "andrews\n");
  EXPECT_EQ(completed("dalembert run andrews --singular st", 4), "stop\n");
  EXPECT_EQ(completed("dalembert run andrews --acc", 3), "--accuracy\n");
}

TEST_F(Manners, FishCompletes) {
  if (!there_is("fish")) GTEST_SKIP() << "there is no fish";
  call("completion fish");
  const std::string script = write("script.fish", out);
  shell("fish --no-config -c \"source '" + script + "'; complete -C 'dalembert run andrews --method dop'\"");
  EXPECT_TRUE(printed("dop853") && printed("dopri5")) << out << err;
  shell("fish --no-config -c \"source '" + script + "'; complete -C 'dalembert exp'\"");
  EXPECT_TRUE(printed("explain")) << out << err;
}

TEST_F(Manners, ManualPagesHaveEveryOption) {
  ASSERT_EQ(call("man run"), 0);
  EXPECT_TRUE(printed(".TH dalembert-run 1") && printed("\\-\\-rtol R") && printed(".SH EXAMPLES")) << out;
  ASSERT_EQ(call("man"), 0);
  EXPECT_TRUE(printed("dalembert\\-analyse") && printed(".SH COMMANDS")) << out;
  ASSERT_EQ(call("man --into " + file("")), 0);
  EXPECT_FALSE(content(file("dalembert-analyse-spectrum.1")).empty());
  if (there_is("man")) {
    EXPECT_EQ(shell("man --warnings -l '" + file("dalembert-run.1") + "'"), 0) << err;
    EXPECT_EQ(err, "") << "the page has mistakes";
    EXPECT_TRUE(printed("relative tolerance")) << out;
  }
  refused("man rum", {"unknown command 'rum'"});
}

TEST_F(Manners, TheFirstModelRunsAndNothingIsReplaced) {
  const std::string model = file("mine.toml");
  ASSERT_EQ(call("init " + model), 0) << err;
  EXPECT_TRUE(printed("dalembert check " + model) && printed("dalembert run " + model)) << out;
  const std::string written = content(model);
  EXPECT_EQ(call("check " + model), 0) << out;
  EXPECT_TRUE(printed("no problems found")) << out;
  EXPECT_EQ(json("run " + model)["outcome"], "ok");
  EXPECT_EQ(json("run " + model + " --set length='800 mm'")["outcome"], "ok");
  refused("init " + model, {"exists already"});
  EXPECT_EQ(content(model), written);
  refused("init model.csv", {"are not written"});
}

TEST_F(Manners, ParametersHaveUnitsAsInFiles) {
  const auto x = [&](const std::string& set) {
    return json("run pendulum --end 0.1 --set " + set)["state"]["q"][1].get<double>();
  };
  EXPECT_EQ(x("l='500 mm'"), x("l=0.5"));
  EXPECT_EQ(x("l='2*25 cm'"), x("l=0.5"));
  EXPECT_EQ(x("m='500 g'"), x("m=0.5"));
  refused("run pendulum --set l='500 kg'", {"--set l is in kg", "its unit is m"});
  refused("run pendulum --set l='500 mmm'", {"unknown unit 'mmm'", "did you mean 'mm'?"});
  refused("run pendulum --set l='two'", {"--set l is 'two'", "it must be a number"});
  refused("run pendulum --set l=1 --set l=2", {"--set l is given more than once"});
}

TEST_F(Manners, FormulasHoldUnitsInParentheses) {
  const auto model = [&](const std::string& length) {
    return write("unit.toml",
                 "space = \"planar\"\n[parameters]\nl = 1\nx = \"" + length +
                     "\"\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nposition = [\"x\", 0]\n");
  };
  const auto x = [&](const std::string& length) {
    return json("run " + model(length) + " --end 0.001")["state"]["q"][0].get<double>();
  };
  EXPECT_EQ(x("l + (20 mm)"), 1.02);
  EXPECT_EQ(x("2*(1 m) - (25 cm)"), 1.75);
  EXPECT_EQ(x("(l + 4) cm"), 0.05);
  EXPECT_EQ(x("l/2 cm"), 0.005);
  EXPECT_EQ(x("1e-2 m"), 0.01);
  EXPECT_EQ(call("check " + model("l + 20 mm")), 2);
  EXPECT_TRUE(printed("or its last number?") && printed("(2 mm)")) << out;
  EXPECT_EQ(call("check " + model("l + (20 mmm)")), 2);
}

TEST_F(Manners, NothingIsGivenTwice) {
  refused("run pendulum --atol q=1,q=2", {"--atol q is given more than once"});
  refused("run pendulum --atol 1,2", {"--atol is given more than once"});
  refused("run pendulum --start q.x=1 --start q.x=2", {"--start q.x is given more than once"});
  refused("run pendulum --formulation baumgarte --option alpha=1 --option alpha=2",
          {"--option alpha is given more than once"});
  refused("compare pendulum --rtol 1e-4,,1e-5", {"--rtol is '1e-4,,1e-5'", "comma"});
  refused("compare pendulum --rtol 1e-4,", {"comma"});
}

TEST_F(Manners, CountsAndAccuraciesHaveBounds) {
  refused("analyse growth pendulum --moments 1e9", {"--moments is '1e9'", "from 1 to 1000"});
  refused("analyse growth pendulum --directions 1e9", {"--directions"});
  refused("run pendulum --accuracy 1e-16", {"--accuracy is 1e-16", "1e-13"});
  refused("run pendulum --accuracy 0", {"--accuracy is 0"});
  refused("run pendulum --accuracy nan", {"--accuracy is nan"});
}

TEST_F(Manners, PapersReplaceNothingOfAnotherKind) {
  const std::string notes = write("notes.txt", "mine"),
                    paper = "paper brasey-hairer figure-2 --out " + file("out");
  ASSERT_EQ(call(paper), 0) << err;
  std::filesystem::path data;
  for (const auto& entry : std::filesystem::directory_iterator(file("out"))) {
    EXPECT_NE(entry.path().filename().string()[0], '.') << "no draft is left";
    data = entry.path();
  }
  ASSERT_FALSE(data.empty());
  std::filesystem::remove(data);
  std::filesystem::create_symlink(notes, data);
  EXPECT_EQ(call(paper), 2);
  EXPECT_NE(err.find("a file of another kind"), std::string::npos) << err;
  EXPECT_EQ(content(notes), "mine");
}

/// A call that writes nothing leaves nothing behind.
TEST_F(Manners, PapersLeaveNoEmptyFolders) {
  refused("paper brasey-hairer 77 --out " + file("out/of/nothing"), {"unknown table"});
  ASSERT_EQ(call("paper brasey-hairer 1 --out " + file("out/of/nothing")), 0) << err;
  EXPECT_FALSE(std::filesystem::exists(file("out"))) << "a table without files";
}

}  // namespace
}  // namespace dalembert
