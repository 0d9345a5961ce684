// Joints never drift apart: the position residual stays at rounding over 10^5 steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "dalembert/control/run.h"
#include "tests/support/large_mechanisms.h"

namespace dalembert {
namespace {

using testing::MechanismPtr;

/// The largest |g| and |J v| at the ends of steps.
class Residuals final : public Observer {
 public:
  explicit Residuals(const Mechanical& problem) : problem_(problem), n_(problem.sizes()) {
    at_ = problem.placement();
    g_.resize(n_.holonomic);
  }
  void step(const StepView& view) override {
    const State& state = view.at(view.end(), Depth::coordinates);
    problem_.place_at(*at_, state.t, state.y.head(n_.q));
    problem_.g(*at_, g_);
    position = std::max(position, largest(g_));
    problem_.jacobian(*at_, J_);
    rate_ = Vector::Zero(n_.rows());
    J_.multiply(state.y.segment(n_.q, n_.v), 1, rate_);
    velocity = std::max(velocity, largest(rate_));
    ++steps;
  }
  double position = 0, velocity = 0;
  long steps = 0;

 private:
  const Mechanical& problem_;
  Mechanical::Sizes n_;
  std::unique_ptr<Placement> at_;
  Entries J_;
  Vector g_, rate_;
};

void stays_together(const MechanismPtr& mechanism, double size) {
  constexpr long steps = 100'000;
  Residuals seen(*mechanism);
  RunOptions options;
  options.request = {"index1", "dopri5"};
  options.tolerance.relative = options.tolerance.absolute = 1e-8;
  options.end = 1e6;
  options.most_steps = steps;
  const Summary summary = run(mechanism, options, {&seen});
  EXPECT_EQ(summary.outcome, Outcome::too_many_steps) << summary.message;
  EXPECT_EQ(seen.steps, steps);
  EXPECT_LT(seen.position, 1e-9 * size);
  EXPECT_LT(seen.velocity, 1e-8 * size);
  std::printf("%ld steps to t = %g: |g| <= %.1e, |J v| <= %.1e\n", seen.steps, summary.state.t, seen.position,
              seen.velocity);
}

TEST(Drift, PlanarChainStaysTogether) {
  stays_together(testing::planar_chain(3), 3);
}

TEST(Drift, SpatialChainsStayTogether) {
  stays_together(testing::spherical_chain(2), 2);
  stays_together(testing::revolute_chain(2), 2);
}

/// Far beyond what the watch for singular positions can decide: the run goes on, and says that nobody watches.
TEST(LargeMechanisms, RunUnwatchedAndSaySo) {
  const Summary summary = run(testing::four_bars(300), {.tolerance = {1e-6, 1e-6}, .end = 5e-3});
  ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
  ASSERT_EQ(summary.warnings.size(), 1u);
  EXPECT_NE(summary.warnings[0].find("singular positions are not looked for"), std::string::npos);
}

/// The rows of a tree never become dependent: there is nothing to say, and in a short one nothing to look for.
TEST(LargeMechanisms, NothingIsLookedForInTrees) {
  const Summary large = run(testing::planar_chain(800), {.tolerance = {1e-6, 1e-6}, .end = 5e-3});
  ASSERT_EQ(large.outcome, Outcome::ok) << large.message;
  EXPECT_TRUE(large.warnings.empty());
  const Summary small = run(testing::planar_chain(20), {.tolerance = {1e-6, 1e-6}, .end = .1});
  ASSERT_EQ(small.outcome, Outcome::ok) << small.message;
  EXPECT_EQ(small.statistics.rank_checks, 0);
}

}  // namespace
}  // namespace dalembert
