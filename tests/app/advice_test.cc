// Do run and pairs say what check would say, and nothing that contradicts it?
#include <regex>
#include <set>

#include "tests/support/program.h"

namespace dalembert {
namespace {

class Advice : public Program {
 protected:
  static std::size_t count(const std::string& text, const std::string& piece) {
    std::size_t n = 0;
    for (auto at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++n;
    return n;
  }
  const std::string head =
      "space = \"planar\"\n[run]\nend = 0.1\n[[body]]\nname = \"bar\"\nmass = 1\ninertia = 0.1\nposition = "
      "[1, 0]\n"
      "[[joint]]\nname = \"a\"\nkind = \"revolute\"\nbodies = [\"ground\", \"bar\"]\nat = [0, 0]\n";
};

TEST_F(Advice, WarningsOfCheckAreShownByRun) {
  const std::string model =
      write("far.toml",
            "space = \"planar\"\n[run]\nend = 0.1\n[[body]]\nname = \"bar\"\nmass = 1\ninertia = "
            "0.1\nposition = [1, 0]\nshape = { kind = \"bar\", length = 0.1 }\n[[joint]]\nname = "
            "\"a\"\nkind = \"revolute\"\nbodies = [\"ground\", \"bar\"]\nat = [0, 0]\n");
  const std::string words = "joint a is 1 m from the centre of body bar";
  EXPECT_EQ(call("check " + model), 0);
  ASSERT_TRUE(printed(words)) << out;
  EXPECT_EQ(call("run " + model), 0) << err;
  EXPECT_EQ(count(out, words), 1u) << out;
  EXPECT_TRUE(printed("warning      ")) << out;
  bool said = false;
  const Json all = json("run " + model);
  for (const auto& warning : all["warnings"])
    said = said || warning.get<std::string>().find(words) != std::string::npos;
  EXPECT_TRUE(said);
}

TEST_F(Advice, AFailedStartIsExplainedOnceAndInTheWordsOfCheck) {
  const std::string model =
      write("apart.toml",
            head +
                "[[joint]]\nname = \"d\"\nkind = \"distance\"\nfrom = { body = \"ground\", at = [5, 0] }\nto "
                "= { body = \"bar\", at = [1, 0] }\nlength = 1\n");
  const std::string words = "joints a and d cannot be brought together";
  EXPECT_EQ(call("check " + model), 1);
  ASSERT_TRUE(printed(words)) << out;
  EXPECT_EQ(call("run " + model), 1);
  EXPECT_EQ(count(out + err, words), 1u) << out << err;
  EXPECT_EQ(count(out + err, "cannot be made consistent"), 1u) << out << err;
  EXPECT_TRUE(printed("`dalembert check " + model + "`")) << out;
}

// It said that rows follow from each other, and to take them as rounded.
TEST_F(Advice, ADriveAgainstARigidMechanismIsTheOutcome) {
  const std::string model =
      write("rigid.toml",
            head +
                "[[joint]]\nname = \"b\"\nkind = \"distance\"\nfrom = { body = \"ground\", at = [1, 1] }\nto "
                "= { body = \"bar\", at = [1, 0] }\n[[drive]]\nname = \"d\"\njoint = \"a\"\nmotion = "
                "\"0.5*t^2\"\n");
  EXPECT_EQ(call("run " + model), 1);
  EXPECT_TRUE(printed("inconsistent_start, t = 0: " + model + ":")) << out;
  EXPECT_TRUE(printed("drive d prescribes what joints a and b already fix")) << out;
  EXPECT_EQ(count(out + err, "drive d prescribes"), 1u) << out << err;
  EXPECT_EQ(count(out + err, "dependent=1e-3"), 0u) << out << err;
}

TEST_F(Advice, PairsDoNotContradictThemselves) {
  for (const std::string problem : {"andrews", "pendulum", "wang-hou-modnak", "robertson"}) {
    if (call("problems " + problem) != 0) continue;
    const Json all = json("pairs " + problem);
    std::set<std::pair<std::string, std::string>> possible, impossible;
    for (const char* list : {"pairs", "approximate"})
      for (const auto& pair : all[list])
        possible.insert({pair["formulation"].get<std::string>(), pair["method"].get<std::string>()});
    for (const auto& pair : all["impossible"]) {
      const std::pair names{pair["formulation"].get<std::string>(), pair["method"].get<std::string>()};
      EXPECT_FALSE(possible.contains(names)) << problem << " " << names.first << " " << names.second;
      EXPECT_TRUE(impossible.insert(names).second) << "twice: " << names.first << " " << names.second;
      EXPECT_FALSE(pair["why"].get<std::string>().empty());
    }
    EXPECT_FALSE(possible.empty());
  }
}

TEST_F(Advice, PairsAreAMatrixOfKinds) {
  ASSERT_EQ(call("pairs andrews"), 0);
  EXPECT_LT(lines(out).size(), 80u) << out;
  for (const char* words : {"formulation leads to", "method accepts", "ode", "hessenberg", "implicit",
                            "udwadia-kalaba", "dop853", "not possible although the kinds fit"})
    EXPECT_TRUE(printed(words)) << words << "\n" << out;
  // Where its lines are broken depends on how many methods there are.
  EXPECT_TRUE(std::regex_search(out, std::regex("needs\\s+a\\s+predicted\\s+solution"))) << out;
}

TEST_F(Advice, AListNamesEachThingOnce) {
  for (const std::string list : {"formulations", "methods", "problems", "papers"}) {
    ASSERT_EQ(call(list), 0);
    std::set<std::string> names;
    for (const auto& line : lines(out)) {
      const std::string name = line.substr(0, line.find(' '));
      if (line.empty()) break;  // columns that go on below repeat them
      if (!name.empty()) {
        EXPECT_TRUE(names.insert(name).second) << list << ": " << name;
      }
    }
    EXPECT_GT(names.size(), 5u);
  }
}

}  // namespace
}  // namespace dalembert
