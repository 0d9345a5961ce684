// Why a pair is chosen, and what that choice costs, on the command line.
#include "tests/support/program.h"

namespace dalembert {
namespace {

using CliChoice = Program;

TEST_F(CliChoice, ExplainSaysWhatTheChoiceRestsOn) {
  ASSERT_EQ(call("explain andrews"), 0) << err;
  EXPECT_TRUE(printed("size         7 positions, 7 velocities, 6 constraint rows"));
  EXPECT_TRUE(printed("chosen       index1 with dop853"));
  EXPECT_NE(out.find("freedoms     1,"), std::string::npos) << out;
  EXPECT_NE(out.find("stiffness    none to be seen"), std::string::npos) << out;
  EXPECT_NE(out.find("ggl with radau, ggl with bdf"), std::string::npos) << out;
  EXPECT_NE(out.find("--formulation F --method M"), std::string::npos) << out;
  ASSERT_EQ(call("explain '" DALEMBERT_MODELS "/flyball-governor.toml' --method auto"), 0) << err;
  EXPECT_NE(out.find("for stability alone"), std::string::npos) << out;
  ASSERT_EQ(call("explain bricard"), 0) << err;
  EXPECT_NE(out.find("1 of 30 rows"), std::string::npos) << out;
  EXPECT_EQ(call("explain andrew"), 2);
}

TEST_F(CliChoice, ProgramsReadTheEvidence) {
  const Json all = json("explain car-axis --rtol 1e-8");
  EXPECT_EQ(all["kind"], "mechanical");
  EXPECT_EQ(all["chosen"]["method"], "dop853");
  EXPECT_EQ(all["rtol"], 1e-8);
  EXPECT_EQ(all["degrees_of_freedom"], 2);
  EXPECT_EQ(all["when_stiff"][0]["method"], "rodas853");
  EXPECT_GT(all["fastest"]["rate"].get<double>(), 0);
  EXPECT_EQ(all["considered"][0]["method"], "dop853");
  EXPECT_EQ(json("explain car-axis --method radau")["chosen"]["formulation"], "ggl");
}

TEST_F(CliChoice, TheCostOfAChoiceIsATableWithSums) {
  const std::string file = this->file("costs.csv");
  ASSERT_EQ(call("choice pendulum --rtol 1e-4,1e-6 --method dopri5 --quiet --out " + file), 0) << err;
  EXPECT_NE(out.find("within 3 times"), std::string::npos) << out;
  EXPECT_NE(out.find("index1 dop853"), std::string::npos) << out;
  EXPECT_EQ(lines(content(file)).size(), 3u);
  EXPECT_EQ(err, "");
  const Json all = json("choice pendulum exact-index2 --rtol 1e-6 --method radau");
  EXPECT_NE(err.find("pendulum auto 1e-06"), std::string::npos) << err;
  ASSERT_EQ(all["subjects"].size(), 2u);
  EXPECT_EQ(all["subjects"][0]["costs"][0]["chosen"]["right"], true);
  EXPECT_GE(all["subjects"][1]["costs"][0]["ratio"].get<double>(), 1);
  ASSERT_EQ(all["sums"].size(), 3u);
  EXPECT_EQ(all["sums"][0]["cases"], 2);
  EXPECT_EQ(all["sums"][0]["lost"], 0);
  EXPECT_EQ(all["sums"][1]["cases"], 1);
}

TEST_F(CliChoice, MistakesAreRefused) {
  EXPECT_EQ(call("choice pendulum --method radua"), 2);
  EXPECT_NE(err.find("radau"), std::string::npos) << err;
  EXPECT_EQ(call("choice pendulum --limit 0"), 2);
  EXPECT_EQ(call("choice pendulum --out costs.txt"), 2);
}

}  // namespace
}  // namespace dalembert
