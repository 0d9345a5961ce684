// Are the turns of an angle counted through a jump, whoever looks, and however many?
#include <gtest/gtest.h>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"

namespace dalembert {
namespace {

// 50 rad in one second, then rest: the drive has corners in its higher derivatives, where steps end and begin anew.
TEST(Turns, AreKeptAcrossTheCornersOfADrive) {
  const Model model = Model::from_text(R"toml(
space = "spatial"
gravity = [0, 0, 0]
[[body]]
name = "A"
mass = 2
inertia = [0.1, 0.2, 0.3]
[[joint]]
name = "h"
kind = "revolute"
bodies = ["ground", "A"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[drive]]
name = "d"
joint = "h"
motion = "50*smooth_step(t,0,1)-50*smooth_step(t,2,3)"
[[watch]]
name = "c"
coordinate = "h"
)toml");
  for (const int lookers : {1, 2, 3}) {
    std::vector<WatchFollower> all(static_cast<std::size_t>(lookers), WatchFollower(model.watches));
    std::vector<Observer*> observers;
    for (auto& each : all) observers.push_back(&each);
    const Summary summary = run(model.mechanism, {.end = 1.7}, observers);
    ASSERT_TRUE(good(summary.outcome)) << summary.message;
    EXPECT_NEAR(model.watches.front().value(summary.state), 50, 1e-6) << lookers;
  }
}

}  // namespace
}  // namespace dalembert
