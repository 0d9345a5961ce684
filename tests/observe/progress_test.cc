// Does a run that goes on say how far it has come, how fast, and how long it will take?
#include "dalembert/observe/progress.h"

#include <gtest/gtest.h>

namespace dalembert {
namespace {

TEST(Progress, SaysHowFarHowFastAndHowLong) {
  const Progress progress(2, 12);
  EXPECT_EQ(progress.sentence(7, 40), "t = 7 of 12, 0 steps, 0/s, 40 s left");
  EXPECT_EQ(progress.sentence(3, 60), "t = 3 of 12, 0 steps, 0/s, 9 min left");
  EXPECT_EQ(progress.sentence(3, 3600), "t = 3 of 12, 0 steps, 0/s, 9.0 h left");
}

TEST(Progress, PromisesNothingBeforeItMoved) {
  EXPECT_EQ(Progress(0, 1).sentence(0, 0), "t = 0 of 1, 0 steps");
}

}  // namespace
}  // namespace dalembert
