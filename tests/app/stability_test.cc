// Stability and order on the command line: tables, JSON, pictures, and what is refused.
#include "tests/support/program.h"

namespace dalembert {
namespace {

using CliStability = Program;

TEST_F(CliStability, SaysWhatAMethodIs) {
  ASSERT_EQ(call("analyse stability ms:rho_inf=0 radau5"), 0) << err;
  for (const char* part :
       {"beta = -0.3333333333, delta = 0.1666666667", "L-stable     yes", "1 - 3/5 z + 3/20 z^2 - 1/60 z^3"})
    EXPECT_NE(out.find(part), std::string::npos) << part << "\n" << out;
}

TEST_F(CliStability, TheTableHasAllMethods) {
  ASSERT_EQ(call("analyse stability --json"), 0) << err;
  const Json all = Json::parse(out)["methods"];
  EXPECT_GT(all.size(), 50u);
  for (const auto& m : all)
    if (m["method"] == "bdf max-order=3") {
      EXPECT_NEAR(m["alpha"].get<double>(), 86.03, .005);
    }
}

TEST_F(CliStability, DrawsRegionsAndCurves) {
  ASSERT_EQ(call("analyse stability rk4 leapfrog --two-step=0,-1/2 --region " + file("r.svg") + " --plot " +
                 file("c.svg")),
            0)
      << err;
  EXPECT_NE(content(file("r.svg")).find("two-step beta=0 delta=-0.5"), std::string::npos);
  EXPECT_NE(content(file("c.svg")).find("spectral radius"), std::string::npos);
}

TEST_F(CliStability, RefusesWithAReason) {
  EXPECT_EQ(call("analyse stability rk5"), 2);
  EXPECT_EQ(call("analyse stability mexx"), 2);
  EXPECT_NE(err.find("step by step"), std::string::npos) << err;
  EXPECT_EQ(call("analyse stability window-iteration"), 2);
  EXPECT_EQ(call("analyse stability rk4 --at 2,1"), 2);
  EXPECT_EQ(call("analyse stability --region " + file("all.svg")), 2);
}

TEST_F(CliStability, OrderConditionsOfImplicitMethods) {
  ASSERT_EQ(call("analyse order-conditions radau13 --order 2 --json"), 0) << err;
  const Json found = Json::parse(out);
  EXPECT_EQ(found["order"], 13);
  EXPECT_EQ(found["C"], 7);
}

TEST_F(CliStability, OrderOfConvergence) {
  ASSERT_EQ(
      call("analyse order pendulum --formulation ggl --method radau3 --end 1 --halvings 4 --quiet --json"), 0)
      << err;
  const Json found = Json::parse(out);
  EXPECT_EQ(found["blocks"][0]["block"], "q");
  EXPECT_NEAR(found["blocks"][0]["order"].get<double>(), 3, .3);
}

TEST_F(CliStability, SmallConstantsAndTripleRootsAreSeen) {
  ASSERT_EQ(call("analyse stability radau13 forward-differences"), 0) << err;
  EXPECT_NE(out.find("C = -6.6"), std::string::npos) << out;  // -7! 6!/(13! 14!) = -6.68e-15
  EXPECT_NE(out.find("L-stable     yes: the largest factor at infinity is 0"), std::string::npos) << out;
}

}  // namespace
}  // namespace dalembert
