// Does a check of a model remark on what can be simulated, but looks like a slip of the pen?
#include <gtest/gtest.h>

#include "dalembert/model/model_findings.h"

namespace dalembert {
namespace {

std::string bar(const std::string& at, const std::string& inertia = "\"mass*1^2/12\"") {
  return "[[body]]\nname = \"bar\"\nmass = 1\ninertia = " + inertia +
         "\nposition = [0.5, 0]\n[[joint]]\nname = \"pin\"\nkind = \"revolute\"\nbodies = [\"ground\", "
         "\"bar\"]\nat = " +
         at + "\n";
}
const std::string planar = "space = \"planar\"\n";

std::string warnings(const std::string& text) {
  std::string all;
  for (const Finding& each : examine(Model::from_text(text, "m.toml")).list)
    if (each.severity == Finding::Severity::warning) all += each.sentence() + "\n";
  return all;
}

void expect_warning(const std::string& text, const std::string& words) {
  const std::string said = warnings(text);
  EXPECT_NE(said.find(words), std::string::npos) << said << text;
}

TEST(Remarks, NoneWithoutReason) {
  EXPECT_EQ(warnings(planar + bar("[0, 0]")), "");
}

TEST(Remarks, ConstantsThatAreRarelyNegative) {
  const std::string ends = "from = { body = \"ground\", at = [0, 1] }\nto = { body = \"bar\" }\n";
  const auto force = [&](const std::string& rest) {
    return planar + bar("[0, 0]") + "[[force]]\nname = \"one\"\n" + rest;
  };
  expect_warning(force("kind = \"spring\"\n" + ends + "stiffness = -10\n"),
                 "m.toml:17:13: warning: stiffness of force 'one' is negative: -10");
  expect_warning(force("kind = \"spring\"\n" + ends + "stiffness = 10\nlength = -1\n"),
                 "length of force 'one' is negative");
  expect_warning(force("kind = \"spring\"\n" + ends + "stiffness = 10\ndamping = -1\n"),
                 "damping of force 'one' is negative");
  expect_warning(force("kind = \"damper\"\n" + ends + "damping = -1\n"),
                 "damping of force 'one' is negative");
}

TEST(Remarks, Gravity) {
  expect_warning(planar + "gravity = [0, -9810]\n" + bar("[0, 0]"),
                 "m.toml:2:11: warning: gravity is 9810 m/s^2");
  expect_warning(planar + "gravity = [0, 9.81]\n" + bar("[0, 0]"),
                 "m.toml:2:11: warning: gravity points upwards");
}

TEST(Remarks, JointsFarFromTheirBodies) {
  expect_warning(planar + bar("[5, 0]"), "joints, 4.5 m away");
  const std::string shaped = planar + bar("[5, 0]", "100\nshape = { kind = \"bar\", length = 1 }");
  expect_warning(shaped, "joint pin is 4.5 m from the centre of body bar, which is 1 m large by its shape");
}

TEST(Remarks, FrictionThatSlidesHarderThanItHolds) {
  const std::string rubs =
      planar + bar("[0, 0]") + "[[force]]\nname = \"rub\"\nkind = \"stick-slip\"\njoint = \"pin\"\n";
  EXPECT_NO_THROW(Model::from_text(rubs + "most = 2\nsliding = 2\n"));
  for (const char* wrong : {"most = 1\nsliding = 2\n", "most = -2\nsliding = -3\n",
                            "most = \"1 + t\"\nsliding = \"2 - speed\"\n"})
    EXPECT_THROW(Model::from_text(rubs + wrong), ModelError) << wrong;
}

/// Where a law overflows it is named, and not what breaks down after it.
TEST(Remarks, FormulasThatAreNotFinite) {
  const std::string text =
      planar + bar("[0, 0]") + "[[drive]]\nname = \"fast\"\njoint = \"pin\"\nmotion = \"exp(1000*t) - 1\"\n";
  const Model model = Model::from_text(text);
  try {
    run(model.mechanism, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).rfind("a formula of drive 'fast' is not finite at t = 0.7", 0), 0u)
        << error.what();
  }
  RunOptions early;
  early.end = 1e-3;
  EXPECT_NO_THROW(run(model.mechanism, early));
}

}  // namespace
}  // namespace dalembert
