// Is what is reported of dry friction its force, and do accelerations know of it, sliding or sticking?
#include <gtest/gtest.h>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"
#include "dalembert/observe/trajectory.h"

namespace dalembert {
namespace {

// A block of 2 kg slides with 1 m/s against 2 N: it stops at t = 1, and is held by what pulls, 0.5 N, from then on.
const char* const block = R"(
space = "planar"
gravity = [0, -9.81]
[[body]]
name = "m"
mass = 2
inertia = 0.1
velocity = [1, 0]
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "m"]
at = [0, 0]
along = [1, 0]
[[force]]
name = "rub"
kind = "stick-slip"
joint = "rail"
most = 3
sliding = 2
[[force]]
name = "pull"
kind = "force"
body = "m"
force = [0.5, 0]
[[watch]]
name = "a"
point = { body = "m", at = [0, 0] }
quantity = "acceleration"
)";

TEST(FrictionReport, AccelerationsAndFrictionAreRightInBothRegimes) {
  const Model model = Model::from_text(block);
  for (const char* method : {"dop853", "radau", "hem5", "bdf"}) {
    RunOptions options;
    options.request.method = method;
    options.tolerance = {1e-8, 1e-8};
    options.end = 2;
    Trajectory motion;
    const Summary summary = run(model.mechanism, options, {&motion});
    ASSERT_TRUE(good(summary.outcome)) << method << ": " << summary.message;
    const auto acceleration = model.watches.front().value;
    // Sliding: 2 a = 0.5 - 2.
    EXPECT_NEAR(acceleration(motion(0.7)), -0.75, 1e-6) << method;
    EXPECT_NEAR(motion["mu.rub.friction"](0.7), 2, 1e-6) << method;
    // It stops at 4/3 s and stays.
    EXPECT_NEAR(acceleration(summary.state), 0, 1e-6) << method;
    EXPECT_NEAR(motion["mu.rub.friction"](1.8), 0.5, 1e-6) << method;
  }
}

// A drive that does not move holds the joint: friction may take part of the load or not, but nothing is accelerated.
TEST(FrictionReport, ADriveAtRestLeavesNothingToAccelerate) {
  const Model model = Model::from_text(std::string(block) + R"(
[[drive]]
name = "hold"
joint = "rail"
motion = 0
)");
  RunOptions options;
  options.end = 1;
  const Summary summary = run(model.mechanism, options);
  ASSERT_TRUE(good(summary.outcome)) << summary.message;
  EXPECT_NEAR(model.watches.front().value(summary.state), 0, 1e-9);
}

}  // namespace
}  // namespace dalembert
