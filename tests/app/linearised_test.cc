// Equilibria, modes and the index on the command line: tables, JSON, files, and what is refused.
#include <cmath>

#include "tests/support/program.h"

namespace dalembert {
namespace {

using CliLinearised = Program;
const std::string models = DALEMBERT_SOURCE "/models/";

TEST_F(CliLinearised, ARunStartsAtTheEquilibriumThatWasSaved) {
  const std::string car = models + "quarter-car.toml", rest = file("rest.csv");
  ASSERT_EQ(call("analyse equilibrium " + car + " --save-state " + rest), 0) << err;
  EXPECT_NE(out.find("It is stable"), std::string::npos) << out;
  ASSERT_EQ(call("run " + car + " --from-state " + rest + " --end 0.01 --json"), 0) << err;
  const Json end = Json::parse(out);
  ASSERT_EQ(call("analyse equilibrium " + car + " --json"), 0) << err;
  const Json found = Json::parse(out);
  const Json &names = end["names"]["q"], &q = end["state"]["q"];
  ASSERT_GT(names.size(), 0u);
  double moved = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double there = found["state"]["q." + names[i].get<std::string>()].get<double>();
    moved = std::max(moved, std::abs(q[i].get<double>() - there));
  }
  EXPECT_LT(moved, 1e-8);
}

TEST_F(CliLinearised, WhatHasNoEquilibriumSaysSo) {
  EXPECT_NE(call("analyse equilibrium " + models + "rolling-disc.toml"), 0);
  EXPECT_NE(err.find("balance"), std::string::npos) << err;
}

TEST_F(CliLinearised, ModesOfTheBicycleAtFiveMetresPerSecond) {
  ASSERT_EQ(call("analyse modes " + models + "bicycle.toml --set v=5 --set push=0 --json"), 0) << err;
  bool weave = false;
  const Json all = Json::parse(out);
  for (const auto& mode : all["modes"])
    weave = weave || (std::abs(mode["value"][0].get<double>() + .77534) < 1e-4 &&
                      std::abs(std::abs(mode["value"][1].get<double>()) - 4.46487) < 1e-4);
  EXPECT_TRUE(weave) << out;
}

TEST_F(CliLinearised, TheIndexOfAPendulumIsThree) {
  ASSERT_EQ(call("analyse index pendulum"), 0) << err;
  EXPECT_NE(out.find("Index 3."), std::string::npos) << out;
  EXPECT_NE(out.find("Structural index 3"), std::string::npos) << out;
}

}  // namespace
}  // namespace dalembert
