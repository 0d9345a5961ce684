// Reference digits: Andrews' mechanism with every method of order 5 and more, the other problems with the default.
#include <gtest/gtest.h>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

TEST(Reference, AndrewsWithEveryMethodOfHighOrder) {
  const auto problem = make_problem("andrews");
  int tried = 0;
  for (const Pair& pair : feasible_pairs(*problem)) {
    if (pair.method->order(pair.formulation->to) < 5 || !adapts(pair, *problem)) continue;
    ++tried;
    // Bases of eigenvectors are known to fewer digits: at 1e-12 the witness sees their rounding, and does not trust some runs.
    const double tightest = pair.formulation->name == "maggi-zero-eigenvalue" ? 1e-11 : 1e-12;
    for (const auto& [tolerance, bound] : {std::pair{1e-10, 1e-8}, std::pair{tightest, 100 * tightest}}) {
      RunOptions options;
      options.request = {pair.formulation->name, pair.method->name};
      options.tolerance = {tolerance, tolerance};
      const Summary s = run(problem, options);
      EXPECT_EQ(s.outcome, Outcome::ok)
          << pair.formulation->name << " " << pair.method->name << " " << s.message;
      EXPECT_LT(s.error.at("q"), pair.formulation->name == "index3" ? std::max(bound, 1e-8) : bound)
          << pair.formulation->name << " " << pair.method->name << " at " << tolerance;
    }
  }
  EXPECT_GE(tried, 8);
}

TEST(Reference, EveryProblemWithTheDefaultChoice) {
  int known = 0;
  for (const auto& entry : all_problems()) {
    const auto problem = make_problem(entry.name);
    if (!problem->exact(problem->end())) continue;
    ++known;
    for (const double tolerance : {1e-6, 1e-10}) {
      RunOptions options;
      // The rod of the flexible crank bends by 1e-4 of the size of everything else.
      options.tolerance = {tolerance, entry.name == "slider-crank-flexible" ? 1e-4 * tolerance : tolerance};
      const Summary s = run(problem, options);
      ASSERT_EQ(s.outcome, Outcome::ok) << entry.name << ": " << s.message;
      ASSERT_FALSE(s.error.empty());
      for (const auto& [block, error] : s.error)
        EXPECT_LT(error, 2000 * tolerance)
            << entry.name << " " << block << " at " << tolerance << " by " << s.method;
    }
  }
  EXPECT_GE(known, 10);
}

TEST(Effort, HalfExplicitPendulumNeedsTheKnownNumberOfEvaluations) {
  // hem4 without projection, first step 0.01, integral controller: exact counts of an independent program.
  for (const auto& [tolerance, evaluations] :
       {std::pair{1e-4, 695}, std::pair{1e-6, 2945}, std::pair{1e-8, 13475}}) {
    RunOptions options;
    options.request = {"index2", "hem4"};
    options.tolerance = {tolerance, tolerance};
    options.control = Control::i;
    options.step = 0.01;
    options.projection = Projection::off;
    options.scrutiny = Scrutiny::method;  // as that program
    const Summary s = run(make_problem("pendulum"), options);
    EXPECT_NEAR(static_cast<double>(s.statistics.force_evaluations), evaluations, 0.02 * evaluations);
  }
}

}  // namespace
}  // namespace dalembert
