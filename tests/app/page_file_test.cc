// The page of a run, from the command line: when it is written, and when it is refused.
#include "dalembert/page/assets.h"
#include "tests/support/program.h"

namespace dalembert {
namespace {

class CliPage : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    if (page_assets.shell.empty()) GTEST_SKIP() << "built without Node";
  }
  std::size_t runs_in(const std::string& page) {
    const std::string text = content(page), mark = "class=\"run\"";
    std::size_t count = 0;
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) ++count;
    return count;
  }
};

TEST_F(CliPage, IsWrittenAndNamed) {
  ASSERT_EQ(call("run pendulum --end 1 --report " + file("a.html")), 0) << err;
  EXPECT_TRUE(printed("written      " + file("a.html")));
  EXPECT_EQ(runs_in(file("a.html")), 1u);
}

TEST_F(CliPage, HoldsARunThatEndedEarly) {
  EXPECT_EQ(call("run pendulum --max-steps 5 --report " + file("a.html")), 1);
  EXPECT_EQ(runs_in(file("a.html")), 1u);
}

TEST_F(CliPage, HoldsSeveralRunsOfCompare) {
  ASSERT_EQ(
      call("compare pendulum --formulation index1 --method dopri5,dop853 --rtol 1e-6 --end 1 --report " +
           file("a.html")),
      0)
      << err;
  EXPECT_EQ(runs_in(file("a.html")), 2u);
}

TEST_F(CliPage, HoldsSomeRunsOfASweep) {
  ASSERT_EQ(call("sweep pendulum --vary l=0.5:2:20 --end 1 --quiet --report " + file("a.html")), 0) << err;
  EXPECT_EQ(runs_in(file("a.html")), 8u);
  ASSERT_EQ(call("sweep pendulum --vary l=-1,1,2 --end 1 --quiet --report " + file("b.html")), 0) << err;
  EXPECT_EQ(runs_in(file("b.html")), 2u) << "one has no run";
}

TEST_F(CliPage, IsMadeFromResultFiles) {
  ASSERT_EQ(call("run pendulum --end 1 --out " + file("a.h5")), 0) << err;
  ASSERT_EQ(call("run pendulum --end 1 --set l=2 --out " + file("b.h5")), 0) << err;
  ASSERT_EQ(call("report " + file("a.h5")), 0) << err;
  EXPECT_TRUE(printed("written      " + file("a.html"))) << out;
  EXPECT_EQ(runs_in(file("a.html")), 1u);
  ASSERT_EQ(call("report " + file("a.h5") + " " + file("b.h5") + " --report " + file("both.html")), 0) << err;
  EXPECT_EQ(runs_in(file("both.html")), 2u);
}

TEST_F(CliPage, IsRefusedBeforeAnythingIsComputed) {
  refused("run pendulum --report page.pdf", {"end the name in .html"});
  refused("run pendulum --open", {"--report FILE.html"});
  refused("run pendulum --report a.html --report b.html", {"more than once"});
}

TEST_F(CliPage, SaysWhatCannotBeWritten) {
  EXPECT_EQ(call("run pendulum --end 1 --report /nowhere/at/all.html"), 2);
  EXPECT_NE(err.find("cannot write"), std::string::npos) << err;
  EXPECT_FALSE(printed("written"));
}

}  // namespace
}  // namespace dalembert
