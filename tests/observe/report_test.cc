// Reports say what is known about a run, and nothing else.
#include "dalembert/observe/report.h"

#include <gtest/gtest.h>

#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

TEST(Report, SaysWhatSolveKnows) {
  const Solution sol = solve(make_problem("pendulum"));
  const std::string text = report(sol);
  for (const char* part :
       {"formulation  index1\n", "outcome      ok, t = 10: reached the end\n", "drift        position",
        "energy       start", "error        q ", "  q.x ", "minus reference", "  m/s "})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_TRUE(text.starts_with("formulation"));
  EXPECT_EQ(text.find("watches"), std::string::npos);
}

TEST(Report, AddsDetails) {
  const Summary summary = run(make_problem("pendulum"), {});
  const std::string bare = report(summary);
  EXPECT_EQ(bare.find("drift"), std::string::npos);
  EXPECT_EQ(bare.find("minus reference"), std::string::npos);
  const std::string text =
      report(summary, {.title = "pendulum: swings",
                       .drift = Monitor::Drift{1e-3, 2e-3},
                       .watches = {{"twice", "m", [](const State& s) { return 2 * s.y[0]; }}},
                       .files = {"swing.csv"}});
  for (const char* part : {"problem      pendulum: swings\n", "drift        position 0.001, velocity 0.002",
                           "watches      t = 10\n", "  twice", "written      swing.csv\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

}  // namespace
}  // namespace dalembert
