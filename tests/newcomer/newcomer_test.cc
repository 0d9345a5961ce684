// Is one file enough to add a method, a formulation, a joint, a force, a watch, a paper? The files beside this one are those
// of docs/add-one-thing.md, registered as if they were in the folders that the page names.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"
#include "papers/paper.h"
#include "tests/support/source_files.h"

namespace dalembert {
namespace {

TEST(Newcomer, EveryFileIsInThePageAsItIs) {
  const std::string page = read_text(std::filesystem::path(DALEMBERT_SOURCE) / "docs/add-one-thing.md");
  int seen = 0;
  for (const auto& file : source_files(DALEMBERT_SOURCE, "tests/newcomer", {".cc"})) {
    if (file.path.ends_with("_test.cc")) continue;
    EXPECT_NE(page.find("```cpp\n" + file.text + "```\n"), std::string::npos) << file.path;
    ++seen;
  }
  EXPECT_EQ(seen, 6);
}

/// The error at the end with this step.
double error(const std::string& method, double h) {
  RunOptions options;
  options.request.method = method;
  options.end = 1;
  options.step = h;
  const Summary s = run(make_problem("pendulum"), options);
  EXPECT_EQ(s.method, method);
  double worst = 0;
  for (const auto& [block, e] : s.error) worst = std::max(worst, e);
  return worst;
}

TEST(Newcomer, TheMethodHasTheOrderItClaims) {
  EXPECT_NEAR(std::log2(error("kutta3", .02) / error("kutta3", .01)), 3, .2);
}

TEST(Newcomer, TheFormulationIsFoundWithItsOption) {
  RunOptions options;
  options.request.formulation = "critical-feedback";
  options.end = 1;
  options.options = {{"rate", 20}};
  const Summary s = run(make_problem("pendulum"), options);
  EXPECT_EQ(s.outcome, Outcome::ok);
  EXPECT_EQ(s.formulation, "critical-feedback");
}

constexpr const char* atwood = R"(
title = "Atwood's machine"
space = "planar"

[[body]]
name = "left"
mass = 3
inertia = 1
position = [0, 2]

[[body]]
name = "right"
mass = 1
inertia = 1
position = [1, -1]

[[joint]]
name = "rope"
kind = "rope"
bodies = ["left", "right"]

[[force]]
name = "hook"
kind = "constant-pull"
from = { body = "ground", at = [1, -10] }
to = { body = "right", at = [1, -1] }
pull = 4

[[watch]]
name = "h"
height = "left"
)";

/// (m_1 + m_2) a = m_1 g - m_2 g - pull
TEST(Newcomer, TheJointTheForceAndTheWatchMoveAsTheyShould) {
  const Model model = Model::from_text(atwood, "atwood.toml");
  RunOptions options;
  options.end = .5;
  const Summary s = run(model.mechanism, options);
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  const double a = (3 * 9.81 - 9.81 - 4) / 4;
  ASSERT_EQ(model.watches.size(), 1u);
  EXPECT_NEAR(model.watches[0].value(s.state), 2 - a * .5 * .5 / 2, 1e-9);
  EXPECT_NEAR(s.state.y[s.layout["lambda"].offset], 3 * (9.81 - a), 1e-9);  // what holds the left body
}

TEST(Newcomer, ThePaperAgrees) {
  const PaperReport report = find_paper("galilei").run("", {});
  ASSERT_EQ(report.tables.size(), 1u);
  EXPECT_EQ(report.tables[0].rows[0].verdict, Verdict::agrees) << report.tables[0].rows[0].ours;
}

}  // namespace
}  // namespace dalembert
