// analyse lyapunov, floquet and energy on the command line: tables, JSON, pictures, and what is refused.
#include <cmath>

#include "tests/support/program.h"

namespace dalembert {
namespace {

class Neighbours : public Program {
 protected:
  std::string drawn(const std::string& arguments) {
    EXPECT_EQ(call(arguments + " --plot " + file("a.svg")), 0) << err;
    return content(file("a.svg"));
  }
};

TEST_F(Neighbours, LyapunovPrintsExponentsAndWords) {
  ASSERT_EQ(call("analyse lyapunov lorenz --end 60 --quiet"), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_NE(out.find("3 of 3 exponents"), std::string::npos) << out;
  EXPECT_NE(out.find("-13.66666"), std::string::npos) << out;
  const Json all = json("analyse lyapunov lorenz --end 60 --count 1 --quiet");
  EXPECT_EQ(all["exponents"].size(), 1u);
  EXPECT_TRUE(all["sum"].is_null());
  EXPECT_EQ(all["outcome"], "ok");
  EXPECT_NE(drawn("analyse lyapunov lorenz --end 60 --quiet").find(">lambda 3<"), std::string::npos);
}

TEST_F(Neighbours, LyapunovOfAModelStaysOnItsConstraints) {
  const Json all =
      json("analyse lyapunov " DALEMBERT_MODELS "/double-pendulum.toml --end 5 --rtol 1e-7 --quiet");
  EXPECT_EQ(all["dimension"], 4);
  EXPECT_NEAR(all["sum"].get<double>(), 0, .1) << "volumes stay";
}

TEST_F(Neighbours, FloquetFindsThePeriod) {
  const Json all = json("analyse floquet van-der-pol --quiet");
  EXPECT_NEAR(all["period"].get<double>(), 6.6632868593, 1e-8);
  EXPECT_EQ(all["stability"], "stable");
  EXPECT_EQ(all["period_was_known"], false);
  ASSERT_EQ(call("analyse floquet van-der-pol --quiet"), 0);
  EXPECT_NE(out.find("along the orbit"), std::string::npos) << out;
  EXPECT_NE(drawn("analyse floquet van-der-pol --quiet").find(">unit circle<"), std::string::npos);
  refused("analyse floquet moving-pivot", {"depend on time", "--period"});
  refused("analyse floquet moving-pivot --period 1", {"do not repeat"});
}

TEST_F(Neighbours, EnergyComparesMethods) {
  const Json all = json("analyse energy pendulum --end 5 --step 0.05 --method rattle,discrete-gradient");
  ASSERT_EQ(all["runs"].size(), 2u);
  EXPECT_EQ(all["runs"][0]["points"].size(), 21u);
  EXPECT_GT(all["runs"][0]["largest_error"].get<double>(), 1e-6);
  EXPECT_LT(all["runs"][1]["largest_error"].get<double>(), 1e-12);
  ASSERT_EQ(call("analyse energy driven-pendulum"), 0) << err;
  EXPECT_NE(out.find("dissipated"), std::string::npos) << out;
  EXPECT_NE(drawn("analyse energy driven-pendulum").find(">put in by forces<"), std::string::npos);
  refused("analyse energy lorenz", {"no energy"});
}

}  // namespace
}  // namespace dalembert
