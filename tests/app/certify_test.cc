// Certain digits on the command line: what is printed, for people and programs, and with which exit status.
#include <cmath>

#include "tests/support/program.h"

namespace dalembert {
namespace {

using CliCertify = Program;

TEST_F(CliCertify, PrintsDigitsFamiliesAndCost) {
  ASSERT_EQ(call("certify pendulum"), 0) << err;
  EXPECT_TRUE(printed("certain      5 of 5 numbers to 6 digits at t = 10"));
  EXPECT_NE(out.find("-0.811586"), std::string::npos) << out;
  EXPECT_NE(out.find("half-explicit"), std::string::npos) << out;
  EXPECT_NE(out.find("cost "), std::string::npos) << out;
  EXPECT_NE(err.find("index1 dop853 1e-05\n"), std::string::npos) << err;
  ASSERT_EQ(call("certify pendulum --quiet"), 0);
  EXPECT_EQ(err, "");
}

TEST_F(CliCertify, ProgramsReadTheSame) {
  const Json all = json("certify pendulum --digits 8 --output 2 --quiet");
  EXPECT_EQ(all["problem"], "pendulum");
  EXPECT_EQ(all["digits"], 8);
  EXPECT_EQ(all["reached"], true);
  EXPECT_EQ(all["end"]["t"], 10);
  EXPECT_EQ(all["outputs"].size(), 2u);
  const Json x = all["end"]["values"][0];
  EXPECT_EQ(x["name"], "q.x");
  EXPECT_GE(x["digits"].get<int>(), 7);
  EXPECT_NEAR(std::stod(x["value"].get<std::string>()), x["low"].get<double>(), 1e-7);
  EXPECT_LT(x["low"].get<double>(), x["high"].get<double>());
  EXPECT_TRUE(all["holds_until"].is_null());
  EXPECT_EQ(all["families"][0]["runs"][0]["outcome"], "ok");
}

TEST_F(CliCertify, DigitsThatAreNotReachedEndInStatusOne) {
  const Json all = json("certify double-pendulum --digits 12 --end 10 --quiet", 1);
  EXPECT_EQ(all["reached"], false);
  EXPECT_FALSE(all["remarks"].empty());
  EXPECT_EQ(call("certify pendulum --digits 13 --quiet"), 2);
  EXPECT_NE(err.find("1 to 12"), std::string::npos) << err;
}

TEST_F(CliCertify, ARunSaysWhichOfItsDigitsAreRight) {
  const Json all = json("run pendulum --rtol 1e-3 --certify --quiet");
  EXPECT_EQ(all["certified"]["digits"], 3);
  ASSERT_EQ(all["certified"]["right_digits"].size(), 5u);
  EXPECT_GE(all["certified"]["right_digits"][0].get<int>(), 2);
  EXPECT_LE(all["certified"]["right_digits"][0].get<int>(), 6);
  ASSERT_EQ(call("run pendulum --rtol 1e-3 --certify"), 0) << err;
  EXPECT_NE(out.find("right digits"), std::string::npos) << out;
  EXPECT_FALSE(json("run pendulum").contains("certified"));
}

}  // namespace
}  // namespace dalembert
