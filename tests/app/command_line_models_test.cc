// Model files on the command line: run, set, refused with a place; and the schema that editors read.
#include <cmath>

#include "tests/support/program.h"

namespace dalembert {
namespace {

using CliModel = Program;

constexpr const char* pendulum = R"toml(
title = "Rod on a pivot"
space = "planar"
[parameters]
l = 1
[[body]]
name = "rod"
mass = 1
inertia = "mass*l^2/12"
position = ["l/2", 0]
[[joint]]
name = "pivot"
kind = "revolute"
bodies = ["ground", "rod"]
at = [0, 0]
[[watch]]
name = "bearing"
reaction = "pivot"
[[reference]]
t = 0.5
values = { "q.rod.x" = 7 }
[run]
end = 0.5
rtol = 1e-9
output = 4
)toml";

TEST_F(CliModel, RunsWithTheDefaultsOfTheFile) {
  const std::string model = write("pendulum.toml", pendulum);
  const Json run = json("run " + model + " --out " + file("a.csv"));
  EXPECT_EQ(run["problem"], model);
  EXPECT_EQ(run["t"], .5);
  EXPECT_LT(run["drift"]["position"].get<double>(), 1e-9);
  EXPECT_NEAR(run["energy"]["end"].get<double>(), run["energy"]["start"].get<double>(), 1e-7);
  // the reference is wrong on purpose: its error is seen
  const double x = run["state"]["q"][0];
  EXPECT_NEAR(run["error"]["q"].get<double>(), (7 - x) / 8, 1e-12);
  // what the pivot does to the rod, from the motion of its centre: m (a - g) = m (-w^2 r + w' r_perp - g)
  const double angle = run["state"]["q"][2], w = run["state"]["v"][2];
  const double turn = -1.5 * 9.81 * std::cos(angle);
  EXPECT_NEAR(run["watches"]["bearing.x"].get<double>(),
              (-w * w * std::cos(angle) - turn * std::sin(angle)) / 2, 1e-6);
  const std::string csv = content(file("a.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6);
  EXPECT_NE(csv.find(",bearing.x [N],"), std::string::npos) << csv.substr(0, 300);
  EXPECT_EQ(call("run " + model), 0);
  EXPECT_NE(out.find("Rod on a pivot"), std::string::npos);
  EXPECT_NE(out.find("bearing.x"), std::string::npos);
}

TEST_F(CliModel, TheCommandLineWins) {
  const std::string model = write("pendulum.toml", pendulum);
  const Json run = json("run " + model + " --set l=2 --end 0.25 --method radau");
  EXPECT_EQ(run["t"], .25);
  EXPECT_EQ(run["method"], "radau");
  EXPECT_NEAR(run["state"]["q"][0].get<double>(), 1, .2);
  EXPECT_EQ(call("run " + model + " --set ll=2"), 2);
  EXPECT_EQ(err, "dalembert: unknown parameter 'll'; did you mean 'l'?\n");
}

TEST_F(CliModel, PairsAndTolerancesAreTakenAsAWhole) {
  const std::string model =
      write("pendulum.toml", std::string(pendulum) + "method = \"radau\"\natol = 1e-12\n");
  EXPECT_EQ(json("run " + model)["method"], "radau");
  EXPECT_NE(json("run " + model + " --formulation index1")["method"], "radau");
  EXPECT_EQ(json("models " + model + " --rtol 1e-5")["models"][0]["statistics"]["steps"],
            json("run " + model + " --rtol 1e-5 --atol 1e-5")["statistics"]["steps"]);
}

TEST_F(CliModel, TakesTolerancesByNameAndALongestStep) {
  const std::string model = write("pendulum.toml", pendulum);
  const auto steps = [&](const std::string& more) {
    return json("run " + model + " --rtol 1e-6 " + more)["statistics"]["steps"].get<int>();
  };
  EXPECT_EQ(steps(""), steps("--atol q=1e-6,v=1e-6,lambda=1e-6"));
  EXPECT_LT(steps("--atol 1e-2,v=1e-2"), steps(""));
  EXPECT_GT(steps("--max-step 0.01"), 40);
  EXPECT_EQ(json("run " + model + " --singular ignore")["statistics"]["rank_checks"], 0);
}

TEST_F(CliModel, CitesTheMethodOfTheFile) {
  const std::string governor = DALEMBERT_MODELS "/flyball-governor.toml";
  ASSERT_EQ(call("cite radau"), 0) << err;
  const std::string radau = lines(out).at(0);
  ASSERT_EQ(call("cite --run " + governor), 0) << err;
  EXPECT_TRUE(printed(radau)) << out;
  ASSERT_EQ(call("cite --run " + governor + " --method dopri5"), 0) << err;
  EXPECT_FALSE(printed(radau)) << out;
}

TEST_F(CliModel, OtherCommandsTakeFilesToo) {
  const std::string model = write("pendulum.toml", pendulum);
  EXPECT_GT(json("pairs " + model)["pairs"].size(), 10u);
  EXPECT_EQ(json("analyse redundancy " + model)["degrees_of_freedom"], 1);
  EXPECT_EQ(json("compare " + model + " --quiet --method dop853 --rtol 1e-6")["runs"].size() > 0, true);
}

TEST_F(CliModel, MistakesAreLinesThatBeginWithTheirPlace) {
  const std::string model =
      write("wrong.toml", "space = \"planar\"\n[[body]]\nname = \"a\"\nmas = 1\nangle = \"1 kg\"\n");
  EXPECT_EQ(call("run " + model), 2);
  EXPECT_EQ(out, "");
  EXPECT_EQ(err, model + ":2:1: body 'a' has no mass; add mass = ... (kg: mass)\n" + model +
                     ":2:1: body 'a' has no inertia; add inertia = ... (kg m^2: about the centre of mass)\n" +
                     model + ":4:1: unknown key of body 'a' 'mas'; did you mean 'mass'?\n" + model +
                     ":5:12: angle is in kg; its unit is rad\n");
}

TEST_F(CliModel, TheSchemaKnowsEverySection) {
  ASSERT_EQ(call("schema"), 0);
  const Json schema = Json::parse(out);
  for (const char* key : {"title", "space", "gravity", "parameters", "body", "joint", "force", "drive",
                          "watch", "include", "repeat", "reference", "run"})
    EXPECT_TRUE(schema["properties"].contains(key)) << key;
  EXPECT_EQ(schema["additionalProperties"], false);
  bool found = false;
  for (const Json& kind : schema["definitions"]["joint"]["anyOf"])
    if (kind["properties"]["kind"]["const"] == "revolute" && kind["properties"].contains("at")) {
      found = true;
      EXPECT_FALSE(kind["additionalProperties"].get<bool>());
    }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace dalembert
