// The pace of a run: what is remembered of its last steps, and what is forgotten.
#include "dalembert/control/pace.h"

#include <gtest/gtest.h>

namespace dalembert {
namespace {

TEST(Pace, AFewStepsAreRememberedForTheirLength) {
  Statistics none;
  Pace pace(0, none);
  EXPECT_EQ(pace.mean_step(), 0);
  double t = 0;
  for (int k = 0; k < 6; ++k) pace.step(t += 0.001, none);  // as after a start
  EXPECT_NEAR(pace.mean_step(), 0.001, 1e-15);
  for (int k = 0; k < 6; ++k) pace.step(t += 0.5, none);
  EXPECT_NEAR(pace.mean_step(), 0.5, 1e-12);
  EXPECT_EQ(pace.steps(), Pace::few);
}

TEST(Pace, EffortIsWorkPerTimeOfTheLastSteps) {
  Statistics so_far;
  so_far.force_evaluations = 1000000;  // by who went before
  Pace pace(0, so_far);
  double t = 0;
  for (int k = 0; k < 50; ++k) {
    so_far.force_evaluations += 100;
    pace.step(t += 0.1, so_far);
  }
  EXPECT_NEAR(pace.effort(), 1000, 1e-6);
  for (int k = 0; k < 50; ++k) {
    so_far.force_evaluations += 1;
    so_far.solves += 1;
    pace.step(t += 0.1, so_far);
  }
  EXPECT_NEAR(pace.effort(), 20, 1e-6);
  for (int k = 0; k < 50; ++k) {
    so_far.factorizations += 1;  // dearer than an evaluation
    pace.step(t += 0.1, so_far);
  }
  EXPECT_GT(pace.effort(), 20);
}

}  // namespace
}  // namespace dalembert
