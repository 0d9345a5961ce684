// Accuracy on the command line: asked for of a run, measured over many, and what a problem makes of errors.
#include <cmath>

#include "tests/support/program.h"

namespace dalembert {
namespace {

using CliAccuracy = Program;

TEST_F(CliAccuracy, ARunSaysWhatItFound) {
  const Json all = json("run pendulum --accuracy 1e-6 --quiet");
  EXPECT_EQ(all["accuracy"]["asked"], 1e-6);
  EXPECT_EQ(all["accuracy"]["reached"], true);
  EXPECT_LE(all["accuracy"]["error"].get<double>(), 1e-6);
  EXPECT_GE(all["accuracy"]["tolerances"].size(), 2u);
  EXPECT_LE(all["error"]["q"].get<double>(), 1e-6);
  ASSERT_EQ(call("run pendulum --accuracy 1e-6 --out " + file("a.csv")), 0) << err;
  EXPECT_TRUE(printed("accuracy     estimated error "));
  EXPECT_TRUE(printed("of the 1e-06 asked, 2 runs (rtol 1e-06, 1e-07)"));
  EXPECT_EQ(lines(content(file("a.csv"))).size(), 202u);  // of the last run only
  EXPECT_FALSE(json("run pendulum").contains("accuracy"));
}

TEST_F(CliAccuracy, AnAccuracyThatIsNotReachedEndsInStatusOne) {
  const Json all = json("run double-pendulum --end 60 --accuracy 1e-6 --quiet", 1);
  EXPECT_EQ(all["outcome"], "ok");
  EXPECT_EQ(all["accuracy"]["reached"], false);
  EXPECT_NE(err.find("of the 1e-06 asked"), std::string::npos) << err;
  refused("run pendulum --accuracy 1e-6 --rtol 1e-6", {"--accuracy", "--rtol"});
  refused("run pendulum --accuracy 0", {"--accuracy is 0"});
  refused("run pendulum --accuracy 1e-6 --method rk4 --step 0.01", {"the steps are fixed"});
}

TEST_F(CliAccuracy, GrowthIsASentenceAndATable) {
  ASSERT_EQ(call("analyse growth double-pendulum --end 5"), 0) << err;
  EXPECT_TRUE(printed("an error of 1e-06 made at the start has grown to "));
  EXPECT_TRUE(printed("from then to the end"));
  EXPECT_NE(err.find("from t = 0.625\n"), std::string::npos) << err;
  const Json all = json("analyse growth double-pendulum --end 5 --moments 3 --directions 2 --quiet");
  ASSERT_EQ(all["moments"].size(), 4u);
  EXPECT_EQ(all["moments"][3]["t"], 5);
  EXPECT_GT(all["from_start"].get<double>(), 1);
  EXPECT_GE(all["worst"].get<double>(), all["from_start"].get<double>());
  refused("analyse growth pendulum --size 2", {"size of the errors is 2"});
}

TEST_F(CliAccuracy, ErrorsAreSetAgainstTolerances) {
  const Json all = json(
      "analyse tolerance pendulum ascher-lin-6-1 double-pendulum --pair auto,ggl+radau "
      "--rtol 1e-4,1e-6 --quiet --out " +
      file("r.csv"));
  EXPECT_EQ(all["subjects"].size(), 3u);
  EXPECT_EQ(all["subjects"][0]["half"], "calibration");
  EXPECT_EQ(all["subjects"][1]["half"], "judged");
  for (const auto& run : all["runs"]) {
    EXPECT_EQ(run["outcome"], "ok");
    EXPECT_GE(run["error_along"].get<double>(), run["error_end"].get<double>());
    EXPECT_LT(run["error_along"].get<double>(), 100 * run["rtol"].get<double>()) << run;
  }
  EXPECT_EQ(all["pairs"][0]["pair"], "auto");
  EXPECT_EQ(all["pairs"][0]["runs"], 4);
  EXPECT_EQ(lines(content(file("r.csv"))).size(), all["runs"].size() + 1);
  ASSERT_EQ(call("analyse tolerance pendulum --rtol 1e-4 --pair hem5"), 0) << err;
  EXPECT_TRUE(printed("error/rtol of 1 subject"));
  EXPECT_NE(err.find("pendulum hem5 0.0001\n"), std::string::npos) << err;
  const Json accurate = json("analyse tolerance andrews --pair auto,bdf --rtol 1e-4,1e-6 --accurate --quiet");
  ASSERT_EQ(accurate["runs"].size(), 4u);
  for (const auto& run : accurate["runs"]) {
    EXPECT_EQ(run["delivered"], true) << run;
    EXPECT_LE(run["error_along"].get<double>(), run["rtol"].get<double>()) << run;
  }
  refused("analyse tolerance pendulum --pair radua", {"radua", "radau"});
  refused("analyse tolerance no-such-problem", {"no-such-problem"});
}

TEST_F(CliAccuracy, ARunBeginsAtAnotherTime) {
  const Json all = json("run car-axis --start t=1 --end 1.5 --output 2 --quiet --out " + file("a.csv"));
  EXPECT_EQ(all["t"], 1.5);
  EXPECT_EQ(lines(content(file("a.csv")))[1].rfind("1,", 0), 0u);
  refused("run pendulum --start t=20", {"not after the start 20"});
}

}  // namespace
}  // namespace dalembert
