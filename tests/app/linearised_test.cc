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

TEST_F(CliLinearised, SingularPerturbationIsSaidAndDrawn) {
  const std::string call_it = "analyse singular-perturbation slow-fast --parameter eps --count 3 --quiet";
  ASSERT_EQ(call(call_it + " --plot " + file("layer.svg")), 0) << err;
  EXPECT_NE(out.find("boundary layer"), std::string::npos) << out;
  EXPECT_NE(content(file("layer.svg")).find(">limit + layer<"), std::string::npos);
  const Json all = json(call_it);
  EXPECT_EQ(all["limit_index"], 1);
  EXPECT_EQ(all["fate"], "decays");
  EXPECT_NEAR(all["fast"][0]["value"][0].get<double>(), -100, 1e-6);
  EXPECT_NEAR(all["distances"][1]["order"].get<double>(), 1, .01);
  EXPECT_NEAR(json(call_it + " --eps 0.005")["layer_time"].get<double>(), .005, 1e-9);
  EXPECT_NEAR(
      json("analyse singular-perturbation slow-fast --set eps=0.005 --parameter eps --count 3 --quiet")
          ["layer_time"]
              .get<double>(),
      .005, 1e-9);
}

TEST_F(CliLinearised, SingularPerturbationIsRefusedWithAReason) {
  refused("analyse singular-perturbation slow-fast", {"--parameter"});
  refused("analyse singular-perturbation slow-fast --parameter epz", {"epz", "eps"});
  refused("analyse singular-perturbation slow-fast --parameter eps --eps -1", {"larger than 0"});
  refused("analyse singular-perturbation slow-fast --parameter eps --eps 1", {"eps is not small"});
  refused("analyse singular-perturbation stiff-spring-pendulum --parameter eps", {"eps = 0", "--limit"});
  refused("analyse singular-perturbation circle-bushing --parameter Kn --inverse",
          {"infinite Kn", "--limit"});
  refused("analyse singular-perturbation " + models + "pendulum.toml --parameter mass", {"--eps"});
}

TEST_F(CliLinearised, TheIndexIsDrawn) {
  ASSERT_EQ(call("analyse index pendulum --plot " + file("index.svg")), 0) << err;
  const std::string drawn = content(file("index.svg"));
  for (const char* words : {"Index 3", ">dropped<", ">derivative (E)<"})
    EXPECT_NE(drawn.find(words), std::string::npos) << words;
}

}  // namespace
}  // namespace dalembert
